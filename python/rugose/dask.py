# SPDX-License-Identifier: BSD-3-Clause
"""Methods for arrays of Dask, chunk by chunk, with the numbers of the whole array.

Counts come as `dask.delayed.Delayed`, whose ``compute()`` gives the result of the function of the
same name in `rugose`; maps come as arrays of Dask. Nothing runs before. Each chunk is a task that
counts it and hands on what it knows, and a tree of tasks adds that up. Where a rule or a unit
depends on all pixels ("auto", "otsu", floats), chunks are read once or twice more to find it.

All functions take

split_every : int, default 8
    How many parts a task merges.
threads : int, default 1
    How many threads a task may use; Dask runs tasks side by side.
device : str, default "cpu"
    As in `rugose`.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

try:
    import dask.array as da
    from dask.delayed import Delayed, delayed
except ImportError:
    raise ImportError("rugose.dask needs dask: pip install 'rugose[dask]'") from None

from . import _arrays, _boxcount, _levels, _measures, _patterns, _textures
from ._arrays import Fit, Sizes
from ._context import choice
from ._counting import pixel_sides
from ._states import BoxCountState, MassState

__all__ = [
    "alpha_map",
    "boxcount",
    "haralick_map",
    "lbp_histogram",
    "local_binary_pattern",
    "multifractal",
]

Index = Tuple[int, ...]


# ---- Arrays ----


def _array(what: str, values: Any, ndims: Sequence[int] = (2, 3), chunks: Any = "auto") -> da.Array:
    """An array of Dask of known shape, of a type that the library reads."""
    array = values if isinstance(values, da.Array) else getattr(values, "data", None)
    if not isinstance(array, da.Array):
        array = da.from_array(np.asanyarray(values), chunks=chunks)
    if array.ndim not in ndims:
        expected = " or ".join(str(n) for n in ndims)
        raise ValueError(f"{what}: an array of {array.ndim} axes given, {expected} expected")
    if isinstance(array._meta, np.ma.MaskedArray):
        raise ValueError(f"{what}: a masked array given; give its mask as mask=")
    if any(math.isnan(n) for n in array.shape):
        raise ValueError(f"{what}: chunks of unknown size given; call compute_chunk_sizes() first")
    if array.size == 0:
        raise ValueError(f"{what}: an array of shape {array.shape} given, which has no pixel")
    dtype = _arrays.pixels(what, np.empty((1, 1), array.dtype)).dtype
    return array if dtype == array.dtype else array.astype(dtype)


def _companion(what: str, values: Any, image: da.Array) -> Optional[da.Array]:
    """A mask of the image's shape, in the same chunks."""
    if values is None:
        return None
    shape = np.shape(values)
    if shape != image.shape:
        raise ValueError(f"{what}: shape {shape} given, that of the image {image.shape} expected")
    return _array(what, values, chunks=image.chunks).rechunk(image.chunks)


def _ends(chunks: Tuple[Tuple[int, ...], ...]) -> List[np.ndarray]:
    """Where chunks begin, of each axis, and where the last one ends."""
    return [np.concatenate([[0], np.cumsum(sizes)]) for sizes in chunks]


def _origin(ends: List[np.ndarray], index: Index) -> Index:
    return tuple(int(of_axis[i]) for of_axis, i in zip(ends, index))


def _pair(image: da.Array, mask: Optional[da.Array]) -> Tuple[da.Array, ...]:
    return (image,) if mask is None else (image, mask)


# ---- Trees ----


def _one(value: Any, ndim: int) -> np.ndarray:
    """An array of one element, whatever it is."""
    out = np.empty((1,) * ndim, object)
    out[(0,) * ndim] = value
    return out


def _knowledge(
    function: Callable,
    block: np.ndarray,
    *masks: np.ndarray,
    block_id: Index = (),
    **options: Any,
) -> np.ndarray:
    if "ends" in options:
        options["block_id"] = block_id
    return _one(function(block, *masks, **options), block.ndim)


def _unwrap(block: np.ndarray) -> Any:
    return block.item() if isinstance(block, np.ndarray) else block


def _join(function: Callable, parts: List[Any]) -> Any:
    return function([_unwrap(part) for part in parts])


