# SPDX-License-Identifier: BSD-3-Clause
"""All images of tests/data: each has the program's numbers, bit for bit, and the same refusals."""

import fnmatch
import math

import numpy as np
import pytest
import rugose
from conftest import DATA, read_picture, read_volume
from PIL import Image

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

# Why files are no images here. Whatever is neither read nor named fails a test.
LEFT_OUT = {
    "README.md": "text",
    "golden/*": "tables, and the script that made one",
    "arrays/*": "several arrays a file, which the program reads through GDAL",
    "dicom/*.dcm": "the program's GDCM reads them; .npy beside them has their values",
    "dicom/*/*": "slices of DICOM series",
    "ifs/*": "streams, which test_streams decodes, and function systems, which are not in Python",
    "gb_coast_xy.tsv": "points: test_program.py has them",
    "meshes/*": "the program makes voxels of them",
    "tiff/tifffile_jpeg2000.tif": "no libtiff decodes it",
    "tiff/tifffile_u64_planes.tif": "channels, of which the program takes the luma",
    "volumes/*.nrrd": "NRRD: no package of the tests reads it",
    "volumes/pynrrd_i32.*": "NRRD in two files",
    "volumes/simpleitk_*.mh?": "MetaImage: no package of the tests reads it",
    "volumes/simpleitk_vector.raw": "of a MetaImage",
    "volumes/mrcfile_*": "MRC: no package of the tests reads it",
}

# As README.md says, of pixel i; Pillow has no such compression.
RAMP = np.arange(12 * 16).reshape(12, 16)
RAMPS = {
    "tiff/gdal_u12.tif": (21 * RAMP).astype(np.uint16),
    "tiff/tifffile_i64.tif": 0x1000000001 * RAMP - (1 << 40),
    "tiff/tifffile_f64.tif": RAMP / 4 - 10,
    **{f"tiff/{name}.tif": (RAMP / 4 - 10).astype(np.float32)
       for name in ("gdal_f16", "gdal_f24", "tifffile_f16")},
}  # fmt: skip


def reason(name):
    return [why for pattern, why in LEFT_OUT.items() if fnmatch.fnmatch(name, pattern)]


def read_any(name):
    if name in RAMPS:
        return RAMPS[name]
    if name.endswith(".npy"):
        return np.load(DATA / name)
    if name.endswith(".nii.gz"):
        return read_volume(DATA / name)
    image = read_picture(DATA / name)
    return 255 * image.astype(np.uint8) if image.dtype == bool else image


FILES = sorted(str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.is_file())
IMAGES = [name for name in FILES if not reason(name)]


@pytest.fixture(scope="module")
def images():
    return {name: read_any(name) for name in IMAGES}


def test_every_file_is_read_or_has_a_reason(images):
    assert len(IMAGES) == 65
    assert {image.ndim for image in images.values()} == {2, 3}
    for pattern in LEFT_OUT:
        assert fnmatch.filter(FILES, pattern), f"{pattern}: no such file"


def plain(value):
    """As JSON has it: a table of NumPy as rows, NaN as None."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def rows_of(table, names=()):
    """A dict for each row of a structured array, with the program's names of columns."""
    names = dict(names)
    columns = {names.get(name, name): plain(table[name]) for name in table.dtype.names}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def fit_row(result):
    fit = result.fit
    counts = rows_of(result.counts)
    slopes = plain(fit.local_slopes)
    for row, slope, used in zip(counts, slopes, fit.used.tolist()):
        row.update(local_slope=slope, used=used)
    return dict(
        dimension=plain(fit.slope), std_error=plain(fit.std_error), r_squared=plain(fit.r_squared),
        intercept=plain(fit.intercept), size_min=fit.size_min, size_max=fit.size_max,
        n_sizes=fit.n_sizes, status=fit.status, engine=result.engine, pixels=result.n_pixels,
        shape="x".join(map(str, result.shape)), counts=counts,
    )  # fmt: skip


def of_boxes(result):
    return [dict(
        fit_row(result), foreground=result.foreground, foreground_pixels=result.n_set,
        foreground_share=plain(result.summary()["foreground_share"]), method=result.method,
        grid=result.grid,
    )]  # fmt: skip


