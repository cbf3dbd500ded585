# SPDX-License-Identifier: BSD-3-Clause
"""The codecs: each codes an image at a quality of 1 to 99 and decodes it, within its own scale."""

import csv
import io
import math
import shlex
import struct
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import imagecodecs
import numpy as np
import oxipng
from peers_ifs_measures import BPP, measure
from PIL import AvifImagePlugin, Image, features

LADDER = 1.5  # rates of neighbouring points differ at most by this factor
LOSSLESS = 100  # as a quality


class Coded(NamedTuple):
    """An image that was coded and decoded."""

    n_bytes: int
    pixels: np.ndarray
    encode_s: float
    decode_s: float
    n_around: int = 0  # bytes of them that are a container's


def run(*words):
    """Give what a program prints; an error if it fails, after it has said why."""
    done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)}: exit status {done.returncode}")
    return done.stdout.decode()


def table(text):
    """Give the first row of a table of rugose."""
    return next(csv.DictReader(io.StringIO(text)))


def container(data):
    """Bytes of an ISO base media file that are not in its box mdat."""
    place = around = 0
    while place < len(data):
        n_bytes, kind = struct.unpack_from(">I4s", data, place)
        around += 8 if kind == b"mdat" else n_bytes
        place += n_bytes
    return around


def timed(call):
    """Give what a call returns, and its seconds."""
    begin = time.perf_counter()
    found = call()
    return found, time.perf_counter() - begin


class Rugose:
    """The program, by files; its times are those of its tables, without reading and writing."""

    name, has_threads, colour_only = "rugose", True, False

    def __init__(self, program, options):
        self.program, self.options = program, shlex.split(options)

    def code(self, image, quality, threads=1):
        """Code at a quality, and decode."""
        kind = ["--lossless"] if quality == LOSSLESS else ["--quality", str(quality)]
        return self.code_as(image, kind, threads)

    def code_as(self, image, kind, threads=1):
        """Code as some words of the command line say, and decode."""
        with tempfile.TemporaryDirectory() as folder:
            source, stream, back = (Path(folder) / n for n in ("a.png", "a.rfi", "a.ppm"))
            back = back if image.ndim == 3 else back.with_suffix(".pgm")
            Image.fromarray(image).save(source, compress_level=1)
            common = ["-q", "--no-progress", "-f", "csv", "--threads", str(threads)]
            words = [*common, *kind, *self.options, "-o", str(stream), str(source)]
            coded = table(run(self.program, "compress", *words))
            words = [*common, "-o", str(back), str(stream)]
            decoded = table(run(self.program, "decompress", *words))
            seconds = [float(row["seconds"]) for row in (coded, decoded)]
            return Coded(stream.stat().st_size, np.asarray(Image.open(back)), *seconds)


class Pillow:
    """A format of Pillow, with settings that depend on the quality and on the channels."""

    def __init__(self, name, form, settings, colour_only=False):
        self.name, self.form, self.settings = name, form, settings
        self.has_threads = self.has_container = form == "AVIF"
        self.colour_only = colour_only

    def code(self, image, quality, threads=1):
        """Code at a quality, and decode."""
        settings = self.settings(quality, 1 if image.ndim == 2 else 3)
        if self.has_threads:
            settings["max_threads"] = AvifImagePlugin.DEFAULT_MAX_THREADS = threads
        picture, file = Image.fromarray(image), io.BytesIO()
        if self.form == "WEBP":  # knows no grey
            picture = picture.convert("RGB")
        _, encode_s = timed(lambda: picture.save(file, self.form, **settings))
        file.seek(0)
        decoded, decode_s = timed(lambda: Image.open(file).convert("RGB"))
        pixels = np.asarray(decoded if image.ndim == 3 else decoded.convert("L"))
        data = file.getvalue()
        around = container(data) if self.has_container else 0
        return Coded(len(data), pixels, encode_s, decode_s, around)


class JpegXl:
    """JPEG XL as a codestream, by imagecodecs."""

    has_threads, has_container, colour_only = True, False, False

    def __init__(self, effort):
        self.name, self.effort = f"JPEG XL (effort {effort})", effort

    def code(self, image, quality, threads=1):
        """Code at a quality, and decode."""
        kind = {"distance": max(0.05, 25 * (1 - quality / 100) ** 2)}
        if quality == LOSSLESS:
            kind = {"lossless": True}
        kind.update(effort=self.effort, usecontainer=False, numthreads=threads)
        data, encode_s = timed(lambda: imagecodecs.jpegxl_encode(image, **kind))
        decode = imagecodecs.jpegxl_decode
        pixels, decode_s = timed(lambda: decode(data, numthreads=threads))
        return Coded(len(data), pixels, encode_s, decode_s)


