# SPDX-License-Identifier: BSD-3-Clause
"""What "auto", "otsu" and the unit of floats need to know of an image, piece by piece.

The library finds these of images that it sees whole, or slab by slab; chunks that lie apart are
counted here, and their counts added up. Rules and units are those of the library, bit for bit: see
foreground.h and multifractal.h.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Dict, NamedTuple, Optional, Sequence

import numpy as np

OPEN_RULES = ("auto", "otsu", "otsu-dark")

_MAX_BINS = 65536


def inside_of(values: np.ndarray, mask: Optional[np.ndarray]) -> np.ndarray:
    """The finite values inside a mask, in a row."""
    if values.dtype == np.bool_:
        values = values.view(np.uint8)
    if mask is not None:
        is_inside = mask != 0
        if mask.dtype.kind == "f":
            is_inside &= ~np.isnan(mask)
        values = values[is_inside]
    values = values.reshape(-1)
    return values[np.isfinite(values)] if values.dtype.kind == "f" else values


# ---- Extremes ----


class Extremes(NamedTuple):
    """The least and the largest value, whether there are no others, and whether all are whole."""

    least: Any
    most: Any
    is_two_valued: bool
    is_whole: bool


def extremes_of(values: np.ndarray) -> Optional[Extremes]:
    """Of finite values; None where there are none."""
    if len(values) == 0:
        return None
    least, most = values.min(), values.max()
    return Extremes(
        least.item(),
        most.item(),
        bool(((values == least) | (values == most)).all()),
        values.dtype.kind != "f" or bool((np.floor(values) == values).all()),
    )


def join_extremes(parts: Sequence[Optional[Extremes]]) -> Optional[Extremes]:
    """Of all parts together."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    least, most = min(part.least for part in known), max(part.most for part in known)
    ends = (least, most)
    return Extremes(
        least,
        most,
        all(p.is_two_valued and p.least in ends and p.most in ends for p in known),
        all(part.is_whole for part in known),
    )


# ---- Histograms ----


class Bins(NamedTuple):
    """Bins of levels, or, with a scale, equal ones."""

    least: Any
    n: int
    scale: float = 0.0
    per_unit: float = 0.0

    def of(self, values: np.ndarray) -> np.ndarray:
        """The bin of each value."""
        if self.scale == 0:
            if values.dtype.kind == "f":
                return (values - self.least).astype(np.int64)
            if values.dtype == np.uint64:
                return (values - np.uint64(self.least)).astype(np.int64)
            return values.astype(np.int64) - self.least
        scaled = values.astype(np.float64) * self.scale - float(self.least) * self.scale
        return np.clip(scaled * self.per_unit, 0, self.n - 1).astype(np.int64)


def bins_for(is_float: bool, ends: Extremes) -> Bins:
    """A bin for each level where all values are whole and the range is small, else equal bins."""
    is_known = not is_float or max(abs(ends.least), abs(ends.most)) < 2**53
    if is_known and ends.is_whole and ends.most - ends.least < _MAX_BINS:
        return Bins(ends.least, int(ends.most - ends.least) + 1)
    least, most = float(ends.least), float(ends.most)
    exponent = math.frexp(max(abs(least), abs(most)))[1] - 1
    scale = math.ldexp(1.0, -max(-1000, min(exponent, 1000)))
    return Bins(ends.least, _MAX_BINS, scale, _MAX_BINS / (most * scale - least * scale))


class Histogram(NamedTuple):
    """Pixels of each bin, and the least value there."""

    counts: np.ndarray
    least: np.ndarray


def histogram_of(values: np.ndarray, bins: Bins) -> Histogram:
    """Of finite values."""
    at = bins.of(values)
    if values.dtype.kind == "f":
        least = np.full(bins.n, np.inf, values.dtype)
    else:
        least = np.full(bins.n, np.iinfo(values.dtype).max, values.dtype)
    if bins.scale != 0:
        np.minimum.at(least, at, values)
    return Histogram(np.bincount(at, minlength=bins.n), least)


def join_histograms(parts: Sequence[Histogram]) -> Histogram:
    """Of all parts together."""
    return Histogram(
        functools.reduce(np.add, [part.counts for part in parts]),
        functools.reduce(np.minimum, [part.least for part in parts]),
    )