def of_positions(result):
    (row,) = of_boxes(result)
    for count, p in zip(row["counts"], rows_of(result.positions)):
        count.update(p, shift="x".join(map(str, p["shift"])))
    return [row]


def of_surface(result):
    left_out = result.n_left_out
    return [dict(fit_row(result), levels=result.levels, base=result.base, left_out=left_out)]


def of_orders(result):
    return rows_of(result.orders, {"dimension": "D", "dimension_error": "D_error"})


def of_sizes(result):
    facts = dict(
        label=result.label or 0, pixels=result.n_pixels, pixels_with_mass=result.n_set,
        left_out=result.n_left_out, engine=result.engine, mean_lacunarity=plain(result.mean),
    )  # fmt: skip
    return [dict(row, **facts) for row in rows_of(result.sizes)]


def of_features(table):
    columns = {name: plain(column) for name, column in table.items() if name != "direction"}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def of_histograms(result):
    return [dict(points=points, radius=radius, method="riu2", bins=counts.tolist(),
                 n_bins=len(counts), engine=result.engine)
            for (points, radius), counts in zip(result.operators, result.counts)]  # fmt: skip


def for_each_label(rows):
    def of(results):
        return [dict(row, label=r.label, region=dict(area=r.area))
                for r in results for row in rows(r)]  # fmt: skip

    return of


def of_labels(result):
    """Histograms of one operator."""
    return [dict(label=label, bins=bins)
            for label, bins in zip(result.labels.tolist(), result.counts[0].tolist())]  # fmt: skip


def differences(found, expected):
    """What differs in the columns that were found; the program's rows may have more."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return {name: bad for name, value in found.items()
                if (bad := differences(value, expected.get(name, "absent")))}  # fmt: skip
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [bad for a, b in zip(found, expected) if (bad := differences(a, b))]
    return [] if found == expected else (found, expected)


def of_text(error):
    """The part of an error that the program has, too; advice differs."""
    return str(error).split("; ")[0]


def compare_all(program, words, images, call, rows):
    """One run of the program over all of the images; `call(image)` for each of them."""
    expected, failures = program.of_many(*words.split(), "--nodata", "none", names=images)
    compare_rows(expected, failures, images, lambda name: rows(call(images[name])))


def compare_rows(expected, failures, names, rows):
    """`rows(name)` are the program's, or fail as it did."""
    n_measured = 0
    for name in names:
        try:
            found = rows(name)
        except ValueError as error:
            assert of_text(error) in failures.get(name, "nothing"), name
            continue
        assert name not in failures and len(found) > 0, (name, failures.get(name))
        assert differences(found, expected[name]) == [], name
        n_measured += 1
    assert n_measured > 0 and set(expected) <= set(names)


def small(images, most=70_000):
    return {name: image for name, image in images.items() if image.size <= most}


METHODS = {
    "boxcount": ("boxcount", rugose.boxcount, of_boxes),
    "dbc": ("boxcount --gray", rugose.dbc, of_surface),
    "dbc_min": ("boxcount --gray --levels 77 --anchor min",
                lambda i: rugose.dbc(i, levels=77, anchor="min"), of_surface),
    "multifractal": ("multifractal", rugose.multifractal, of_orders),
    "multifractal_of_sets": ("multifractal --foreground otsu --q 0,1,2.5",
                             lambda i: rugose.multifractal(i, [0, 1, 2.5], foreground="otsu"),
                             of_orders),
    "lacunarity": ("lacunarity", rugose.lacunarity, of_sizes),
    "lacunarity_gray": ("lacunarity --gray", lambda i: rugose.lacunarity(i, gray=True), of_sizes),
    "haralick": ("haralick --features all", lambda i: rugose.haralick(i, features="all"),
                 of_features),
    "haralick_bins": ("haralick --levels 16 --distances 1,3 --aggregate none",
                      lambda i: rugose.haralick(i, levels=16, distances=[1, 3], aggregate="none"),
                      of_features),
    "lbp": ("lbp --lbp 8,1 --lbp 16,2.5",
            lambda i: rugose.lbp_histogram(i, [(8, 1), (16, 2.5)]), of_histograms),
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "is_large"),
    [
        pytest.param(
            method, large, marks=[pytest.mark.slow] if large and method.startswith("hara") else []
        )
        for method in METHODS
        for large in (False, True)
    ],
)
def test_whole_images(method, is_large, program, images):
    words, call, rows = METHODS[method]
    chosen = {name: image for name, image in images.items() if (image.size > 1 << 20) == is_large}
    if method == "lbp":
        chosen = {name: image for name, image in chosen.items() if image.ndim == 2}
    compare_all(program, words, chosen, call, rows)


