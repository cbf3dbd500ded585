# SPDX-License-Identifier: BSD-3-Clause
"""Methods for arrays of Dask, chunk by chunk, with the numbers of the whole array.

Counts come as `dask.delayed.Delayed`, whose ``compute()`` gives the result of the function of the
same name in `rugose`; maps come as arrays of Dask. Nothing runs before. Each chunk is a task that
counts it and hands on what it knows, and a tree of tasks adds that up. Where a rule or a unit
depends on all pixels ("auto", "otsu", floats), chunks are read once or twice more to find it.

Functions take

split_every : int, default 8
    How many parts a task merges; maps have nothing to merge, and do not take it.
threads : int, default 1
    How many threads a task may use; Dask runs tasks side by side.
device : str, default "cpu"
    As in `rugose`; `haralick` has none, since matrices are counted by the processor.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _arrays, _boxcount, _measures, _patterns
from .._arrays import Fit, Sizes
from .._context import choice
from .._counting import grey_levels, pixel_sides
from .._states import BoxCountState, LacunarityState, MassState, SurfaceState
from ._cooccurrence import haralick, haralick_map
from ._trees import (
    Chunk,
    Delayed,
    Index,
    array_of,
    companion,
    da,
    delayed,
    ends_of,
    extremes_of,
    is_inside,
    join_states,
    origin_of,
    pair,
    resolved,
    rule_of,
    tree,
    unit_of,
    values_of,
    with_halo,
)

__all__ = [
    "alpha_map",
    "boxcount",
    "dbc",
    "haralick",
    "haralick_map",
    "lacunarity",
    "lbp_histogram",
    "local_binary_pattern",
    "multifractal",
]

# ---- Counts ----


def _add(state: Any, block: np.ndarray, masks: Sequence[np.ndarray], origin: Index) -> Any:
    state.add(block, origin, masks[0] if masks else None)
    return state.to_bytes()


def _boxes(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    foreground: str,
    options: Dict[str, Any],
    block_id: Index = (),
) -> Any:
    shape = tuple(int(of_axis[-1]) for of_axis in ends)
    state = BoxCountState(shape, foreground=foreground, masked=bool(masks), **options)
    return _add(state, block, masks, origin_of(ends, block_id))


def _values(
    block: np.ndarray,
    *masks: np.ndarray,
    kind: Any,
    ends: List[np.ndarray],
    options: Dict[str, Any],
    block_id: Index = (),
    **found: Any,
) -> Any:
    shape = tuple(int(of_axis[-1]) for of_axis in ends)
    state = kind(shape, block.dtype, masked=bool(masks), **found, **options)
    return _add(state, block, masks, origin_of(ends, block_id))


def _finish(kind: Any, threads: Optional[int], saved: bytes, *orders: Any, **options: Any) -> Any:
    return kind.from_bytes(saved, threads=threads).finish(*orders, **options)


def boxcount(
    image: Any,
    *,
    foreground: str = "auto",
    sizes: Sizes = None,
    grid: str = "origin",
    mask: Any = None,
    fit: Fit = None,
    of: str = "nonempty",
    pixel_size: Optional[Sequence[int]] = None,
    method: str = "auto",
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Delayed:
    """Count boxes of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks.
    mask : dask array, optional
        Of the image's shape; it is given the image's chunks.
    method : {"auto", "pyramid", "window"}
        How to count: all give the same counts.
    foreground, sizes, grid, fit, of, pixel_size
        As in `rugose.boxcount`. Powers of two at the origin without a mask need little memory; for
        other sizes and grids all pixels are kept as bits.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of `rugose.BoxCounts`.

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> i = np.arange(256)
    >>> triangle = da.from_array((i[:, None] & i) == 0, chunks=100)
    >>> round(rugose.dask.boxcount(triangle).compute().dimension, 4)
    1.585
    """
    array = array_of("image", image)
    arrays = pair(array, companion("mask", mask, array))
    options = dict(
        sizes=None if sizes is None else list(_arrays.integers("sizes", sizes) or ()),
        pixel_size=pixel_sides(pixel_size, array.ndim), grid=grid, method=method,
        threads=threads, device=device,
    )  # fmt: skip
    BoxCountState(array.shape, foreground=resolved(foreground), **options)
    choice("of", of, _boxcount.KINDS)
    _arrays.fit_range(fit)
    rule = rule_of(arrays, foreground, split_every)
    counts = tree(
        _boxes, functools.partial(join_states, BoxCountState, threads), arrays, split_every,
        "boxcount", ends=ends_of(array.chunks), foreground=rule, options=options,
    )  # fmt: skip
    return delayed(_finish)(BoxCountState, threads, counts, of=of, fit=fit)


def multifractal(
    image: Any,
    q: Any = None,
    *,
    foreground: Optional[str] = None,
    mask: Any = None,
    fit: Fit = None,
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Delayed:
    """Fit multifractals of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks.
    mask : dask array, optional
        Of the image's shape; it is given the image's chunks.
    q, foreground, fit
        As in `rugose.multifractal`.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of `rugose.Spectrum`.

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> cascade = np.ones((1, 1))
    >>> for _ in range(8):
    ...     cascade = np.kron(cascade, [[1, 2], [3, 4]])
    >>> s = rugose.dask.multifractal(da.from_array(cascade, chunks=100), q=[0, 2]).compute()
    >>> [round(d, 4) for d in s.orders["dimension"].tolist()]
    [2.0, 1.737]
    """
    array = array_of("image", image)
    arrays = pair(array, companion("mask", mask, array))
    orders = _measures.orders_of(q)
    _arrays.fit_range(fit)
    options = dict(threads=threads, device=device)
    MassState(array.shape, array.dtype, foreground=resolved(foreground), **options)
    rule: Union[None, str, Delayed] = foreground
    unit: Union[int, Delayed] = 0
    if foreground is not None:
        rule = rule_of(arrays, foreground, split_every)
    elif array.dtype.kind == "f":
        unit = delayed(unit_of)(values_of(arrays, split_every))
    masses = tree(
        _values, functools.partial(join_states, MassState, threads), arrays, split_every,
        "masses", kind=MassState, ends=ends_of(array.chunks), foreground=rule, unit_exponent=unit,
        options=options,
    )  # fmt: skip
    return delayed(_finish)(MassState, threads, masses, orders, fit=fit)


def lacunarity(
    image: Any,
    *,
    foreground: str = "auto",
    gray: bool = False,
    sizes: Sizes = None,
    boxes: str = "gliding",
    mask: Any = None,
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Delayed:
    """Measure the lacunarity of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks.
    mask : dask array, optional
        Of the image's shape; it is given the image's chunks.
    foreground, gray, sizes, boxes
        As in `rugose.lacunarity`. All pixels are kept as bits, grey values as they are.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of `rugose.Lacunarity`.

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> board = da.from_array(np.indices((8, 8)).sum(0) % 2, chunks=3)
    >>> rugose.dask.lacunarity(board).compute().sizes["lacunarity"].tolist()
    [2.0, 1.0, 1.0, 1.0]
    """
    array = array_of("image", image)
    arrays = pair(array, companion("mask", mask, array))
    if _arrays.flag("gray", gray) and foreground != "auto":
        raise ValueError("foreground: given beside gray; give one of them")
    options = dict(
        gray=gray, sizes=None if sizes is None else list(_arrays.integers("sizes", sizes) or ()),
        boxes=boxes, threads=threads, device=device,
    )  # fmt: skip
    LacunarityState(
        array.shape, array.dtype, foreground=None if gray else resolved(foreground), **options
    )
    rule = None if gray else rule_of(arrays, foreground, split_every)
    pixels = tree(
        _values, functools.partial(join_states, LacunarityState, threads), arrays, split_every,
        "lacunarity", kind=LacunarityState, ends=ends_of(array.chunks), foreground=rule,
        options=options,
    )  # fmt: skip
    return delayed(_finish)(LacunarityState, threads, pixels)


def dbc(
    image: Any,
    *,
    mask: Any = None,
    levels: Optional[float] = None,
    anchor: str = "zero",
    fit: Fit = None,
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Delayed:
    """Fit the dimension of the grey values of an array of Dask as a surface.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks; those of multiples of 64 pixels leave
        little to be merged.
    mask : dask array, optional
        Of the image's shape; it is given the image's chunks.
    levels, anchor, fit
        As in `rugose.dbc`.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of `rugose.SurfaceCounts`.

    Examples
    --------
    >>> import dask.array as da, rugose.dask
    >>> rugose.dask.dbc(da.ones((256, 256), chunks=100)).compute().dimension
    2.0
    """
    array = array_of("image", image)
    arrays = pair(array, companion("mask", mask, array))
    options = dict(levels=levels, anchor=anchor, threads=threads, device=device)
    some = (math.nan, math.nan)
    SurfaceState(array.shape, array.dtype, extremes=some, **options)
    _arrays.fit_range(fit)
    number = _arrays.dtype_number(np.empty((1, 1), array.dtype))
    extremes: Any = None
    if _boxcount.dbc_needs_range(number, grey_levels(levels, array.dtype), anchor):
        extremes = delayed(extremes_of)(values_of(arrays, split_every))
    blocks = tree(
        _values, functools.partial(join_states, SurfaceState, threads), arrays, split_every,
        "dbc", kind=SurfaceState, ends=ends_of(array.chunks), extremes=extremes, options=options,
    )  # fmt: skip
    return delayed(_finish)(SurfaceState, threads, blocks, fit=fit)


# ---- Neighbourhoods ----


def _codes(
    block: np.ndarray,
    *,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    chunk = Chunk(ends, block_id, depths)
    codes = _patterns.local_binary_pattern(block, origin=chunk.origin, **options)
    return np.ascontiguousarray(codes[chunk.core])


def local_binary_pattern(
    image: Any,
    P: int,  # noqa: N803 as in scikit-image
    R: float,  # noqa: N803
    method: str = "default",
    *,
    border: str = "zero",
    exact: str = "skimage",
    dtype: Any = np.float64,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> da.Array:
    """Compute the local binary pattern of each pixel of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]``, in any chunks; those smaller than the circle are joined.
    P, R, method, border, exact, dtype
        As in `rugose.local_binary_pattern`.
    threads, device
        See `rugose.dask`.

    Returns
    -------
    dask array

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> image = da.from_array(np.array([[9, 1, 1], [1, 5, 1], [1, 1, 9]]), chunks=2)
    >>> rugose.dask.local_binary_pattern(image, 4, 1, "uniform").astype(int).compute().tolist()
    [[0, 3, 2], [3, 0, 3], [2, 3, 0]]
    """
    array = array_of("image", image, (2,))
    depths = (math.ceil(R),) * 2
    options = dict(
        P=P, R=R, method=method, border=border, exact=exact, dtype=dtype, threads=threads,
        device=device,
    )  # fmt: skip
    some = _patterns.local_binary_pattern(np.zeros((1, 1), array.dtype), **options)
    array, around = with_halo(array, depths)
    return da.map_blocks(
        _codes, around, chunks=array.chunks, dtype=some.dtype, meta=some[:0, :0],
        ends=ends_of(array.chunks), depths=depths, options=options,
    )  # fmt: skip


def _lbp_counts(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> Any:
    chunk = Chunk(ends, block_id, depths)
    centres = np.zeros(block.shape, np.bool_)
    centres[chunk.core] = is_inside(masks[0]) if masks else True
    return _patterns.lbp_histogram(block, mask=centres, origin=chunk.origin, **options)


def _join_lbp(parts: List[Any]) -> Any:
    counts = [sum(of_parts[1:], of_parts[0]) for of_parts in zip(*(part.counts for part in parts))]
    return dataclasses.replace(parts[0], counts=counts)


def lbp_histogram(
    image: Any,
    operators: Sequence[Tuple[int, float]] = ((8, 1),),
    *,
    method: str = "uniform",
    mask: Any = None,
    interpolation: str = "bilinear",
    border: str = "zero",
    exact: str = "skimage",
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Delayed:
    """Count the local binary patterns of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]``, in any chunks; those smaller than the largest circle are joined.
    mask : dask array, optional
        Of the image's shape: pixels where it is 0 or NaN are not counted.
    operators, method, interpolation, border, exact
        As in `rugose.lbp_histogram`.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of `rugose.LBPHistograms`.

    Examples
    --------
    >>> import dask.array as da, rugose.dask
    >>> h = rugose.dask.lbp_histogram(da.zeros((40, 40), chunks=16), [(8, 1), (16, 2)])
    >>> [len(counts) for counts in h.compute().counts]
    [10, 18]
    """
    array = array_of("image", image, (2,))
    options = dict(
        operators=list(operators), method=method, interpolation=interpolation, border=border,
        exact=exact, threads=threads, device=device,
    )  # fmt: skip
    _patterns.lbp_histogram(np.zeros((1, 1), array.dtype), **options)
    depths = (math.ceil(max(radius for _, radius in options["operators"])),) * 2
    inside = companion("mask", mask, array)
    array, around = with_halo(array, depths)
    inside = None if inside is None else inside.rechunk(array.chunks)
    return tree(
        _lbp_counts, _join_lbp, pair(around, inside), split_every, "lbp",
        ends=ends_of(array.chunks), depths=depths, options=options,
    )  # fmt: skip


def _alphas(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    core = Chunk(ends, block_id, depths).core
    alphas = np.ascontiguousarray(_measures.alpha_map(block, **options)[core])
    if masks:
        alphas[~is_inside(masks[0])] = np.nan
    return alphas


def alpha_map(
    image: Any,
    *,
    measure: str = "sum",
    windows: int = 4,
    iso_tolerance: float = 0.0,
    mask: Any = None,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> da.Array:
    """Map the exponent alpha of each pixel of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks; those smaller than what windows reach are
        joined.
    mask : dask array, optional
        Of the image's shape: pixels where it is 0 or NaN have no alpha.
    measure, windows, iso_tolerance
        As in `rugose.alpha_map`.
    threads, device
        See `rugose.dask`.

    Returns
    -------
    dask array of float32

    Examples
    --------
    >>> import dask.array as da, rugose.dask
    >>> float(rugose.dask.alpha_map(da.ones((90, 90), chunks=40))[44, 44].compute())
    2.0
    """
    array = array_of("image", image)
    options = dict(
        measure=measure, windows=windows, iso_tolerance=iso_tolerance, threads=threads,
        device=device,
    )  # fmt: skip
    _measures.alpha_map(np.zeros((1,) * array.ndim, array.dtype), **options)
    depths = (windows - 1,) * array.ndim
    inside = companion("mask", mask, array)
    array, around = with_halo(array, depths)
    inside = None if inside is None else inside.rechunk(array.chunks)
    return da.map_blocks(
        _alphas, *pair(around, inside), chunks=array.chunks, dtype=np.float32,
        meta=np.empty((0,) * array.ndim, np.float32), ends=ends_of(array.chunks),
        depths=depths, options=options,
    )  # fmt: skip
