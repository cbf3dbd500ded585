# SPDX-License-Identifier: BSD-3-Clause
"""``python -m rugose --version``: the version, and what this build and this machine can do."""

import argparse
import platform

import numpy as np

from . import __version__
from ._context import machine

DESCRIPTION = (
    "Roughness of images. This prints facts; images are measured from Python: import rugose."
)


def facts():
    """Lines of text."""
    m = machine()
    yield f"rugose {__version__}"
    yield f"Python {platform.python_version()}, NumPy {np.__version__}"
    yield f"processor level: {m['level']}, {m['threads']} threads"
    yield "engines: cpu" + (", opencl" if m["opencl"] else " (built without OpenCL)")
    for i, name in enumerate(m["devices"]):
        yield f"device: opencl:{i} {name}" + (", selected by auto" if i == m["auto"] else "")
    if m["opencl"] and not m["devices"]:
        yield f"devices: none; {m['reason']}"


def main():
    """Print what is asked for."""
    parser = argparse.ArgumentParser("python -m rugose", description=DESCRIPTION)
    parser.add_argument(
        "--version", action="store_true", help="the version, the processor, the devices"
    )
    if parser.parse_args().version:
        print(*facts(), sep="\n")
    else:
        parser.print_help()


if __name__ == "__main__":
    main()
