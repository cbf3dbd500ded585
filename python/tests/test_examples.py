# SPDX-License-Identifier: BSD-3-Clause
"""The example whose tool comes from PyPI; tests/examples runs those of other schedulers."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_snakemake(tmp_path):
    program = pathlib.Path(os.environ.get("RUGOSE", ROOT / "build" / "release" / "cli" / "rugose"))
    folder = pathlib.Path(sys.executable).parent
    if shutil.which("snakemake", path=str(folder)) is None:
        pytest.skip("snakemake is not installed beside this Python")
    tools = program.parents[1] / "tests"
    if not (tools / "make_image").exists():
        pytest.skip("the program is not built with its tests; RUGOSE names it")
    environment = {
        **os.environ,
        "RUGOSE": str(program),
        "TOOLS": str(tools),
        "XDG_CACHE_HOME": str(tmp_path),
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
    }
    run = subprocess.run(
        [ROOT / "tests" / "examples" / "run_example.sh", "snakemake"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
