# SPDX-License-Identifier: BSD-3-Clause
"""What changes an image and no result, or a result in a known way."""

import numpy as np
import pytest
import rugose
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

few = settings(max_examples=25, deadline=None, derandomize=True)
sides = hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=16)
flat_sides = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=16)


def pictures(shapes, most=99):
    return hnp.arrays(np.uint8, shapes, elements=st.integers(0, most))


def equal(a, b):
    """NaN is NaN, in columns of a table too."""
    if isinstance(a, np.ndarray) and a.dtype.names:
        a, b = ({name: table[name] for name in table.dtype.names} for table in (a, b))
    np.testing.assert_equal(a, b)


# ---- Where the values lie, and of which type they are ----

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]


@st.composite
def as_stored(draw, image):
    """The same values in another type, byte order and layout."""
    kind = draw(st.sampled_from("<>")) + draw(st.sampled_from(TYPES))
    steps = draw(st.tuples(*[st.sampled_from([1, 2, 3, -1, -2])] * image.ndim))
    order = draw(st.permutations(range(image.ndim)))
    wide = np.zeros([image.shape[a] * abs(steps[a]) for a in order], kind)
    view = wide.transpose(np.argsort(order))[tuple(slice(None, None, s) for s in steps)]
    view[...] = image
    view.flags.writeable = draw(st.booleans())
    return view


@few
@given(st.data())
def test_storage_changes_nothing(data):
    image = data.draw(pictures(sides))
    stored = data.draw(as_stored(image))
    mask = data.draw(as_stored(image % 3))
    labels = data.draw(as_stored(image % 5))
    labels = labels.astype(np.int16) if labels.dtype.kind == "f" else labels
    plain = dict(mask=image % 3, labels=image % 5)
    both = dict(mask=mask, labels=labels)
    for call in (
        lambda i, mask, labels: rugose.boxcount(i, foreground="above=50", mask=mask, labels=labels),
        lambda i, mask, labels: rugose.dbc(i, levels=100, anchor="min", mask=mask).counts,
        lambda i, mask, labels: rugose.multifractal(i, [0, 1, 2], mask=mask).orders,
        lambda i, mask, labels: rugose.lacunarity(i, gray=True, mask=mask, labels=labels),
        lambda i, mask, labels: rugose.alpha_map(i, mask=mask),
        lambda i, mask, labels: rugose.haralick(i, mask=mask, labels=labels, levels="exact"),
    ):
        found, expected = call(stored, **both), call(image, **plain)
        if isinstance(found, rugose.PerLabel):
            equal(found.labels, expected.labels)
            for a, b in zip(found, expected):
                equal(a.rows(), b.rows())
        else:
            equal(found, expected)
    if image.ndim == 2:
        equal(
            rugose.local_binary_pattern(stored, 8, 1, "ror"),
            rugose.local_binary_pattern(image, 8, 1, "ror"),
        )


# ---- Transposition ----


def near(a, b):
    """Sums in another order."""
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@few
@given(pictures(sides), st.randoms())
def test_axes_may_be_exchanged(image, random):
    axes = list(range(image.ndim))
    random.shuffle(axes)
    turned = image.transpose(axes)
    a, b = (rugose.dbc(i, levels=100, anchor="min") for i in (image, turned))
    equal(a.counts["boxes"], b.counts["boxes"])
    a, b = (rugose.multifractal(i, [0, 2]) for i in (image, turned))
    near(a.orders["tau"], b.orders["tau"])
    a, b = (rugose.lacunarity(i, gray=True) for i in (image, turned))
    equal(a.sizes, b.sizes)
    a, b = (rugose.alpha_map(i) for i in (image, turned))
    np.testing.assert_allclose(a.transpose(axes), b, rtol=1e-5, atol=1e-5)
    a, b = (rugose.haralick(i, features="13") for i in (image, turned))
    for name in ("pairs", "contrast", "entropy", "correlation", "info_correlation_1"):
        near(a[name].astype(float), b[name].astype(float))


@few
@given(pictures(flat_sides))
def test_directions_are_exchanged_with_the_axes(image):
    a, b = (rugose.haralick(i, aggregate="none", features="13") for i in (image, image.T))
    order = [a["direction"].tolist().index(name) for name in ("90", "45", "0", "135")]
    back = [b["direction"].tolist().index(name) for name in ("0", "45", "90", "135")]
    for name in ("pairs", "contrast", "entropy", "sum_variance"):
        near(a[name][order].astype(float), b[name][back].astype(float))


@few
@given(pictures(flat_sides), st.integers(0, 3))
def test_turned_patterns_are_the_same_up_to_rotation(image, quarters):
    """Of four neighbours, none of which lies between pixels."""
    for method in ("ror", "uniform", "var"):
        a, b = (rugose.local_binary_pattern(i, 4, 1, method) for i in (image, image.T))
        (near if method == "var" else equal)(a.T, b)
        b = rugose.local_binary_pattern(np.rot90(image, quarters), 4, 1, method)
        (near if method == "var" else equal)(np.rot90(a, quarters), b)


# ---- Frames ----


