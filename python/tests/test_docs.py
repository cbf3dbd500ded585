# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the guide run, and print what it says."""

import doctest

import pytest
from conftest import ROOT


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md", "README.md"])
def test_examples(page):
    found = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0 and found.failed == 0
