# SPDX-License-Identifier: BSD-3-Clause
"""The values of other packages."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rugose.compat import mahotas as ours

theirs = pytest.importorskip("mahotas.features")
PICTURES = [
    "camera.png", "brick.png", "ht29_dna.png", "bbbc022_ch0.png", "mri_t1_axial.png",
    "mri_colin27_axial.png", "cascade_1234_k7.png", "xray_chest_nih.png", "bin_horse.png",
    "bbbc022_labels.png",
]  # fmt: skip


def same(image, tolerance=1e-12, **options):
    try:
        expected = theirs.haralick(image, **options)
    except ValueError:
        with pytest.raises(ValueError, match="no pairs"):
            ours.haralick(image, **options)
        return
    found = ours.haralick(image, **options)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name, read):
    image = read(name)[40:240, 50:230]
    image = image // (1 + image.max() // 255)  # their matrices are dense
    same(image)
    same(image, ignore_zeros=True, distance=3, use_x_minus_y_variance=True)
    same(image, 1e-10, distance=2, preserve_haralick_bug=True, return_mean_ptp=True)
    same(image // 8, compute_14th_feature=True, return_mean=True)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    hnp.arrays(
        st.sampled_from([np.uint8, np.uint16, np.int32]),
        hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=9),
        elements=st.integers(0, 12),
    ),
    st.fixed_dictionaries(
        dict(
            ignore_zeros=st.booleans(), preserve_haralick_bug=st.booleans(),
            use_x_minus_y_variance=st.booleans(), distance=st.integers(1, 3),
        )
    ),
    st.sampled_from(["return_mean", "return_mean_ptp", "compute_14th_feature", "distance"]),
)  # fmt: skip
def test_random_images(image, options, more):
    # they subtract squares, and lose digits where variances are small
    same(image, 1e-10, **{more: True, **options})


def test_fourteenth_feature_and_spans(read):
    image = read("brick.png")[:90, :80] // 16
    for ignore_zeros, ptp in itertools.product((False, True), repeat=2):
        same(image, compute_14th_feature=True, ignore_zeros=ignore_zeros, return_mean_ptp=ptp)
    same(np.indices((6, 7)).sum(0) % 2, compute_14th_feature=True)
    same(np.arange(5 * 6 * 7).reshape(5, 6, 7) % 11, compute_14th_feature=True)


def test_flat():
    same(np.full((5, 5), 3))


def test_refused():
    with pytest.raises(TypeError, match="integers"):
        ours.haralick(np.zeros((4, 4)))
    with pytest.raises(ValueError, match="-1 given"):
        ours.haralick(np.full((4, 4), -1))
    with pytest.raises(ValueError, match="together"):
        ours.haralick(np.zeros((4, 4), int), return_mean=True, return_mean_ptp=True)
    with pytest.raises(ValueError, match="no pairs"):
        ours.haralick(np.zeros((4, 4), int), distance=4)
