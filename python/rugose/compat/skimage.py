# SPDX-License-Identifier: BSD-3-Clause
"""`local_binary_pattern`, `graycomatrix` and `graycoprops` of `skimage.feature`.

They take scikit-image's arguments and give its values.
"""

from __future__ import annotations

import math
from array import array
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .. import _glcm
from .._arrays import pixels, unmasked
from .._patterns import local_binary_pattern
from .._progress import Progress
from .._textures import IN_PLANE, exact_options

__all__ = ["graycomatrix", "graycoprops", "local_binary_pattern"]

Offset = Tuple[int, int]


def _round(x: float) -> int:
    """To the nearest whole number, halves away from 0, as C's round()."""
    whole = math.trunc(x)
    return whole + (int(math.copysign(1, x)) if abs(x - whole) >= 0.5 else 0)


def _offset(distance: float, angle: float) -> Offset:
    return _round(math.sin(angle) * distance), _round(math.cos(angle) * distance)


def _line_of(offset: Offset) -> Tuple[Optional[str], int, bool]:
    """The direction of an offset, or None; its distance; and whether it leads the other way."""
    row, column = offset
    distance = max(abs(row), abs(column))
    if distance == 0 or (row and column and abs(row) != abs(column)):
        return None, distance, False
    step = (row // distance, column // distance)
    if step in IN_PLANE:
        return IN_PLANE[step], distance, False
    return IN_PLANE[-step[0], -step[1]], distance, True


class _Counter:
    """Counts pairs of an image of whole numbers from 0 on, in one order."""

    def __init__(self, image: np.ndarray, levels: int, run: tuple) -> None:
        self.image, self.levels, self.run = image, levels, run
        self.options = exact_options(symmetric=False)

    def _place(self, out: np.ndarray, first: int, counts: np.ndarray) -> None:
        out[first : first + len(counts), first : first + len(counts)] = counts

    def lines(self, distance: int, places: Dict[str, List[Tuple[np.ndarray, bool]]]) -> None:
        """All directions at a distance, read once."""
        names = [name for name in IN_PLANE.values() if name in places]
        options = dict(self.options, directions=names)
        [(_, first, _, counts)] = _glcm.matrices(
            self.image, None, None, array("I", [distance]), None, len(names), options, self.run
        )
        for name, one in zip(names, counts):
            for out, is_opposite in places[name]:
                self._place(out, first, one.T if is_opposite else one)

    def others(self, offsets: List[Offset], outs: List[np.ndarray]) -> None:
        """At any offset but 0."""
        steps = np.array([(0, row, column) for row, column in offsets], np.int32)
        [(_, first, _, counts)] = _glcm.matrices(
            self.image, None, None, None, steps, len(steps), self.options, self.run
        )
        for out, one in zip(outs, counts):
            self._place(out, first, one)

    def with_itself(self, out: np.ndarray) -> None:
        """At the offset 0."""
        np.fill_diagonal(
            out, np.bincount(self.image.ravel().astype(np.intp), minlength=self.levels)
        )

    def fill(self, matrices: np.ndarray, offsets: List[Offset]) -> None:
        """The matrices at all offsets."""
        lines: Dict[int, Dict[str, List[Tuple[np.ndarray, bool]]]] = {}
        others: List[Tuple[Offset, np.ndarray]] = []
        for out, offset in zip(matrices, offsets):
            direction, distance, is_opposite = _line_of(offset)
            if distance == 0:
                self.with_itself(out)
            elif distance < max(self.image.shape) and direction:
                places = lines.setdefault(distance, {})
                places.setdefault(direction, []).append((out, is_opposite))
            elif distance < max(self.image.shape):
                others.append((offset, out))
        for distance, places in lines.items():
            self.lines(distance, places)
        if others:
            self.others(*map(list, zip(*others)))


def _checked(image: Any, levels: Optional[int]) -> Tuple[np.ndarray, int]:
    given = pixels("image", unmasked("image", image), (2,))
    if given.dtype.kind not in "bui":
        raise ValueError(f"image: an array of {given.dtype} given, integers expected")
    if levels is None and given.dtype not in (np.uint8, np.int8):
        raise ValueError(f"levels: needed for an array of {given.dtype}")
    if given.min() < 0:
        raise ValueError(f"image: {given.min()} given, integers from 0 on expected")
    levels = 256 if levels is None else int(levels)
    if given.max() >= levels:
        raise ValueError(f"image: {given.max()} given, less than levels={levels} expected")
    return given, levels


def graycomatrix(
    image: Any,
    distances: Any,
    angles: Any,
    levels: Optional[int] = None,
    symmetric: bool = False,
    normed: bool = False,
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> np.ndarray:
    """Count grey-level co-occurrences as `skimage.feature.graycomatrix` does.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` of integers from 0 on.
    distances, angles : sequence of float
        In pixels and radians. Offsets are ``(sin(angle) * distance, cos(angle) * distance)``, row
        and column, each rounded.
    levels : int, optional
        More than the largest value; 256 by default for arrays of 8 bits, needed for others.
    symmetric : bool, default False
        Count pairs in both orders.
    normed : bool, default False
        Divide each matrix by its sum.
    threads, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray of uint32 or, normed, of float64
        ``[levels, levels, distance, angle]``: how often a pixel of the first level has one of the
        second level at the offset.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.compat import skimage
    >>> image = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 2, 2, 2], [2, 2, 3, 3]], np.uint8)
    >>> skimage.graycomatrix(image, [1], [0], levels=4)[:, :, 0, 0].tolist()
    [[2, 2, 1, 0], [0, 2, 0, 0], [0, 0, 3, 1], [0, 0, 0, 1]]
    """
    given, levels = _checked(image, levels)
    distances, angles = np.asarray(distances, np.float64), np.asarray(angles, np.float64)
    for name, values in (("distances", distances), ("angles", angles)):
        if values.ndim != 1 or len(values) == 0 or not np.isfinite(values).all():
            raise ValueError(f"{name}: {values!r} given, a row of numbers expected")
    offsets = [_offset(d, angle) for d in distances.tolist() for angle in angles.tolist()]
    found = np.zeros((len(offsets), levels, levels), np.uint32)
    _Counter(given, levels, (threads, "cpu", progress)).fill(found, offsets)
    matrices = found.reshape(len(distances), len(angles), levels, levels)
    if symmetric:
        matrices = matrices + matrices.swapaxes(2, 3)
    if normed:
        sums = matrices.sum(axis=(2, 3), keepdims=True)
        matrices = matrices / np.where(sums == 0, 1, sums)
    return matrices.transpose(2, 3, 0, 1)


class _Sums:
    """Sums over matrices, ``[distance, angle]``, each divided by that of its matrix."""

    def __init__(self, matrices: np.ndarray) -> None:
        n, _, n_distances, n_angles = matrices.shape
        self.shape = (n_distances, n_angles)
        self.p = np.ascontiguousarray(matrices.transpose(2, 3, 0, 1), np.float64)
        self.p = self.p.reshape(-1, n, n)
        total = self.p.sum(axis=(1, 2))
        self.total = np.where(total == 0, 1, total)
        self.levels = np.arange(n, dtype=np.float64)

    def of(self, values: np.ndarray) -> np.ndarray:
        """Of what was summed of each matrix."""
        return (values / self.total).reshape(self.shape)

    def weighted(self, weight: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """With a weight of each difference of levels."""
        weights = weight(np.subtract.outer(self.levels, self.levels))
        return self.of(self.p.reshape(len(self.p), -1) @ weights.ravel())

    def about_mean(self, axis: int) -> Tuple[np.ndarray, np.ndarray]:
        """Levels less their mean, of the first (2) or the second pixels; their variance."""
        marginal = self.p.sum(axis=axis) / self.total[:, None]
        rest = self.levels - (marginal @ self.levels)[:, None]
        return rest, (marginal * rest**2).sum(axis=1)

    def mean(self) -> np.ndarray:
        return self.of(self.p.sum(axis=2) @ self.levels)

    def variance(self) -> np.ndarray:
        return self.about_mean(2)[1].reshape(self.shape)

    def squares(self) -> np.ndarray:
        return self.of(np.einsum("kij,kij->k", self.p, self.p) / self.total)

    def entropy(self) -> np.ndarray:
        shares = self.p / self.total[:, None, None]
        logarithms = np.log(shares, where=shares > 0, out=np.zeros_like(shares))
        return -np.einsum("kij,kij->k", shares, logarithms).reshape(self.shape)

    def correlation(self) -> np.ndarray:
        """1 where one of the deviations is 0."""
        (x, var_x), (y, var_y) = self.about_mean(2), self.about_mean(1)
        covariance = (x[:, None, :] @ self.p @ y[:, :, None])[:, 0, 0] / self.total
        is_flat = (np.sqrt(var_x) < 1e-15) | (np.sqrt(var_y) < 1e-15)
        deviations = np.sqrt(np.where(is_flat, 1, var_x)) * np.sqrt(np.where(is_flat, 1, var_y))
        return np.where(is_flat, 1, covariance / deviations).reshape(self.shape)


_PROPERTIES = {
    "contrast": lambda s: s.weighted(np.square),
    "dissimilarity": lambda s: s.weighted(np.abs),
    "homogeneity": lambda s: s.weighted(lambda k: 1 / (1 + k**2)),
    "ASM": _Sums.squares,
    "energy": lambda s: np.sqrt(s.squares()),
    "correlation": _Sums.correlation,
    "mean": _Sums.mean,
    "variance": _Sums.variance,
    "std": lambda s: np.sqrt(s.variance()),
    "entropy": _Sums.entropy,
}


def graycoprops(P: Any, prop: str = "contrast") -> np.ndarray:  # noqa: N803 as in scikit-image
    """Compute a property of matrices as `skimage.feature.graycoprops` does.

    Parameters
    ----------
    P : array_like
        ``[levels, levels, distance, angle]``.
    prop : str
        "contrast", "dissimilarity", "homogeneity", "energy", "correlation", "ASM", "mean",
        "variance", "std" or "entropy" (in nats).

    Returns
    -------
    ndarray of float64
        ``[distance, angle]``. The correlation of a matrix with one level in its rows or columns is
        1; that of scikit-image depends on rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.compat import skimage
    >>> board = (np.indices((8, 8)).sum(0) % 2).astype(np.uint8)
    >>> skimage.graycoprops(skimage.graycomatrix(board, [1], [0], 2), "contrast").tolist()
    [[1.0]]
    """
    matrices = np.asarray(P)
    if matrices.ndim != 4 or matrices.shape[0] != matrices.shape[1] or 0 in matrices.shape:
        raise ValueError(
            f"P: shape {matrices.shape} given, [levels, levels, distances, angles] expected"
        )
    if prop not in _PROPERTIES:
        raise ValueError(f"prop: {prop!r} given, one of {', '.join(_PROPERTIES)} expected")
    return _PROPERTIES[prop](_Sums(matrices))