def _tree(
    function: Callable,
    join: Callable,
    arrays: Tuple[da.Array, ...],
    split_every: int,
    name: str,
    **options: Any,
) -> Delayed:
    """What function(block, mask) knows of each chunk, joined by join(parts)."""
    known = da.map_blocks(
        functools.partial(_knowledge, function),
        *arrays,
        dtype=object,
        chunks=tuple((1,) * n for n in arrays[0].numblocks),
        meta=np.empty((0,) * arrays[0].ndim, object),
        name=f"{name}-{da.core.tokenize(function, *arrays, **options)}",
        **options,
    )
    parts = known.to_delayed().ravel().tolist()
    step = _arrays.count("split_every", split_every, 2)
    merge = delayed(functools.partial(_join, join))
    while True:
        parts = [merge(parts[i : i + step]) for i in range(0, len(parts), step)]
        if len(parts) == 1:
            return parts[0]


# ---- Rules ----


def _finite(block: np.ndarray, *masks: np.ndarray) -> np.ndarray:
    return _levels.inside_of(block, masks[0] if masks else None)


def _extremes(block: np.ndarray, *masks: np.ndarray) -> Optional[_levels.Extremes]:
    return _levels.extremes_of(_finite(block, *masks))


def _histogram(block: np.ndarray, *masks: np.ndarray, bins: Any) -> Optional[_levels.Histogram]:
    return None if bins is None else _levels.histogram_of(_finite(block, *masks), bins)


def _join_known(parts: List[Any]) -> Any:
    known = [part for part in parts if part is not None]
    return _levels.join_histograms(known) if known else None


def _bins(rule: str, ends: Any, is_float: bool) -> Optional[_levels.Bins]:
    return _levels.bins_for(is_float, ends) if _levels.needs_histogram(rule, ends) else None


def _resolved(rule: Optional[str]) -> Optional[str]:
    """A rule to check options with."""
    return "nonzero" if rule in _levels.OPEN_RULES else rule


def _rule(arrays: Tuple[da.Array, ...], rule: str, split_every: int) -> Union[str, Delayed]:
    """A rule that does not depend on the image."""
    if rule not in _levels.OPEN_RULES:
        return rule
    dtype = arrays[0].dtype
    levels = _levels.all_levels(dtype)
    if levels is not None:
        counts = _tree(_histogram, _join_known, arrays, split_every, "levels", bins=levels)
        return delayed(_levels.resolve_levels)(rule, levels, counts)
    ends = _tree(_extremes, _levels.join_extremes, arrays, split_every, "extremes")
    bins = delayed(_bins)(rule, ends, dtype.kind == "f")
    counts = _tree(_histogram, _join_known, arrays, split_every, "levels", bins=bins)
    return delayed(_levels.resolve)(rule, ends, bins, counts)


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
    return _add(state, block, masks, _origin(ends, block_id))


def _masses(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    foreground: Optional[str],
    unit_exponent: int,
    options: Dict[str, Any],
    block_id: Index = (),
) -> Any:
    shape = tuple(int(of_axis[-1]) for of_axis in ends)
    state = MassState(
        shape, block.dtype, foreground=foreground, unit_exponent=unit_exponent,
        masked=bool(masks), **options,
    )  # fmt: skip
    return _add(state, block, masks, _origin(ends, block_id))


def _join_states(kind: Any, threads: Optional[int], saved: List[bytes]) -> bytes:
    states = [kind.from_bytes(one, threads=threads) for one in saved]
    for other in states[1:]:
        states[0].merge(other)
    return states[0].to_bytes()


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
        How to count.
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
    array = _array("image", image)
    arrays = _pair(array, _companion("mask", mask, array))
    options = dict(
        sizes=None if sizes is None else list(_arrays.integers("sizes", sizes) or ()),
        pixel_size=pixel_sides(pixel_size, array.ndim), grid=grid, method=method,
        threads=threads, device=device,
    )  # fmt: skip
    BoxCountState(array.shape, foreground=_resolved(foreground), **options)
    choice("of", of, _boxcount.KINDS)
    _arrays.fit_range(fit)
    rule = _rule(arrays, foreground, split_every)
    counts = _tree(
        _boxes, functools.partial(_join_states, BoxCountState, threads), arrays, split_every,
        "boxcount", ends=_ends(array.chunks), foreground=rule, options=options,
    )  # fmt: skip
    return delayed(_finish)(BoxCountState, threads, counts, of=of, fit=fit)


