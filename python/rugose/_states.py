# SPDX-License-Identifier: BSD-3-Clause
"""Images that come in parts: what is known of some of them, to be merged and finished.

States are pickled as the bytes of `to_bytes`, so they go to other processes and come back.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import Any, Optional, Sequence, Tuple, Type, TypeVar

import numpy as np

from . import _arrays, _boxcount, _masses, _values
from ._arrays import Fit, Sizes
from ._counting import (
    BoxCounts,
    SurfaceCounts,
    box_counts,
    grey_levels,
    pixel_sides,
    surface_counts,
)
from ._measures import Lacunarity, Spectrum, orders_of, spectrum

S = TypeVar("S", bound="State")
Extremes = Tuple[float, float]


class State:
    """What the states of all methods can do."""

    _parts: Any
    _new_parts: Any  # makes parts that are not begun

    def _hold(self, parts: Any, run: Tuple[Optional[int], str, None]) -> None:
        self._parts, self._run = parts, run
        self._lock = Lock()

    def add(self, part: Any, origin: Sequence[int], mask: Any = None) -> None:
        """Add a part.

        Every pixel must be added once. A part that reaches beyond the image, or overlaps what is
        there, is a `ValueError`; after any error the state is of no more use.

        Parameters
        ----------
        part : array_like
            Some pixels of the image.
        origin : sequence of int
            Where the first of them lies in the image, a number for each axis.
        mask : array_like, optional
            Of the part's shape, where the state is masked.
        """
        part, mask = _arrays.masked(part, mask)
        array = _arrays.pixels("part", part)
        mask = _arrays.companion("mask", mask, array)
        first = _arrays.place("origin", origin, array.ndim)
        with self._lock:
            self._parts.add(array, mask, first)

    def merge(self: S, other: S) -> None:
        """Add all parts of another state of the same image and options, which stays as it is."""
        if type(other) is not type(self) or other is self:
            raise ValueError(f"other: another {type(self).__name__} expected")
        with ExitStack() as stack:
            for state in sorted((self, other), key=id):
                stack.enter_context(state._lock)
            self._parts.merge(other._parts)

    def to_bytes(self) -> bytes:
        """The state as bytes, about as large as what is known of its parts; see docs/states.md."""
        with self._lock:
            return self._parts.save(self._run)

    @classmethod
    def from_bytes(
        cls: Type[S], saved: Any, *, threads: Optional[int] = None, device: str = "cpu"
    ) -> S:
        """A state from its bytes. `rugose.Error`: they are no state of this kind, or damaged."""
        run = (threads, device, None)
        state = cls.__new__(cls)
        state._hold(cls._new_parts().load(saved, run), run)
        return state

    def __reduce__(self) -> Any:
        return type(self).from_bytes, (self.to_bytes(),)


class BoxCountState(State):
    """Box counts of an image that comes in parts: strips, tiles, chunks, in any order.

    Parts may be counted in states of their own, by other threads, and merged. The result is that of
    `boxcount` for the whole image, bit for bit.

    Parameters
    ----------
    shape : sequence of int
        Of the whole image or volume.
    foreground : str
        A rule that does not depend on the image: not "auto", "otsu" or "otsu-dark".
    sizes, pixel_size, grid
        As in `boxcount`.
    method : {"auto", "pyramid", "window"}
        How to count: all give the same counts.
    masked : bool, default False
        Every part comes with a mask.
    threads, device
        As for all functions: see `rugose`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> i = np.arange(256)
    >>> triangle = (i[:, None] & i) == 0
    >>> upper, lower = (rugose.BoxCountState((256, 256), foreground="nonzero") for _ in range(2))
    >>> upper.add(triangle[:100], (0, 0))
    >>> lower.add(triangle[100:], (100, 0))
    >>> upper.merge(lower)
    >>> round(upper.finish().dimension, 4)
    1.585
    """

    _new_parts = _boxcount.Parts

    def __init__(
        self,
        shape: Sequence[int],
        *,
        foreground: str,
        sizes: Sizes = None,
        pixel_size: Optional[Sequence[int]] = None,
        grid: str = "origin",
        method: str = "auto",
        masked: bool = False,
        threads: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        sides, run = shape_of(shape), (threads, device, None)
        parts = self._new_parts().begin(
            sides, masked, foreground, _arrays.integers("sizes", sizes),
            pixel_sides(pixel_size, len(sides)), grid, method, run,
        )  # fmt: skip
        self._hold(parts, run)

    def finish(self, *, of: str = "nonempty", fit: Fit = None) -> BoxCounts:
        """Count, once all pixels were added; the state stays as it is.

        Parameters
        ----------
        of, fit
            As in `boxcount`.

        Returns
        -------
        BoxCounts
        """
        range_of_sizes = _arrays.fit_range(fit)
        with self._lock:
            found = self._parts.finish(of, range_of_sizes, self._run)
        result = box_counts(found)
        result.fit.warn()
        return result


class MassState(State):
    """The masses of boxes of an image that comes in parts, from which multifractals are fitted.

    Parts may be measured in states of their own, by other threads, and merged. The result is that
    of `multifractal` for the whole image, bit for bit.

    Parameters
    ----------
    shape : sequence of int
        Of the whole image or volume.
    dtype : dtype
        Of all parts.
    foreground : str, optional
        A rule that does not depend on the image: the mass of a pixel is 1 where it is set. By
        default it is the pixel's value, which must not be negative.
    unit_exponent : int, default 0
        Of floats: masses are whole numbers of 2**unit_exponent.
    masked : bool, default False
        Every part comes with a mask.
    threads, device
        As for all functions: see `rugose`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.kron([[1, 2], [3, 4]], np.ones((64, 64), np.uint8))
    >>> state = rugose.MassState(image.shape, image.dtype)
    >>> for y in range(0, 128, 50):
    ...     state.add(image[y : y + 50], (y, 0))
    >>> state.finish([0, 2]) == rugose.multifractal(image, [0, 2])
    True
    """

    _new_parts = _masses.Parts

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        *,
        foreground: Optional[str] = None,
        unit_exponent: int = 0,
        masked: bool = False,
        threads: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        sides, run = shape_of(shape), (threads, device, None)
        of_parts = _arrays.pixels("dtype", np.empty((1, 1), dtype))
        parts = self._new_parts().begin(
            sides, _arrays.dtype_number(of_parts), masked, foreground, unit_exponent, run
        )
        self._hold(parts, run)

    def finish(self, q: Any = None, *, fit: Fit = None) -> Spectrum:
        """Fit, once all pixels were added; the state stays as it is.

        Parameters
        ----------
        q, fit
            As in `multifractal`.

        Returns
        -------
        Spectrum
        """
        orders, range_of_sizes = orders_of(q), _arrays.fit_range(fit)
        with self._lock:
            found = self._parts.finish(orders, range_of_sizes, self._run)
        return spectrum(found)


class LacunarityState(State):
    """Lacunarity of an image that comes in parts: strips, tiles, chunks, in any order.

    Parts may be kept in states of their own, by other threads, and merged. The result is that of
    `lacunarity` for the whole image, bit for bit. Boxes know no parts: a state keeps a bit of each
    pixel, or its value, and all work is done at the end.

    Parameters
    ----------
    shape : sequence of int
        Of the whole image or volume.
    dtype : dtype
        Of all parts.
    foreground : str
        A rule that does not depend on the image: not "auto", "otsu" or "otsu-dark".
    gray : bool, default False
        Instead of a rule: the mass of a pixel is its value, which must not be negative.
    sizes, boxes
        As in `lacunarity`.
    masked : bool, default False
        Every part comes with a mask.
    threads, device
        As for all functions: see `rugose`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> board = np.indices((8, 8)).sum(0) % 2
    >>> state = rugose.LacunarityState(board.shape, board.dtype, foreground="nonzero")
    >>> state.add(board[:5], (0, 0))
    >>> state.add(board[5:], (5, 0))
    >>> state.finish().sizes["lacunarity"].tolist()
    [2.0, 1.0, 1.0, 1.0]
    """

    _new_parts = _masses.LacunarityParts

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        *,
        foreground: Optional[str] = None,
        gray: bool = False,
        sizes: Sizes = None,
        boxes: str = "gliding",
        masked: bool = False,
        threads: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        if _arrays.flag("gray", gray) == (foreground is not None):
            raise ValueError("foreground, gray: one of them expected")
        sides, run = shape_of(shape), (threads, device, None)
        of_parts = _arrays.pixels("dtype", np.empty((1, 1), dtype))
        parts = self._new_parts().begin(
            sides, _arrays.dtype_number(of_parts), masked, foreground,
            _arrays.integers("sizes", sizes), boxes, run,
        )  # fmt: skip
        self._hold(parts, run)

    def finish(self) -> Lacunarity:
        """Measure, once all pixels were added; the state stays as it is.

        Returns
        -------
        Lacunarity
        """
        with self._lock:
            found = self._parts.finish(self._run)
        return Lacunarity(**found)


class SurfaceState(State):
    """Differential box counts of an image that comes in parts: strips, tiles, chunks, in any order.

    Parts may be counted in states of their own, by other threads, and merged. The result is that of
    `dbc` for the whole image, bit for bit.

    Parameters
    ----------
    shape : sequence of int
        Of the whole image or volume.
    dtype : dtype
        Of all parts.
    levels, anchor
        As in `dbc`.
    extremes : (number, number), optional
        The least and the largest value of the whole image that count, as of
        `ValueState.extremes`. Floats need them, and so do integers of more than 8 bits without
        levels, and the anchor "min".
    masked : bool, default False
        Every part comes with a mask.
    threads, device
        As for all functions: see `rugose`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.full((256, 256), 7, np.uint8)
    >>> state = rugose.SurfaceState(image.shape, image.dtype)
    >>> for y in range(0, 256, 100):
    ...     state.add(image[y : y + 100], (y, 0))
    >>> state.finish().dimension
    2.0
    """

    _new_parts = _boxcount.SurfaceParts

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        *,
        levels: Optional[float] = None,
        anchor: str = "zero",
        extremes: Optional[Extremes] = None,
        masked: bool = False,
        threads: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        sides, run = shape_of(shape), (threads, device, None)
        of_parts = _arrays.pixels("dtype", np.empty((1, 1), dtype))
        parts = self._new_parts().begin(
            sides, _arrays.dtype_number(of_parts), masked, grey_levels(levels, of_parts.dtype),
            anchor, extremes_of(extremes), run,
        )  # fmt: skip
        self._hold(parts, run)

    def finish(self, *, fit: Fit = None) -> SurfaceCounts:
        """Count, once all pixels were added; the state stays as it is.

        Parameters
        ----------
        fit
            As in `dbc`.

        Returns
        -------
        SurfaceCounts
        """
        range_of_sizes = _arrays.fit_range(fit)
        with self._lock:
            found = self._parts.finish(range_of_sizes, self._run)
        result = surface_counts(found)
        result.fit.warn()
        return result


class ValueState(State):
    """What is known of the values of an image that comes in parts, which other states begin with.

    Parameters
    ----------
    shape : sequence of int
        Of the whole image or volume.
    dtype : dtype
        Of all parts.
    extremes : (number, number), optional
        What `extremes` found in an earlier round, so that levels are counted, too: see `rule`.
    masked : bool, default False
        Every part comes with a mask.
    threads, device
        As for all functions: see `rugose`.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> image = np.add.outer(np.arange(90), np.arange(70)).astype(np.uint8)
    >>> state = rugose.ValueState(image.shape, image.dtype)
    >>> for y in range(0, 90, 40):
    ...     state.add(image[y : y + 40], (y, 0))
    >>> state.extremes()
    (0.0, 158.0)
    >>> state.rule("otsu")
    'above=79'
    """

    _new_parts = _values.Values

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        *,
        extremes: Optional[Extremes] = None,
        masked: bool = False,
        threads: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        sides, run = shape_of(shape), (threads, device, None)
        of_parts = _arrays.pixels("dtype", np.empty((1, 1), dtype))
        parts = self._new_parts().begin(
            sides, _arrays.dtype_number(of_parts), masked, extremes_of(extremes), run
        )
        self._hold(parts, run)

    def extremes(self) -> Extremes:
        """Find the least and the largest finite value, once all pixels were added.

        Returns
        -------
        tuple of two numbers
            NaN where there is none; an int where no float holds it.
        """
        with self._lock:
            return self._parts.extremes(self._run)

    def rule(self, foreground: str) -> Optional[str]:
        """Find the rule of the whole image, once all pixels were added.

        Parameters
        ----------
        foreground : str
            Any rule, such as "auto" or "otsu".

        Returns
        -------
        str or None
            A rule that does not depend on the image. None: levels must be counted first, in a round
            of states that begin with the extremes; so it is with Otsu's threshold of floats and of
            integers of more than 16 bits.
        """
        with self._lock:
            return self._parts.rule(foreground, self._run)

    def unit_exponent(self) -> int:
        """Find the unit of the masses of floats, once all pixels were added: see `MassState`."""
        with self._lock:
            return self._parts.unit(self._run)


def extremes_of(ends: Optional[Sequence[Any]]) -> Optional[Extremes]:
    """The least and the largest value, as numbers of Python."""
    if ends is None:
        return None
    numbers = _arrays.items("extremes", ends, "the least and the largest value")
    if len(numbers) != 2:
        raise ValueError(f"extremes: {ends!r} given, the least and the largest value expected")
    least, most = (
        int(n) if isinstance(n, (int, np.integer)) else _arrays.number("extremes", n)
        for n in numbers
    )
    return least, most


def shape_of(shape: Sequence[int]) -> Tuple[int, ...]:
    """The sides of an image or volume."""
    sides = tuple(shape)
    if len(sides) not in (2, 3):
        raise ValueError(f"shape: {shape!r} given, sides of 2 or 3 axes expected")
    return _arrays.place("shape", sides, len(sides))
