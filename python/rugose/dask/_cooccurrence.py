# SPDX-License-Identifier: BSD-3-Clause
"""Haralick's features of arrays of Dask, of the whole and around each pixel."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _arrays, _textures
from .._matrices import Matrices, glcm_matrices
from .._results import Table
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
    pair,
    tree,
    values_of,
    with_halo,
)

# ---- Levels ----


def _within(
    block: np.ndarray, *masks: np.ndarray, limits: Optional[Tuple[float, float]]
) -> np.ndarray:
    """The values that are in pairs, in a row."""
    if block.dtype == np.bool_:
        block = block.view(np.uint8)
    values = (block[is_inside(masks[0])] if masks else block).reshape(-1)
    if values.dtype.kind == "f":
        values = values[np.isfinite(values)]
    if limits is not None:
        values = values[(values >= limits[0]) & (values <= limits[1])]
    return values


def _bins_of_image(values: bytes, options: Dict[str, Any]) -> Dict[str, Any]:
    """The options with the range of the whole image; a flat one is that of each chunk too."""
    least, most = extremes_of(values)
    if not least < most:
        return options
    found = dict(options, range=(float(least), float(most)))
    if options["bin_width"] is None:
        return dict(found, levels=64 if options["levels"] is None else options["levels"])
    origin, limits = options["bin_origin"], options["resegment"]
    if origin is None:
        origin = limits[0] if limits is not None and math.isfinite(limits[0]) else "zero"
    return dict(found, bin_origin=float(least) if origin == "min" else origin)


def _with_bins(
    arrays: Tuple[da.Array, ...],
    options: Dict[str, Any],
    open_ranges: Sequence[Optional[str]],
    split_every: int,
) -> Any:
    """The options with levels that are the same in all chunks."""
    levels = options["levels"]
    is_exact = options["bin_width"] is None and (
        levels == "exact" or (levels is None and arrays[0].dtype.kind != "f")
    )
    if is_exact or options["range"] not in open_ranges:
        return options
    values = values_of(arrays, split_every, options["resegment"])
    return delayed(_bins_of_image)(values, options)


# ---- Maps ----


def _features(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    features: List[str],
    options: Dict[str, Any],
    block_id: Index = (),
) -> np.ndarray:
    core = Chunk(ends, block_id[1:], depths).core
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
    array = array_of("image", image, (2,))
    names = _textures.feature_names(features)
    options: Any = dict(
        window=window, levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, distance=distance, directions=directions, log_base=log_base,
        leave_out=leave_out, threads=threads, device=device,
    )  # fmt: skip
    _textures.haralick_map(np.ones((1, 1), array.dtype), features=names, **options)
    arrays = pair(array, companion("mask", mask, array))
    options = _with_bins(arrays, options, (None, "image"), split_every)
    sides = window if isinstance(window, tuple) else (window, window)
    depths = tuple(side // 2 for side in sides)
    cut, around = with_halo(array, depths)
    others = [with_halo(other.rechunk(cut.chunks), depths)[1] for other in arrays[1:]]
    maps = da.map_blocks(
        _features, around, *others, new_axis=0,
        chunks=((len(names),), *cut.chunks), dtype=np.float64, meta=np.empty((0, 0, 0)),
        ends=ends_of(cut.chunks), depths=depths, features=names, options=options,
    )  # fmt: skip
    return {name: maps[i] for i, name in enumerate(names)}


# ---- The whole ----


@dataclass
class _Pairs:
    """Matrices of a part, and its pixels and the levels that they have."""

    matrices: Matrices
    area: int
    levels: FrozenSet[int]


def _is_taken_off(place: Tuple[slice, ...]) -> bool:
    return sum(side.start is not None for side in place) % 2 == 1


def _corners(
    block: np.ndarray, masks: Sequence[np.ndarray], core: Tuple[slice, ...], **options: Any
) -> Matrices:
    """The matrices of a chunk with its halos, without pairs that lie in halos alone.

    What lies in the halos of two axes is taken off twice, so that it is added again, and so on.
    """
    total: Any = 0
    sides = [(slice(None), slice(side.stop, None)) for side in core]
    for place in sorted(itertools.product(*sides), key=_is_taken_off):
        part, *inside = (one[place] for one in (block, *masks))
        if len(_within(part, *inside, limits=options["resegment"])) == 0:
            continue
        found = glcm_matrices(part, mask=inside[0] if inside else None, **options)
        total = total - found if _is_taken_off(place) else total + found
    return total


def _occurring(values: np.ndarray, **options: Any) -> FrozenSet[int]:
    """The levels of values: in a row, each of them is in a pair."""
    row = np.append(values, values[-1:])[None]
    options.update(distances=[1], directions=["0"], aggregate="none", slices="none")
    found = glcm_matrices(row, **options)
    (at,) = np.nonzero(found.counts.any(axis=(1, 2, 3)) | found.counts.any(axis=(0, 2, 3)))
    return frozenset(found.levels[at].tolist())


def _pairs(
    block: np.ndarray,
    *masks: np.ndarray,
    ends: List[np.ndarray],
    depths: Index,
    options: Dict[str, Any],
    block_id: Index = (),
) -> Optional[_Pairs]:
    chunk = Chunk(ends, block_id, depths)
    beyond = tuple(slice(before, None) for before in chunk.before)
    core = tuple(slice(0, n) for n in chunk.shape)
    block, *rest = (one[beyond] for one in (block, *masks))
    values = _within(*(one[core] for one in (block, *rest)), limits=options["resegment"])
    if len(values) == 0:
        return None
    return _Pairs(
        _corners(block, rest, core, **options),
        len(values),
        _occurring(values.view(block.dtype), **options),
    )


def _join_pairs(parts: List[Optional[_Pairs]]) -> Optional[_Pairs]:
    known = [part for part in parts if part is not None]
    if not known:
        return None
    return _Pairs(
        sum(part.matrices for part in known),
        sum(part.area for part in known),
        frozenset().union(*(part.levels for part in known)),
    )


def _over_directions(of_each: Table, names: List[str], is_range: bool) -> Table:
    """A row for each distance, of the directions that have pairs."""
    rows: Dict[str, List[Any]] = {name: [] for name in of_each}
    for distance in dict.fromkeys(of_each["distance"].tolist()):
        here = of_each["distance"] == distance
        found = here & (of_each["pairs"] > 0)
        status = "flat" if "flat" in of_each["status"][found] else "ok"
        rows["distance"].append(distance)
        rows["direction"].append("all")
        rows["pairs"].append(of_each["pairs"][found].sum())
        rows["status"].append(status if found.any() else "no pairs")
        for name in names:
            values = of_each[name][found]
            if not found.any():
                rows[name].append(np.nan)
            elif is_range:
                rows[name].append(values.max() - values.min())
            else:  # in order, as the library adds
                rows[name].append(np.add.accumulate(values)[-1] / len(values))
    return Table((name, np.array(column, of_each[name].dtype)) for name, column in rows.items())


def _table(
    pairs: Optional[_Pairs], nothing: Table, names: List[str], aggregate: str, log_base: float
) -> Table:
    """The rows of `rugose.haralick`; `nothing` are those of no pixels."""
    if pairs is None:
        return nothing
    found = pairs.matrices.features(names, log_base)
    if aggregate in ("mean", "range"):
        found = _over_directions(found, names, aggregate == "range")
    whole = dict(label=0, area=pairs.area, levels=len(pairs.levels), **found)
    return Table(
        (name, np.full(len(column), whole[name], column.dtype)) for name, column in nothing.items()
    )


def haralick(
    image: Any,
    *,
    mask: Any = None,
    levels: Union[None, str, int] = None,
    bin_width: Optional[float] = None,
    bin_origin: Union[None, str, float] = None,
    range: _textures.Range = None,
    resegment: Optional[Tuple[float, float]] = None,
    distances: Sequence[int] = (1,),
    directions: Optional[Sequence[str]] = None,
    symmetric: bool = True,
    aggregate: str = "mean",
    slices: str = "none",
    features: _textures.Names = "14",
    log_base: float = 2.0,
    split_every: int = 8,
    threads: Optional[int] = 1,
) -> Delayed:
    """Measure Haralick's features of an array of Dask.

    Parameters
    ----------
    image : dask array
        ``[ny, nx]`` or ``[nz, ny, nx]``, in any chunks; those smaller than the largest distance are
        joined.
    mask : dask array, optional
        Of the image's shape: pixels where it is 0 or NaN are in no pair.
    aggregate : {"mean", "none", "range", "merged"}
        How directions are combined.
    slices : {"none", "merged"}
        Volumes: 13 directions in space, or 4 in each slice.
    levels, bin_width, bin_origin, range, resegment, distances, directions, symmetric, features, \