def _octaves(block: np.ndarray, *masks: np.ndarray) -> _levels.Octaves:
    return _levels.octaves_of(_finite(block, *masks))


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
    array = _array("image", image)
    arrays = _pair(array, _companion("mask", mask, array))
    orders = _measures.orders_of(q)
    _arrays.fit_range(fit)
    options = dict(threads=threads, device=device)
    MassState(array.shape, array.dtype, foreground=_resolved(foreground), **options)
    rule: Union[None, str, Delayed] = foreground
    unit: Union[int, Delayed] = 0
    if foreground is not None:
        rule = _rule(arrays, foreground, split_every)
    elif array.dtype.kind == "f":
        octaves = _tree(_octaves, _levels.join_octaves, arrays, split_every, "octaves")
        unit = delayed(_levels.unit_exponent)(octaves)
    masses = _tree(
        _masses, functools.partial(_join_states, MassState, threads), arrays, split_every,
        "masses", ends=_ends(array.chunks), foreground=rule, unit_exponent=unit, options=options,
    )  # fmt: skip
    return delayed(_finish)(MassState, threads, masses, orders, fit=fit)


# ---- Neighbourhoods ----


def _with_halo(array: da.Array, depths: Index) -> Tuple[da.Array, da.Array]:
    """The array in chunks that are at least as large as the halo, and those with their halo."""
    array = array.rechunk(
        tuple(
            da.overlap.ensure_minimum_chunksize(depth, sizes) if depth and len(sizes) > 1 else sizes
            for depth, sizes in zip(depths, array.chunks)
        )
    )
    cut = {a: depths[a] if n > 1 else 0 for a, n in enumerate(array.numblocks)}
    return array, da.overlap.overlap(array, cut, boundary="none", allow_rechunk=False)


class _Chunk:
    """Where a chunk lies in its array, and in what surrounds it too."""

    def __init__(self, ends: List[np.ndarray], index: Index, depths: Index) -> None:
        self.first = _origin(ends, index)
        self.shape = tuple(int(e[i + 1] - e[i]) for e, i in zip(ends, index))
        self.before = tuple(depth if i > 0 else 0 for depth, i in zip(depths, index))

    @property
    def core(self) -> Tuple[slice, ...]:
        """The chunk, in what surrounds it too."""
        return tuple(slice(b, b + n) for b, n in zip(self.before, self.shape))

    @property
    def origin(self) -> Index:
        """Where what surrounds it begins."""
        return tuple(f - b for f, b in zip(self.first, self.before))


def _is_inside(mask: np.ndarray) -> np.ndarray:
    return (mask != 0) & (mask == mask)