@pytest.mark.parametrize("grid", ["min", "mean"])
def test_grids(grid, program, images):
    compare_all(
        program, f"boxcount --sizes 2,3,7 --grid {grid}", small(images),
        lambda i: rugose.boxcount(i, sizes=[2, 3, 7], grid=grid), of_positions,
    )  # fmt: skip


MASKED = {
    "boxcount": ("boxcount", rugose.boxcount, of_boxes),
    "dbc": ("boxcount --gray", rugose.dbc, of_surface),
    "multifractal": ("multifractal --q 0,1,2", lambda i, **o: rugose.multifractal(i, range(3), **o),
                     of_orders),
    "lacunarity": ("lacunarity --sizes 1,4", lambda i, **o: rugose.lacunarity(i, sizes=[1, 4], **o),
                   of_sizes),
    "haralick": ("haralick --levels 8", lambda i, **o: rugose.haralick(i, levels=8, **o),
                 of_features),
    "lbp": ("lbp", rugose.lbp_histogram, of_histograms),
}  # fmt: skip


@pytest.mark.parametrize("method", MASKED)
def test_masks(method, program, images, tmp_path):
    """Each image is its own mask."""
    words, call, rows = MASKED[method]
    chosen = {
        name: image
        for name, image in small(images, 300_000).items()
        if (image.ndim == 2 or method != "lbp") and not name.startswith("nodata")
    }
    table = tmp_path / "images.csv"
    table.write_text("image,mask\n" + "".join(f"{DATA / n},{DATA / n}\n" for n in chosen))
    expected, failures = program.of_many(*words.split(), "--list", table)
    compare_rows(
        expected, failures, chosen, lambda name: rows(call(images[name], mask=images[name]))
    )


LABELS = {
    "bbbc022_ch0.png": "bbbc022_labels.png",
    "ht29_dna.png": "ht29_labels.png",
    "nuclei3d.nii.gz": "nuclei3d_labels.nii.gz",
}
LABELLED = {
    "boxcount": (*MASKED["boxcount"][:2], for_each_label(of_boxes)),
    "lacunarity": (*MASKED["lacunarity"][:2], for_each_label(of_sizes)),
    "haralick": MASKED["haralick"],
    "lbp": ("lbp", rugose.lbp_histogram, of_labels),
}


@pytest.mark.parametrize("method", LABELLED)
def test_labels(method, program, images, tmp_path):
    words, call, rows = LABELLED[method]
    names = [name for name in LABELS if method != "lbp" or images[name].ndim == 2]
    table = tmp_path / "images.csv"
    table.write_text("image,labels\n" + "".join(f"{DATA / n},{DATA / LABELS[n]}\n" for n in names))
    expected, failures = program.of_many(*words.split(), "--list", table)
    assert not failures
    compare_rows(
        expected, failures, names, lambda n: rows(call(images[n], labels=images[LABELS[n]]))
    )


def test_no_data(program, images):
    """What a file says is no data is NaN."""
    image = images["nodata_surface.tif"].copy()
    image[image == -9999] = np.nan
    for words, call, rows in (METHODS["boxcount"], METHODS["dbc"], METHODS["lacunarity_gray"]):
        (expected,) = program.of_many(*words.split(), names=["nodata_surface.tif"])[0].values()
        assert differences(rows(call(image)), expected) == []


# ---- Files of pixels ----


def pages(path):
    """What a TIFF file of the program holds."""
    with Image.open(path) as picture:
        layers = []
        for k in range(picture.n_frames):
            picture.seek(k)
            layers.append(np.array(picture))
    return layers[0] if len(layers) == 1 else np.stack(layers)


