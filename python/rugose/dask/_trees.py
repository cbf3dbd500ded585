# SPDX-License-Identifier: BSD-3-Clause
"""What all functions of rugose.dask share: chunks, trees of tasks, rules, halos."""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

try:
    import dask.array as da
    from dask.delayed import Delayed, delayed
except ImportError:
    raise ImportError("rugose.dask needs dask: pip install 'rugose[dask]'") from None

from .. import _arrays
from . import _levels

Index = Tuple[int, ...]


# ---- Arrays ----


def array_of(
    what: str, values: Any, ndims: Sequence[int] = (2, 3), chunks: Any = "auto"
) -> da.Array:
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


def companion(what: str, values: Any, image: da.Array) -> Optional[da.Array]:
    """A mask of the image's shape, in the same chunks."""
    if values is None:
        return None
    shape = np.shape(values)
    if shape != image.shape:
        raise ValueError(f"{what}: shape {shape} given, that of the image {image.shape} expected")
    return array_of(what, values, chunks=image.chunks).rechunk(image.chunks)


def ends_of(chunks: Tuple[Tuple[int, ...], ...]) -> List[np.ndarray]:
    """Where chunks begin, of each axis, and where the last one ends."""
    return [np.concatenate([[0], np.cumsum(sizes)]) for sizes in chunks]


def origin_of(ends: List[np.ndarray], index: Index) -> Index:
    return tuple(int(of_axis[i]) for of_axis, i in zip(ends, index))


def pair(image: da.Array, mask: Optional[da.Array]) -> Tuple[da.Array, ...]:
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


def tree(
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


def finite(block: np.ndarray, *masks: np.ndarray) -> np.ndarray:
    return _levels.inside_of(block, masks[0] if masks else None)


def _extremes(block: np.ndarray, *masks: np.ndarray) -> Optional[_levels.Extremes]:
    return _levels.extremes_of(finite(block, *masks))


def _histogram(block: np.ndarray, *masks: np.ndarray, bins: Any) -> Optional[_levels.Histogram]:
    return None if bins is None else _levels.histogram_of(finite(block, *masks), bins)


def _join_known(parts: List[Any]) -> Any:
    known = [part for part in parts if part is not None]
    return _levels.join_histograms(known) if known else None


def _bins(rule: str, ends: Any, is_float: bool) -> Optional[_levels.Bins]:
    return _levels.bins_for(is_float, ends) if _levels.needs_histogram(rule, ends) else None


def resolved(rule: Optional[str]) -> Optional[str]:
    """A rule to check options with."""
    return "nonzero" if rule in _levels.OPEN_RULES else rule


def rule_of(arrays: Tuple[da.Array, ...], rule: str, split_every: int) -> Union[str, Delayed]:
    """A rule that does not depend on the image."""
    if rule not in _levels.OPEN_RULES:
        return rule
    dtype = arrays[0].dtype
    levels = _levels.all_levels(dtype)
    if levels is not None:
        counts = tree(_histogram, _join_known, arrays, split_every, "levels", bins=levels)
        return delayed(_levels.resolve_levels)(rule, levels, counts)
    ends = tree(_extremes, _levels.join_extremes, arrays, split_every, "extremes")
    bins = delayed(_bins)(rule, ends, dtype.kind == "f")
    counts = tree(_histogram, _join_known, arrays, split_every, "levels", bins=bins)
    return delayed(_levels.resolve)(rule, ends, bins, counts)


# ---- Neighbourhoods ----


def with_halo(array: da.Array, depths: Index) -> Tuple[da.Array, da.Array]:
    """The array in chunks that are at least as large as the halo, and those with their halo."""
    array = array.rechunk(
        tuple(
            da.overlap.ensure_minimum_chunksize(depth, sizes) if depth and len(sizes) > 1 else sizes
            for depth, sizes in zip(depths, array.chunks)
        )
    )
    cut = {a: depths[a] if n > 1 else 0 for a, n in enumerate(array.numblocks)}
    return array, da.overlap.overlap(array, cut, boundary="none", allow_rechunk=False)


class Chunk:
    """Where a chunk lies in its array, and in what surrounds it too."""

    def __init__(self, ends: List[np.ndarray], index: Index, depths: Index) -> None:
        self.first = origin_of(ends, index)
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


def is_inside(mask: np.ndarray) -> np.ndarray:
    return (mask != 0) & (mask == mask)
