# SPDX-License-Identifier: BSD-3-Clause
"""Local binary patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrays, _lbp
from ._progress import Progress
from ._results import Result, axes_or_new


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

    operators: List[Tuple[int, float]]
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
    codes = _lbp.codes(
        array,
        _arrays.count("P", P, 1, 32),
        float(R),
        method,
        border,
        exact,
        _arrays.place("origin", origin, 2),
        (threads, device, progress),
    )
    return codes if dtype is None else codes.astype(dtype, copy=False)


def lbp_histogram(
    image: Any,
    operators: Sequence[Tuple[int, float]] = ((8, 1),),
    *,
    method: str = "uniform",
    mask: Any = None,
    labels: Any = None,
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
        As in `local_binary_pattern`, but "var", whose values have no bins.
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN are not counted.
    labels : array_like, optional
        Label image of the image's shape: histograms for each label but 0.
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
    pairs = [
        (_arrays.count("points", points, 1, 32), float(radius)) for points, radius in operators
    ]
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    found = _lbp.histograms(
        array, _arrays.companion("mask", mask, array), _arrays.companion("labels", labels, array),
        pairs, method, interpolation, border, exact, planes,
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


def _of_one_length(rows: List[np.ndarray]) -> np.ndarray:
    return np.stack(rows) if rows else np.zeros((0, 0), np.uint64)