@few
@given(pictures(sides), st.integers(1, 5))
def test_a_frame_outside_the_mask_changes_nothing(image, width):
    """Behind the last pixels, so that boxes lie where they lay."""
    frame = [(0, width)] * image.ndim
    framed = np.pad(image, frame, constant_values=77)
    inside = np.pad(np.ones(image.shape, bool), frame)
    sizes = [1, 2, 3]
    a = rugose.boxcount(image, foreground="above=50", sizes=sizes)
    b = rugose.boxcount(framed, foreground="above=50", sizes=sizes, mask=inside)
    equal(a.counts[["nonempty"]], b.counts[["nonempty"]])
    assert (a.n_pixels, a.n_set) == (b.n_pixels, b.n_set)
    a, b = rugose.haralick(image), rugose.haralick(framed, mask=inside)
    equal(a, b)
    if image.ndim == 2:
        a = rugose.lbp_histogram(image, border="skip").counts[0]
        skipped = rugose.local_binary_pattern(framed, 8, 1, "uniform", border="skip", dtype=None)
        ny, nx = image.shape
        codes = skipped[: ny - 1, : nx - 1][1:, 1:]  # of circles in the image
        equal(a, np.bincount(codes.ravel(), minlength=len(a)))


@few
@given(pictures(sides), st.integers(1, 5))
def test_a_frame_of_no_mass_changes_no_sum(image, width):
    framed = np.pad(image, [(0, width)] * image.ndim)
    n = max(image.shape)
    a, b = (rugose.multifractal(i, [0, 1, 2], fit=(1, max(2, n // 4))) for i in (image, framed))
    if a.n_sizes == b.n_sizes:
        near(a.orders["tau"], b.orders["tau"])
    assert (a.total, a.n_set) == (b.total, b.n_set)


# ---- Labels ----


@few
@given(pictures(sides), st.data())
def test_labels_may_be_renamed(image, data):
    labels = data.draw(hnp.arrays(np.uint8, image.shape, elements=st.integers(0, 3)))
    names = np.array([0, *data.draw(st.permutations([70000, 9, 2]))])
    renamed = names[labels]
    for call in (
        lambda numbers: rugose.boxcount(image, foreground="above=50", labels=numbers),
        lambda numbers: rugose.lacunarity(image, gray=True, labels=numbers),
    ):
        a, b = call(labels), call(renamed)
        assert sorted(names[a.labels.astype(int)].tolist()) == b.labels.tolist()
        for one in a:
            other = b.of(int(names[one.label]))
            assert (one.area, one.bbox) == (other.area, other.bbox)
            equal(one.rows(), other.rows())
    if image.ndim == 2:
        a, b = (rugose.lbp_histogram(image, labels=numbers) for numbers in (labels, renamed))
        for label, counts in zip(a.labels.astype(int), a.counts[0]):
            equal(counts, b.counts[0][b.labels.tolist().index(names[label])])


# ---- Grey values ----


@few
@given(pictures(sides), st.sampled_from([2, 8, 64]))
def test_masses_may_have_another_unit(image, factor):
    large = factor * image.astype(float)
    a, b = (rugose.multifractal(i, [-1, 0, 1, 2.5]) for i in (image, large))
    equal(a.orders, b.orders)
    assert b.total == factor * a.total
    a, b = (rugose.lacunarity(i, gray=True).sizes for i in (image, large))
    equal(a["lacunarity"], b["lacunarity"])
    equal(factor * a["mean"], b["mean"])
    equal(factor**2 * a["variance"], b["variance"])
    a, b = (rugose.alpha_map(i) for i in (image, large))
    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


@few
@given(pictures(sides), st.integers(1, 200), st.integers(0, 1000))
def test_bins_move_with_the_values(image, factor, constant):
    moved = factor * image.astype(int) + constant
    a = rugose.haralick(image, bin_width=1, bin_origin="min", features="all")
    b = rugose.haralick(moved, bin_width=factor, bin_origin="min", features="all")
    for name in a:
        equal(a[name], b[name])


@few
@given(pictures(flat_sides), st.integers(1, 200), st.integers(0, 1000))
def test_patterns_are_those_of_any_rising_scale(image, factor, constant):
    """Inside, where no pixel is compared with the 0 outside."""
    moved = factor * image.astype(int) + constant
    a, b = (rugose.local_binary_pattern(i, 4, 1, border="skip") for i in (image, moved))
    equal(a, b)
    a, b = (rugose.lbp_histogram(i, exact="decimal", border="skip") for i in (image, moved))
    equal(a.counts[0], b.counts[0])


@few
@given(pictures(flat_sides, 50), st.integers(0, 3), st.data())
def test_differences(image, factor, data):
    other = data.draw(hnp.arrays(np.uint8, image.shape, elements=st.integers(0, 50)))
    a, b = rugose.compare(image, other), rugose.compare(other, image)
    assert (a.mse, a.psnr, a.max_difference) == (b.mse, b.psnr, b.max_difference)
    far = rugose.compare(factor * image, factor * other)
    near(far.mse, factor**2 * a.mse)
    assert far.max_difference == factor * a.max_difference
