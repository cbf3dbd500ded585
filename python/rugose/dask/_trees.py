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
from .._states import ValueState

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


# ---- Values ----

OPEN_RULES = ("auto", "otsu", "otsu-dark")


def join_states(kind: Any, threads: Optional[int], saved: List[Any]) -> Any:
    """Of all parts together, as bytes; None where there are none."""
    known = [part for part in saved if part is not None]
    if not known:
        return None
    state = kind.from_bytes(known[0], threads=threads)
    for other in known[1:]:
        state.merge(kind.from_bytes(other, threads=threads))
    return state.to_bytes()


def _values(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    limits: Optional[Tuple[float, float]],
    extremes: Optional[Tuple[Any, Any]],
    is_needed: bool,
    block_id: Index = (),
) -> Optional[bytes]:
    if not is_needed:
        return None
    mask = masks[0] if masks else None
    if limits is not None:
        within = (block >= limits[0]) & (block <= limits[1])
        mask = within if mask is None else is_inside(mask) & within
    shape = tuple(int(of_axis[-1]) for of_axis in ends)
    state = ValueState(shape, block.dtype, extremes=extremes, masked=mask is not None, threads=1)
    state.add(block, origin_of(ends, block_id), mask)
    return state.to_bytes()


def values_of(
    arrays: Tuple[da.Array, ...],
    split_every: int,
    limits: Optional[Tuple[float, float]] = None,
    extremes: Any = None,
    is_needed: Any = True,
) -> Delayed:
    """The values of all chunks within limits, as the bytes of their state."""
    return tree(
        _values, functools.partial(join_states, ValueState, 1), arrays, split_every, "values",
        ends=ends_of(arrays[0].chunks), limits=limits, extremes=extremes, is_needed=is_needed,
    )  # fmt: skip


def extremes_of(saved: bytes) -> Tuple[Any, Any]:
    """The least and the largest value."""
    return ValueState.from_bytes(saved, threads=1).extremes()


def unit_of(saved: bytes) -> int:
    """The exponent of the unit of floats as masses."""
    return ValueState.from_bytes(saved, threads=1).unit_exponent()


def _rule(saved: bytes, rule: str) -> Optional[str]:
    return ValueState.from_bytes(saved, threads=1).rule(rule)


def _must_count(found: Optional[str]) -> bool:
    return found is None


def _rule_of_rounds(found: Optional[str], counted: Optional[bytes], rule: str) -> Optional[str]:
    return found if counted is None else _rule(counted, rule)


def resolved(rule: Optional[str]) -> Optional[str]:
    """A rule to check options with."""
    return "nonzero" if rule in OPEN_RULES else rule


def rule_of(arrays: Tuple[da.Array, ...], rule: str, split_every: int) -> Union[str, Delayed]:
    """A rule that does not depend on the image."""
    if rule not in OPEN_RULES:
        return rule
    dtype = arrays[0].dtype
    values = values_of(arrays, split_every)
    found = delayed(_rule)(values, rule)
    if dtype.kind != "f" and dtype.itemsize <= 2:
        return found
    counted = values_of(
        arrays, split_every, extremes=delayed(extremes_of)(values),
        is_needed=delayed(_must_count)(found),
    )  # fmt: skip
    return delayed(_rule_of_rounds)(found, counted, rule)


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
