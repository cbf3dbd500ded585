#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fractal coding beside other codecs, and `rugose upscale` beside interpolation.

    python3 bench/peers_ifs.py build/release/cli/rugose [IMAGE|FOLDER ...]
    python3 bench/peers_ifs.py --upscale 2 build/release/cli/rugose [IMAGE|FOLDER ...]

Images are read as grey of 8 bits; without any: camera.png, brick.png and ht29_dna.png of tests/data, with
--upscale also two textures. Needs numpy, scipy and Pillow; a codec that is not there is named. Bytes are
those of whole files, PSNR is over 8 bits, of files that were written and decoded.

Codecs: BD-rate (Bjontegaard 2001, with monotone cubic interpolation of the logarithm of bytes over PSNR):
how many percent more or fewer bytes rugose needs for the same PSNR than the other codec, the mean over the
range of PSNR that both reach between 0.1 and 2.5 bits per pixel. Below 0 is better.

--upscale: images are reduced by means of 2 x 2 or 4 x 4 pixels, enlarged again, and compared with what they
were; coded too, and the stream decoded larger beside its picture enlarged by bicubic interpolation.
"""
import csv
import io
import math
import os
import subprocess
import sys
import tempfile

import numpy
import PIL
from PIL import Image, features
from scipy.interpolate import PchipInterpolator

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data")
CODED = ["camera.png", "brick.png", "ht29_dna.png"]
ENLARGED = CODED + ["textures/train/fabric/00.png", "textures/train/grass/00.png"]
ENDINGS = (".png", ".tif", ".tiff", ".pgm", ".jpg", ".bmp")
BPP = (0.1, 2.5)
ROUNDS = 3  # back-projections
PIFS_PEER = (0.73, 33.5)  # bpp and dB of the best coder of its kind, of camera.png


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit("%s: exit status %d" % (" ".join(words), done.returncode))
    return done.stdout.decode()


def table(text):
    return next(csv.DictReader(io.StringIO(text)))


def psnr(a, b):
    mse = numpy.mean((a.astype(float) - b.astype(float))**2)
    return 10 * math.log10(255**2 / mse) if mse > 0 else math.inf


def read(path):
    image = Image.open(path)
    if image.mode not in ("L", "RGB", "RGBA", "P", "1"):
        sys.exit("%s: an image of 8 bits expected, mode %s found" % (path, image.mode))
    return numpy.asarray(image.convert("L"))


def find_images(words, defaults):
    if not words:
        return [os.path.join(DATA, name) for name in defaults]
    paths = []
    for word in words:
        paths += [word] if not os.path.isdir(word) else sorted(
            os.path.join(word, name) for name in os.listdir(word)
            if name.lower().endswith(ENDINGS))
    return paths


def name_of(path):
    folder, name = os.path.split(os.path.splitext(path)[0])
    return os.path.join(os.path.basename(folder), name) if name.isdigit() else name


# ---- Codecs: each gives points (bytes, dB) of an image

class Rugose:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.name = "rugose"

    def point(self, grey, *options):
        source, stream, back = (os.path.join(self.folder, n)
                                for n in ("in.png", "a.rfi", "out.png"))
        Image.fromarray(grey).save(source)
        run(self.program, "compress", "-q", "--no-progress", *options, "-o", stream, source)
        run(self.program, "decompress", "-q", "-o", back, stream)
        return os.path.getsize(stream), psnr(grey, read(back))

    def points(self, grey):
        return [self.point(grey, "--quality", str(q)) for q in range(5, 100, 9)]


class Pillow:
    def __init__(self, name, mode, settings):
        self.name, self.mode, self.settings = name, mode, settings

    def point(self, grey, setting):
        coded = io.BytesIO()
        Image.fromarray(grey).convert(self.mode).save(coded, **setting)
        coded.seek(0)
        return len(coded.getvalue()), psnr(grey, numpy.asarray(Image.open(coded).convert("L")))

    def points(self, grey):
        return [self.point(grey, s) for s in self.settings]


class Avif:
    """The command-line tools of libavif, monochrome."""

    def __init__(self, folder):
        self.name, self.folder = "AVIF (avifenc -y 400 -s 2)", folder

    def points(self, grey):
        source, coded, back = (os.path.join(self.folder, n)
                               for n in ("in.png", "a.avif", "out.png"))
        Image.fromarray(grey).save(source)
        found = []
        for q in range(10, 64, 6):
            run("avifenc", "-y", "400", "-s", "2", "--min", str(q), "--max", str(q), source, coded)
            run("avifdec", coded, back)
            found.append((os.path.getsize(coded), psnr(grey, read(back))))
        return found


def has_program(name):
    return any(os.access(os.path.join(f, name), os.X_OK) for f in os.environ["PATH"].split(":"))


def find_codecs(folder):
    jpeg = [dict(format="JPEG", quality=q, optimize=True, progressive=True)
            for q in range(3, 98, 4)]
    jp2 = [dict(format="JPEG2000", no_jp2=True, irreversible=True, quality_mode="rates",
                quality_layers=[r]) for r in numpy.geomspace(100, 2.5, 24)]
    webp = [dict(format="WEBP", quality=q, method=6) for q in range(1, 101, 4)]
    known = [("jpg", Pillow("JPEG (optimize, progressive)", "L", jpeg)),
             ("jpg_2000", Pillow("JPEG 2000 (codestream, 9/7)", "L", jp2)),
             ("webp", Pillow("WebP (method 6)", "RGB", webp))]
    found = []
    for feature, codec in known:
        if features.check(feature):
            found.append(codec)
        else:
            print("# %s is left out: this Pillow lacks it" % codec.name)
    if has_program("avifenc") and has_program("avifdec"):
        found.append(Avif(folder))
    else:
        print("# AVIF is left out: avifenc and avifdec are not installed")
    return found


def curve(points, n_pixels):
    """The logarithm of bytes as a function of PSNR, and the range of the latter. A point that another one
    beats in both is left out."""
    kept, best = [], -math.inf
    for n_bytes, db in sorted(points):
        if BPP[0] <= 8 * n_bytes / n_pixels <= BPP[1] and db > best and db < math.inf:
            kept.append((n_bytes, db))
            best = db
    if len(kept) < 3:
        return None
    db = [p[1] for p in kept]
    return PchipInterpolator(db, [math.log(p[0]) for p in kept]), db[0], db[-1]


def bd_rate(ours, theirs, n_pixels):
    a, b = curve(ours, n_pixels), curve(theirs, n_pixels)
    if a is None or b is None:
        return math.nan
    low, high = max(a[1], b[1]), min(a[2], b[2])
    if not low < high:
        return math.nan
    mean = (a[0].integrate(low, high) - b[0].integrate(low, high)) / (high - low)
    return 100 * (math.exp(mean) - 1)


def compare_codecs(program, words):
    with tempfile.TemporaryDirectory() as folder:
        rugose, codecs = Rugose(program, folder), find_codecs(folder)
        print("image\tcodec\tbd_rate\tunit\tour_points\ttheir_points")
        rates = {codec.name: [] for codec in codecs}
        for path in find_images(words, CODED):
            grey = read(path)
            ours = rugose.points(grey)
            for codec in codecs:
                theirs = codec.points(grey)
                rate = bd_rate(ours, theirs, grey.size)
                rates[codec.name].append(rate)
                print("%s\t%s\t%.1f\t%%\t%d\t%d" % (name_of(path), codec.name, rate, len(ours),
                                                   len(theirs)), flush=True)
        for name, found in rates.items():
            print("mean of %d\t%s\t%.1f\t%%\t-\t-" % (len(found), name, numpy.mean(found)))
        n_bytes, db = rugose.point(read(os.path.join(DATA, "camera.png")), "--bpp",
                                   str(PIFS_PEER[0]))
        print("# camera at %.3f bpp: %.2f dB; the best peer that is a PIFS alone: %.1f dB at %.2f" % (
            8 * n_bytes / 512**2, db, PIFS_PEER[1], PIFS_PEER[0]))


# ---- Enlarging

def shrink(cells, k):
    ny, nx = cells.shape
    return cells.reshape(ny // k, k, nx // k, k).mean(axis=(1, 3))


def enlarge(cells, k, kind):
    image = Image.fromarray(cells.astype(numpy.float32), mode="F")
    return numpy.asarray(image.resize((cells.shape[1] * k, cells.shape[0] * k), kind), float)


def back_project(small, k):
    large = enlarge(small, k, Image.BICUBIC)
    for _ in range(ROUNDS):
        large = large + enlarge(small - shrink(large, k), k, Image.BICUBIC)
    return large


METHODS = [
    ("nearest", lambda s, k: enlarge(s, k, Image.NEAREST)),
    ("bilinear", lambda s, k: enlarge(s, k, Image.BILINEAR)),
    ("bicubic", lambda s, k: enlarge(s, k, Image.BICUBIC)),
    ("Lanczos 3", lambda s, k: enlarge(s, k, Image.LANCZOS)),
    ("bicubic, %d back-projections" % ROUNDS, back_project),
]


def to_bytes(cells):
    return numpy.clip(numpy.floor(cells + 0.5), 0, 255).astype(numpy.uint8)


def compare_upscaling(program, k, words):
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        whole, small, large = (os.path.join(folder, n + ".png") for n in ("whole", "small", "large"))
        stream, decoded = os.path.join(folder, "small.rfi"), os.path.join(folder, "decoded.png")

        def tell(image, method):
            row = table(run(program, "compare", "-qf", "csv", whole, large))
            found = float(row["psnr"]), float(row["ssim"])
            totals.setdefault(method, []).append(found)
            print("%s\t%s\t%.2f\t%.4f" % ((image, method) + found), flush=True)

        print("image\tmethod\tpsnr\tssim")
        for path in find_images(words, ENLARGED):
            grey = read(path)
            grey = grey[:grey.shape[0] // k * k, :grey.shape[1] // k * k]
            Image.fromarray(grey).save(whole)
            reduced = to_bytes(shrink(grey.astype(float), k))
            Image.fromarray(reduced).save(small)
            for method, function in METHODS:
                Image.fromarray(to_bytes(function(reduced.astype(float), k))).save(large)
                tell(name_of(path), method)
            run(program, "upscale", "-q", "--no-progress", "--scale", str(k), "-o", large, small)
            tell(name_of(path), "rugose upscale")
            run(program, "compress", "-q", "--no-progress", "-o", stream, small)
            run(program, "decompress", "-q", "--scale", str(k), "-o", large, stream)
            tell(name_of(path), "stream, decoded larger")
            run(program, "decompress", "-q", "-o", decoded, stream)
            Image.fromarray(to_bytes(enlarge(read(decoded), k, Image.BICUBIC))).save(large)
            tell(name_of(path), "stream, decoded and bicubic")
    for method, found in totals.items():
        print("mean of %d\t%s\t%.2f\t%.4f" % ((len(found), method) + tuple(numpy.mean(found, axis=0))))


def main():
    words = sys.argv[1:]
    scale = 0
    if words[:1] == ["--upscale"] and words[1:2] and words[1] in ("2", "4"):
        scale, words = int(words[1]), words[2:]
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    print("# %s, Pillow %s, numpy %s; PSNR over 8 bits, bytes of whole files" % (
        run(words[0], "version").splitlines()[0], PIL.__version__, numpy.__version__))
    if scale:
        compare_upscaling(words[0], scale, words[1:])
    else:
        compare_codecs(words[0], words[1:])


if __name__ == "__main__":
    main()
