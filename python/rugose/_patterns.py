# SPDX-License-Identifier: BSD-3-Clause
"""Local binary patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrays, _lbp
from ._progress import Progress
from ._results import Result, axes_or_new

Operator = Tuple[int, float]
Cuts = Optional[Sequence[Any]]

_PAIRS = "pairs (points, radius)"


def _operator(pair: Any) -> Operator:
    both = _arrays.items("operators", pair, _PAIRS)
    if len(both) != 2:
        raise ValueError(f"operators: {pair!r} given, {_PAIRS} expected")
    return _arrays.count("points", both[0], 1, 32), _arrays.number("radius", both[1])


def pairs_of(operators: Iterable[Operator]) -> List[Operator]:
    """Points and radius of each operator."""
    pairs = [_operator(pair) for pair in _arrays.items("operators", operators, _PAIRS)]
    if not pairs:
        raise ValueError("operators: none given")
    return pairs


def cuts_of(cuts: Cuts, n_operators: int) -> Optional[List[np.ndarray]]:
    """The cuts of each operator."""
    if cuts is None:
        return None
    try:
        found = [np.asarray(between, np.float64, order="C") for between in cuts]
    except (TypeError, ValueError):
        found = []
    if len(found) != n_operators or any(between.ndim != 1 for between in found):
        raise ValueError(
            f"cuts: {cuts!r} given, a list of variances for each of {n_operators} operators "
            "expected"
        )
    return found


@dataclass(frozen=True, repr=False, eq=False)
class LBPHistograms(Result):
    """Histograms of codes, of one or several operators.

    Attributes
    ----------
    operators : list of (int, float)
        Points and radius.
    counts : list of ndarray of uint64
        For each operator ``[n_bins]``; with labels ``[n_labels, n_bins]``. With method "ror" there
        is a bin for each code that occurs, by value.
    labels : ndarray of uint64 or None
        The labels that occur.
    method, engine : str
        How codes were made, and what ran.
    """

    operators: List[Operator]
    counts: List[np.ndarray]
    labels: Optional[np.ndarray]
    method: str
    engine: str

    def normalized(self) -> List[np.ndarray]:
        """The histograms as shares of their pixels; NaN without pixels."""
        with np.errstate(invalid="ignore"):
            return [c / c.sum(axis=-1, keepdims=True) for c in self.counts]

    def features(self) -> np.ndarray:
        """The normalised histograms of all operators, one behind the other."""
        return np.concatenate(self.normalized(), axis=-1)

    def rows(self) -> np.ndarray:
        """A row for each operator, label and bin."""
        kind = [("points", np.uint32), ("radius", float), ("bin", np.uint32), ("count", np.uint64)]
        if self.labels is not None:
            kind.insert(0, ("label", np.uint64))
        parts = []
        for (points, radius), counts in zip(self.operators, self.counts):
            part = np.zeros(counts.shape, kind)
            part["points"], part["radius"], part["count"] = points, radius, counts
            part["bin"] = np.arange(counts.shape[-1])
            if self.labels is not None:
                part["label"] = self.labels[:, None]
            parts.append(part.reshape(-1))
        return np.concatenate(parts)

    def summary(self) -> Dict[str, Any]:
        """What there is one of."""
        return dict(
            operators=self.operators,
            method=self.method,
            n_bins=[c.shape[-1] for c in self.counts],
            n_labels=None if self.labels is None else len(self.labels),
        )

    def _is_drawn(self) -> bool:
        return sum(len(np.atleast_2d(c)) for c in self.counts) <= 12

    def plot(self, ax: Any = None) -> Any:
        """Draws shares of codes on axes of matplotlib, which it returns."""
        ax = axes_or_new(ax)
        for (points, radius), shares in zip(self.operators, self.normalized()):
            for i, row in enumerate(np.atleast_2d(shares)):
                of = "" if self.labels is None else f", label {self.labels[i]}"
                ax.step(np.arange(len(row)), row, where="mid", label=f"({points}, {radius:g}){of}")
        ax.set_xlabel("code")
        ax.set_ylabel("share of pixels")
        ax.legend()
        return ax


def local_binary_pattern(
    image: Any,
    P: int,  # noqa: N803 as in scikit-image
    R: float,  # noqa: N803
    method: str = "default",
    *,
    border: str = "zero",
    exact: str = "skimage",
    origin: Tuple[int, int] = (0, 0),
    dtype: Any = np.float64,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Compute the local binary pattern of each pixel, as scikit-image does, bit for bit.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]``.
    P : int
        Samples on the circle, 1..32.
    R : float
        Its radius in pixels.
    method : {"default", "ror", "uniform", "nri_uniform", "var"}
        How a pattern becomes a code. "riu2" is another name of "uniform".
    border : {"zero", "skip"}
        Pixels outside of the image are 0; or pixels whose circle leaves the image have no code:
        they have the number behind the last one, NaN with "var".
    exact : {"skimage", "decimal", "float"}
        Arithmetic of the samples: scikit-image's; without rounding of ties; single precision.
    origin : (int, int), default (0, 0)
        Row and column of the first pixel in a larger image of which this one is a part. With exact
        "skimage" ties are decided by rounding that depends on coordinates: pixels whose circles lie
        in the part have the codes of the larger image.
    dtype : dtype, default float64
        Of the codes; None: the smallest that holds them.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray
        A code for each pixel.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.array([[9, 1, 1], [1, 5, 1], [1, 1, 9]])
    >>> rugose.local_binary_pattern(image, 4, 1, "uniform").astype(int).tolist()
    [[0, 3, 2], [3, 0, 3], [2, 3, 0]]
    """
    array = _arrays.pixels("image", _arrays.unmasked("image", image), (2,))
    kind = None if dtype is None else _dtype(dtype)
    codes = _lbp.codes(
        array,
        _arrays.count("P", P, 1, 32),
        _arrays.number("R", R),
        method,
        border,
        exact,
        _arrays.place("origin", origin, 2),
        (threads, device, progress),
    )
    if kind is None:
        return codes
    if not np.can_cast(codes.dtype, kind):
        raise ValueError(f"dtype: {kind} given, one that holds every {codes.dtype} expected")
    return codes.astype(kind, copy=False)


