# SPDX-License-Identifier: BSD-3-Clause
"""Chunks have the numbers of the whole array, however they are cut."""

from dataclasses import replace

import numpy as np
import pytest
import rugose
from hypothesis import given, settings
from hypothesis import strategies as st

da = pytest.importorskip("dask.array")
import dask  # noqa: E402
import rugose.dask  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

few = settings(max_examples=40, deadline=None, derandomize=True)


@pytest.fixture(autouse=True, scope="module")
def one_by_one():
    with dask.config.set(scheduler="synchronous"):
        yield


@st.composite
def chunked(draw, dtypes, ndims=(2, 3), least_side=1):
    """An image and the same in chunks."""
    ndim = draw(st.sampled_from(ndims))
    longest = 70 if ndim == 2 else 20
    shape = tuple(draw(st.integers(least_side, longest)) for _ in range(ndim))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    dtype, kind = np.dtype(draw(st.sampled_from(dtypes))), draw(st.integers(0, 4))
    if kind == 0 and dtype.kind == "f":
        image = np.exp(rng.normal(0, draw(st.sampled_from([1, 30])), shape)).astype(dtype)
        image[rng.random(shape) < 0.1] = draw(st.sampled_from([np.nan, np.inf, 0]))
    elif kind <= 1 and dtype.kind in "ui":
        image = rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    else:
        image = rng.integers(0, [1, 2, 3, 60, 120][kind], shape).astype(dtype)
    chunks = []
    for n in shape:
        inner = draw(st.lists(st.integers(1, n), max_size=2))
        ends = sorted({0, n, *inner})
        chunks.append(tuple(b - a for a, b in zip(ends, ends[1:])))
    return image, da.from_array(image, chunks=tuple(chunks))


TYPES = ("bool", "u1", "i1", "u2", "i2", "u4", "i8", "u8", "f4", "f8")
MASKS = st.sampled_from([None, 0.7, 0.02, 0])


def mask_of(image, share):
    if share is None:
        return None
    mask = (np.random.default_rng(4).random(image.shape) < share).astype(np.float32)
    mask[mask == 0] = np.where(np.arange((mask == 0).sum()) % 2, np.nan, 0)
    return mask


def same(a, b):
    """All but how it was counted."""
    how = {"engine": b.engine}
    if isinstance(b, rugose.BoxCounts):
        how.update(method=b.method)
    return replace(a, **how) == b


@few
@given(
    chunked(TYPES),
    st.sampled_from(["auto", "otsu", "otsu-dark", "nonzero", "above=2"]),
    MASKS,
    st.integers(2, 5),
)
def test_boxes(pair, foreground, share, split_every):
    image, array = pair
    mask = mask_of(image, share)
    found = rugose.dask.boxcount(array, foreground=foreground, mask=mask, split_every=split_every)
    assert same(found.compute(), rugose.boxcount(image, foreground=foreground, mask=mask))


@settings(few, max_examples=15)
@given(chunked(TYPES))
def test_boxes_of_other_sizes(pair):
    image, array = pair
    for options in (
        {"sizes": [1, 3, 5], "of": "gray", "fit": (1, 5)},
        {"grid": "min", "sizes": [2, 3]},
        {"pixel_size": (1, 2, 3)[: image.ndim], "sizes": [3, 6, 12]},
    ):
        found = rugose.dask.boxcount(array, foreground="nonzero", **options).compute()
        assert same(found, rugose.boxcount(image, foreground="nonzero", **options))


@few
@given(chunked(TYPES), st.sampled_from([None, None, "auto", "above=2"]), MASKS)
def test_masses(pair, foreground, share):
    image, array = pair
    mask = mask_of(image, share)
    q = [-1, 0, 1, 2]
    options = dict(foreground=foreground, mask=mask)
    try:
        whole = rugose.multifractal(image, q, **options)
    except ValueError:
        with pytest.raises(ValueError, match="add up"):
            rugose.dask.multifractal(array, q, **options).compute()
        return
    assert same(rugose.dask.multifractal(array, q, **options).compute(), whole)


