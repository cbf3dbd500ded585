# SPDX-License-Identifier: BSD-3-Clause
"""`mahotas.features.haralick`, with its arguments and its values."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from .._arrays import count, flag, pixels, unmasked
from .._matrices import glcm_matrices
from .._progress import Progress
from .._textures import IN_PLANE
from .._textures import haralick as _haralick

__all__ = ["haralick"]

Offset = Tuple[int, ...]

# In the order of mahotas: its offsets, of which rugose has either one or the opposite one.
_OFFSETS_2D = ((0, 1), (1, 1), (1, 0), (1, -1))
_OFFSETS_3D = (
    (1, 0, 0), (1, 1, 0), (0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1),
    (1, -1, 1), (1, 0, -1), (0, 1, -1), (1, 1, -1), (1, -1, -1),
)  # fmt: skip


def _direction(offset: Offset) -> str:
    """The name of a direction in rugose."""
    z, y, x = (0, *offset)[-3:]
    if z == 0:
        return IN_PLANE.get((y, x)) or IN_PLANE[-y, -x]
    return f"z{z:+d},y{y:+d},x{x:+d}"


# ---- What mahotas alone has ----
#
# Of few levels by their matrices, else by the pairs themselves.

_FEW = 8192


def _pairs(image: np.ndarray, offset: Offset, ignore_zeros: bool) -> Tuple[np.ndarray, np.ndarray]:
    """The values of the first and of the second pixels of all pairs."""
    first = tuple(slice(max(0, -d), min(n, n - d)) for d, n in zip(offset, image.shape))
    second = tuple(slice(max(0, d), min(n, n + d)) for d, n in zip(offset, image.shape))
    a, b = image[first], image[second]
    if ignore_zeros:
        are_in = (a != 0) & (b != 0)
        return a[are_in], b[are_in]
    return a.ravel(), b.ravel()


def _matrix_of_pairs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix of the levels that occur."""
    levels, at = np.unique(np.concatenate([a, b]), return_inverse=True)
    n, (i, j) = len(levels), np.split(at.ravel(), 2)
    matrix = np.bincount(i * n + j, minlength=n * n).reshape(n, n)
    return matrix + matrix.T


def _differences(matrix: np.ndarray) -> np.ndarray:
    """How often levels differ by 0, 1, 2 ..."""
    i, j = np.indices(matrix.shape)
    return np.bincount(np.abs(i - j).ravel(), matrix.ravel())


def _variance_of_shares(counts: np.ndarray, n: int) -> float:
    """The variance of the shares of n differences, of which the last ones do not occur."""
    shares = np.zeros(n)
    shares[: len(counts)] = counts / counts.sum()
    return float(shares.var())


def _correlation_of_rows(matrix: np.ndarray) -> float:
    """The root of the second eigenvalue of the correlations of the rows of a matrix."""
    if len(matrix) <= 2:
        return 0.0
    return float(np.sqrt(np.linalg.eigvalsh(np.corrcoef(matrix / matrix.sum()))[-2]))


def _own_features(
    image: np.ndarray,
    offsets: List[Offset],
    ignore_zeros: bool,
    distance: int,
    threads: Optional[int],
) -> Iterator[Tuple[float, np.ndarray]]:
    """For each offset f10, and the matrix of the levels that occur."""
    n, values = int(image.max()) + 1, image.astype(np.int64, copy=False)
    if n > _FEW:
        for offset in offsets:
            a, b = _pairs(values, tuple(distance * step for step in offset), ignore_zeros)
            f10 = _variance_of_shares(np.bincount(np.abs(a - b)), n)
            yield f10, _matrix_of_pairs(a, b)
        return
    matrices = glcm_matrices(
        image, mask=image if ignore_zeros else None, levels="exact", distances=(distance,),
        threads=threads,
    )  # fmt: skip
    for offset in offsets:
        matrix = matrices.counts[:, :, 0, matrices.directions.index(_direction(offset))]
        occurs = matrix.any(axis=0)
        yield _variance_of_shares(_differences(matrix), n), matrix[np.ix_(occurs, occurs)]