def _otsu_bin(counts: np.ndarray) -> int:
    """Otsu (1979), eq. 18: the first last bin of the lower class that divides best."""
    c = counts.astype(np.float64)
    weighted = c * np.arange(len(c), dtype=np.float64)
    n, total = np.cumsum(c)[-1], np.cumsum(weighted)[-1]
    n0, sum0 = np.cumsum(c)[:-1], np.cumsum(weighted)[:-1]
    n1 = n - n0
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = sum0 / n0 - (total - sum0) / n1
        variance = n0 * n1 * gap * gap
    variance[(n0 == 0) | (n1 == 0)] = -1
    return int(np.argmax(variance))


def needs_histogram(rule: str, ends: Optional[Extremes]) -> bool:
    """Whether the extremes alone do not decide."""
    return (
        ends is not None and ends.least < ends.most and not (rule == "auto" and ends.is_two_valued)
    )


def resolve(rule: str, ends: Optional[Extremes], bins: Any, histogram: Any) -> str:
    """The rule that does not depend on the image."""
    is_dark = rule == "otsu-dark"
    if ends is None or not ends.least < ends.most:
        return "label=0" if is_dark else "nonzero"
    if not needs_histogram(rule, ends):
        return f"above={ends.most!r}"
    below = _otsu_bin(histogram.counts)
    if bins.scale == 0:
        threshold = bins.least + below + 1
    else:
        threshold = histogram.least[below + 1 :].min().item()
    return f"{'below' if is_dark else 'above'}={threshold!r}"


def all_levels(dtype: np.dtype) -> Optional[Bins]:
    """Bins of all levels of a type, where it has few: the extremes need not be known before."""
    if dtype.kind not in "bui" or dtype.itemsize > 2:
        return None
    return Bins(int(np.iinfo(dtype).min) if dtype.kind == "i" else 0, 1 << 8 * dtype.itemsize)


def resolve_levels(rule: str, bins: Bins, histogram: Histogram) -> str:
    """The same, of the histogram of all levels of a type."""
    (found,) = np.nonzero(histogram.counts)
    if len(found) == 0:
        return resolve(rule, None, None, None)
    first, last = int(found[0]), int(found[-1])
    ends = Extremes(bins.least + first, bins.least + last, len(found) <= 2, True)
    within = slice(first, last + 1)
    return resolve(
        rule,
        ends,
        Bins(ends.least, last - first + 1),
        Histogram(histogram.counts[within], histogram.least[within]),
    )


# ---- The unit of floats as masses ----

# Floats are counted by exponent and the first two bits behind the point.
_KEY_SHIFT = 50
_TOTAL_END = 2.0**62


class Octaves(NamedTuple):
    """Values above 0 in each quarter of an octave, and whether some are not whole."""

    counts: Dict[int, int]
    has_fraction: bool


def octaves_of(values: np.ndarray) -> Octaves:
    """Of finite values."""
    v = values[values > 0].astype(np.float64)
    keys, counts = np.unique(v.view(np.uint64) >> np.uint64(_KEY_SHIFT), return_counts=True)
    return Octaves(dict(zip(keys.tolist(), counts.tolist())), bool((np.floor(v) != v).any()))


def join_octaves(parts: Sequence[Octaves]) -> Octaves:
    """Of all parts together."""
    counts: Dict[int, int] = {}
    for part in parts:
        for key, n in part.counts.items():
            counts[key] = counts.get(key, 0) + n
    return Octaves(counts, any(part.has_fraction for part in parts))


def _end_of_key(key: int, exponent: int) -> float:
    octave, quarter = key >> 2, key & 3
    if octave == 0:
        return math.ldexp(quarter + 1, -1024 - exponent)
    return math.ldexp(5 + quarter, octave - 1023 - 2 - exponent)


def unit_exponent(octaves: Octaves) -> int:
    """A mass of 1 is two to this: 1 of whole numbers, else the least that keeps the total small."""
    if not octaves.counts:
        return 0
    keys = sorted(octaves.counts)
    exponent = ((keys[-1] + 1) >> 2) - 1023
    total = n = 0.0
    for key in keys:
        total += octaves.counts[key] * _end_of_key(key, exponent)
        n += octaves.counts[key]
    total *= 1 + 2.0**-30
    finer = 0
    while exponent - finer > -1074 and math.ldexp(total, finer + 1) + n < _TOTAL_END:
        finer += 1
    while math.ldexp(total, finer) + n >= _TOTAL_END:
        finer -= 1
    exponent -= finer
    return 0 if not octaves.has_fraction and exponent < 0 else exponent