log_base
        As in `rugose.haralick`. Tasks hand on `rugose.Matrices`, of 8192 levels at most. Bins of
        the image's own range take one more reading.
    split_every, threads
        See `rugose.dask`.

    Returns
    -------
    Delayed
        Of the `rugose.Table` of one region. Its last digits may differ from those of
        `rugose.haralick` for max_correlation_coefficient alone.

    Examples
    --------
    >>> import numpy as np, dask.array as da, rugose.dask
    >>> board = da.from_array(np.indices((40, 40)).sum(0) % 2, chunks=16)
    >>> t = rugose.dask.haralick(board, directions=["0"], features="contrast").compute()
    >>> float(t["contrast"][0]), int(t["pairs"][0])
    (1.0, 1560)
    """
    array = array_of("image", image)
    names = _textures.feature_names(features)
    if slices == "mean":
        raise ValueError("slices: 'mean' given, 'none' or 'merged' expected")
    steps = list(_arrays.integers("distances", distances, "I") or ())
    options: Any = dict(
        levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, distances=steps, directions=directions, symmetric=symmetric,
        aggregate=aggregate, slices=slices, threads=threads,
    )  # fmt: skip
    one = np.ones((1,) * array.ndim, array.dtype)
    nothing = _textures.haralick(
        one, mask=np.zeros(one.shape), features=names, log_base=log_base, **options
    )
    options["aggregate"] = "merged" if aggregate == "merged" else "none"
    arrays = pair(array, companion("mask", mask, array))
    options = _with_bins(arrays, options, (None, "image", "roi"), split_every)
    depths = (steps[-1],) * array.ndim
    if slices == "merged":
        depths = (0, *depths[1:])
    cut, around = with_halo(array, depths)
    others = [with_halo(other.rechunk(cut.chunks), depths)[1] for other in arrays[1:]]
    pairs = tree(
        _pairs, _join_pairs, (around, *others), split_every, "pairs",
        ends=ends_of(cut.chunks), depths=depths, options=options,
    )  # fmt: skip
    return delayed(_table)(pairs, nothing, names, aggregate, log_base)