@few
@given(chunked(TYPES), st.sampled_from([None, "auto", "otsu", "above=2"]), MASKS, st.booleans())
def test_lacunarity(pair, foreground, share, fixed):
    image, array = pair
    options = dict(mask=mask_of(image, share), boxes="fixed" if fixed else "gliding")
    options.update({"gray": True} if foreground is None else {"foreground": foreground})
    try:
        whole = rugose.lacunarity(image, **options)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:12]):
            rugose.dask.lacunarity(array, **options).compute()
        return
    assert same(rugose.dask.lacunarity(array, **options).compute(), whole)


@few
@given(chunked(TYPES), st.sampled_from([{}, {"levels": 9}, {"anchor": "min"}]), MASKS)
def test_surfaces(pair, options, share):
    image, array = pair
    options = dict(options, mask=mask_of(image, share))
    whole, found = rugose.dbc(image, **options), rugose.dask.dbc(array, **options).compute()
    np.testing.assert_equal((found.min, found.max, found.base), (whole.min, whole.max, whole.base))
    assert found.n_left_out == whole.n_left_out and (found.counts == whole.counts).all()


@few
@given(
    chunked(("u1", "i4", "f8"), (2,)),
    st.sampled_from([(8, 1), (4, 2), (24, 3), (12, 1.5)]),
    st.sampled_from(["zero", "skip"]),
    st.sampled_from(["default", "ror", "uniform", "nri_uniform", "var"]),
    MASKS,
)
def test_patterns(pair, circle, border, method, share):
    image, array = pair
    image = image * 0.1 if image.dtype.kind == "f" else image
    array = array * 0.1 if array.dtype.kind == "f" else array
    circle = (8, circle[1]) if method == "ror" else circle
    codes = rugose.dask.local_binary_pattern(array, *circle, method, border=border)
    assert codes.shape == image.shape and codes.dtype == np.float64
    np.testing.assert_array_equal(
        codes, rugose.local_binary_pattern(image, *circle, method, border=border)
    )
    if method != "var" and circle[0] < 24:
        options = dict(method=method, border=border, mask=mask_of(image, share))
        operators = [circle, (8, 1)]
        found = rugose.dask.lbp_histogram(array, operators, split_every=2, **options).compute()
        assert same(found, rugose.lbp_histogram(image, operators, **options))


@few
@given(
    chunked(("bool", "u1", "i2", "u8", "f4", "f8")),
    st.sampled_from(["sum", "max", "min", "iso"]),
    st.integers(2, 5),
    MASKS,
)
def test_exponents(pair, measure, windows, share):
    image, array = pair
    options = dict(measure=measure, windows=windows, mask=mask_of(image, share))
    alphas = rugose.dask.alpha_map(array, **options)
    assert alphas.shape == image.shape and alphas.dtype == np.float32
    np.testing.assert_array_equal(alphas, rugose.alpha_map(image, **options))


@settings(few, max_examples=20)
@given(
    chunked(("u1", "i2", "f4", "f8"), (2,)),
    st.sampled_from([3, 7, (5, 9)]),
    st.sampled_from(
        [
            {},
            {"levels": 5},
            {"bin_width": 2.5},
            {"bin_width": 2.5, "bin_origin": "min"},
            {"bin_width": 2.5, "bin_origin": 0.5},
            {"levels": 6, "range": (0, 9)},
            {"levels": 6, "range": "image", "resegment": (1, 40)},
            {"bin_width": 2, "resegment": (1, 40)},
            {"distance": 2, "directions": ["45"], "leave_out": True},
        ]
    ),
    MASKS,
)
def test_features(pair, window, options, share):
    image, array = pair
    image, array = (np.clip(i, -99, 99) if i.dtype.kind == "i" else i for i in pair)
    options = dict(
        window=window, features=["contrast", "entropy"], mask=mask_of(image, share), **options
    )
    maps, whole = rugose.dask.haralick_map(array, **options), rugose.haralick_map(image, **options)
    assert list(maps) == list(whole)
    for name, expected in whole.items():
        assert maps[name].dtype == np.float64
        np.testing.assert_array_equal(maps[name], expected)


