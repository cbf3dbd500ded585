# SPDX-License-Identifier: BSD-3-Clause
"""Whatever holds numbers, as NumPy arrays that the library can read where they lie."""

from __future__ import annotations

import operator
from array import array
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

Sizes = Union[None, Sequence[int], np.ndarray]
Fit = Union[None, str, Tuple[int, int]]

# The library's numbers of the types (rugose/image.h). A bool is a byte of 0 or 1.
_DTYPES = {
    "b1": 1, "u1": 1, "i1": 2, "u2": 3, "i2": 4, "u4": 5, "i4": 6, "u8": 7, "i8": 8,
    "f4": 9, "f8": 10,
}  # fmt: skip


def dtype_number(values: np.ndarray) -> int:
    """The library's number of the array's type."""
    return _DTYPES[f"{values.dtype.kind}{values.dtype.itemsize}"]


def _as_array(what: str, values: Any) -> np.ndarray:
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    if isinstance(values, (str, bytes)):
        raise ValueError(
            f"{what}: text given, an array of numbers expected; files are read elsewhere"
        )
    try:
        return np.asarray(values)
    except ValueError as error:
        if not isinstance(values, (list, tuple)):
            raise
        raise ValueError(f"{what}: {error}; an array of numbers expected") from None


def _native(what: str, values: np.ndarray) -> np.ndarray:
    """Without a copy, unless the library has no such type, or bytes stand the other way round."""
    kind = values.dtype.kind
    if f"{kind}{values.dtype.itemsize}" == "f2":
        return values.astype(np.float32)
    if f"{kind}{values.dtype.itemsize}" not in _DTYPES:
        raise ValueError(
            f"{what}: an array of {values.dtype} given, bool, integers of 8 to 64 bits or floats "
            "of 16 to 64 bits expected"
        )
    if not values.dtype.isnative or not values.flags.aligned:
        return values.astype(values.dtype.newbyteorder("="))
    return values


def pixels(what: str, values: Any, ndims: Tuple[int, ...] = (2, 3)) -> np.ndarray:
    """An image or volume; a copy only of what the library cannot read where it lies."""
    result = _as_array(what, values)
    if result.ndim not in ndims:
        expected = " or ".join(str(n) for n in ndims)
        raise ValueError(f"{what}: an array of {result.ndim} axes given, {expected} expected")
    if result.size == 0:
        raise ValueError(f"{what}: an array of shape {result.shape} given, which has no pixel")
    return _native(what, result)


def masked(image: Any, mask: Any) -> Tuple[Any, Any]:
    """The image and its mask; that of a masked array is one."""
    if not isinstance(image, np.ma.MaskedArray):
        return image, mask
    if mask is not None:
        raise ValueError("image: a masked array given beside mask=; give one of them")
    hidden = np.ma.getmask(image)
    return image.data, None if hidden is np.ma.nomask else ~hidden


def unmasked(what: str, image: Any) -> Any:
    """Refuses masked arrays where no mask can be."""
    if np.ma.is_masked(image):
        raise ValueError(f"{what}: a masked array given, pixels without a mask expected")
    return image


def companion(what: str, values: Any, image: np.ndarray) -> Optional[np.ndarray]:
    """A mask or label image of the image's shape."""
    if values is None:
        return None
    result = pixels(what, values)
    if result.shape != image.shape:
        raise ValueError(
            f"{what}: shape {result.shape} given, that of the image {image.shape} expected"
        )
    return result


def coordinates(values: Any) -> np.ndarray:
    """Points, a row for each."""
    result = _as_array("points", unmasked("points", values))
    if result.ndim != 2:
        raise ValueError(
            f"points: an array of {result.ndim} axes given, a row for each point expected"
        )
    return _native("points", result)


def integers(what: str, values: Sizes, code: str = "Q") -> Optional[array]:
    """Numbers in the order of the library: ascending, each once."""
    if values is None:
        return None
    try:
        numbers = array(code, sorted({operator.index(value) for value in values}))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what}: {values!r} given, whole numbers from 1 on expected") from None
    if not numbers:
        raise ValueError(f"{what}: none given")
    return numbers


def count(what: str, value: Any, least: int = 0, most: int = (1 << 32) - 1) -> int:
    """A whole number within limits."""
    try:
        n = operator.index(value)
    except TypeError:
        n = least - 1
    if not least <= n <= most:
        raise ValueError(f"{what}: {value!r} given, a whole number {least}..{most} expected")
    return n


def number(what: str, value: Any) -> float:
    """A number, which may be NaN or infinite."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise ValueError(f"{what}: {value!r} given, a number expected")


def flag(what: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, (bool, int, np.bool_)):
        return bool(value)
    raise ValueError(f"{what}: {value!r} given, True or False expected")


def pair(what: str, values: Any) -> Tuple[float, float]:
    """Two numbers."""
    found = items(what, values, "two numbers")
    if len(found) != 2:
        raise ValueError(f"{what}: {values!r} given, two numbers expected")
    return number(what, found[0]), number(what, found[1])


def items(what: str, values: Any, expected: str) -> List[Any]:
    """What can be looped over, once."""
    try:
        return list(values)
    except TypeError:
        raise ValueError(f"{what}: {values!r} given, {expected} expected") from None


def text(what: str, value: Any, expected: str) -> bytes:
    """A word for the library."""
    if isinstance(value, str) and "\0" not in value:
        return value.encode("utf-8", "backslashreplace")
    raise ValueError(f"{what}: {value!r} given, {expected} expected")


def place(what: str, value: Any, n: int) -> Tuple[int, ...]:
    """Coordinates, or sides, of n axes."""
    try:
        numbers = tuple(operator.index(number) for number in value)
    except TypeError:
        numbers = ()
    if len(numbers) != n or not all(0 <= number < 1 << 62 for number in numbers):
        raise ValueError(f"{what}: {value!r} given, a whole number for each of {n} axes expected")
    return numbers


def fit_range(fit: Fit) -> Tuple[bool, int, int]:
    """Whether the range is sought, and its ends; 0: the default."""
    if fit is None:
        return False, 0, 0
    if isinstance(fit, str):
        if fit == "auto":
            return True, 0, 0
    else:
        try:
            least, most = (operator.index(end) for end in fit)
            if 0 < least <= most < 1 << 64:
                return False, least, most
        except (TypeError, ValueError):
            pass
    raise ValueError(f"fit: {fit!r} given, 'auto' or two sizes (A, B) with 0 < A <= B expected")
