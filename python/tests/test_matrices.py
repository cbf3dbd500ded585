# SPDX-License-Identifier: BSD-3-Clause
"""Co-occurrence matrices."""

import pickle

import numpy as np
import pytest
import rugose

IMAGE = np.random.default_rng(11).integers(3, 20, (40, 50)).astype(np.uint8)
OFFSETS = {"0": (0, 1), "45": (-1, 1), "90": (-1, 0), "135": (-1, -1)}


def naive(image, offset, symmetric=True, n=20):
    """A matrix of all values below n."""
    counts = np.zeros((n, n), int)
    for (y, x), value in np.ndenumerate(image):
        to = y + offset[0], x + offset[1]
        if 0 <= to[0] < image.shape[0] and 0 <= to[1] < image.shape[1]:
            counts[value, image[to]] += 1
    return counts + counts.T if symmetric else counts


@pytest.mark.parametrize("symmetric", [True, False])
def test_counts(symmetric):
    m = rugose.glcm_matrices(IMAGE, distances=[1, 3], symmetric=symmetric)
    assert m.counts.dtype == np.uint64 and m.counts.shape == (17, 17, 2, 4)
    assert m.levels.tolist() == list(range(3, 20))
    for d, distance in enumerate(m.distances):
        for k, name in enumerate(m.directions):
            offset = tuple(distance * step for step in OFFSETS[name])
            expected = naive(IMAGE, offset, symmetric)
            np.testing.assert_array_equal(m.counts[:, :, d, k], expected[3:, 3:])
            assert m.pairs[d, k] == expected.sum() // (1 + symmetric)
    np.testing.assert_allclose(m.normalized().sum(axis=(0, 1)), 1, rtol=1e-14)
    merged = rugose.glcm_matrices(IMAGE, distances=[1, 3], symmetric=symmetric, aggregate="merged")
    np.testing.assert_array_equal(merged.counts[..., 0], m.counts.sum(axis=3))
    assert merged.directions == ("all",)


@pytest.mark.parametrize(
    "options",
    [
        dict(directions=["90", "0"]),
        dict(levels=5),
        dict(levels=5, range=(0, 40), pairs="frame"),
        dict(bin_width=2.5, symmetric=False, distances=[2, 1]),
        dict(aggregate="merged"),
        dict(mask=IMAGE > 6, resegment=(5, 15)),
        dict(labels=IMAGE // 9),
    ],
)
def test_features_are_those_of_haralick(options):
    found = rugose.glcm_matrices(IMAGE, **options)
    table = rugose.haralick(IMAGE, features="all", **{"aggregate": "none", **options})
    results = found if "labels" in options else [found]
    rows = [result.features("all") for result in results]
    for name in rows[0]:
        column = np.concatenate([row[name] for row in rows])
        if name == "max_correlation_coefficient":
            np.testing.assert_allclose(column, table[name], rtol=1e-10)
        else:
            np.testing.assert_array_equal(column, table[name], err_msg=name)
    if "labels" in options:
        assert found.labels.tolist() == [1, 2]


def test_features_of_choice():
    m = rugose.glcm_matrices(IMAGE)
    assert list(m.features("contrast")) == ["distance", "direction", "pairs", "status", "contrast"]
    nats, bits = m.features(["entropy"], np.e), m.features(["entropy"])
    np.testing.assert_allclose(nats["entropy"], bits["entropy"] * np.log(2), rtol=1e-14)


def test_volumes():
    volume = np.random.default_rng(12).integers(0, 4, (6, 7, 8))
    m = rugose.glcm_matrices(volume)
    assert m.counts.shape == (4, 4, 1, 13)
    flat = rugose.glcm_matrices(volume, slices="merged")
    layers = [rugose.glcm_matrices(layer) for layer in volume]
    assert flat == sum(layers)
    np.testing.assert_array_equal(flat.counts, m.counts[..., :4])


@pytest.mark.parametrize("options", [{}, dict(levels=7, range=(0, 30)), dict(symmetric=False)])
def test_parts_add_up(options):
    """Parts with halos, less the halos, and what lies in the halos of both axes again."""
    whole = rugose.glcm_matrices(IMAGE, distances=[1, 2], **options)
    rows, columns, halo = [0, 13, 15, 40], [0, 20, 50], 2
    parts, halos = [], []
    for top, bottom in zip(rows, rows[1:]):
        for left, right in zip(columns, columns[1:]):
            for first_row in (top, bottom):
                for first_column in (left, right):
                    part = IMAGE[first_row : bottom + halo, first_column : right + halo]
                    if part.size == 0:
                        continue
                    counts = rugose.glcm_matrices(part, distances=[1, 2], **options)
                    is_halo = (first_row == bottom) != (first_column == right)
                    (halos if is_halo else parts).append(counts)
    assert sum(parts) - sum(halos) == whole


def test_sums():
    low, high = (rugose.glcm_matrices(IMAGE // 4 + base) for base in (0, 30))
    both = low + high
    assert both.first_level == 0 and both.levels[-1] == 34 and both.n_gray == 35
    assert (both.pairs == low.pairs + high.pairs).all()
    assert (both - high).pairs.tolist() == low.pairs.tolist()
    with pytest.raises(ValueError, match="more pairs"):
        low - high
    with pytest.raises(ValueError, match="directions"):
        low + rugose.glcm_matrices(IMAGE, directions=["0"])
    with pytest.raises(TypeError):
        low + 3


def test_results():
    m = rugose.glcm_matrices(IMAGE)
    assert pickle.loads(pickle.dumps(m)) == m
    assert repr(m).startswith("Matrices(first_level=3, n_levels=17")
    assert sum(m.to_dict()["count"]) == m.counts.sum() and "<table>" in m._repr_html_()
    none = rugose.glcm_matrices(IMAGE, labels=np.zeros(IMAGE.shape, int))
    assert len(none) == 0


@pytest.mark.parametrize(
    "options, text",
    [
        (dict(aggregate="mean"), "aggregate"),
        (dict(slices="mean"), "slices"),
        (dict(directions=["60"]), "directions"),
        (dict(distances=[0]), "distance"),
    ],
)
def test_refused(options, text):
    with pytest.raises(ValueError, match=text):
        rugose.glcm_matrices(IMAGE, **options)
    with pytest.raises(ValueError, match="at most 8192"):
        rugose.glcm_matrices(np.array([[0, 9000]]))
    with pytest.raises(ValueError, match="log_base: 'e' given, a number"):
        rugose.glcm_matrices(IMAGE).features(log_base="e")
