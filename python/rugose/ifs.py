# SPDX-License-Identifier: BSD-3-Clause
"""Fractal coding: images as transforms of themselves."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _arrays, _codec
from ._errors import RugoseWarning
from ._progress import Progress


def _planes_of(what: str, image: Any) -> List[np.ndarray]:
    """Grey, or red, green and blue, each with alpha or not, where they lie."""
    array = _arrays.pixels(what, _arrays.unmasked(what, image))
    if array.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"{what}: an array of {array.dtype} given, uint8 or uint16 expected")
    if array.ndim == 2:
        return [array]
    n = array.shape[2]
    if n not in (2, 3, 4):
        raise ValueError(
            f"{what}: shape {array.shape} given, [ny, nx], [ny, nx, 3], or [ny, nx, 2] or "
            "[ny, nx, 4] with alpha expected"
        )
    return [array[:, :, c] for c in range(n)]


def _image_of(planes: np.ndarray) -> np.ndarray:
    """[ny, nx], or [ny, nx, n] in C order."""
    return planes[0] if len(planes) == 1 else np.ascontiguousarray(np.moveaxis(planes, 0, -1))


def _bytes_of(stream: Any) -> memoryview:
    try:
        return memoryview(stream).cast("B")
    except (TypeError, ValueError):
        raise ValueError(f"stream: {type(stream).__name__} given, bytes expected") from None


def _is_grey(planes: List[np.ndarray]) -> bool:
    return len(planes) < 3


def _notes_of(notes: Any) -> Optional[Dict[str, Any]]:
    """Each of them, in the form of the library."""
    if notes is None:
        return None
    known = dict(icc=b"", spacing=(0.0, 0.0), unit="", orientation=0, premultiplied=False)
    if not isinstance(notes, dict) or not known.keys() >= notes.keys():
        raise ValueError(f"notes: {notes!r} given, a dict of {', '.join(known)} expected")
    known.update(notes)
    unit = _arrays.text("unit", known["unit"], "a text")
    if len(unit) > 15:
        raise ValueError(f"unit: {known['unit']!r} given, at most 15 characters expected")
    try:
        profile = bytes(memoryview(known["icc"]))
    except TypeError:
        raise ValueError(f"icc: {type(known['icc']).__name__} given, bytes expected") from None
    return dict(
        icc=profile,
        spacing=_arrays.pair("spacing", known["spacing"]),
        unit=unit,
        orientation=_arrays.count("orientation", known["orientation"], 0, 8),
        premultiplied=_arrays.flag("premultiplied", known["premultiplied"]),
    )


def encode(
    image: Any,
    quality: Optional[float] = None,
    *,
    bpp: Optional[float] = None,
    psnr: Optional[float] = None,
    effort: int = 0,
    tune: str = "ssim",
    chroma: str = "444",
    chroma_quality: float = 0.0,
    lossless: bool = False,
    progressive: bool = False,
    tile: int = 0,
    notes: Optional[Dict[str, Any]] = None,
    version: int = 0,
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
    """Code an image, at a quality, a rate or a PSNR, or losslessly.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[ny, nx, 3]`` of uint8 or uint16; ``[ny, nx, 2]`` or ``[ny, nx, 4]`` with
        alpha, which is kept exactly.
    quality : float, default 50
        1..100.
    bpp, psnr : float, optional
        Instead of a quality: at most so many bits per pixel, or at least so many dB.
    effort : int, default 5
        1..9: how long to look for the best code.
    tune : {"ssim", "psnr"}
        What counts as good: structure, or the squared error alone.
    chroma : {"444", "420"}
        Colours at full resolution, or at half of it along each side.
    chroma_quality : float, optional
        1..100, of the colours; by default it follows from what is aimed at.
    lossless : bool, default False
        Every pixel as it is, in place of a quality, a rate or a PSNR.
    progressive : bool, default False
        A small picture first, for `decode` with `partial`.
    tile : int, optional
        The side of tiles, which are coded on their own: a multiple of 64, 256..65536; 2048 for
        images of more than 4096 x 4096 pixels by default, others are one tile.
    notes : dict, optional
        What the stream carries besides pixels, of which none is changed: ``icc``, the bytes of a
        colour profile; ``spacing``, the distance from row to row and from column to column;
        ``unit``, that of the spacing, such as "mm"; ``orientation``, 1..8 as EXIF numbers it;
        ``premultiplied``, whether colours were multiplied by alpha.
    version : int, optional
        Of the stream: 1 for what earlier releases read, of which `search`, `domain_step` and
        `scale_max` of "quadtree" are options, and nothing above; the latest by default.
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
    if given and _arrays.flag("lossless", lossless):
        raise ValueError(f"{next(iter(given))}: given with lossless, which keeps every pixel")
    planes = _planes_of("image", image)
    if _is_grey(planes) and (chroma != "444" or chroma_quality != 0):
        raise ValueError(f"chroma: {chroma!r}, {chroma_quality!r} given for a grey image")
    target, value = next(iter(given.items()), ("quality", 50.0))
    options = dict(
        range_size=_arrays.count("range_size", range_size),
        domain_step=_arrays.count("domain_step", domain_step),
        residual=_arrays.flag("residual", residual),
        scale_max=_arrays.number("scale_max", scale_max),
        shadow_limit=_arrays.number("shadow_limit", shadow_limit),
        domain_wrap=_arrays.flag("domain_wrap", domain_wrap),
        version=_arrays.count("version", version),
        effort=_arrays.count("effort", effort, 0, 9),
        tune=tune,
        chroma=chroma,
        chroma_quality=_arrays.number("chroma_quality", chroma_quality),
        lossless=_arrays.flag("lossless", lossless),
        progressive=_arrays.flag("progressive", progressive),
        tile=_arrays.count("tile", tile),
        notes=_notes_of(notes),
    )
    return _codec.encode(
        planes, target, _arrays.number(target, value), partition, search,
        options, (threads, device, progress),
    )  # fmt: skip


