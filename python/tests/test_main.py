# SPDX-License-Identifier: BSD-3-Clause
"""`python -m rugose`, and what a package says of itself."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import rugose


def said(*words, **more):
    command = [sys.executable, "-m", "rugose", *words]
    environment = {**os.environ, **more}
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def test_version():
    lines = said("--version", OCL_ICD_VENDORS="/none").splitlines()
    assert lines[0] == f"rugose {rugose.__version__}"
    assert lines[2].startswith("processor level: ") and " threads" in lines[2]
    assert lines[3].startswith("engines: cpu")
    assert len(lines) <= 4 or lines[4].startswith("devices: none; no OpenCL")


def test_without_words_it_helps():
    assert "--version" in said()


def test_unknown_word_is_refused():
    with pytest.raises(subprocess.CalledProcessError) as error:
        said("--frobnicate")
    assert error.value.returncode == 2


def test_package():
    """Its version is the library's, its licence is in it, and no other library's."""
    files = [Path(f).name for f in metadata.files("rugose")]
    assert metadata.version("rugose") == rugose.__version__
    assert files.count("LICENSE") == 1
    assert "py.typed" in files and not any(name.endswith((".pyx", ".pxd", ".c")) for name in files)
    assert metadata.metadata("rugose")["Requires-Python"] == ">=3.9"