@settings(few, max_examples=30)
@given(
    chunked(("bool", "u1", "i2", "f4", "f8")),
    st.sampled_from(
        [
            {},
            {"levels": 5},
            {"levels": 5, "range": "roi", "distances": (1, 3)},
            {"levels": 5, "range": "type"},
            {"levels": "exact", "directions": ["45", "135"], "distances": [2]},
            {"bin_width": 2.5},
            {"bin_width": 2.5, "bin_origin": "min"},
            {"bin_width": 2.5, "bin_origin": 0.5, "range": (1, 9)},
            {"levels": 6, "range": (0, 9), "symmetric": False},
            {"levels": 6, "range": "image", "resegment": (1, 40)},
            {"bin_width": 2, "resegment": (1, 40)},
            {"slices": "merged", "distances": [1, 2]},
        ]
    ),
    st.sampled_from(["mean", "none", "range", "merged"]),
    MASKS,
)
def test_features_of_all(pair, options, aggregate, share):
    image, array = (np.clip(i, -99, 99) if i.dtype.kind == "i" else i for i in pair)
    options = dict(aggregate=aggregate, features="all", mask=mask_of(image, share), **options)
    try:
        whole = rugose.haralick(image, **options)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:12]):
            rugose.dask.haralick(array, **options).compute()
        return
    found = rugose.dask.haralick(array, split_every=3, **options).compute()
    assert list(found) == list(whole)
    for name, expected in whole.items():
        assert found[name].dtype == expected.dtype
        if name == "max_correlation_coefficient":
            np.testing.assert_allclose(found[name], expected, rtol=0, atol=1e-12)
        else:
            np.testing.assert_array_equal(found[name], expected, err_msg=name)


def n_tasks(found):
    return len(dict(dask.optimize(found)[0].__dask_graph__()))


def test_a_task_for_each_chunk():
    array = da.ones((120, 160), chunks=(20, 20)) * 2
    counts = rugose.dask.boxcount(array, foreground="above=1.5", split_every=4)
    assert n_tasks(counts) == 48 + 12 + 3 + 1 + 1
    with dask.config.set(scheduler="threads", num_workers=3):
        assert same(counts.compute(), rugose.boxcount(np.asarray(array), foreground="above=1.5"))


def test_what_is_wrong_with_an_array():
    array = da.ones((8, 8), chunks=4)
    for call in (rugose.dask.boxcount, rugose.dask.multifractal, rugose.dask.alpha_map):
        with pytest.raises(ValueError, match="axes"):
            call(array[0])
        with pytest.raises(ValueError, match="unknown size"):
            call(array[array[:, 0] > 0])
        with pytest.raises(ValueError, match="no pixel"):
            call(array[:0])
        with pytest.raises(ValueError, match="mask"):
            call(array, mask=array[1:])
        with pytest.raises(ValueError, match="complex"):
            call(array.astype(complex))
    for options in (
        {"foreground": "nozero"},
        {"method": "hou"},
        {"grid": "none"},
        {"fit": (4, 1)},
        {"split_every": 1},
        {"sizes": []},
        {"of": "grey"},
    ):
        with pytest.raises(ValueError):
            rugose.dask.boxcount(array, **options)
    with pytest.raises(ValueError, match="foreground"):
        rugose.dask.multifractal(array, foreground="nozero")
    with pytest.raises(ValueError, match="axes"):
        rugose.dask.lbp_histogram(array[None])
    with pytest.raises(ValueError, match="masked"):
        rugose.dask.boxcount(da.ma.masked_greater(array, 3))
    with pytest.raises(ValueError, match="method"):
        rugose.dask.lbp_histogram(array, method="var")
    with pytest.raises(ValueError, match="at least 0"):
        rugose.dask.multifractal(-array).compute()
    for options in (
        {"gray": True, "foreground": "nonzero"},
        {"foreground": "nozero"},
        {"gray": 0.5},
        {"boxes": "glide"},
        {"sizes": []},
    ):
        with pytest.raises(ValueError):
            rugose.dask.lacunarity(array, **options)
    for options in (
        {"slices": "mean"},
        {"aggregate": "all"},
        {"levels": 1},
        {"features": "contrasts"},
        {"distances": []},
        {"directions": ["z+1,y+1,x+1"]},
        {"log_base": 3},
    ):
        with pytest.raises(ValueError):
            rugose.dask.haralick(array, **options)
    with pytest.raises(ValueError, match="whole"):
        rugose.dask.haralick(array * 1.5, levels="exact").compute()
    many = da.from_array(np.arange(20000, dtype=np.uint16).reshape(100, 200), chunks=100)
    with pytest.raises(ValueError, match="8192"):
        rugose.dask.haralick(many).compute()


