# SPDX-License-Identifier: BSD-3-Clause
"""Coordinates of xarray, tables with lengths, plots in notebooks."""

import base64
import io
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
import rugose
from PIL import Image

xarray = pytest.importorskip("xarray")

I = np.arange(128)  # noqa: E741
TRIANGLE = (I[:, None] & I) == 0
VOLUME = np.indices((8, 32, 32)).sum(0) % 3 == 0


def placed(values, steps, unit="um", start=5.0, key="units"):
    """With coordinates; unit: of all axes, or of each."""
    units = [unit] * values.ndim if unit is None or isinstance(unit, str) else unit
    names = "zyx"[3 - values.ndim :]
    coords = {
        name: (name, start + step * np.arange(n), {} if u is None else {key: u})
        for name, step, n, u in zip(names, steps, values.shape, units)
    }
    return xarray.DataArray(values, dims=list(names), coords=coords)


@pytest.mark.parametrize("call", [rugose.boxcount, rugose.dbc, rugose.lacunarity])
def test_lengths(call):
    plain, result = call(TRIANGLE), call(placed(TRIANGLE, (0.3, -0.3)))
    assert (result.spacing, result.unit, result.length) == ((0.3, 0.3), "um", 0.3)
    assert result.rows().tolist() == plain.rows().tolist()
    np.testing.assert_allclose(result.lengths, 0.3 * plain.rows()["size"], rtol=1e-15)
    assert plain.lengths is None and plain.spacing is None and plain.unit is None
    table = result.to_dict()
    assert list(table)[:3] == ["size", "length", list(plain.to_dict())[1]]
    np.testing.assert_array_equal(table["length"], result.lengths)
    assert "unit='um'" in repr(result) and "length" not in plain.to_dict()
    assert result != plain