def _rows_and_columns(shape: Any) -> Tuple[int, int]:
    sides = _arrays.items("shape", shape, "rows and columns")
    if len(sides) != 2:
        raise ValueError(f"shape: {shape!r} given, rows and columns expected")
    return _arrays.count("shape", sides[0], 1), _arrays.count("shape", sides[1], 1)


def _region(crop: Any) -> Tuple[int, int, int, int]:
    """The first row and column, rows and columns; zeros: all of the image."""
    expected = "first row, first column, rows and columns"
    if crop is None:
        return 0, 0, 0, 0
    sides = _arrays.items("crop", crop, expected)
    if len(sides) != 4:
        raise ValueError(f"crop: {crop!r} given, {expected} expected")
    row, column = (_arrays.count("crop", side) for side in sides[:2])
    ny, nx = (_arrays.count("crop", side, 1) for side in sides[2:])
    return row, column, ny, nx


def decode(
    stream: Any,
    scale: float = 1.0,
    *,
    shape: Optional[Tuple[int, int]] = None,
    crop: Optional[Tuple[int, int, int, int]] = None,
    partial: bool = False,
    iterations: int = 0,
    max_pixels: int = 0,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Decode a stream, or a region of it, at any size.

    Parameters
    ----------
    stream : bytes
        Of `encode` or of ``rugose compress``.
    scale : float, default 1
        0.25..16 times the coded size.
    shape : (int, int), optional
        Rows and columns instead of a scale.
    crop : (int, int, int, int), optional
        The first row and column, from 0, rows and columns of a region of the coded image, which
        `scale` and `shape` are of.
    partial : bool, default False
        Of a stream that is cut off, decode what is there, with a warning; the rest comes from
        its small picture, if it has one, or is grey (black in a lossless one).
    iterations : int, optional
        1..64; as the stream says by default. Streams of version 3 have none.
    max_pixels : int, optional
        The most pixels that are made; by default as many as the stream can be trusted with.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray of uint8 or uint16
        ``[ny, nx]`` or ``[ny, nx, 3]``; ``[ny, nx, 2]`` or ``[ny, nx, 4]`` with alpha.

    Raises
    ------
    rugose.Error
        The bytes are no stream, or a damaged one, or one that is cut off.
    ValueError
        The image would have more than `max_pixels`, or has not got the region.

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
    planes, share = _codec.decode(
        _bytes_of(stream), scale, ny, nx, iterations, max_pixels, _region(crop),
        _arrays.flag("partial", partial), (threads, device, progress),
    )  # fmt: skip
    if share < 1:
        warnings.warn(
            f"the stream is cut off: {share:.1%} of the pixels are decoded",
            RugoseWarning,
            stacklevel=2,
        )
    return _image_of(planes)


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


def notes(stream: Any) -> Dict[str, Any]:
    """Read what a stream carries besides pixels, as `encode` takes it.

    Parameters
    ----------
    stream : bytes
        Of `encode` or of ``rugose compress``.

    Returns
    -------
    dict
        Of icc, spacing, unit, orientation and premultiplied those that are known; empty where
        nothing is, and of streams before version 3.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.zeros((20, 30), np.uint8)
    >>> rugose.ifs.notes(rugose.ifs.encode(image, notes=dict(spacing=(0.5, 0.25), unit="mm")))
    {'spacing': (0.5, 0.25), 'unit': 'mm'}
    """
    return _codec.notes(_bytes_of(stream))