def _codes(
    block: np.ndarray,
    *,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    chunk = _Chunk(ends, block_id, depths)
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
    array = _array("image", image, (2,))
    depths = (math.ceil(R),) * 2
    options = dict(
        P=P, R=R, method=method, border=border, exact=exact, dtype=dtype, threads=threads,
        device=device,
    )  # fmt: skip
    some = _patterns.local_binary_pattern(np.zeros((1, 1), array.dtype), **options)
    array, around = _with_halo(array, depths)
    return da.map_blocks(
        _codes, around, chunks=array.chunks, dtype=some.dtype, meta=some[:0, :0],
        ends=_ends(array.chunks), depths=depths, options=options,
    )  # fmt: skip


def _lbp_counts(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> Any:
    chunk = _Chunk(ends, block_id, depths)
    centres = np.zeros(block.shape, np.bool_)
    centres[chunk.core] = _is_inside(masks[0]) if masks else True
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
    array = _array("image", image, (2,))
    options = dict(
        operators=list(operators), method=method, interpolation=interpolation, border=border,
        exact=exact, threads=threads, device=device,
    )  # fmt: skip
    _patterns.lbp_histogram(np.zeros((1, 1), array.dtype), **options)
    depths = (math.ceil(max(radius for _, radius in options["operators"])),) * 2
    inside = _companion("mask", mask, array)
    array, around = _with_halo(array, depths)
    inside = None if inside is None else inside.rechunk(array.chunks)
    return _tree(
        _lbp_counts, _join_lbp, _pair(around, inside), split_every, "lbp",
        ends=_ends(array.chunks), depths=depths, options=options,
    )  # fmt: skip


def _alphas(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    core = _Chunk(ends, block_id, depths).core
    alphas = np.ascontiguousarray(_measures.alpha_map(block, **options)[core])
    if masks:
        alphas[~_is_inside(masks[0])] = np.nan
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
    array = _array("image", image)
    options = dict(
        measure=measure, windows=windows, iso_tolerance=iso_tolerance, threads=threads,
        device=device,
    )  # fmt: skip
    _measures.alpha_map(np.zeros((1,) * array.ndim, array.dtype), **options)
    depths = (windows - 1,) * array.ndim
    inside = _companion("mask", mask, array)
    array, around = _with_halo(array, depths)
    inside = None if inside is None else inside.rechunk(array.chunks)
    return da.map_blocks(
        _alphas, *_pair(around, inside), chunks=array.chunks, dtype=np.float32,
        meta=np.empty((0,) * array.ndim, np.float32), ends=_ends(array.chunks),
        depths=depths, options=options,
    )  # fmt: skip


def _within(
    block: np.ndarray, *masks: np.ndarray, limits: Optional[Tuple[float, float]]
) -> Optional[_levels.Extremes]:
    values = _finite(block, *masks)
    if limits is not None:
        values = values[(values >= limits[0]) & (values <= limits[1])]
    return _levels.extremes_of(values)


def _bins_of_image(ends: Optional[_levels.Extremes], options: Dict[str, Any]) -> Dict[str, Any]:
    """The options with the range of the whole image; a flat one is that of each chunk too."""
    if ends is None or not ends.least < ends.most:
        return options
    found = dict(options, range=(float(ends.least), float(ends.most)))
    if options["bin_width"] is None:
        return dict(found, levels=64 if options["levels"] is None else options["levels"])
    origin, limits = options["bin_origin"], options["resegment"]
    if origin is None:
        origin = limits[0] if limits is not None and math.isfinite(limits[0]) else "zero"
    return dict(found, bin_origin=float(ends.least) if origin == "min" else origin)


def _features(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    features: List[str],
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    core = _Chunk(ends, block_id[1:], depths).core
    mask = masks[0] if masks else None
    maps = _textures.haralick_map(block, features=features, mask=mask, **options)
    return np.stack([one[core] for one in maps.values()])


def haralick_map(
    image: Any,
    *,
    window: Union[int, Tuple[int, int]] = 7,
    features: _textures.Names = "13",
    mask: Any = None,
    levels: Union[None, str, int] = None,
    bin_width: Optional[float] = None,
    bin_origin: Union[None, str, float] = None,
    range: _textures.Range = None,
    resegment: Optional[Tuple[float, float]] = None,
    distance: int = 1,
    directions: Optional[Sequence[str]] = None,
    log_base: float = 2.0,
    leave_out: bool = False,
    split_every: int = 8,
    threads: Optional[int] = 1,
    device: str = "cpu",
) -> Dict[str, da.Array]:
    """Map Haralick's features of the window around each pixel of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]``, in any chunks; those smaller than half a window are joined.
    mask : dask array, optional
        Of the image's shape: pixels where it is 0 or NaN are in no pair.
    window, features, distance, leave_out, levels, bin_width, bin_origin, range, resegment, \
directions, log_base
        As in `rugose.haralick_map`. Bins of the image's own range take one more reading.
    split_every, threads, device
        See `rugose.dask`.

    Returns
    -------
    dict of dask array of float64
        A map of the image's shape for each feature, all of which are computed at once.

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> board = da.from_array(np.indices((40, 40)).sum(0) % 2, chunks=16)
    >>> maps = rugose.dask.haralick_map(board, directions=["0"], features="contrast")
    >>> float(maps["contrast"][20, 20].compute())
    1.0
    """
    array = _array("image", image, (2,))
    names = _textures.feature_names(features)
    options: Any = dict(
        window=window, levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, distance=distance, directions=directions, log_base=log_base,
        leave_out=leave_out, threads=threads, device=device,
    )  # fmt: skip
    _textures.haralick_map(np.ones((1, 1), array.dtype), features=names, **options)
    arrays = _pair(array, _companion("mask", mask, array))
    exact = bin_width is None and (
        levels == "exact" or (levels is None and array.dtype.kind != "f")
    )
    if not exact and range in (None, "image"):
        ends = _tree(
            _within, _levels.join_extremes, arrays, split_every, "extremes", limits=resegment
        )
        options = delayed(_bins_of_image)(ends, options)
    sides = window if isinstance(window, tuple) else (window, window)
    depths = tuple(side // 2 for side in sides)
    cut, around = _with_halo(array, depths)
    others = [_with_halo(other.rechunk(cut.chunks), depths)[1] for other in arrays[1:]]
    maps = da.map_blocks(
        _features, around, *others, new_axis=0,
        chunks=((len(names),), *cut.chunks), dtype=np.float64, meta=np.empty((0, 0, 0)),
        ends=_ends(cut.chunks), depths=depths, features=names, options=options,
    )  # fmt: skip
    return {name: maps[i] for i, name in enumerate(names)}