def _dtype(dtype: Any) -> np.dtype:
    try:
        return np.dtype(dtype)
    except TypeError:
        raise ValueError(f"dtype: {dtype!r} given, a type of NumPy expected") from None


def lbp_histogram(
    image: Any,
    operators: Sequence[Operator] = ((8, 1),),
    *,
    method: str = "uniform",
    mask: Any = None,
    labels: Any = None,
    cuts: Cuts = None,
    interpolation: str = "bilinear",
    border: str = "zero",
    exact: str = "skimage",
    planes: str = "none",
    origin: Tuple[int, int] = (0, 0),
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> LBPHistograms:
    """Count the local binary patterns of an image, in one pass for all operators and labels.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]``, or with planes ``[nz, ny, nx]``.
    operators : sequence of (int, float)
        Points and radius of each circle.
    method, border, exact, origin
        As in `local_binary_pattern`; the values of "var" have bins between `cuts`.
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN are not counted.
    labels : array_like, optional
        Label image of the image's shape: histograms for each label but 0.
    cuts : sequence of sequence of float, optional
        For each operator the variances that bound bins, ascending, such as those of `lbp_cuts`.
        With other methods than "var" histograms are joint: of codes and variances.
    interpolation : {"bilinear", "nearest", "hardware"}
        Samples between pixels.
    planes : {"none", "xy", "xz", "yz"}
        Of volumes: the planes on which patterns are measured.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    LBPHistograms

    Examples
    --------
    >>> import numpy as np, rugose
    >>> h = rugose.lbp_histogram(np.zeros((4, 4)), [(8, 1), (16, 2)])
    >>> [len(counts) for counts in h.counts]
    [10, 18]
    """
    pairs = pairs_of(operators)
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    found = _lbp.histograms(
        array, _arrays.companion("mask", mask, array), _arrays.companion("labels", labels, array),
        pairs, cuts_of(cuts, len(pairs)), method, interpolation, border, exact, planes,
        _arrays.place("origin", origin, 2), (threads, device, progress),
    )  # fmt: skip
    if labels is None:
        counts = [of_operator[0] for of_operator in found["counts"]]
    else:
        counts = [np.array(_of_one_length(of_operator)) for of_operator in found["counts"]]
    return LBPHistograms(
        operators=pairs,
        counts=counts,
        labels=None if labels is None else np.array(found["labels"], np.uint64),
        method="uniform" if method == "riu2" else method,
        engine=found["engine"],
    )


def lbp_cuts(
    images: Iterable[Any],
    operators: Sequence[Operator] = ((8, 1),),
    n_bins: int = 16,
    *,
    border: str = "zero",
    threads: Optional[int] = None,
    device: str = "cpu",
) -> List[np.ndarray]:
    """Find the cuts that divide the variances of images into bins of about equal frequency.

    Parameters
    ----------
    images : iterable of array_like
        ``[ny, nx]`` each; masked arrays bring their masks. They are taken one after the other.
    operators, border
        As in `lbp_histogram`.
    n_bins : int, default 16
        2..1024.
    threads, device
        As for all functions: see `rugose`.

    Returns
    -------
    list of ndarray
        For each operator at most ``n_bins - 1`` cuts, fewer where quantiles coincide.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.add.outer(np.arange(40) % 7, np.arange(50) % 5)
    >>> (cuts,) = rugose.lbp_cuts([image], [(4, 1)], 4)
    >>> rugose.lbp_histogram(image, [(4, 1)], method="var", cuts=[cuts]).counts[0].shape
    (4,)
    """
    pairs = pairs_of(operators)
    number = _arrays.count("n_bins", n_bins, 2, 1024)
    return _lbp.cuts(_masked_pixels(images), pairs, number, border, (threads, device, None))


def _masked_pixels(images: Iterable[Any]) -> Iterator[Tuple[np.ndarray, Optional[np.ndarray]]]:
    """One after the other, with its mask."""
    image = None
    try:
        every = iter(images)
    except TypeError:
        raise ValueError(f"images: {images!r} given, arrays expected") from None
    for image in every:
        image, mask = _arrays.masked(image, None)
        yield _arrays.pixels("images", image, (2,)), mask
    if image is None:
        raise ValueError("images: none given")


def _of_one_length(rows: List[np.ndarray]) -> np.ndarray:
    return np.stack(rows) if rows else np.zeros((0, 0), np.uint64)