class Png:
    """PNG, the smaller one of those that oxipng makes with its own deflate and with Zopfli."""

    name = "PNG (oxipng 6, Zopfli)"

    def code(self, image, _quality, _threads=1):
        """Code without loss, and decode."""
        file = io.BytesIO()
        Image.fromarray(image).save(file, "PNG", optimize=True)
        ways = [{"level": 6}, {"level": 6, "deflate": oxipng.Deflaters.zopfli(5)}]
        made, encode_s = timed(
            lambda: [oxipng.optimize_from_memory(file.getvalue(), **way) for way in ways]
        )
        data = min(made, key=len)
        mode = "L" if image.ndim == 2 else "RGB"
        decoded, decode_s = timed(lambda: Image.open(io.BytesIO(data)).convert(mode))
        return Coded(len(data), np.asarray(decoded), encode_s, decode_s)


def jpeg(quality, _channels):
    """Colours are halved, as Pillow does by itself."""
    return {"quality": quality, "optimize": True, "progressive": True, "subsampling": "4:2:0"}


def jpeg_2000(quality, channels):
    """The quality is a rate: 0.1 to 4 bits per pixel; colours are mixed."""
    ratio = 8 * channels / (0.1 * 40 ** (quality / 100))
    kind = {"no_jp2": True, "irreversible": True, "quality_mode": "rates"}
    return {**kind, "quality_layers": [ratio], "mct": 1 if channels == 3 else 0}


def webp(quality, _channels):
    """The slowest method."""
    if quality == LOSSLESS:
        return {"lossless": True, "quality": 100, "method": 6}
    return {"quality": quality, "method": 6}


def avif(quality, channels, tune=None, colours="4:2:0"):
    """A tune of libaom (None: what libavif takes), and how colours are sampled."""
    found = {"quality": quality, "speed": 6, "subsampling": colours if channels == 3 else "4:0:0"}
    return {**found, "advanced": {"tune": tune}} if tune else found


def there(codecs):
    """Leave out codecs that this Pillow or imagecodecs lacks, and say so."""
    needs = {"JPEG2000": "jpg_2000", "WEBP": "webp", "AVIF": "avif", "JPEG": "jpg"}
    found = []
    for codec in codecs:
        is_there = imagecodecs.JPEGXL.available
        if isinstance(codec, Pillow):
            is_there = features.check(needs[codec.form])
        if is_there or isinstance(codec, Png):
            found.append(codec)
        else:
            print(f"{codec.name} is left out: it is not there", file=sys.stderr)
    return found


def find_codecs():
    """Codecs with loss."""
    full = {"colours": "4:4:4"}
    return there(
        [
            Pillow("JPEG (optimized, progressive)", "JPEG", jpeg),
            Pillow("JPEG 2000 (9/7)", "JPEG2000", jpeg_2000),
            Pillow("WebP (method 6)", "WEBP", webp),
            Pillow("AVIF (speed 6)", "AVIF", avif),
            Pillow("AVIF (4:4:4)", "AVIF", partial(avif, **full), colour_only=True),
            Pillow("AVIF (tune psnr)", "AVIF", partial(avif, tune="psnr")),
            Pillow(
                "AVIF (tune psnr, 4:4:4)",
                "AVIF",
                partial(avif, tune="psnr", **full),
                colour_only=True,
            ),
            JpegXl(7),
        ]
    )


def find_lossless():
    """Codecs without loss."""
    return there([Png(), Pillow("WebP (lossless, 6)", "WEBP", webp), JpegXl(9)])


def points(codec, image):
    """Code an image at qualities that take the rates of BPP, and less and more, in small steps.

    Gives dictionaries with `quality`, `bpp`, `bare_bpp` (without a container) and what measure()
    finds, by rising quality.
    """
    found = {}

    def bpp(quality):
        if quality not in found:
            coded = codec.code(image, quality)
            bits = 8 / math.prod(image.shape[:2])
            rates = {
                "bpp": bits * coded.n_bytes,
                "bare_bpp": bits * (coded.n_bytes - coded.n_around),
            }
            found[quality] = {"quality": quality, **rates, **measure(image, coded.pixels)}
        return found[quality]["bpp"]

    ranges = [(1, 99)]
    while ranges:
        low, high = ranges.pop()
        inside = bpp(low) < BPP[1] and bpp(high) > BPP[0]
        if inside and high - low > 1 and bpp(high) > LADDER * bpp(low):
            middle = (low + high) // 2
            ranges += [(low, middle), (middle, high)]
    return [found[quality] for quality in sorted(found)]
