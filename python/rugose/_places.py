# SPDX-License-Identifier: BSD-3-Clause
"""Where pixels lie: the coordinates of xarray, and lengths of boxes that follow from them."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Dict, Optional, Sequence

import numpy as np

from ._errors import RugoseWarning
from ._results import Result, Shape

# Coordinates may be so far from even ones, as a share of a step: what single precision does.
_UNEVEN = 1e-3

# Lengths are equal within this share.
_PRECISION = 1e-6


def _is_data_array(image: Any) -> bool:
    xarray = sys.modules.get("xarray")  # not imported: it has made no array
    return xarray is not None and isinstance(image, xarray.DataArray)


def _step(coordinate: Any) -> float:
    """The distance between neighbours, as far as its digits hold; NaN: it is not one number."""
    values = np.asarray(coordinate)
    if values.dtype.kind not in "iuf" or values.ndim != 1 or len(values) < 2:
        return float("nan")
    digits = 12 if values.dtype.itemsize == 8 or values.dtype.kind != "f" else 6
    values = values.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        step = (values[-1] - values[0]) / (len(values) - 1)
        off = np.abs(values - values[0] - step * np.arange(len(values)))
    is_even = np.isfinite(step) and step != 0 and off.max() <= _UNEVEN * abs(step)
    return float(f"{abs(step):.{digits}g}") if is_even else float("nan")


def _sides(spacing: np.ndarray) -> str:
    """Whole numbers in the proportion of the spacing."""
    for parts in range(1, 101):
        sides = spacing / spacing.min() * parts
        if (np.abs(sides - sides.round()) <= _PRECISION * sides).all():
            return f"=({', '.join(str(int(side)) for side in sides.round())})"
    return ""


def place_of(
    image: Any, pixel_size: Optional[Sequence[int]] = None, has_sides: bool = False
) -> Dict[str, Any]:
    """The fields spacing, unit and length of a `Placed`, from evenly spaced coordinates.

    Empty without them. Warns, at the line that called rugose, of pixels that are not cubes; what to
    do depends on whether the call takes the sides of pixels.
    """
    if not _is_data_array(image) or not all(d in image.coords for d in image.dims):
        return {}
    axes = [image.coords[d] for d in image.dims]
    names = [c.attrs.get("units", c.attrs.get("unit")) for c in axes]
    units = {None if name is None else str(name) for name in names}
    spacing = tuple(_step(c) for c in axes)
    if len(units) != 1 or not all(step > 0 for step in spacing):
        return {}
    lengths = np.array(spacing) / (1 if pixel_size is None else np.asarray(pixel_size, float))
    least, most = float(lengths.min()), float(lengths.max())
    if most > 1.01 * least:
        sides = _sides(np.array(spacing))
        remedy = (
            f"pixel_size{sides} makes cubes" if has_sides else "resample to equal spacing first"
        )
        warnings.warn(
            f"the spacing of coordinates is unequal ({min(spacing):g} to {max(spacing):g}): boxes "
            f"are not cubes in space; {remedy}",
            RugoseWarning,
            stacklevel=3,
        )
    (unit,) = units
    return dict(
        spacing=spacing,
        unit=unit,
        length=float(lengths[0]) if most <= (1 + _PRECISION) * least else None,
    )


def as_image(image: Any, name: str, values: np.ndarray) -> Any:
    """A map of an image: a DataArray with its coordinates, if the image is one."""
    if not _is_data_array(image):
        return values
    xarray = sys.modules["xarray"]
    return xarray.DataArray(values, coords=image.coords, dims=image.dims, name=name)


class Placed(Result):
    """A result with a row for each size of boxes, of which the lengths may be known.

    Has the fields spacing, unit and length.
    """

    spacing: Optional[tuple]
    unit: Optional[str]
    length: Optional[float]
    shape: Shape

    @property
    def lengths(self) -> Optional[np.ndarray]:
        """The sizes as lengths, in `unit`; None where they are not known."""
        return None if self.length is None else self.rows()["size"] * self.length

    def to_dict(self) -> Dict[str, np.ndarray]:
        """The columns of the table, with lengths behind sizes; `pandas.DataFrame` takes it."""
        columns = super().to_dict()
        if self.length is None:
            return columns
        return {"size": columns.pop("size"), "length": self.lengths, **columns}

    def size_axis(self) -> str:
        """What stands on an axis of sizes."""
        if self.length is None:
            return "box size"
        return f"box size ({self.unit or 'as coordinates'})"
