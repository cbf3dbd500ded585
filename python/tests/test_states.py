# SPDX-License-Identifier: BSD-3-Clause
"""Images in parts have the numbers of the whole, bit for bit, however they are cut and merged."""

import pickle
import threading
from dataclasses import replace

import numpy as np
import pytest
import rugose
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

few = settings(max_examples=60, deadline=None, derandomize=True)
shapes = st.one_of(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=150),
    hnp.array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=30),
)


@st.composite
def images(draw, dtypes=("bool", "uint8", "int16", "uint32", "float32", "float64")):
    """An image of random numbers, of which some have few values."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    shape, most = draw(shapes), draw(st.sampled_from([2, 5, 90]))
    return rng.integers(0, most, shape).astype(draw(st.sampled_from(dtypes)))


def cuts(draw, n):
    """Where to cut an axis of n pixels."""
    inner = draw(st.lists(st.integers(1, n), max_size=3))
    ends = sorted({0, n, *inner})
    return [slice(a, b) for a, b in zip(ends, ends[1:])]


def pieces(draw, shape):
    """Parts in any order."""
    places = [()]
    for n in shape:
        places = [(*place, one) for place in places for one in cuts(draw, n)]
    return draw(st.permutations(places))


def merged(draw, states):
    """The states in a tree of any form, some of which have been elsewhere meanwhile."""
    states = [pickle.loads(pickle.dumps(s)) if draw(st.booleans()) else s for s in states]
    while len(states) > 1:
        other = states.pop(draw(st.integers(0, len(states) - 1)))
        states[draw(st.integers(0, len(states) - 1))].merge(other)
    return states[0]


def first_of(place):
    return tuple(one.start for one in place)


def in_parts(draw, new, image, mask):
    """A state for each few parts, merged."""
    places = pieces(draw, image.shape)
    states = []
    for i, place in enumerate(places):
        if i == 0 or draw(st.booleans()):
            states.append(new())
        part_mask = None if mask is None else mask[place]
        states[-1].add(image[place], first_of(place), part_mask)
    return merged(draw, states)


def same(a, b):
    """All but how it was counted."""
    how = {"engine": b.engine}
    if isinstance(b, rugose.BoxCounts):
        how.update(method=b.method)
    return replace(a, **how) == b


@few
@given(images(), st.sampled_from([None, [1, 3, 10], "mean"]), st.booleans(), st.data())
def test_boxes(image, sizes, masked, data):
    rng = np.random.default_rng(7)
    mask = rng.random(image.shape) < 0.8 if masked else None
    options = {"foreground": "above=1"}
    if sizes == "mean":
        options.update(grid="mean", sizes=[1, 2, 3])
    elif sizes is not None:
        options.update(sizes=sizes)
    whole = rugose.boxcount(image, mask=mask, fit="auto", **options)
    state = in_parts(
        data.draw,
        lambda: rugose.BoxCountState(image.shape, masked=masked, **options),
        image,
        mask,
    )
    assert same(state.finish(fit="auto"), whole)
    assert state.finish(of="gray").of == "gray"


@few
@given(images(), st.sampled_from([None, "nonzero"]), st.booleans(), st.data())
def test_masses(image, foreground, masked, data):
    rng = np.random.default_rng(9)
    mask = rng.random(image.shape) < 0.8 if masked else None
    q = [-2, 0, 1, 2.5]
    whole = rugose.multifractal(image, q, foreground=foreground, mask=mask)
    state = in_parts(
        data.draw,
        lambda: rugose.MassState(image.shape, image.dtype, foreground=foreground, masked=masked),
        image,
        mask,
    )
    assert same(state.finish(q), whole)


@few
@given(
    images(),
    st.sampled_from([{"gray": True}, {"foreground": "above=1"}]),
    st.sampled_from([None, [1, 3, 4]]),
    st.sampled_from(["gliding", "fixed"]),
    st.booleans(),
    st.data(),
)
def test_lacunarity(image, mass, sizes, boxes, masked, data):
    mask = np.random.default_rng(9).random(image.shape) < 0.8 if masked else None
    if sizes is not None:
        sizes = [size for size in sizes if size <= min(image.shape)]
    options = dict(mass, sizes=sizes, boxes=boxes)
    if image.dtype.kind == "f":
        image[::5, ::3] = np.nan
    state = in_parts(
        data.draw,
        lambda: rugose.LacunarityState(image.shape, image.dtype, masked=masked, **options),
        image,
        mask,
    )
    whole = rugose.lacunarity(image, mask=mask, **options)
    assert same(state.finish(), whole)
    assert same(pickle.loads(pickle.dumps(state)).finish(), whole)


@few
@given(
    images(),
    st.sampled_from([{}, {"levels": 7}, {"anchor": "min"}]),
    st.booleans(),
    st.data(),
)
def test_surfaces(image, options, masked, data):
    mask = np.random.default_rng(9).random(image.shape) < 0.8 if masked else None
    if image.dtype.kind == "f":
        image[::5, ::3] = np.nan
    values = in_parts(
        data.draw,
        lambda: rugose.ValueState(image.shape, image.dtype, masked=masked),
        image,
        mask,
    )
    extremes = values.extremes()
    state = in_parts(
        data.draw,
        lambda: rugose.SurfaceState(
            image.shape, image.dtype, masked=masked, extremes=extremes, **options
        ),
        image,
        mask,
    )
    whole, found = rugose.dbc(image, mask=mask, **options), state.finish()
    np.testing.assert_equal((found.min, found.max, found.base), (whole.min, whole.max, whole.base))
    assert found.n_left_out == whole.n_left_out and (found.counts == whole.counts).all()


@few
@given(images(), st.sampled_from(["auto", "otsu", "otsu-dark", "below=3"]), st.data())
def test_values(image, foreground, data):
    if image.dtype.kind == "f":
        image = image * np.sqrt(2, dtype=image.dtype)

    def in_one_round(extremes):
        return in_parts(
            data.draw,
            lambda: rugose.ValueState(image.shape, image.dtype, extremes=extremes),
            image,
            None,
        )

    state = in_one_round(None)
    assert state.extremes() == (image.min(), image.max())
    rule = state.rule(foreground)
    if rule is None:
        rule = in_one_round(state.extremes()).rule(foreground)
    assert rule == rugose.boxcount(image, foreground=foreground).foreground
    if image.dtype.kind == "f":
        unit = state.unit_exponent()
        masses = rugose.MassState(image.shape, image.dtype, unit_exponent=unit)
        masses.add(image, (0,) * image.ndim)
        assert same(masses.finish([2]), rugose.multifractal(image, [2]))


def test_values_that_no_float_holds():
    image = np.array([[2**60 + 1, 2**64 - 1], [2**60 + 1, 2**60 + 3]], np.uint64)
    state = rugose.ValueState(image.shape, image.dtype)
    state.add(image, (0, 0))
    assert state.extremes() == (2**60 + 1, 2**64 - 1)
    counted = rugose.ValueState(image.shape, image.dtype, extremes=state.extremes())
    counted.add(image, (0, 0))
    assert counted.rule("otsu") == f"above={2**64 - 1}"
    nothing = rugose.ValueState((2, 2), "float32")
    nothing.add(np.full((2, 2), np.nan, np.float32), (0, 0))
    assert np.isnan(nothing.extremes()).all() and nothing.rule("otsu") == "nonzero"


def test_units_of_floats():
    image = np.random.default_rng(1).random((70, 90))
    state = rugose.MassState(image.shape, image.dtype, unit_exponent=-40)
    state.add(image[:, 40:], (0, 40))
    state.add(image[:, :40], (0, 0))
    rounded = np.round(image * 2.0**40).astype(np.uint64)
    assert (state.finish([2]).orders == rugose.multifractal(rounded, [2]).orders).all()


def test_what_is_wrong_with_a_part():
    image = np.ones((8, 8), bool)

    def begun():
        state = rugose.BoxCountState((8, 8), foreground="nonzero")
        state.add(image[:4], (0, 0))
        return state

    with pytest.raises(ValueError, match="missing|not added|pixels"):
        begun().finish()
    state = begun()
    with pytest.raises(ValueError):
        state.finish()
    state.add(image[4:], (4, 0))
    assert state.finish().n_set == 64
    for part, origin in ((image[:4], (3, 0)), (image[:4], (6, 0))):
        state = begun()
        with pytest.raises(ValueError):
            state.add(part, origin)
        with pytest.raises(ValueError, match="begin a new one"):
            state.finish()
    for origin in ((4,), (4, -1), (4, 0.5), 4):
        with pytest.raises(ValueError, match="origin"):
            begun().add(image[4:], origin)
    with pytest.raises(ValueError, match="mask"):
        begun().add(image[4:], (4, 0), image[4:])
    with pytest.raises(ValueError):
        begun().add(np.ones((1, 4, 8)), (0, 4, 0))


def test_bytes():
    image = np.random.default_rng(8).integers(0, 9, (200, 300), np.uint8)
    a = rugose.MassState(image.shape, image.dtype)
    a.add(image[:90], (0, 0))
    b = pickle.loads(pickle.dumps(a))
    for state, places in ((a, (90, 150)), (b, (150, 90))):
        for y in places:
            end = {90: 150, 150: 200}[y]
            state.add(image[y:end], (y, 0))
    assert a.to_bytes() == b.to_bytes()
    assert same(b.finish([2]), rugose.multifractal(image, [2]))
    saved = bytearray(a.to_bytes())
    assert same(rugose.MassState.from_bytes(saved, threads=1).finish([2]), a.finish([2]))
    saved[len(saved) // 2] ^= 1
    for wrong in (saved, b"", a.to_bytes()[:-1]):
        with pytest.raises(rugose.Error) as caught:
            rugose.MassState.from_bytes(wrong)
        assert caught.value.status == "RUG_E_FORMAT"
    with pytest.raises(rugose.Error):
        rugose.BoxCountState.from_bytes(a.to_bytes())
    for wrong in (a.to_bytes(), b"", b"\x89RGS\r\n\x1a\n" + bytes(60)):
        with pytest.raises(rugose.Error):
            rugose.LacunarityState.from_bytes(wrong)


def test_what_is_wrong_with_a_state():
    for shape in ((8,), (1, 2, 3, 4), (8, -1), (0, 8), "88"):
        with pytest.raises(ValueError):
            rugose.BoxCountState(shape, foreground="nonzero")
    for rule in ("auto", "otsu", "otsu-dark", "nozero"):
        with pytest.raises(ValueError):
            rugose.BoxCountState((8, 8), foreground=rule)
    with pytest.raises(ValueError, match="method"):
        rugose.BoxCountState((8, 8), foreground="nonzero", method="hou")
    with pytest.raises(ValueError, match="dtype"):
        rugose.MassState((8, 8), complex)
    with pytest.raises(ValueError, match="2\\^"):
        rugose.MassState((8, 8), "uint8", unit_exponent=1)
    for options in (
        {},
        {"gray": True, "foreground": "nonzero"},
        {"gray": 0.5},
        {"gray": None},
        {"foreground": "auto"},
        {"gray": True, "boxes": "glide"},
        {"gray": True, "sizes": []},
        {"gray": True, "sizes": [0, 4]},
    ):
        with pytest.raises(ValueError):
            rugose.LacunarityState((8, 8), "uint8", **options)
    with pytest.raises(ValueError):
        rugose.LacunarityState((8, 8), "uint8", gray=True).merge(
            rugose.LacunarityState((8, 8), "uint8", foreground="nonzero")
        )
    negative = rugose.LacunarityState((8, 8), "int8", gray=True)
    negative.add(np.full((8, 8), -1, np.int8), (0, 0))
    with pytest.raises(ValueError, match="at least 0"):
        negative.finish()
    with pytest.raises(ValueError, match="no range given"):
        rugose.SurfaceState((8, 8), "float32")
    for extremes in (3, (1,), (1, 2, 3), ("a", 3), (0, 300), (2, 1)):
        with pytest.raises(ValueError):
            rugose.SurfaceState((8, 8), "uint8", anchor="min", extremes=extremes)
    for options in ({"levels": -1}, {"anchor": "least"}):
        with pytest.raises(ValueError):
            rugose.SurfaceState((8, 8), "uint8", **options)
    with pytest.raises(ValueError, match="pixels"):
        rugose.ValueState((8, 8), "uint8").extremes()
    a = rugose.BoxCountState((8, 8), foreground="nonzero")
    for other in (a, rugose.MassState((8, 8), "uint8"), None):
        with pytest.raises(ValueError, match="other"):
            a.merge(other)
    with pytest.raises(ValueError):
        a.merge(rugose.BoxCountState((8, 9), foreground="nonzero"))


def test_threads_add_to_one_state():
    image = np.random.default_rng(2).random((640, 640)) < 0.3
    state = rugose.BoxCountState(image.shape, foreground="nonzero", threads=1)

    def add(rows):
        for y in rows:
            state.add(image[y : y + 10], (y, 0))

    workers = [threading.Thread(target=add, args=(range(a, 640, 40),)) for a in (0, 10, 20, 30)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (state.finish().counts == rugose.boxcount(image, foreground="nonzero").counts).all()
