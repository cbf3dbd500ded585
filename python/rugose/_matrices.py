# SPDX-License-Identifier: BSD-3-Clause
"""Co-occurrence matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _glcm
from ._progress import Progress
from ._results import PerLabel, Result, Table
from ._textures import Names, Range, feature_names, group_of, options_of


@dataclass(frozen=True, repr=False, eq=False)
class Matrices(Result):
    """Co-occurrence matrices of an image or of a label, which can be added and subtracted.

    Attributes
    ----------
    counts : ndarray of uint64
        ``[level, level, distance, direction]``: how often a pixel of the first level has one of the
        second level at the offset. Symmetric where pairs count in both orders.
    first_level : int
        The level of the first row and column.
    n_gray : int
        The number of levels that differences are divided by in the normalised inverse differences.
    distances : tuple of int
        The distances.
    directions : tuple of str
        The directions; ``("all",)`` where they are merged.
    symmetric : bool
        Whether pairs count in both orders.
    label : int or None
        The label; None without labels.
    """

    counts: np.ndarray
    first_level: int
    n_gray: int
    distances: Tuple[int, ...]
    directions: Tuple[str, ...]
    symmetric: bool
    label: Optional[int] = None

    @property
    def levels(self) -> np.ndarray:
        """The levels of rows and columns."""
        return np.arange(self.first_level, self.first_level + len(self.counts))

    @property
    def pairs(self) -> np.ndarray:
        """``[distance, direction]``: how many pairs there are, each counted once."""
        return self.counts.sum(axis=(0, 1)) // (2 if self.symmetric else 1)

    def normalized(self) -> np.ndarray:
        """The matrices, each divided by its sum; NaN without pairs."""
        with np.errstate(invalid="ignore"):
            return self.counts / self.counts.sum(axis=(0, 1))

    def features(self, features: Names = "14", log_base: float = 2.0) -> Table:
        """Compute the features of the matrices, as `rugose.haralick` does.

        Parameters
        ----------
        features : {"14", "13", "all"} or sequence of str
            Which features.
        log_base : float, default 2
            Of entropies: 2 or ``math.e``.

        Returns
        -------
        Table
            A row for each distance and direction: distance, direction, pairs, status, and the
            features.
        """
        names = feature_names(features)
        n = len(self.counts)
        statuses, values = _glcm.matrix_features(
            np.ascontiguousarray(self.counts.transpose(2, 3, 0, 1)).reshape(-1, n, n),
            self.first_level, self.n_gray, self.symmetric, group_of(names),
            _arrays.number("log_base", log_base),
        )  # fmt: skip
        table = Table(
            distance=np.repeat(np.array(self.distances, np.uint32), len(self.directions)),
            direction=np.tile(np.array(self.directions), len(self.distances)),
            pairs=self.pairs.ravel(),
            status=np.array(statuses),
        )
        table.update({name: values[:, _glcm.FEATURES[name]].copy() for name in names})
        return table

    def rows(self) -> np.ndarray:
        """A row for each count that is not 0."""
        i, j, d, k = np.nonzero(self.counts)
        kind = [
            ("distance", np.uint32), ("direction", "U16"), ("i", np.int64), ("j", np.int64),
            ("count", np.uint64),
        ]  # fmt: skip
        rows = np.zeros(len(i), kind)
        rows["i"], rows["j"] = self.levels[i], self.levels[j]
        rows["distance"] = np.array(self.distances)[d]
        rows["direction"] = np.array(self.directions)[k]
        rows["count"] = self.counts[i, j, d, k]
        return rows

    def summary(self) -> Dict[str, Any]:
        """What there is one of."""
        return dict(
            label=self.label,
            first_level=self.first_level,
            n_levels=len(self.counts),
            distances=self.distances,
            directions=self.directions,
            symmetric=self.symmetric,
        )

    def _widened(self, first: int, end: int) -> np.ndarray:
        """The counts with rows and columns of more levels."""
        before = self.first_level - first
        after = end - self.first_level - len(self.counts)
        return np.pad(self.counts, [(before, after)] * 2 + [(0, 0)] * 2)

    def _joined(self, other: Matrices, sign: int) -> Matrices:
        for name in ("distances", "directions", "symmetric"):
            mine, yours = getattr(self, name), getattr(other, name)
            if mine != yours:
                raise ValueError(f"matrices with {name} {mine!r} and {yours!r} do not add up")
        first = min(self.first_level, other.first_level)
        end = max(m.first_level + len(m.counts) for m in (self, other))
        a, b = self._widened(first, end), other._widened(first, end)
        if sign < 0 and (a < b).any():
            raise ValueError("matrices: more pairs are subtracted than there are")
        n_background = max(len(m.counts) - m.n_gray for m in (self, other))
        return replace(
            self,
            counts=a + b if sign > 0 else a - b,
            first_level=first,
            n_gray=max(self.n_gray, other.n_gray, end - first - max(n_background, 0)),
            label=self.label if self.label == other.label else None,
        )

    def __add__(self, other: object) -> Matrices:
        if not isinstance(other, Matrices):
            return NotImplemented
        return self._joined(other, 1)

    def __radd__(self, other: object) -> Matrices:
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other: object) -> Matrices:
        if not isinstance(other, Matrices):
            return NotImplemented
        return self._joined(other, -1)


def _directions(chosen: Optional[Sequence[str]], is_flat: bool) -> List[str]:
    names = list(_glcm.DIRECTIONS)
    if chosen is None:
        return names[:4] if is_flat else names
    return [name for name in names if name in chosen]


def glcm_matrices(
    image: Any,
    *,
    labels: Any = None,
    mask: Any = None,
    levels: Union[None, str, int] = None,
    bin_width: Optional[float] = None,
    bin_origin: Union[None, str, float] = None,
    range: Range = None,
    resegment: Optional[Tuple[float, float]] = None,
    distances: Sequence[int] = (1,),
    directions: Optional[Sequence[str]] = None,
    symmetric: bool = True,
    pairs: str = "inside",
    frame: int = 0,
    aggregate: str = "none",
    slices: str = "none",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Union[Matrices, PerLabel[Matrices]]:
    """Count how often grey levels lie at an offset from each other.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``. Pixels that are NaN or infinite are in no pair.
    labels : array_like, optional
        Label image of the image's shape: matrices for each label but 0.
    aggregate : {"none", "merged"}
        A matrix for each direction, or their sum.
    slices : {"none", "merged"}
        Volumes: 13 directions in space, or the sums of 4 over all slices.
    mask, levels, bin_width, bin_origin, range, resegment, distances, directions, symmetric, pairs
        As in `haralick`.
    frame, threads, progress
        As in `haralick`.

    Returns
    -------
    Matrices or PerLabel of Matrices
        With ``counts[level, level, distance, direction]``, each of 8 bytes. There may be 8192
        levels; more are a `ValueError`.

    Notes
    -----
    Matrices of parts of an image add up to those of the whole, if levels are the same in all parts.
    Pairs across a cut count once if each part reaches beyond the cut by the largest distance, on
    one side, and the matrices of what was added are subtracted.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> paper = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 2, 2, 2], [2, 2, 3, 3]], np.uint8)
    >>> m = rugose.glcm_matrices(paper)
    >>> m.counts.shape, m.directions
    ((4, 4, 1, 4), ('0', '45', '90', '135'))
    >>> m.counts[:, :, 0, 0].tolist()
    [[4, 2, 1, 0], [2, 4, 0, 0], [1, 0, 6, 1], [0, 0, 1, 2]]
    >>> upper, lower = (rugose.glcm_matrices(part) for part in (paper[:3], paper[2:]))
    >>> bool((upper + lower - rugose.glcm_matrices(paper[2:3])).counts.sum() == m.counts.sum())
    True
    """
    if aggregate not in ("none", "merged"):
        raise ValueError(f"aggregate: {aggregate!r} given, 'none' or 'merged' expected")
    if slices not in ("none", "merged"):
        raise ValueError(f"slices: {slices!r} given, 'none' or 'merged' expected")
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    options = options_of(
        array, levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, directions=directions, symmetric=symmetric, pairs=pairs,
        frame=_arrays.count("frame", frame), aggregate=aggregate, slices=slices, log_base=2.0,
    )  # fmt: skip
    steps = _arrays.integers("distances", distances, "I")
    is_merged = aggregate == "merged"
    names = _directions(options["directions"], array.ndim == 2 or slices == "merged")
    n_directions = 1 if is_merged else max(len(names), 1)
    found = _glcm.matrices(
        array, _arrays.companion("mask", mask, array), _arrays.companion("labels", labels, array),
        steps, None, len(steps) * n_directions, options, (threads, "cpu", progress),
    )  # fmt: skip
    results = [
        Matrices(
            counts=counts.reshape((len(steps), n_directions) + counts.shape[1:]).transpose(
                2, 3, 0, 1
            ),
            first_level=first,
            n_gray=n_gray,
            distances=tuple(steps),
            directions=("all",) if is_merged else tuple(names),
            symmetric=options["symmetric"],
            label=None if labels is None else label,
        )
        for label, first, n_gray, counts in found
    ]
    return results[0] if labels is None else PerLabel(results)