def test_lengths_of_labels():
    labels = (np.indices(TRIANGLE.shape)[1] // 64 + 1).astype(np.uint8)
    image = placed(TRIANGLE, (2, 2), "mm")
    for call in (rugose.boxcount, rugose.lacunarity):
        cells = call(image, labels=placed(labels, (2, 2)))
        assert cells.unit.tolist() == ["mm", "mm"] and cells[1].lengths[1] == 4
        assert "unit" in cells.to_dict()


@pytest.mark.parametrize(
    ("steps", "unit", "key", "expected"),
    [
        ((0.5, 0.5), "µm", "units", ("µm", 0.5)),
        ((0.5, 0.5), "mm", "unit", ("mm", 0.5)),
        ((0.1, 0.1), None, "units", (None, 0.1)),
        ((1 / 3, 1 / 3), "m", "units", ("m", 0.333333333333)),
        ((0.5, 0.502), "m", "units", ("m", None)),
        ((0.5, 0.5), ("um", "mm"), "units", (None, None)),
        ((0.5, 0.5), ("um", None), "units", (None, None)),
        ((0.5, 0.5), (["um"], ["um"]), "units", ("['um']", 0.5)),
        ((0.5, 0), "um", "units", (None, None)),
    ],
)
def test_spacing(steps, unit, key, expected):
    result = rugose.boxcount(placed(TRIANGLE, steps, unit, key=key))
    assert (result.unit, result.length) == expected


def test_single_precision():
    image = placed(TRIANGLE, (0.3, 0.3))
    image = image.assign_coords(x=image.x.astype(np.float32), y=image.y.astype(np.float32))
    assert rugose.boxcount(image).spacing == (0.3, 0.3)


@pytest.mark.parametrize(
    "x",
    [
        I**2.0,
        np.where(I == 7, np.nan, I),
        np.where(I == 127, np.inf, I),
        np.datetime64("2026-01-01") + I,
        I.astype(str),
        I * 1j,
        (I - 64) * 2.6e306,
    ],
)
def test_coordinates_that_are_no_spacing(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        image = xarray.DataArray(TRIANGLE, dims=["y", "x"], coords={"y": I * 1.0, "x": x})
        assert rugose.boxcount(image).spacing is None
        assert rugose.boxcount(image.drop_vars("x")).spacing is None
        assert rugose.boxcount(image[:1], fit=(1, 16)).spacing is None


@pytest.mark.filterwarnings("ignore:the dimension")
def test_cubes_in_space():
    image = placed(VOLUME, (4, 1, 1))
    for call in (rugose.boxcount, rugose.dbc, rugose.lacunarity, rugose.alpha_map):
        with pytest.warns(rugose.RugoseWarning, match=r"unequal \(1 to 4\)") as caught:
            result = call(image)
        assert {w.filename for w in caught} == {__file__}
        remedy = "pixel_size=(4, 1, 1) makes" if call is rugose.boxcount else "resample"
        assert any(remedy in str(w.message) for w in caught)
        assert getattr(result, "length", None) is None
    with pytest.warns(rugose.RugoseWarning, match="unequal"):
        rugose.multifractal(image)
    with pytest.warns(rugose.RugoseWarning, match=r"pixel_size=\(10, 3, 3\) makes cubes"):
        rugose.boxcount(placed(VOLUME, (1, 0.3, 0.3)))
    with pytest.warns(rugose.RugoseWarning, match="; pixel_size makes cubes"):
        rugose.boxcount(placed(VOLUME, (2**0.5, 1, 1)))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the spacing")
        warnings.filterwarnings("ignore", "the dimension")
        result = rugose.boxcount(image, pixel_size=(8, 2, 2))
    assert result.length == 0.5 and result.lengths[0] == 4.0
    assert result.counts["size"][0] == 8


def test_maps_keep_coordinates():
    image = placed(np.indices((30, 40)).sum(0) % 7, (2, 2)).assign_attrs(long_name="grey")
    alpha = rugose.alpha_map(image)
    assert isinstance(alpha, xarray.DataArray) and alpha.name == "alpha" and not alpha.attrs
    np.testing.assert_array_equal(alpha, rugose.alpha_map(image.to_numpy()))
    assert type(rugose.alpha_map(image.to_numpy())) is np.ndarray
    maps = xarray.Dataset(rugose.haralick_map(image, features=["contrast", "entropy"]))
    plain = rugose.haralick_map(image.to_numpy(), features=["contrast", "entropy"])
    for name, values in plain.items():
        assert type(values) is np.ndarray
        np.testing.assert_array_equal(maps[name], values)
        assert (maps[name].y == image.y).all() and (maps[name].x == image.x).all()
    codes = rugose.local_binary_pattern(image, 8, 1)  # as scikit-image's
    assert type(codes) is np.ndarray


def test_axes_have_the_unit():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    def drawn(result):
        ax = result.plot(Figure().add_subplot())
        return ax.get_xlabel(), ax.get_lines()[0].get_xdata()[:3].tolist()

    for call in (rugose.boxcount, rugose.dbc, rugose.lacunarity):
        (label, x), (plain, sizes) = drawn(call(placed(TRIANGLE, (2, 2)))), drawn(call(TRIANGLE))
        assert (label, plain) == ("box size (um)", "box size")
        assert x == [2 * size for size in sizes]
    assert drawn(rugose.boxcount(placed(TRIANGLE, (2, 2), None)))[0] == "box size (as coordinates)"
    line = rugose.boxcount(placed(TRIANGLE, (2, 2))).plot(Figure().add_subplot()).get_lines()[1]
    assert line.get_xdata().tolist() == [2, 64]
    np.testing.assert_allclose(line.get_ydata(), [2187, 9])


# ---- Notebooks ----


def picture(html):
    found = re.findall('<img alt="plot" src="data:image/png;base64,([^"]*)">', html)
    if not found:
        return None
    with Image.open(io.BytesIO(base64.b64decode(found[0]))) as image:
        return np.array(image)


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
def test_notebooks_show_plots():
    pytest.importorskip("matplotlib")
    labels = np.arange(TRIANGLE.size).reshape(TRIANGLE.shape) // 128 + 1
    for result in (
        rugose.boxcount(TRIANGLE),
        rugose.boxcount(np.zeros((8, 8))),
        rugose.dbc(np.full((8, 8), np.nan)),
        rugose.multifractal(TRIANGLE),
        rugose.lacunarity(np.zeros((8, 8))),
        rugose.lbp_histogram(TRIANGLE, [(8, 1), (16, 2)]),
        rugose.lbp_histogram(TRIANGLE, labels=np.zeros_like(TRIANGLE, int)),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            html = result._repr_html_()
        pixels = picture(html)
        assert pixels.shape == (240, 320, 4) and len(np.unique(pixels)) > 9
        assert len(html) < 60_000
    for result in (
        rugose.lbp_histogram(TRIANGLE, labels=labels),
        rugose.boxcount(TRIANGLE, labels=labels),
        rugose.compare(VOLUME[0], VOLUME[1]),
        rugose.haralick(TRIANGLE),
    ):
        assert picture(result._repr_html_()) is None


def test_notebooks_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    html = rugose.boxcount(TRIANGLE)._repr_html_()
    assert "<img" not in html and "<table>" in html


def test_nothing_optional_is_imported():
    script = (
        "import sys, numpy as np, rugose; r = rugose.boxcount(np.eye(64)); r.to_dict(); repr(r);"
        "rugose.alpha_map(np.eye(9)); print(*sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    optional = {"xarray", "pandas", "matplotlib", "sklearn", "scipy", "tqdm", "skimage", "dask"}
    assert optional.isdisjoint(out.stdout.split())
