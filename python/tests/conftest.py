# SPDX-License-Identifier: BSD-3-Clause
"""The data of the tests, and the program that they are compared with."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"

# Of NIfTI-1.
TYPES = {2: "u1", 4: "<i2", 8: "<i4", 16: "<f4", 64: "<f8", 256: "i1", 512: "<u2", 768: "<u4"}


def read_volume(path):
    """[nz, ny, nx] of a NIfTI-1 file without scale."""
    content = gzip.decompress(path.read_bytes())
    n = np.frombuffer(content, "<i2", 8, 40)
    kind = TYPES[int(np.frombuffer(content, "<i2", 1, 70)[0])]
    offset = int(np.frombuffer(content, "<f4", 1, 108)[0])
    shape = tuple(int(side) for side in n[3:0:-1])
    return np.frombuffer(content, kind, int(np.prod(shape)), offset).reshape(shape)


def read_picture(path):
    """The pixels of what Pillow reads."""
    with Image.open(path) as picture:
        return np.array(picture)


@pytest.fixture(scope="session")
def read():
    """The pixels or voxels of a file of tests/data."""

    def pixels(name):
        return (read_volume if name.endswith(".nii.gz") else read_picture)(DATA / name)

    return pixels


@pytest.fixture(scope="session")
def program():
    """The rows that the program prints in JSON."""
    path = os.environ.get("RUGOSE", ROOT / "build" / "release" / "cli" / "rugose")
    if not Path(path).exists():
        pytest.skip("the program is not built; RUGOSE names it")

    def start(*words):
        command = [str(path), *map(str, words)]
        return subprocess.run(command, cwd=DATA, capture_output=True)

    def run(*words):
        done = start(*words)
        done.check_returncode()
        return done.stdout

    def rows(*words):
        return json.loads(run(*words, "-f", "json", "-q"))["results"]

    def of_many(*words, names=()):
        """Rows and failures of one run over many files, by the files' names in tests/data."""
        done = start(*words, "-f", "json", "-q", *names)
        assert done.returncode in (0, 1), done.stderr.decode()
        found, failures = {}, {}
        for row in json.loads(done.stdout)["results"]:
            found.setdefault(os.path.relpath(DATA / row["image"], DATA), []).append(row)
        for line in done.stderr.decode().splitlines():
            name, colon, text = line.strip().partition(": ")
            if line.startswith("  ") and colon:  # the list at the end
                failures[os.path.relpath(DATA / name, DATA)] = text
            elif name == "rugose" and not text.startswith("warning: ") and done.returncode == 1:
                name, _, text = text.partition(": ")
                failures.setdefault(os.path.relpath(DATA / name, DATA), text)
        return found, failures

    rows.run, rows.of_many = run, of_many
    return rows


@pytest.fixture(scope="session")
def textures(read):
    """Images that train with their classes, images that test with their files."""
    train, test = (
        sorted(str(p.relative_to(DATA)) for p in (DATA / "textures" / of).glob("*/*.png"))
        for of in ("train", "test")
    )
    names = [Path(file).parent.name for file in train]
    return [read(file) for file in train], names, [read(file) for file in test], test


@pytest.fixture(scope="session")
def classified(program, textures, tmp_path_factory):
    """The program's verdicts on the textures, of two operators, border skip."""
    model = tmp_path_factory.mktemp("classes") / "model.json"
    operators = ("--lbp", "8,1", "--lbp", "16,2")

    def rows(*options):
        if not model.exists():
            words = ("train", "--model", model, "--border", "skip", *operators, "textures/train")
            program.run(*words)
        return program("classify", "--model", model, *options, *textures[3])

    return rows
