# SPDX-License-Identifier: BSD-3-Clause
"""Box counting, and differential box counting of grey values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _boxcount
from ._arrays import Fit, Sizes
from ._places import Placed, place_of
from ._progress import Progress
from ._results import Label, LineFit, PerLabel, Shape, draw_fit, share


class Fitted(Placed):
    """Counts of every size with a line: what both kinds of boxes have."""

    counts: np.ndarray
    fit: LineFit

    @property
    def dimension(self) -> float:
        """The slope of the fit."""
        return self.fit.slope

    @property
    def std_error(self) -> float:
        """Its standard error."""
        return self.fit.std_error

    @property
    def r_squared(self) -> float:
        """The coefficient of determination."""
        return self.fit.r_squared

    @property
    def status(self) -> str:
        """Whether the dimension is ok, or why it is undefined or doubtful."""
        return self.fit.status

    def rows(self) -> np.ndarray:
        """The counts."""
        return self.counts


@dataclass(frozen=True, repr=False, eq=False)
class BoxCounts(Fitted):
    """Boxes of every size, and the line through their logarithms.

    Attributes
    ----------
    counts : structured ndarray
        A row for each size: size, total, nonempty, black, gray, white. With grid="mean" they are
        means over all positions. Of points, 2**64 - 1 stands for what 64 bits do not hold.
    positions : structured ndarray or None
        With grid "min" or "mean", a row for each size: shift of the best grid, and the nonempty
        boxes at the best (least) and worst (most) position and on average (mean).
    fit : LineFit
        The line.
    of : str
        The boxes that were fitted.
    foreground : str
        The rule in force, such as "above=128".
    shape, n_pixels, n_set : tuple of int, int, int
        Shape of what was counted; its pixels, inside the mask; foreground pixels among them.
    grid, method, engine : str
        How and where it was counted.
    label, area, bbox : int, int, tuple of int, or None
        Of a label: its number, pixels and bounding box, as in scikit-image (first pixels of all
        axes, then the ends).
    spacing, unit, length : tuple of float, str, float, or None
        Of an image with evenly spaced coordinates, an `xarray.DataArray`: the distance of pixels on
        each axis, the unit of all, and how long a box of size 1 is; None: not known.
    """

    counts: np.ndarray
    positions: Optional[np.ndarray]
    fit: LineFit
    of: str
    foreground: str
    shape: Shape
    n_pixels: int
    n_set: int
    grid: str
    method: str
    engine: str
    label: Label = None
    area: Optional[int] = None
    bbox: Optional[Shape] = None
    spacing: Optional[Tuple[float, ...]] = None
    unit: Optional[str] = None
    length: Optional[float] = None

    def summary(self) -> Dict[str, Any]:
        """The numbers of which there is one."""
        return dict(
            label=self.label, dimension=self.dimension, std_error=self.std_error,
            r_squared=self.r_squared, size_min=self.fit.size_min, size_max=self.fit.size_max,
            n_sizes=self.fit.n_sizes, status=self.status, foreground=self.foreground,
            foreground_share=share(self.n_set, self.n_pixels), area=self.area, shape=self.shape,
            spacing=self.spacing, unit=self.unit,
        )  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Draws counts and line on axes of matplotlib, which it returns."""
        return draw_fit(ax, self, self.counts[self.of], f"{self.of} boxes")