def written(program, words, images, folder, ending):
    """The files that one run makes of the images, by the images' names."""
    paths = {}
    for name in images:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        paths[name] = path.with_name(path.name.rsplit(".", 1)[0] + ending)
    failures = program.of_many(*words, folder / ("{dir}/{}" + ending), names=images)[1]
    return {name: path for name, path in paths.items() if name not in failures}


def flat(images, types, most=70_000):
    """Small pictures of certain types."""
    return {name: image for name, image in small(images, most).items()
            if image.ndim == 2 and image.dtype in types}  # fmt: skip


MAPS = {
    "alpha": ("multifractal --method alpha --map",
              lambda i: rugose.alpha_map(i)),
    "alpha_iso": ("multifractal --method alpha --measure iso --windows 3 --map",
                  lambda i: rugose.alpha_map(i, measure="iso", windows=3)),
    "lbp": ("lbp --points 12 --radius 1.5 --map",
            lambda i: rugose.local_binary_pattern(i, 12, 1.5, "uniform")),
    "lbp_default": ("lbp --border skip --method default --map",
                    lambda i: rugose.local_binary_pattern(i, 8, 1, border="skip")),
    "haralick": ("haralick --window 5 --levels 16 --features entropy --map",
                 lambda i: rugose.haralick_map(i, window=5, levels=16, features="entropy")
                 ["entropy"].astype(np.float32)),
}  # fmt: skip


@pytest.mark.parametrize("kind", MAPS)
def test_maps(kind, program, images, tmp_path):
    words, call = MAPS[kind]
    most = 20_000 if kind == "haralick" else 1 << 20
    chosen = {n: i for n, i in small(images, most).items() if i.ndim == 2 or "alpha" in kind}
    words = (words.split()[0], "--nodata", "none", *words.split()[1:])
    paths = written(program, words, chosen, tmp_path, ".tif")
    assert len(paths) == len(chosen)
    for name, path in paths.items():
        np.testing.assert_array_equal(call(chosen[name]), pages(path), name)


CODED = (np.uint8, np.uint16)


def test_streams(program, images, tmp_path):
    chosen = flat(images, CODED, 20_000)
    words = ("compress", "--strip", "--quality", 30, "-o")
    paths = written(program, words, chosen, tmp_path, ".rfi")
    assert len(paths) == len(chosen) > 20
    for name, path in paths.items():
        assert rugose.ifs.encode(chosen[name], 30) == path.read_bytes(), name
    streams = [*paths.values(), *sorted((DATA / "ifs").glob("*.rfi"))]
    pictures = tmp_path / "decoded"
    for i, path in enumerate(streams):
        (tmp_path / f"{i:03}.rfi").write_bytes(path.read_bytes())
    pictures.mkdir()
    program.run("decompress", "-o", pictures / "{}.png", *sorted(tmp_path.glob("*.rfi")))
    for i, path in enumerate(streams):
        decoded = rugose.ifs.decode(path.read_bytes())
        np.testing.assert_array_equal(decoded, pages(pictures / f"{i:03}.png"), str(path))


def test_upscale(program, images, tmp_path):
    chosen = flat(images, CODED, 10_000)
    paths = written(program, ("upscale", "-o"), chosen, tmp_path, ".png")
    assert len(paths) == len(chosen) == 5
    for name, path in paths.items():
        np.testing.assert_array_equal(rugose.upscale(chosen[name]), pages(path), name)


def test_compare(program, images):
    by_kind = {}
    for name, image in images.items():
        if image.ndim == 2 and image.size <= 70_000 and not name.startswith("nodata"):
            by_kind.setdefault((image.shape, image.dtype), []).append(name)
    pairs = [(names[0], names[-1]) for names in by_kind.values()]
    pairs = [(a, b) for a, b in pairs if not np.array_equal(images[a], images[b])]
    assert len(pairs) > 3
    for a, b in pairs:
        (row,) = program("compare", a, b)
        found = rugose.compare(images[a], images[b]).summary()
        assert differences({name: plain(value) for name, value in found.items()}, row) == {}, (a, b)
