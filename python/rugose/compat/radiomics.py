# SPDX-License-Identifier: BSD-3-Clause
"""The features of PyRadiomics' class `glcm`, with its settings and its values."""

from __future__ import annotations

import itertools
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .. import _glcm
from .._arrays import companion, count, items, pixels, unmasked
from .._progress import Progress
from .._textures import exact_options

__all__ = ["glcm"]

# By their names in rugose: those of which PyRadiomics has one.
_NAMES = {
    "autocorrelation": "Autocorrelation", "cluster_prominence": "ClusterProminence",
    "cluster_shade": "ClusterShade", "cluster_tendency": "ClusterTendency",
    "contrast": "Contrast", "correlation": "Correlation",
    "difference_average": "DifferenceAverage", "difference_entropy": "DifferenceEntropy",
    "difference_variance": "DifferenceVariance", "inverse_difference": "Id",
    "inverse_difference_moment": "Idm", "inverse_difference_moment_normalised": "Idmn",
    "inverse_difference_normalised": "Idn", "info_correlation_1": "Imc1",
    "info_correlation_2": "Imc2", "inverse_variance": "InverseVariance",
    "joint_average": "JointAverage", "angular_second_moment": "JointEnergy",
    "entropy": "JointEntropy", "max_correlation_coefficient": "MCC",
    "joint_maximum": "MaximumProbability", "sum_average": "SumAverage",
    "sum_entropy": "SumEntropy", "variance": "SumSquares",
}  # fmt: skip
_ALL = 2  # features, as rug_glcm_features numbers them
_NORMS = {
    "manhattan": lambda steps: steps.sum(axis=1),
    "euclidean": lambda steps: np.sqrt((steps**2).sum(axis=1)),
    "infinity": lambda steps: steps.max(axis=1),
    "no_weighting": lambda steps: np.zeros(len(steps)),
}
_BATCH = 1 << 25  # counts of the matrices that are held at once


# ---- Levels ----


def _edges(values: np.ndarray, width: Optional[float], n: Optional[int]) -> np.ndarray:
    """The lower edges of bins, from the first on."""
    if n is not None:
        edges = np.histogram_bin_edges(values, n)
        edges[-1] += 1  # the largest value is in the last bin
        return edges
    width = 25.0 if width is None else float(width)
    least, most = values.min(), values.max()
    if not 0 < width < np.inf:
        raise ValueError(f"binWidth: {width!r} given, a number above 0 expected")
    if not (most - least) / width < 1 << 16:
        raise ValueError(f"binWidth: {width!r} given for values {least}..{most}: too many bins")
    return np.arange(least - least % width, most + 2 * width, width)


def _discretized(
    image: Any, mask: Any, label: int, width: Optional[float], n: Optional[int]
) -> Tuple[np.ndarray, np.ndarray]:
    """The bins of the region, from 1 on, in its bounding box; and the region."""
    voxels = pixels("image", unmasked("image", image))
    inside = companion("mask", mask, voxels)
    if inside is None:
        raise ValueError("mask: None given, an array of the image's shape expected")
    inside = (inside == label).reshape((1,) * (3 - inside.ndim) + inside.shape)
    if not inside.any():
        raise ValueError(f"label: {label} given, which does not occur in the mask")
    box = tuple(slice(at.min(), at.max() + 1) for at in np.nonzero(inside))
    inside = np.ascontiguousarray(inside[box])
    part = voxels.reshape((1,) * (3 - voxels.ndim) + voxels.shape)[box]
    values = part[inside].astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("image: NaN or infinite values in the region, finite ones expected")
    bins = np.zeros(inside.shape, np.int32)
    bins[inside] = np.digitize(values, _edges(values, width, n))
    return bins, inside


# ---- Offsets ----


def _offsets(
    shape: Tuple[int, ...], distances: Sequence[int], flat_axis: Optional[int]
) -> np.ndarray:
    """One of each two opposite offsets whose largest coordinate is a distance."""
    wanted = {count("distances", d, 1, 100) for d in items("distances", distances, "numbers")}
    if not wanted:
        raise ValueError("distances: none given")
    reach = [min(max(wanted), side - 1) for side in shape]
    if flat_axis is not None:
        reach[flat_axis] = 0
    steps = itertools.product(*(range(-r, r + 1) for r in reach))
    chosen = [s for s in steps if s > (0, 0, 0) and max(map(abs, s)) in wanted]
    return np.array(chosen, np.int32).reshape(-1, 3)


