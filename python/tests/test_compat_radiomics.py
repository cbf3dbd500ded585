# SPDX-License-Identifier: BSD-3-Clause
"""The values of PyRadiomics."""

import gzip

import numpy as np
import pytest
import rugose
from conftest import DATA
from rugose import _glcm
from rugose.compat import radiomics

# The regression values that PyRadiomics stores of its image brain1 (data/baseline, BSD-3-Clause):
# in space, with force2D, and older ones, to 9 digits, with symmetricalGLCM=False.
BASELINE = {
    "JointAverage": (16.55380772442751, 15.877702281244167, 16.60808369),
    "SumAverage": (33.107615448855015, 31.75540456248833, 33.10761545),
    "JointEntropy": (8.799696270248813, 8.29249842514157, 8.648409191),
    "ClusterShade": (19.60508342728665, 322.5551647998497, 19.60508343),
    "MaximumProbability": (0.007352392266290182, 0.012398089494903996, 0.008193102),
    "Idmn": (0.9614021696232272, 0.9874356094317167, 0.96140217),
    "JointEnergy": (0.0028931492429888645, 0.004419207849113393, 0.003151601),
    "Contrast": (47.492125114429776, 14.51658226211849, 47.49212511),
    "DifferenceEntropy": (3.744060978066421, 3.0338744116153946, 3.744060978),
    "InverseVariance": (0.19881884197093197, 0.3290331954676926, 0.198818842),
    "DifferenceVariance": (16.655637050270975, 6.7918951153217915, 16.65563705),
    "Idn": (0.8726052157397166, 0.9276346855228432, 0.872605216),
    "Idm": (0.200222556404757, 0.3350347710659556, 0.200222556),
    "Correlation": (0.39175220066966604, 0.8143492250374116, 0.392197436),
    "Autocorrelation": (289.543699401726, 283.9580205541841, 289.5436994),
    "SumEntropy": (5.354241321485615, 5.523183756922434, 5.354241321),
    "SumSquares": (39.05587959224221, 39.10860720189869, 40.55236484),
    "ClusterProminence": (27995.937591943148, 42453.063139698796, 27995.93759),
    "Imc2": (0.6942249020670357, 0.9099312059604738, 0.791887987),
    "Imc1": (-0.09438938808738298, -0.19867010433078508, -0.122980813),
    "DifferenceAverage": (5.284468789866318, 2.7498507993625676, 5.28446879),
    "Id": (0.28722572382985145, 0.4122097984999482, 0.287225724),
    "ClusterTendency": (108.73139325453904, 141.91784654547624, 108.7313933),
    "MCC": (0.49904046795855606, 0.820818918324, None),
}


def volume(name):
    """[nz, ny, nx] of an NRRD file."""
    head, packed = (DATA / "volumes" / name).read_bytes().split(b"\n\n", 1)
    fields = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
    kind = {"short": "<i2", "unsigned char": "u1"}[fields["type"]]
    shape = tuple(int(side) for side in fields["sizes"].split()[::-1])
    return np.frombuffer(gzip.decompress(packed), kind).reshape(shape)


@pytest.fixture(scope="module")
def brain():
    return volume("brain1.nrrd"), volume("brain1_label.nrrd")


@pytest.mark.parametrize(
    "column, tolerance, settings",
    [(0, 1e-11, {}), (1, 1e-11, dict(force2D=True)), (2, 2e-9, dict(symmetricalGLCM=False))],
)
def test_baseline(column, tolerance, settings, brain):
    found = radiomics.glcm(*brain, **settings)
    assert set(found) == set(BASELINE)
    for name, values in BASELINE.items():
        if values[column] is not None:
            digits = 1e-9 if column == 2 else 0
            expected = pytest.approx(values[column], rel=tolerance, abs=digits)
            assert found[name] == expected, name


def naive(image, mask, distances=(1,), axis=None, symmetric=True, norm=None, spacing=(1, 1, 1)):
    """Matrices of all offsets by loops, and the means of some features."""
    bins = np.where(mask == 1, np.floor(image / 25).astype(int), -1)
    bins = np.where(mask == 1, bins - bins[mask == 1].min() + 1, 0)
    n = bins.max()
    found, weights = [], []
    reach = range(-max(distances), max(distances) + 1)
    for offset in np.stack(np.meshgrid(reach, reach, reach, indexing="ij"), -1).reshape(-1, 3):
        if tuple(offset) <= (0, 0, 0) or np.abs(offset).max() not in distances:
            continue
        if axis is not None and offset[axis]:
            continue
        matrix = np.zeros((n + 1, n + 1))
        for at in np.argwhere(mask == 1):
            to = at + offset
            if (to >= 0).all() and (to < mask.shape).all() and mask[tuple(to)] == 1:
                matrix[bins[tuple(at)], bins[tuple(to)]] += 1
        if matrix.sum():
            found.append(matrix + matrix.T if symmetric else matrix)
            length = np.abs(offset) * spacing
            d = {"euclidean": np.sqrt((length**2).sum()), "manhattan": length.sum()}
            weights.append(np.exp(-(d.get(norm, 0) ** 2)))
    if norm:
        found = [sum(w * m for w, m in zip(weights, found))]
    i, j = np.indices(found[0].shape)
    shares = [m / m.sum() for m in found]
    return {
        "Contrast": np.mean([((i - j) ** 2 * p).sum() for p in shares]),
        "JointAverage": np.mean([(i * p).sum() for p in shares]),
        "JointEnergy": np.mean([(p**2).sum() for p in shares]),
        "Idn": np.mean([(p / (1 + np.abs(i - j) / n)).sum() for p in shares]),
    }


