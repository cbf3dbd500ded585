# SPDX-License-Identifier: BSD-3-Clause
"""The values of scikit-image."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rugose.compat import skimage as ours

theirs = pytest.importorskip("skimage.feature")
PICTURES = [
    "camera.png", "brick.png", "ht29_dna.png", "bbbc022_ch0.png", "mri_t1_axial.png",
    "mri_colin27_axial.png", "cascade_1234_k7.png", "xray_chest_nih.png", "bin_horse.png",
    "bbbc022_labels.png",
]  # fmt: skip
PROPERTIES = ["contrast", "dissimilarity", "homogeneity", "ASM", "energy", "correlation"]
if "entropy" in theirs.graycoprops.__doc__:  # as of scikit-image 0.25
    PROPERTIES += ["mean", "variance", "std", "entropy"]
EIGHTHS = np.arange(-2, 9) * np.pi / 4


def same(*arguments, **options):
    expected = theirs.graycomatrix(*arguments, **options)
    found = ours.graycomatrix(*arguments, **options)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)
    return expected


def same_properties(matrices):
    for prop in PROPERTIES:
        expected, found = theirs.graycoprops(matrices, prop), ours.graycoprops(matrices, prop)
        assert found.shape == expected.shape and found.dtype == expected.dtype
        if prop == "correlation":  # theirs of one level depends on rounding
            expected = np.where(has_one_level(matrices), 1, expected)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=prop)


def has_one_level(matrices):
    """Whether all rows but one, or all columns but one, of a matrix are 0."""
    return (matrices.any(axis=0).sum(axis=0) < 2) | (matrices.any(axis=1).sum(axis=0) < 2)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name, read):
    image = read(name)[40:140, 50:160]
    image = (image // (1 + image.max() // 255)).astype(np.uint8)
    same_properties(same(image, [1, 3], [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4], symmetric=True))
    same(image // 8, [1, 2.6], [0.3, 5], 32, normed=True)
    np.testing.assert_array_equal(
        ours.local_binary_pattern(image, 8, 1, "uniform"),
        theirs.local_binary_pattern(image, 8, 1, "uniform"),
    )


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    hnp.arrays(
        st.sampled_from([np.uint8, np.uint16, np.int32, np.uint64]),
        hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
        elements=st.integers(0, 12),
    ),
    st.lists(st.one_of(st.integers(0, 13), st.floats(0, 6)), min_size=1, max_size=3),
    st.lists(
        st.one_of(st.sampled_from(EIGHTHS.tolist()), st.floats(-9, 9)), min_size=1, max_size=3
    ),
    st.fixed_dictionaries(
        dict(levels=st.integers(13, 20), symmetric=st.booleans(), normed=st.booleans())
    ),
)
def test_random_images(image, distances, angles, options):
    same_properties(same(image, distances, angles, **options))


def test_layouts():
    image = np.random.default_rng(3).integers(0, 9, (40, 41)).astype(np.uint8)
    for view in (image[::-1], image.T, image[::2, 3::3]):
        same(view, [1, 2], EIGHTHS, 10)
    same(image.astype(np.int8), [1], [0])
    same_properties(np.random.default_rng(4).random((5, 5, 2, 3)))
    same_properties(np.zeros((3, 3, 1, 1)))
    one_level = np.zeros((13, 13, 1, 1))
    one_level[9, 3], one_level[9, 5] = 1, 38
    same_properties(one_level)


BYTES = np.arange(12, dtype=np.uint8).reshape(3, 4)


@pytest.mark.parametrize(
    "arguments",
    [
        (BYTES[0], [1], [0]),
        (BYTES.astype(float), [1], [0], 20),
        (BYTES.astype(np.uint16), [1], [0]),
        (BYTES.astype(np.int16) - 1, [1], [0], 20),
        (BYTES, [1], [0], 11),
        (BYTES, [[1]], [0]),
        (BYTES, [1], 0),
        (BYTES, [], [0]),
        (np.zeros((0, 3), np.uint8), [1], [0]),
    ],
)
def test_both_refuse(arguments):
    for package in (theirs, ours):
        with pytest.raises(ValueError):
            package.graycomatrix(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        (np.zeros((2, 3, 1, 1)),),
        (np.zeros((2, 2, 1)),),
        (np.zeros((2, 2, 0, 1)),),
        (np.zeros((2, 2, 1, 1)), "texture"),
    ],
)
def test_both_refuse_properties(arguments):
    for package in (theirs, ours):
        with pytest.raises(ValueError):
            package.graycoprops(*arguments)
