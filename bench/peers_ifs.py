#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fractal coding beside other codecs, and `rugose upscale` beside interpolation.

    python3 bench/peers_ifs.py build/release/cli/rugose [IMAGE|FOLDER ...]
    python3 bench/peers_ifs.py --options "--effort 7" --each build/release/cli/rugose
    python3 bench/peers_ifs.py --lossless build/release/cli/rugose [IMAGE|FOLDER ...]
    python3 bench/peers_ifs.py --upscale 2 build/release/cli/rugose [IMAGE|FOLDER ...]

The first run makes build/peers_venv with the codecs, and build/peers_images: 24 grey and 12 colour
images, from tests/data and from packages that carry some. It needs the module venv, a network, and
takes 400 MB. Tables are Markdown on standard output, progress is on standard error. Images that are
named stand for all of those; they have 8 bits, and those in colour are coded as grey, too.

Codecs: BD-rate (Bjontegaard 2001, with monotone cubic interpolation of the logarithm of bytes): how
many percent more or fewer bytes rugose needs for the same quality than the other codec, the mean
over what both reach between 0.15 and 2 bits per pixel. Bytes are those of whole files, quality that
of what is decoded from them. Below 0 is better. Quality is the PSNR, SSIM (Wang 2004) and MS-SSIM
(Wang 2003), the last two in decibels, -10 log10(1 - s); of colour the PSNR over red, green and
blue, all others of the luma of BT.601. Cells have the mean, the best and the worst image. Times
follow, per megapixel at half a bit per pixel. --each adds the rates of each image.

--lossless: bits per pixel of files from which the image comes back as it was.

--upscale: images are reduced by means of 2 x 2 or 4 x 4 pixels, enlarged again, and compared with
what they were; coded too, and the stream decoded larger beside its picture enlarged by bicubic
interpolation.
"""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

BENCH = Path(__file__).resolve().parent
FOLDER = BENCH.parent / "build" / "peers_venv"
PACKAGES = ["numpy", "scipy", "pillow>=11.3", "imagecodecs", "pyoxipng"]


def python():
    """Make the interpreter that has the codecs, unless it is there; give its path."""
    program, done = FOLDER / "bin" / "python", FOLDER / "complete"
    if not done.exists():
        print(f"making {FOLDER}", file=sys.stderr)
        venv.create(FOLDER, with_pip=True)
        subprocess.run([program, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        done.touch()
    return program


def arguments():
    """Read the command line, so that a wrong one is told before anything is made."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--lossless", action="store_true", help="bytes without loss")
    kind.add_argument("--upscale", type=int, choices=(2, 4), help="enlarging")
    parser.add_argument("--options", default="", help="more options of rugose compress")
    parser.add_argument("--each", action="store_true", help="print the rates of each image, too")
    parser.add_argument("rugose", help="the program")
    parser.add_argument("images", nargs="*", metavar="IMAGE|FOLDER")
    given = parser.parse_args()
    for path in (given.rugose, *given.images):
        if not os.path.exists(path):
            sys.exit(f"{path}: there is no such file; a program and images are expected")
    return given


def main():
    """Hand over to the interpreter that has the codecs."""
    given = arguments()
    script = "peers_ifs_upscale.py" if given.upscale else "peers_ifs_table.py"
    # Images are spread over the processors: threads that a library starts would be in their way.
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    program = python()
    os.execve(program, [str(program), str(BENCH / script), *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