def haralick(
    f: Any,
    ignore_zeros: bool = False,
    preserve_haralick_bug: bool = False,
    compute_14th_feature: bool = False,
    return_mean: bool = False,
    return_mean_ptp: bool = False,
    use_x_minus_y_variance: bool = False,
    distance: int = 1,
    *,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Measure Haralick's features as mahotas does.

    Parameters
    ----------
    f : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]`` of integers from 0 on.
    ignore_zeros : bool, default False
        Pixels of value 0 are in no pair.
    preserve_haralick_bug : bool, default False
        f7 is taken about f8.
    compute_14th_feature : bool, default False
        Also mahotas' f14, which is not that of Haralick.
    return_mean, return_mean_ptp : bool, default False
        The means over the directions; or these, and behind them the largest value minus the
        smallest.
    use_x_minus_y_variance : bool, default False
        f10 is the variance of differences, as in `rugose.haralick`; by default it is the variance
        of their shares.
    distance : int, default 1
        Of the pairs, in pixels: the largest coordinate of the offset, 1..32767.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray of float64
        ``[directions, 13 or 14]``, in mahotas' order of directions.

    Raises
    ------
    TypeError
        An array that is not of integers, as in mahotas.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.compat import mahotas
    >>> board = np.indices((8, 8)).sum(0) % 2
    >>> mahotas.haralick(board).shape, mahotas.haralick(board)[:, 1].tolist()
    ((4, 13), [1.0, 0.0, 1.0, 0.0])
    """
    image = pixels("f", unmasked("f", f))
    if image.dtype.kind not in "bui":
        raise TypeError(f"f: an array of {image.dtype} given, integers expected")
    if image.min() < 0:
        raise ValueError(f"f: {image.min()} given, integers from 0 on expected")
    flags = dict(
        ignore_zeros=ignore_zeros, preserve_haralick_bug=preserve_haralick_bug,
        compute_14th_feature=compute_14th_feature, return_mean=return_mean,
        return_mean_ptp=return_mean_ptp, use_x_minus_y_variance=use_x_minus_y_variance,
    )  # fmt: skip
    for name, value in flags.items():
        flag(name, value)
    if return_mean and return_mean_ptp:
        raise ValueError("return_mean, return_mean_ptp: given together; give one of them")
    distance = count("distance", distance, 1, 32767)
    offsets = _OFFSETS_2D if image.ndim == 2 else _OFFSETS_3D
    table = _haralick(
        image, mask=image if ignore_zeros else None, levels="exact", distances=(distance,),
        aggregate="none", features="13", threads=threads, device=device, progress=progress,
    )  # fmt: skip
    if (table["pairs"] == 0).any():
        raise ValueError("f: there are no pairs in a direction")
    rows = {name: i for i, name in enumerate(table["direction"].tolist())}
    order = [rows[_direction(offset)] for offset in offsets]
    features = np.stack(list(table.values())[-13:], axis=1)[order]
    is_flat = (table["status"] == "flat")[order]
    features[is_flat, 2], features[is_flat, 11] = 1.0, 0.0
    if preserve_haralick_bug:
        features[:, 6] += (features[:, 5] - features[:, 7]) ** 2
    if compute_14th_feature or not use_x_minus_y_variance:
        own = list(_own_features(image, list(offsets), ignore_zeros, distance, threads))
        if not use_x_minus_y_variance:
            features[:, 9] = [f10 for f10, _ in own]
        if compute_14th_feature:
            last = [_correlation_of_rows(matrix) for _, matrix in own]
            features = np.column_stack([features, last])
    if return_mean:
        return features.mean(axis=0)
    if return_mean_ptp:
        return np.concatenate([features.mean(axis=0), np.ptp(features, axis=0)])
    return features
