# SPDX-License-Identifier: BSD-3-Clause
"""With options, too, the numbers are those of the program; test_all_data.py has all files."""

import math
import warnings

import numpy as np
import pytest
import rugose
from conftest import DATA
from PIL import Image

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")


def same(value, expected):
    if expected is None:
        return math.isnan(value)
    return value == expected


def check(row, **values):
    assert {name: row[name] for name in values if not same(values[name], row[name])} == {}


def check_counts(result, row, columns):
    for column in columns:
        assert result.counts[column].tolist() == [c[column] for c in row["counts"]], column
    for slope, c in zip(result.fit.local_slopes, row["counts"]):
        assert same(slope, c["local_slope"])


def check_fit(result, row):
    fit = result.fit
    check(
        row, dimension=fit.slope, std_error=fit.std_error, r_squared=fit.r_squared,
        intercept=fit.intercept, size_min=fit.size_min, size_max=fit.size_max,
        n_sizes=fit.n_sizes, status=fit.status,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(grid="min", sizes=[3, 9, 5]), "--grid min --sizes 3,5,9"),
        (dict(grid="mean", sizes=range(2, 12, 3)), "--grid mean --sizes 2..11:3"),
        (dict(foreground="below=100", fit=(2, 64)), "--foreground below=100 --fit 2..64"),
        (dict(fit="auto", of="gray", method="hou"), "--fit auto --of gray --method hou"),
        (dict(foreground="otsu-dark", threads=1), "--foreground otsu-dark --threads 1"),
    ],
)
def test_boxcount_options(options, words, program, read):
    (row,) = program("boxcount", *words.split(), "camera.png")
    result = rugose.boxcount(read("camera.png"), **options)
    check_fit(result, row)
    check_counts(result, row, ("size", "total", "nonempty", "black", "gray", "white"))
    assert (result.positions is not None) == ("grid" in options)
    if "grid" in options:
        for c, p in zip(row["counts"], result.positions):
            assert "x".join(map(str, p["shift"])) == c["shift"]
            assert (p["least"], p["mean"], p["most"]) == (c["least"], c["mean"], c["most"])


def test_boxcount_labels_and_mask(program, read):
    image, labels = read("bbbc022_ch0.png"), read("bbbc022_labels.png")
    rows = program(
        "boxcount", "--labels", "bbbc022_labels.png", "--mask", "bbbc022_ch0.png",
        "--mask-above", 200, "bbbc022_ch0.png",
    )  # fmt: skip
    results = rugose.boxcount(image, labels=labels, mask=image >= 200)
    assert results.labels.tolist() == [row["label"] for row in rows]
    for result, row in zip(results, rows):
        check_fit(result, row)
        check(row["region"], area=result.area)
        check(row, foreground_pixels=result.n_set)


def test_boxcount_points(program):
    points = np.loadtxt(DATA / "gb_coast_xy.tsv")
    (row,) = program("boxcount", "--resolution", 4096, "gb_coast_xy.tsv")
    result = rugose.boxcount(points=points, resolution=4096)
    check_fit(result, row)
    check_counts(result, row, ("size", "nonempty"))
    assert result.foreground == "points"


def check_orders(spectrum, rows):
    assert len(spectrum.orders) == len(rows)
    for o, row in zip(spectrum.orders, rows):
        check(
            row, q=o["q"], tau=o["tau"], D=o["dimension"], D_error=o["dimension_error"],
            alpha=o["alpha"], f=o["f"], f_error=o["f_error"], r_squared=o["r_squared"],
            near_empty=o["near_empty"], status=o["status"],
        )  # fmt: skip


def test_multifractal_of_a_set_and_points(program, read):
    q = [-1.5, 0, 1, 3]
    words = ("multifractal", "--q", "-1.5,0,1,3")
    image = read("bin_horse.png")
    rows = program(*words, "--foreground", "below=9", "--mask", "bin_horse.png", "bin_horse.png")
    check_orders(rugose.multifractal(image, q, foreground="below=9", mask=image), rows)
    points = np.loadtxt(DATA / "gb_coast_xy.tsv")
    rows = program(*words, "--resolution", 512, "gb_coast_xy.tsv")
    check_orders(rugose.multifractal(points=points, q=q, resolution=512), rows)