def test_what_is_no_array_of_dask():
    image = np.random.default_rng(6).integers(0, 9, (50, 60)).astype(np.float16)
    assert same(rugose.dask.boxcount(image).compute(), rugose.boxcount(image))
    xarray = pytest.importorskip("xarray")
    lazy = xarray.DataArray(da.from_array(image.astype(">i4"), chunks=20))
    assert same(rugose.dask.boxcount(lazy).compute(), rugose.boxcount(image.astype(int)))


def test_graphs_and_results_are_pickled():
    cloudpickle = pytest.importorskip("cloudpickle")
    image = np.random.default_rng(11).random((90, 130))
    array = da.from_array(image, chunks=(40, 50))
    for found, whole in (
        (rugose.dask.boxcount(array, foreground="otsu"), rugose.boxcount(image, foreground="otsu")),
        (rugose.dask.multifractal(array, [0, 2]), rugose.multifractal(image, [0, 2])),
        (rugose.dask.lbp_histogram(array), rugose.lbp_histogram(image)),
        (rugose.dask.lacunarity(array, gray=True), rugose.lacunarity(image, gray=True)),
        (rugose.dask.haralick(array), rugose.haralick(image)),
    ):
        again = cloudpickle.loads(cloudpickle.dumps(found)).compute()
        again = cloudpickle.loads(cloudpickle.dumps(again))
        if isinstance(whole, rugose.Table):
            assert (again["contrast"] == whole["contrast"]).all() and list(again) == list(whole)
        else:
            assert same(again, whole)


@pytest.mark.slow
def test_processes():
    distributed = pytest.importorskip("distributed")
    rng = np.random.default_rng(11)
    image, volume = rng.random((300, 400)), rng.integers(0, 3, (40, 50, 60), np.uint8)
    pictures = da.from_array(image, chunks=(70, 130))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        found = dask.compute(
            rugose.dask.boxcount(pictures, foreground="otsu"),
            rugose.dask.multifractal(pictures.persist(), [0, 2]),
            rugose.dask.lbp_histogram(pictures),
            rugose.dask.boxcount(da.from_array(volume, chunks=17), sizes=[1, 2, 3]),
            rugose.dask.lacunarity(pictures, foreground="otsu"),
            rugose.dask.haralick(da.from_array(volume, chunks=17), features="contrast"),
        )
        alphas = rugose.dask.alpha_map(pictures).compute()
    assert same(found[0], rugose.boxcount(image, foreground="otsu"))
    assert same(found[1], rugose.multifractal(image, [0, 2]))
    assert same(found[2], rugose.lbp_histogram(image))
    assert same(found[3], rugose.boxcount(volume, sizes=[1, 2, 3]))
    assert same(found[4], rugose.lacunarity(image, foreground="otsu"))
    assert found[5]["contrast"] == rugose.haralick(volume, features="contrast")["contrast"]
    np.testing.assert_array_equal(alphas, rugose.alpha_map(image))
