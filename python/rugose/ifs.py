# SPDX-License-Identifier: BSD-3-Clause
"""Fractal coding: images as transforms of themselves."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _arrays, _codec
from ._progress import Progress


def _planes_of(what: str, image: Any) -> List[np.ndarray]:
    """Grey, or red, green and blue, where they lie."""
    array = _arrays.pixels(what, _arrays.unmasked(what, image))
    if array.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"{what}: an array of {array.dtype} given, uint8 or uint16 expected")
    if array.ndim == 2:
        return [array]
    if array.shape[2] != 3:
        raise ValueError(f"{what}: shape {array.shape} given, [ny, nx] or [ny, nx, 3] expected")
    return [array[:, :, c] for c in range(3)]


def _image_of(planes: np.ndarray) -> np.ndarray:
    """[ny, nx], or [ny, nx, 3] in C order."""
    return planes[0] if len(planes) == 1 else np.ascontiguousarray(np.moveaxis(planes, 0, -1))


def _bytes_of(stream: Any) -> memoryview:
    try:
        return memoryview(stream).cast("B")
    except (TypeError, ValueError):
        raise ValueError(f"stream: {type(stream).__name__} given, bytes expected") from None


def encode(
    image: Any,
    quality: Optional[float] = None,
    *,
    bpp: Optional[float] = None,
    psnr: Optional[float] = None,
    partition: str = "quadtree",
    search: str = "auto",
    range_size: int = 0,
    domain_step: int = 0,
    residual: bool = True,
    scale_max: float = 0.0,
    shadow_limit: float = 0.0,
    domain_wrap: bool = False,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> bytes:
    """Code an image, at a quality, a rate or a PSNR.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[ny, nx, 3]`` of uint8 or uint16.
    quality : float, default 50
        1..100.
    bpp, psnr : float, optional
        Instead of a quality: at most so many bits per pixel, or at least so many dB.
    partition : {"quadtree", "fixed", "overlap"}
        How the image is cut into ranges.
    search : {"auto", "exhaustive", "fast"}
        How hard to look for domains.
    range_size, domain_step : int, optional
        The side of ranges of "fixed" and "overlap", 8 by default, and the pixels from one domain to
        the next.
    residual : bool, default True
        Of "quadtree": code what transforms leave.
    scale_max, shadow_limit : float, optional
        The largest scale of a transform, 1 by default; ranges of "fixed" and "overlap" whose
        variance is at most the limit are coded by their mean.
    domain_wrap : bool, default False
        Of "fixed" and "overlap": domains may cross the image's edge.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    bytes
        The same for the same image and options, on every machine; the program reads them.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.add.outer(np.arange(64), np.arange(64)).astype(np.uint8)
    >>> stream = rugose.ifs.encode(image, quality=70)
    >>> rugose.ifs.decode(stream, scale=2).shape
    (128, 128)
    """
    targets = {"quality": quality, "bpp": bpp, "psnr": psnr}
    given = {name: value for name, value in targets.items() if value is not None}
    if len(given) > 1:
        raise ValueError(f"{', '.join(given)}: given together; give one of them")
    target, value = next(iter(given.items()), ("quality", 50.0))
    options = dict(
        range_size=_arrays.count("range_size", range_size),
        domain_step=_arrays.count("domain_step", domain_step),
        residual=_arrays.flag("residual", residual),
        scale_max=_arrays.number("scale_max", scale_max),
        shadow_limit=_arrays.number("shadow_limit", shadow_limit),
        domain_wrap=_arrays.flag("domain_wrap", domain_wrap),
    )
    return _codec.encode(
        _planes_of("image", image), target, _arrays.number(target, value), partition, search,
        options, (threads, device, progress),
    )  # fmt: skip


def _rows_and_columns(shape: Any) -> Tuple[int, int]:
    sides = _arrays.items("shape", shape, "rows and columns")
    if len(sides) != 2:
        raise ValueError(f"shape: {shape!r} given, rows and columns expected")
    return _arrays.count("shape", sides[0], 1), _arrays.count("shape", sides[1], 1)


def decode(
    stream: Any,
    scale: float = 1.0,
    *,
    shape: Optional[Tuple[int, int]] = None,
    iterations: int = 0,
    max_pixels: int = 0,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Decode a stream, at any size.

    Parameters
    ----------
    stream : bytes
        Of `encode` or of ``rugose compress``.
    scale : float, default 1
        0.25..16 times the coded size.
    shape : (int, int), optional
        Rows and columns instead of a scale.
    iterations : int, optional
        1..64; as the stream says by default.
    max_pixels : int, optional
        The most pixels that are made; by default as many as the stream can be trusted with.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray of uint8 or uint16
        ``[ny, nx]`` or ``[ny, nx, 3]``.

    Raises
    ------
    rugose.Error
        The bytes are no stream, or a damaged one.
    ValueError
        The image would have more than `max_pixels`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> stream = rugose.ifs.encode(np.full((20, 30), 7, np.uint8))
    >>> rugose.ifs.decode(stream, shape=(40, 50)).shape
    (40, 50)
    """
    scale = _arrays.number("scale", scale)
    if shape is not None and scale != 1:
        raise ValueError("scale: given beside shape; give one of them")
    ny, nx = (0, 0) if shape is None else _rows_and_columns(shape)
    iterations = _arrays.count("iterations", iterations, 0, 64)
    max_pixels = _arrays.count("max_pixels", max_pixels, 0, (1 << 64) - 1)
    run = (threads, device, progress)
    return _image_of(_codec.decode(_bytes_of(stream), scale, ny, nx, iterations, max_pixels, run))


def info(stream: Any) -> Dict[str, Any]:
    """Read what the header of a stream says.

    Parameters
    ----------
    stream : bytes
        Of `encode` or of ``rugose compress``.

    Returns
    -------
    dict
        shape, n_planes, depth in bits, partition, domain_step, iterations …

    Examples
    --------
    >>> import numpy as np, rugose
    >>> rugose.ifs.info(rugose.ifs.encode(np.zeros((20, 30), np.uint8)))["shape"]
    (20, 30)
    """
    return _codec.info(_bytes_of(stream))