def _matrices(
    bins: np.ndarray, inside: np.ndarray, offsets: np.ndarray, symmetric: bool, run: tuple
) -> Any:
    """Matrices ``[offset, level, level]`` of those offsets that have pairs, batch by batch."""
    n_levels = int(np.ptp(bins[inside])) + 1
    batch = max(_BATCH // n_levels**2, 1)
    for first in range(0, len(offsets), batch):
        some = offsets[first : first + batch]
        [(_, least, _, counts)] = _glcm.matrices(
            bins, inside, None, None, some, len(some), exact_options(symmetric), run
        )
        has_pairs = counts.any(axis=(1, 2))
        yield least, some[has_pairs], counts[has_pairs]


# ---- Features ----


def _defined(values: np.ndarray, n_occur: int) -> np.ndarray:
    """With what PyRadiomics gives where rugose has NaN: in directions of one level."""
    for name, instead in (
        ("correlation", 1.0),
        ("info_correlation_1", 0.0),
        ("max_correlation_coefficient", 0.0 if n_occur > 1 else 1.0),
    ):
        column = values[:, _glcm.FEATURES[name]]
        column[np.isnan(column)] = instead
    return values


def _entropy(p: np.ndarray) -> float:
    p = p[p > 0]
    return float(-(p * np.log2(p)).sum())


def _information(p: np.ndarray, px: np.ndarray, py: np.ndarray) -> Tuple[float, float]:
    """Both information measures of correlation."""
    hx, hy, hxy = _entropy(px), _entropy(py), _entropy(p)
    largest, shared = max(hx, hy), max(hx + hy - hxy, 0.0)
    return (-shared / largest if largest > 0 else 0.0), float(np.sqrt(-np.expm1(-2 * shared)))


def _second_singular_value(p: np.ndarray, px: np.ndarray, py: np.ndarray) -> float:
    x, y = px > 0, py > 0
    values = np.linalg.svd(p[x][:, y] / np.sqrt(np.outer(px[x], py[y])), compute_uv=False)
    return float(values[1]) if len(values) > 1 else float("nan")


def _features_of_shares(matrix: np.ndarray, least: int, n_gray: int) -> np.ndarray:
    """All features of one matrix of numbers of any kind, as a row by `_glcm.FEATURES`."""
    p = matrix / matrix.sum()
    levels = np.arange(least, least + len(p), dtype=np.float64)
    i, j = levels[:, None], levels[None, :]
    px, py = p.sum(axis=1), p.sum(axis=0)
    mean_x, mean_y = px @ levels, py @ levels
    var_x, var_y = px @ (levels - mean_x) ** 2, py @ (levels - mean_y) ** 2
    k = np.abs(i - j)
    differences = np.bincount(k.astype(np.intp).ravel(), p.ravel())
    sums = np.bincount((i + j - 2 * least).astype(np.intp).ravel(), p.ravel())
    mean_k, about = (k * p).sum(), i + j - mean_x - mean_y
    deviations = np.sqrt(var_x * var_y)
    found = dict(
        autocorrelation=(i * j * p).sum(),
        cluster_prominence=(about**4 * p).sum(),
        cluster_shade=(about**3 * p).sum(),
        cluster_tendency=(about**2 * p).sum(),
        contrast=(k**2 * p).sum(),
        correlation=((i - mean_x) * (j - mean_y) * p).sum() / deviations if deviations else np.nan,
        difference_average=mean_k,
        difference_entropy=_entropy(differences),
        difference_variance=((k - mean_k) ** 2 * p).sum(),
        inverse_difference=(p / (1 + k)).sum(),
        inverse_difference_moment=(p / (1 + k**2)).sum(),
        inverse_difference_moment_normalised=(p / (1 + (k / n_gray) ** 2)).sum(),
        inverse_difference_normalised=(p / (1 + k / n_gray)).sum(),
        inverse_variance=(p[k > 0] / k[k > 0] ** 2).sum(),
        joint_average=mean_x,
        angular_second_moment=(p**2).sum(),
        entropy=_entropy(p),
        max_correlation_coefficient=_second_singular_value(p, px, py),
        joint_maximum=p.max(),
        sum_average=mean_x + mean_y,
        sum_entropy=_entropy(sums),
        variance=var_x,
    )
    found["info_correlation_1"], found["info_correlation_2"] = _information(p, px, py)
    return np.array([found.get(name, np.nan) for name in _glcm.FEATURES])


def _weighted(
    matrices: Any, norm: str, spacing: np.ndarray, n_gray: int, symmetric: bool
) -> Optional[np.ndarray]:
    """Features of the sum of the matrices, each with its weight; None without pairs."""
    total, least = None, 0
    for first, offsets, counts in matrices:
        weights = np.exp(-(_NORMS[norm](np.abs(offsets) * spacing) ** 2))
        least, scale = first, 1 if norm == "no_weighting" else weights[:, None, None]
        part = (counts * scale).sum(axis=0)
        total = part if total is None else total + part
    if total is None or total.sum() == 0:
        return None
    if norm != "no_weighting":
        return _features_of_shares(total, least, n_gray)[None]
    return _glcm.matrix_features(total[None], least, n_gray, symmetric, _ALL, 2.0)[1]


def _each(matrices: Any, n_gray: int, symmetric: bool) -> Optional[np.ndarray]:
    """Features of each matrix, a row each; None without pairs."""
    parts: List[np.ndarray] = [
        _glcm.matrix_features(counts, least, n_gray, symmetric, _ALL, 2.0)[1]
        for least, _, counts in matrices
        if len(counts) > 0
    ]
    return np.concatenate(parts) if parts else None


def _check(weighting: Optional[str], spacing: Any, force_2d: bool, axis: int) -> np.ndarray:
    if weighting is not None and weighting not in _NORMS:
        raise ValueError(
            f"weightingNorm: {weighting!r} given, None or one of {', '.join(_NORMS)} expected"
        )
    if axis != 0 and not force_2d:
        raise ValueError("force2Ddimension: given without force2D")
    if spacing is None:
        return np.ones(3)
    if weighting in (None, "no_weighting"):
        raise ValueError("spacing: given without a weightingNorm that takes it")
    steps = np.asarray(spacing, np.float64)
    if steps.shape not in ((2,), (3,)) or not (steps > 0).all():
        raise ValueError(f"spacing: {spacing!r} given, a distance above 0 for each axis expected")
    return np.concatenate([np.ones(3 - len(steps)), steps])


def glcm(
    image: Any,
    mask: Any,
    *,
    binWidth: Optional[float] = None,  # noqa: N803 as in PyRadiomics
    binCount: Optional[int] = None,  # noqa: N803
    distances: Sequence[int] = (1,),
    force2D: bool = False,  # noqa: N803
    force2Ddimension: int = 0,  # noqa: N803
    symmetricalGLCM: bool = True,  # noqa: N803
    weightingNorm: Optional[str] = None,  # noqa: N803
    label: int = 1,
    spacing: Optional[Sequence[float]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    **others: Any,
) -> Dict[str, float]:
    """Compute the features of PyRadiomics' class `glcm`.

    Parameters
    ----------
    image : array_like
        ``[nz, ny, nx]`` or ``[ny, nx]``.
    mask : array_like
        Of the image's shape: the region is where it is `label`.
    binWidth : float, optional
        The width of the bins of grey levels, which begin at a multiple of it; 25 by default.
    binCount : int, optional
        The number of bins between the least and the largest value of the region instead.
    distances : sequence of int, default (1,)
        Offsets of all kinds whose largest coordinate is one of these.
    force2D, force2Ddimension : bool, int, default False, 0
        Leave out offsets along this axis: 0, 1, 2 for z, y, x.
    symmetricalGLCM : bool, default True
        Count pairs in both orders.
    weightingNorm : {None, "manhattan", "euclidean", "infinity", "no_weighting"}
        None: the means of the features of all matrices. Otherwise the features of their sum,
        weighted with exp(-d²), where d is the length of the offset in this norm, 0 in the last.
    label : int, default 1
        The value of the region in the mask.
    spacing : sequence of float, optional
        The distance of voxels along z, y, x, which weights need; 1 by default.
    threads, progress
        As for all functions: see `rugose`.

    Returns
    -------
    dict of float
        The features by PyRadiomics' names; NaN where the region has no pairs.

    Raises
    ------
    TypeError
        Another setting: what it does to the image comes before this function.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.compat import radiomics
    >>> volume = np.arange(64).reshape(4, 4, 4) * 5 % 90
    >>> features = radiomics.glcm(volume, np.ones((4, 4, 4), int), binWidth=10)
    >>> len(features), round(features["Contrast"], 3)
    (24, 11.131)
    """
    if others:
        raise TypeError(f"glcm: {', '.join(others)} given, which is no setting of this function")
    if binWidth is not None and binCount is not None:
        raise ValueError("binWidth: given beside binCount; give one of them")
    n = None if binCount is None else count("binCount", binCount, 1, 1 << 13)
    axis = count("force2Ddimension", force2Ddimension, 0, 2)
    steps = _check(weightingNorm, spacing, force2D, axis)
    bins, inside = _discretized(image, mask, label, binWidth, n)
    occur = np.unique(bins[inside])
    matrices = _matrices(
        bins, inside, _offsets(bins.shape, distances, axis if force2D else None),
        symmetricalGLCM, (threads, "cpu", progress),
    )  # fmt: skip
    if weightingNorm is None:
        values = _each(matrices, int(occur[-1]), symmetricalGLCM)
    else:
        values = _weighted(matrices, weightingNorm, steps, int(occur[-1]), symmetricalGLCM)
    if values is None:
        return {name: float("nan") for name in _NAMES.values()}
    means = _defined(values, len(occur)).mean(axis=0)
    return {theirs: float(means[_glcm.FEATURES[ours]]) for ours, theirs in _NAMES.items()}