@dataclass(frozen=True, repr=False, eq=False)
class SurfaceCounts(Fitted):
    """Boxes over blocks of every size that meet the grey values, and the line.

    Attributes
    ----------
    counts : structured ndarray
        A row for each size: size, height of a box, blocks, boxes, boxes_by_area, which is fitted.
    fit : LineFit
        The line.
    shape, n_pixels, n_left_out : tuple of int, int, int
        Shape of the image; its pixels, inside the mask; those that are NaN or infinite.
    min, max, levels, base : float
        Range of values, number of grey levels, and the value that heights are measured from.
    engine : str
        What ran.
    spacing, unit, length : tuple of float, str, float, or None
        As in `BoxCounts`.
    """

    counts: np.ndarray
    fit: LineFit
    shape: Shape
    n_pixels: int
    n_left_out: int
    min: float
    max: float
    levels: float
    base: float
    engine: str
    spacing: Optional[Tuple[float, ...]] = None
    unit: Optional[str] = None
    length: Optional[float] = None

    def summary(self) -> Dict[str, Any]:
        """The numbers of which there is one."""
        return dict(
            dimension=self.dimension, std_error=self.std_error, r_squared=self.r_squared,
            size_min=self.fit.size_min, size_max=self.fit.size_max, n_sizes=self.fit.n_sizes,
            status=self.status, levels=self.levels, base=self.base, shape=self.shape,
            spacing=self.spacing, unit=self.unit,
        )  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Draws boxes and line on axes of matplotlib, which it returns."""
        return draw_fit(ax, self, self.counts["boxes_by_area"], "boxes")


def box_counts(found: Dict[str, Any], **place: Any) -> BoxCounts:
    found["fit"] = LineFit(**found["fit"])
    return BoxCounts(**found, **place)


def boxcount(
    image: Any = None,
    *,
    points: Any = None,
    foreground: str = "auto",
    sizes: Sizes = None,
    grid: str = "origin",
    mask: Any = None,
    labels: Any = None,
    fit: Fit = None,
    of: str = "nonempty",
    pixel_size: Optional[Sequence[int]] = None,
    spacing: float = 0.0,
    resolution: int = 0,
    method: str = "auto",
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Union[BoxCounts, PerLabel[BoxCounts]]:
    """Count boxes of every size, and fit the fractal dimension.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``. A masked array brings its own mask.
    points : array_like, optional
        ``[n, 1..10]``, a point in each row, instead of an image.
    foreground : str, default "auto"
        Which pixels are set: "auto" (the larger value of a two-valued image, otherwise Otsu's
        threshold), "nonzero", "otsu", "otsu-dark", "above=T", "below=T" or "label=L".
    sizes : sequence of int, optional
        Sides of boxes; 1, 2, 4 … up to the longest axis by default.
    grid : {"origin", "min", "mean"}
        Where the grid of boxes lies: at the first pixel, wherever it has the fewest nonempty
        boxes, or everywhere (the mean of all positions).
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN are neither set nor not set.
    labels : array_like, optional
        Label image of the image's shape: a result for each label but 0, counted in its bounding
        box.
    fit : "auto" or (int, int), optional
        Smallest and largest size of the fit; "auto": the longest range with steady local slopes.
        By default 1 to a quarter of the shortest axis, without sizes that say nothing.
    of : {"nonempty", "black", "gray", "white"}
        The boxes that are fitted.
    pixel_size : sequence of int, optional
        Sides of a pixel, slowest axis first, in any unit: boxes are cubes in space, and `sizes`
        and `fit` are in that unit. By default coordinates of an `xarray.DataArray` change no
        number: results know lengths, and a warning tells of pixels that are not cubes.
    spacing, resolution : float, int, optional
        Of points: the side of a lattice cell, or how many lie along the longest side of the
        bounding box. By default 1 if all coordinates are whole, otherwise 1024 cells.
    method : {"auto", "pyramid", "window", "hou"}
        How to count: all give the same counts.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    BoxCounts, or PerLabel of BoxCounts with `labels`

    Examples
    --------
    >>> import numpy as np, rugose
    >>> i = np.arange(256)
    >>> triangle = (i[:, None] & i) == 0
    >>> r = rugose.boxcount(triangle)
    >>> round(r.dimension, 4), r.status
    (1.585, 'ok')
    >>> r.counts["nonempty"][:4].tolist()
    [6561, 2187, 729, 243]
    """
    run = (threads, device, progress)
    numbers, range_of_sizes = _arrays.integers("sizes", sizes), _arrays.fit_range(fit)
    cells = _arrays.count("resolution", resolution, 0, 1 << 63)
    spacing = _arrays.number("spacing", spacing)
    if (image is None) == (points is None):
        raise ValueError("image, points: one of them expected")
    place: Dict[str, Any] = {}
    if points is not None:
        if mask is not None or labels is not None or pixel_size is not None or foreground != "auto":
            raise ValueError("mask, labels, pixel_size, foreground: are for images, not for points")
        found = _boxcount.boxcount_points(
            _arrays.coordinates(points), spacing, cells, numbers, grid, method, of,
            range_of_sizes, run,
        )  # fmt: skip
    else:
        if spacing or resolution:
            raise ValueError("spacing, resolution: are for points, not for images")
        image, mask = _arrays.masked(image, mask)
        array = _arrays.pixels("image", image)
        sides = pixel_sides(pixel_size, array.ndim)
        found = _boxcount.boxcount(
            array, _arrays.companion("mask", mask, array),
            _arrays.companion("labels", labels, array), foreground, numbers, sides, grid, method,
            of, range_of_sizes, run,
        )  # fmt: skip
        place = place_of(image, sides, has_sides=True)
    if labels is not None:
        return PerLabel([box_counts(one, **place) for one in found])
    result = box_counts(found, **place)
    result.fit.warn()
    return result


def pixel_sides(sides: Optional[Sequence[int]], ndim: int) -> Optional[Sequence[int]]:
    """The sides of a pixel, one for each axis."""
    if sides is None:
        return None
    sides = _arrays.items("pixel_size", sides, f"a number for each of {ndim} axes")
    if len(sides) != ndim:
        raise ValueError(f"pixel_size: {sides!r} given, a number for each of {ndim} axes expected")
    return [_arrays.count("pixel_size", side, 1, 1 << 62) for side in sides]


def dbc(
    image: Any,
    *,
    mask: Any = None,
    levels: Optional[float] = None,
    anchor: str = "zero",
    fit: Fit = None,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> SurfaceCounts:
    """Fit the dimension of grey values as a surface, by differential box counting.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``.
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN are left out.
    levels : float, optional
        Number of grey levels, which sets the height of boxes: 2 for bool, 256 for 8 bits,
        otherwise the range of values by default.
    anchor : {"zero", "min"}
        Heights are measured from the least value of the type, where the levels are given or 256,
        or always from the least value of the image.
    fit : "auto" or (int, int), optional
        As in `boxcount`.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    SurfaceCounts

    Examples
    --------
    >>> import numpy as np, rugose
    >>> rugose.dbc(np.full((256, 256), 7, np.uint8)).dimension
    2.0
    """
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    found = _boxcount.dbc(
        array, _arrays.companion("mask", mask, array), grey_levels(levels, array.dtype), anchor,
        _arrays.fit_range(fit), (threads, device, progress),
    )  # fmt: skip
    result = surface_counts(found, **place_of(image))
    result.fit.warn()
    return result


def grey_levels(levels: Optional[float], dtype: Any) -> float:
    """The number that the library takes."""
    if levels is None:
        return 2 if dtype == np.bool_ else 0
    if not _arrays.number("levels", levels) > 0:
        raise ValueError(f"levels: {levels!r} given, a number above 0 expected")
    return levels


def surface_counts(found: Dict[str, Any], **place: Any) -> SurfaceCounts:
    """What the library found."""
    found["fit"] = LineFit(**found["fit"])
    return SurfaceCounts(**found, **place)