@pytest.mark.parametrize(
    "settings, same",
    [
        (dict(distances=[1, 2]), dict(distances=(1, 2))),
        (dict(distances=[3], force2D=True, force2Ddimension=1), dict(distances=(3,), axis=1)),
        (
            dict(symmetricalGLCM=False, weightingNorm="no_weighting"),
            dict(symmetric=False, norm="1"),
        ),
        (dict(weightingNorm="manhattan"), dict(norm="manhattan")),
        (
            dict(weightingNorm="euclidean", spacing=(2, 0.5, 0.7)),
            dict(norm="euclidean", spacing=(2, 0.5, 0.7)),
        ),
    ],
)
def test_settings(settings, same):
    random = np.random.default_rng(5)
    image = random.integers(0, 200, (4, 6, 5))
    mask = (random.random((4, 6, 5)) < 0.8).astype(np.uint8)
    found = radiomics.glcm(image, mask, **settings)
    for name, expected in naive(image, mask, **same).items():
        assert found[name] == pytest.approx(expected, rel=1e-12), name


@pytest.mark.parametrize("symmetric", [True, False])
def test_features_of_shares_are_those_of_counts(symmetric):
    counts = np.random.default_rng(6).integers(0, 9, (1, 7, 7)).astype(np.uint64)
    counts = counts + counts.transpose(0, 2, 1) if symmetric else counts
    exact = _glcm.matrix_features(counts, 3, 11, symmetric, 2, 2.0)[1][0]
    shares = radiomics._features_of_shares(counts[0].astype(float), 3, 11)
    for name in radiomics._NAMES:
        column = _glcm.FEATURES[name]
        assert shares[column] == pytest.approx(exact[column], rel=1e-11, abs=1e-12), name


def test_bins():
    image = np.arange(36.0).reshape(6, 6) - 7.5
    mask = np.full((6, 6), 4)
    found = radiomics.glcm(image, mask, label=4, binCount=5)
    table = rugose.haralick(image, levels=5, range="roi", aggregate="mean", features="all")
    assert found["JointAverage"] == pytest.approx(table["joint_average"][0], rel=1e-13)
    found = radiomics.glcm(image, mask, label=4, binWidth=4)
    table = rugose.haralick(image, bin_width=4, features="all")
    assert found["SumAverage"] == pytest.approx(table["sum_average"][0], rel=1e-13)


def test_undefined():
    flat = radiomics.glcm(np.full((3, 3), 7), np.ones((3, 3)))
    assert (flat["Correlation"], flat["MCC"], flat["Imc1"], flat["Contrast"]) == (1, 1, 0, 0)
    row = radiomics.glcm(np.array([[1, 60], [1, 60]]), np.ones((2, 2)))
    assert row["Correlation"] == pytest.approx((1 - 1 - 1 - 1) / 4)
    one = radiomics.glcm(np.full((3, 3), 7), np.eye(3) * [1, 0, 0])
    assert all(np.isnan(value) for value in one.values())


ONES = np.ones((3, 3))


@pytest.mark.parametrize(
    "arguments, settings, error, text",
    [
        ((ONES, ONES), dict(normalize=True), TypeError, "normalize"),
        ((ONES, ONES), dict(weightingNorm="max"), ValueError, "max"),
        ((ONES, ONES), dict(spacing=(1, 1)), ValueError, "spacing"),
        ((ONES, ONES), dict(force2Ddimension=1), ValueError, "force2D"),
        ((ONES, ONES), dict(binWidth=0), ValueError, "binWidth"),
        ((ONES, ONES), dict(binWidth=2, binCount=3), ValueError, "beside"),
        ((ONES, ONES), dict(label=2), ValueError, "label: 2"),
        ((ONES, ONES[:2]), {}, ValueError, "shape"),
        ((ONES, None), {}, ValueError, "mask"),
        ((ONES * np.nan, ONES), {}, ValueError, "NaN"),
        ((ONES, ONES), dict(distances=[0]), ValueError, "distances"),
        ((ONES, ONES), dict(distances=1), ValueError, "distances: 1 given"),
    ],
)
def test_refused(arguments, settings, error, text):
    with pytest.raises(error, match=text):
        radiomics.glcm(*arguments, **settings)
