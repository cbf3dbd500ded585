# SPDX-License-Identifier: BSD-3-Clause
"""Enlarging, and the difference of two images."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, List, Optional

import numpy as np

from . import _arrays, _codec
from ._progress import Progress
from ._results import Result
from .ifs import _image_of, _planes_of


@dataclass(frozen=True, repr=False, eq=False)
class Difference(Result):
    """How far two images are apart.

    Attributes
    ----------
    mse, psnr, ssim : float
        Mean squared error; peak signal-to-noise ratio in dB, infinite for equal images; structural
        similarity, NaN where it is undefined.
    max_difference, peak : float
        The largest difference; the range of values as used.
    status : str
        "ok", or why a number is undefined.
    """

    mse: float
    psnr: float
    ssim: float
    max_difference: float
    peak: float
    status: str

    def rows(self) -> np.ndarray:
        """One row."""
        kind = [(f.name, "U32" if f.name == "status" else float) for f in fields(self)]
        return np.array([tuple(getattr(self, f.name) for f in fields(self))], kind)

    def summary(self) -> Dict[str, Any]:
        """All numbers."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def upscale(
    image: Any,
    scale: int = 2,
    *,
    rounds: int = 3,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Enlarge an image by its self-similarity, so that it shrinks back to the given one.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[ny, nx, 3]`` of uint8 or uint16.
    scale : {2, 4}
        How many times longer its sides become.
    rounds : int, default 3
        How often it is corrected, 0..16.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray
        Of the image's type.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> np.unique(rugose.upscale(np.full((9, 9), 7, np.uint8))).tolist()
    [7]
    """
    if _arrays.number("scale", scale) not in (2, 4):
        raise ValueError(f"scale: {scale!r} given, 2 or 4 expected")
    rounds = _arrays.count("rounds", rounds, 0, 16)
    planes = _planes_of("image", image)
    return _image_of(_codec.upscale(planes, scale, rounds, (threads, device, progress)))


def compare(
    a: Any,
    b: Any,
    *,
    peak: Optional[float] = None,
    channel_axis: Optional[int] = None,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Difference:
    """Measure the difference of two images: MSE, PSNR and SSIM.

    Parameters
    ----------
    a, b : array_like
        Of one shape and type: images ``[ny, nx]`` or volumes ``[nz, ny, nx]``.
    peak : float, optional
        The range of values; by default that of the integer type (1 of bool), of floats the largest
        value of both images minus the least.
    channel_axis : int, optional
        The axis of colours, as in scikit-image; by default all axes are of space.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    Difference

    Examples
    --------
    >>> import numpy as np, rugose
    >>> a = np.zeros((16, 16), np.uint8)
    >>> r = rugose.compare(a, a + 5)
    >>> r.mse, round(r.psnr, 2)
    (25.0, 34.15)
    """
    ndims = (2, 3) if channel_axis is None else (3, 4)
    first, second = (
        _arrays.pixels(what, _arrays.unmasked(what, image), ndims)
        for what, image in (("a", a), ("b", b))
    )
    if first.shape != second.shape or first.dtype != second.dtype:
        raise ValueError(
            f"a, b: {first.dtype} {first.shape} and {second.dtype} {second.shape} given, one type "
            "and shape expected"
        )
    if peak is not None and not _arrays.number("peak", peak) > 0:
        raise ValueError(f"peak: {peak!r} given, a number above 0 expected")
    if peak is None:
        peak = 1.0 if first.dtype == np.bool_ else 0.0
    run = (threads, device, progress)
    found = _codec.compare(
        _channels(first, channel_axis), _channels(second, channel_axis), peak, run
    )
    return Difference(**found)


def _channels(array: np.ndarray, axis: Optional[int]) -> List[np.ndarray]:
    if axis is None:
        return [array]
    axis = _arrays.count("channel_axis", axis, -array.ndim, array.ndim - 1)
    planes = list(np.moveaxis(array, axis, 0))
    if len(planes) > _codec.MAX_PLANES:
        raise ValueError(
            f"channel_axis: {len(planes)} channels given, at most {_codec.MAX_PLANES} expected"
        )
    return planes