@pytest.mark.parametrize("name", ["bin_horse.png", "menger_81.nii.gz"])
def test_lacunarity(name, program, read):
    rows = program("lacunarity", "--gray", "--boxes", "fixed", "--sizes", "2,5", name)
    result = rugose.lacunarity(read(name), gray=True, boxes="fixed", sizes=[5, 2])
    assert len(rows) == len(result.sizes)
    for size, row in zip(result.sizes, rows):
        check(row, **{column: size[column] for column in result.sizes.dtype.names})


def test_alpha_map(program, read, tmp_path):
    path = tmp_path / "map.tif"
    words = "multifractal --method alpha --measure max --map"
    program.run(*words.split(), path, "camera.png")
    with Image.open(path) as picture:
        expected = np.array(picture)
    np.testing.assert_array_equal(rugose.alpha_map(read("camera.png"), measure="max"), expected)


@pytest.mark.parametrize("method", ["riu2", "default", "ror", "nri_uniform"])
def test_lbp_histogram(method, program, read):
    rows = program("lbp", "--method", method, "--lbp", "8,1", "--lbp", "12,2.5", "brick.png")
    found = rugose.lbp_histogram(read("brick.png"), [(8, 1), (12, 2.5)], method=method)
    assert len(rows) == len(found.counts)
    for counts, row in zip(found.counts, rows):
        assert counts.tolist() == row["bins"]


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("camera.png", dict(levels=32, distances=(2, 1), aggregate="none", features="all"),
         "--levels 32 --distances 1,2 --aggregate none --features all"),
        ("bbbc022_ch0.png", dict(bin_width=25, range="image", symmetric=False, log_base=math.e),
         "--bin-width 25 --range image --asymmetric --log e"),
        ("bbbc022_ch0.png", dict(levels=8, range=(200, 900), resegment=(150, math.inf)),
         "--levels 8 --range 200..900 --resegment 150.."),
        ("nuclei3d.nii.gz", dict(levels=16, slices="merged", directions=["0", "90"]),
         "--levels 16 --slices merged --angles 0,90"),
    ],
)  # fmt: skip
def test_haralick(name, options, words, program, read):
    check_features(
        rugose.haralick(read(name), **options), program("haralick", *words.split(), name)
    )


def test_haralick_labels(program, read):
    image, labels = read("bbbc022_ch0.png"), read("bbbc022_labels.png")
    table = rugose.haralick(image, labels=labels, levels=32, range="roi", pairs="frame")
    words = "haralick --levels 32 --range roi --pairs frame --labels bbbc022_labels.png"
    check_features(table, program(*words.split(), "bbbc022_ch0.png"))


def check_features(table, rows):
    assert len(table["label"]) == len(rows)
    for i, row in enumerate(rows):
        known = [name for name in table if name in row and name != "direction"]
        assert {"label", "area", "pairs", "contrast", "entropy", "status"} <= set(known)
        check(row, **{name: table[name][i] for name in known})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(psnr=30), "--psnr 30"),
        (dict(bpp=0.5, effort=1, tune="psnr"), "--bpp 0.5 --effort 1 --tune psnr"),
        (dict(search="fast", version=1), "--search fast --stream-version 1"),
        (dict(progressive=True, tile=256), "--progressive --tile 256"),
    ],
)
def test_ifs(options, words, program, read, tmp_path):
    path, picture = tmp_path / "a.rfi", tmp_path / "a.pgm"
    program.run("compress", *words.split(), "-o", path, "mri_t1_axial.png")
    stream = rugose.ifs.encode(read("mri_t1_axial.png"), **options)
    assert stream == path.read_bytes()
    program.run("decompress", "--scale", 2, "-o", picture, path)
    with Image.open(picture) as decoded:
        np.testing.assert_array_equal(rugose.ifs.decode(stream, scale=2), np.array(decoded))


def test_warning_names_the_caller():
    for call in (rugose.boxcount, rugose.dbc, rugose.multifractal):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call(np.full((8, 8), np.nan))
        assert [warning.category for warning in caught] == [rugose.RugoseWarning]
        assert caught[0].filename == __file__ and "empty" in str(caught[0].message)
