# SPDX-License-Identifier: BSD-3-Clause
"""What must hold for every image, and scikit-image's values."""

import numpy as np
import pytest
import rugose
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

few = settings(max_examples=40, deadline=None, derandomize=True)
shapes = hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=20)
sets = hnp.arrays(np.bool_, shapes)
flat_shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=24)
pictures = hnp.arrays(np.uint8, flat_shapes)


def same_counts(a, b):
    return (a.counts == b.counts).all()


@few
@given(sets, st.randoms())
def test_axes_may_be_exchanged(image, random):
    axes = list(range(image.ndim))
    random.shuffle(axes)
    a, b = (rugose.boxcount(i, foreground="nonzero") for i in (image, image.transpose(axes)))
    assert same_counts(a, b)
    np.testing.assert_equal(a.dimension, b.dimension)
    m, n = (rugose.lacunarity(i, foreground="nonzero") for i in (image, image.transpose(axes)))
    for column in m.sizes.dtype.names:
        np.testing.assert_array_equal(m.sizes[column], n.sizes[column])


@few
@given(sets)
def test_a_frame_of_background_adds_white_boxes_only(image):
    padded = np.pad(image, [(0, 8)] * image.ndim)
    sizes = [1, 2, 3, 8]
    a, b = (rugose.boxcount(i, foreground="nonzero", sizes=sizes) for i in (image, padded))
    for column in ("nonempty", "black", "gray"):
        assert (a.counts[column] == b.counts[column]).all()
    assert (a.counts["total"] == a.counts["white"] + a.counts["nonempty"]).all()


@few
@given(sets, st.integers(1, 7))
def test_every_box_by_hand(image, size):
    counts = rugose.boxcount(image, foreground="nonzero", sizes=[size]).counts[0]
    padded = np.pad(image, [(0, -n % size) for n in image.shape])
    shape = [k for n in padded.shape for k in (n // size, size)]
    boxes = padded.reshape(shape).sum(axis=tuple(range(1, 2 * image.ndim, 2)))
    assert counts["nonempty"] == (boxes > 0).sum()
    assert counts["black"] == (boxes == size**image.ndim).sum()
    assert counts["total"] == boxes.size


@few
@given(sets)
def test_points_are_pixels(image):
    points = np.argwhere(image)
    if len(points) == 0:
        return
    a = rugose.boxcount(image, foreground="nonzero", sizes=[1, 2, 5])
    b = rugose.boxcount(points=points, sizes=[1, 2, 5])
    assert (a.counts["nonempty"] == b.counts["nonempty"]).all()


@few
@given(hnp.arrays(np.uint8, flat_shapes, elements=st.integers(0, 3)), st.permutations([5, 9, 2]))
def test_labels_may_be_renamed(labels, names):
    image = np.arange(labels.size, dtype=np.uint16).reshape(labels.shape) % 7
    renamed = np.array([0, *names])[labels]
    a, b = (rugose.haralick(image, labels=numbers) for numbers in (labels, renamed))
    order = {names[int(label) - 1]: i for i, label in enumerate(a["label"])}
    for i, label in enumerate(b["label"]):
        for name in ("area", "pairs", "contrast", "entropy"):
            np.testing.assert_equal(b[name][i], a[name][order[int(label)]])
    parts = rugose.boxcount(image > 2, labels=labels, foreground="nonzero")
    for part in parts:
        alone = (labels == part.label) & (image > 2)
        cut = tuple(slice(*ends) for ends in zip(part.bbox[:2], part.bbox[2:]))
        assert same_counts(part, rugose.boxcount(alone[cut], foreground="nonzero"))


@few
@given(pictures)
def test_d0_is_the_dimension_of_the_support(image):
    spectrum = rugose.multifractal(image, [0])
    counts = rugose.boxcount(image, foreground="nonzero")
    np.testing.assert_equal(spectrum.dimension_of(0), counts.dimension)


@few
@given(pictures, st.integers(0, 1000))
def test_a_constant_changes_no_surface(image, constant):
    image = image.astype(int)
    a, b = (rugose.dbc(i, anchor="min", levels=300) for i in (image, image + constant))
    assert a.counts.tolist() == b.counts.tolist()


@few
@given(pictures, st.sampled_from(["default", "uniform", "ror", "nri_uniform"]))
def test_histograms_count_the_map(image, method):
    codes = rugose.local_binary_pattern(image, 8, 1, method, dtype=None)
    (counts,) = rugose.lbp_histogram(image, method=method).counts
    if method == "ror":
        every = np.arange(256, dtype=np.uint8)
        least = np.min([every << k | every >> (8 - k) for k in range(8)], axis=0)
        assert counts.tolist() == [int((codes == code).sum()) for code in np.unique(least)]
    else:
        assert counts.tolist() == np.bincount(codes.ravel(), minlength=len(counts)).tolist()


@few
@given(
    hnp.arrays(
        st.sampled_from([np.uint8, np.int16, np.float64]), flat_shapes, elements=st.integers(0, 99)
    ),
    st.sampled_from([(8, 1), (4, 2), (12, 1.5), (16, 3)]),
    st.sampled_from(["default", "ror", "uniform", "nri_uniform", "var"]),
)
@pytest.mark.filterwarnings("ignore:Applying")
def test_codes_are_those_of_scikit_image(image, circle, method):
    feature = pytest.importorskip("skimage.feature")
    expected = feature.local_binary_pattern(image, *circle, method)
    found = rugose.local_binary_pattern(image, *circle, method)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["brick.png", "camera.png", "ht29_dna.png"])
def test_codes_of_pictures(name, read):
    feature = pytest.importorskip("skimage.feature")
    image = read(name)[:300, :300]
    for circle in ((8, 1), (16, 2), (24, 3)):
        np.testing.assert_array_equal(
            rugose.local_binary_pattern(image, *circle, "uniform"),
            feature.local_binary_pattern(image, *circle, "uniform"),
        )


@few
@given(pictures, st.integers(1, 100))
def test_streams_decode(image, quality):
    stream = rugose.ifs.encode(image, quality)
    facts = rugose.ifs.info(stream)
    assert facts["shape"] == image.shape and facts["n_bytes"] == len(stream)
    decoded = rugose.ifs.decode(stream)
    assert decoded.shape == image.shape and decoded.dtype == image.dtype
    assert rugose.ifs.decode(stream, shape=image.shape).tolist() == decoded.tolist()


def test_colours():
    rng = np.random.default_rng(3)
    image = rng.integers(0, 256, (20, 30, 3), np.uint8)
    stream = rugose.ifs.encode(image, psnr=30)
    decoded = rugose.ifs.decode(stream)
    assert decoded.shape == image.shape
    result = rugose.compare(image, decoded, channel_axis=-1)
    assert 30 <= result.psnr < 34
    assert rugose.compare(image, image, channel_axis=2).mse == 0
    large = rugose.upscale(image)
    assert large.shape == (40, 60, 3)
    assert (large[:, :, 1] == rugose.upscale(image[:, :, 1])).all()


def test_boxes_in_space():
    image = np.ones((2, 8, 8), bool)
    result = rugose.boxcount(image, pixel_size=(4, 1, 1), sizes=[4, 8], fit=(4, 8))
    assert result.counts["nonempty"].tolist() == [8, 1]
    assert result.dimension == 3


def test_bool_has_two_levels():
    image = np.indices((16, 16)).sum(0) % 2 == 0
    assert rugose.dbc(image).levels == 2
    assert rugose.compare(image, ~image).psnr == 0
    table = rugose.haralick(image, levels=2, range="type")
    assert table["contrast"][0] == rugose.haralick(image)["contrast"][0]
