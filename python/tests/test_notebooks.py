# SPDX-License-Identifier: BSD-3-Clause
"""The notebooks run, and what they assert holds."""

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_lie_without_output():
    for path in NOTEBOOKS:
        cells = nbformat.read(path, 4).cells
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
        assert sum("assert" in cell.source for cell in cells) > 1, path.name


def test_are_named_in_the_front_page():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if f"({path.name})" not in page] == []


def test_run():
    """All in one kernel, which forgets the names of each, and imports packages once."""
    whole = nbformat.v4.new_notebook()
    for path in NOTEBOOKS:
        whole.cells += nbformat.read(path, 4).cells
        whole.cells.append(nbformat.v4.new_code_cell("plt.close('all')\n%reset -f"))
    place = {"metadata": {"path": str(FOLDER)}}
    nbclient.NotebookClient(whole, timeout=120, kernel_name="python3", resources=place).execute()
    cells = [cell for cell in whole.cells if cell.cell_type == "code"]
    assert len(cells) > 40 and all(cell.execution_count for cell in cells)
