# SPDX-License-Identifier: BSD-3-Clause
"""How mass is spread: multifractals, exponents of pixels, lacunarity."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _arrays, _masses
from ._arrays import Fit, Sizes
from ._errors import RugoseWarning
from ._places import Placed, as_image, place_of
from ._progress import Progress
from ._results import Label, PerLabel, Result, Shape, axes_or_new


@dataclass(frozen=True, repr=False, eq=False)
class Spectrum(Result):
    """Generalised dimensions and f(alpha).

    Attributes
    ----------
    orders : structured ndarray
        A row for each order: q, tau, dimension, alpha, f, each with its standard error (tau_error
        …), r_squared, near_empty, status.
    size_min, size_max, n_sizes : int
        Sizes of the fits.
    status : str
        Of the orders without nearly empty boxes.
    shape, n_pixels, n_set, n_left_out : tuple of int, int, int, int
        Shape; pixels inside the mask; those with a mass; those that are NaN or infinite.
    total : float
        The mass of all pixels.
    foreground : str or None
        The rule in force; None: masses are grey values.
    engine : str
        What ran.
    """

    orders: np.ndarray
    size_min: int
    size_max: int
    n_sizes: int
    status: str
    shape: Shape
    n_pixels: int
    n_set: int
    n_left_out: int
    total: float
    foreground: Optional[str]
    engine: str

    def dimension_of(self, q: float) -> float:
        """The dimension of an order; KeyError where it was not measured."""
        (at,) = np.nonzero(self.orders["q"] == q)
        if len(at) == 0:
            raise KeyError(f"order {q} was not measured")
        return float(self.orders["dimension"][at[0]])

    def rows(self) -> np.ndarray:
        """The orders."""
        return self.orders

    def summary(self) -> Dict[str, Any]:
        """The numbers of which there is one."""
        known = {float(q): float(d) for q, d in zip(self.orders["q"], self.orders["dimension"])}
        return dict(
            n_orders=len(self.orders), D0=known.get(0.0), D1=known.get(1.0), D2=known.get(2.0),
            size_min=self.size_min, size_max=self.size_max, status=self.status, shape=self.shape,
        )  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Draws f(alpha) on axes of matplotlib, which it returns."""
        ax = axes_or_new(ax)
        o = self.orders
        ax.errorbar(o["alpha"], o["f"], o["f_error"], o["alpha_error"], fmt="o-", capsize=2)
        ax.set_xlabel("α")
        ax.set_ylabel("f(α)")
        return ax


@dataclass(frozen=True, repr=False, eq=False)
class Lacunarity(Placed):
    """Lacunarity at every size.

    Attributes
    ----------
    sizes : structured ndarray
        A row for each size: size, lacunarity, mean and variance of the masses, positions (boxes),
        status.
    shape, n_pixels, n_set, n_left_out : tuple of int, int, int, int
        Shape; pixels inside the mask; those with a mass; those without because they are NaN.
    foreground : str or None
        The rule in force; None: masses are grey values.
    engine : str
        What ran.
    label, area, bbox : int, int, tuple of int, or None
        Of a label, as in `BoxCounts`.
    spacing, unit, length : tuple of float, str, float, or None
        As in `BoxCounts`.
    """

    sizes: np.ndarray
    shape: Shape
    n_pixels: int
    n_set: int
    n_left_out: int
    foreground: Optional[str]
    engine: str
    label: Label = None
    area: Optional[int] = None
    bbox: Optional[Shape] = None
    spacing: Optional[Tuple[float, ...]] = None
    unit: Optional[str] = None
    length: Optional[float] = None

    @property
    def mean(self) -> float:
        """The mean lacunarity over the sizes that have one."""
        values = self.sizes["lacunarity"][self.sizes["status"] == "ok"]
        if len(values) == 0:
            return float("nan")
        return float(np.add.accumulate(values)[-1] / len(values))  # in order, as the program adds

    def rows(self) -> np.ndarray:
        """The sizes."""
        return self.sizes

    def summary(self) -> Dict[str, Any]:
        """The numbers of which there is one."""
        return dict(
            label=self.label, mean=self.mean, n_sizes=len(self.sizes), foreground=self.foreground,
            area=self.area, shape=self.shape, spacing=self.spacing, unit=self.unit,
        )  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Draws lacunarity against size on axes of matplotlib, which it returns."""
        ax = axes_or_new(ax)
        ax.loglog(self.sizes["size"] * (self.length or 1.0), self.sizes["lacunarity"], "o-")
        ax.set_xlabel(self.size_axis())
        ax.set_ylabel("lacunarity")
        return ax


def multifractal(
    image: Any = None,
    q: Any = None,
    *,
    points: Any = None,
    foreground: Optional[str] = None,
    mask: Any = None,
    fit: Fit = None,
    spacing: float = 0.0,
    resolution: int = 0,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Spectrum:
    """Fit generalised dimensions and f(alpha) to the masses of boxes.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``; the mass of a pixel is its value, which must not be
        negative.
    q : array_like, optional
        Orders, -10, -9.5 … 10 by default.
    points : array_like, optional
        ``[n, 1..10]``, a point in each row, instead of an image; each has mass 1.
    foreground : str, optional
        A rule as in `boxcount`: the mass of a pixel is 1 where it is set.
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN have no mass.
    fit : "auto" or (int, int), optional
        As in `boxcount`.
    spacing, resolution : float, int, optional
        Of points, as in `boxcount`.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    Spectrum

    Examples
    --------
    >>> import numpy as np, rugose
    >>> cascade = np.ones((1, 1))
    >>> for _ in range(8):
    ...     cascade = np.kron(cascade, [[1, 2], [3, 4]])
    >>> s = rugose.multifractal(cascade, q=[0, 2])
    >>> [round(d, 4) for d in s.orders["dimension"].tolist()]
    [2.0, 1.737]
    """
    run = (threads, device, progress)
    range_of_sizes = _arrays.fit_range(fit)
    orders = orders_of(q)
    cells = _arrays.count("resolution", resolution, 0, 1 << 63)
    spacing = _arrays.number("spacing", spacing)
    if (image is None) == (points is None):
        raise ValueError("image, points: one of them expected")
    if points is not None:
        if mask is not None or foreground is not None:
            raise ValueError("mask, foreground: are for images, not for points")
        found = _masses.multifractal_points(
            _arrays.coordinates(points), spacing, cells, orders, range_of_sizes, run
        )
    else:
        if spacing or resolution:
            raise ValueError("spacing, resolution: are for points, not for images")
        image, mask = _arrays.masked(image, mask)
        array = _arrays.pixels("image", image)
        found = _masses.multifractal(
            array, _arrays.companion("mask", mask, array), foreground, orders, range_of_sizes, run
        )
        place_of(image)  # which warns
    return spectrum(found)


def orders_of(q: Any) -> np.ndarray:
    """The orders given, or the usual ones."""
    if q is None:
        return np.arange(-10, 10.5, 0.5)
    try:
        orders = np.asarray(q)
    except ValueError:
        orders = np.empty(1, object)
    if orders.dtype.kind not in "biuf":
        raise ValueError(f"q: {q!r} given, numbers expected")
    if orders.size == 0:
        raise ValueError("q: no order given")
    return np.array(orders, np.float64).reshape(-1)


def spectrum(found: Dict[str, Any]) -> Spectrum:
    """A result, which says what is wrong with it at the line that called rugose."""
    result = Spectrum(**found)
    if result.status != "ok":
        warnings.warn(
            f"the dimensions: {result.status} (sizes {result.size_min}..{result.size_max})",
            RugoseWarning,
            stacklevel=3,
        )
    return result


def alpha_map(
    image: Any,
    *,
    measure: str = "sum",
    windows: int = 4,
    iso_tolerance: float = 0.0,
    mask: Any = None,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> np.ndarray:
    """Map the exponent alpha of each pixel, from the windows around it.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``.
    measure : {"sum", "max", "min", "iso"}
        What is measured in a window: the sum of values, the largest, the least, or how many differ
        from the pixel by at most `iso_tolerance`.
    windows : int, default 4
        Number of windows, with sides of 1, 3, 5 … pixels.
    iso_tolerance : float, default 0
        For measure "iso".
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN have no alpha.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    ndarray of float32
        Of the image's shape; NaN where alpha is undefined. Of an `xarray.DataArray` a DataArray
        with its coordinates.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> float(rugose.alpha_map(np.ones((9, 9)))[4, 4])
    2.0
    """
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    windows = _arrays.count("windows", windows, 2, 16)
    iso_tolerance = _arrays.number("iso_tolerance", iso_tolerance)
    if iso_tolerance and measure != "iso":
        raise ValueError("iso_tolerance: is for measure='iso'")
    found = _masses.alpha_map(
        array, _arrays.companion("mask", mask, array), measure, windows, iso_tolerance,
        (threads, device, progress),
    )  # fmt: skip
    place_of(image)  # which warns
    return as_image(image, "alpha", found)


def lacunarity(
    image: Any,
    *,
    foreground: Optional[str] = "auto",
    gray: bool = False,
    sizes: Sizes = None,
    boxes: str = "gliding",
    mask: Any = None,
    labels: Any = None,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Union[Lacunarity, PerLabel[Lacunarity]]:
    """Measure how unevenly mass is spread, E[M²] / E[M]² over boxes of each size.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``.
    foreground : str, default "auto"
        Which pixels are set and have mass 1, as in `boxcount`.
    gray : bool, default False
        The mass of a pixel is its value, which must not be negative.
    sizes : sequence of int, optional
        Sides of boxes; 1, 2, 4 … up to the shortest axis by default.
    boxes : {"gliding", "fixed"}
        At every position, or side by side.
    mask : array_like, optional
        Of the image's shape: boxes that hold a pixel where it is 0 or NaN do not count.
    labels : array_like, optional
        Label image of the image's shape: a result for each label but 0, in its bounding box.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    Lacunarity, or PerLabel of Lacunarity with `labels`

    Examples
    --------
    >>> import numpy as np, rugose
    >>> board = np.indices((8, 8)).sum(0) % 2
    >>> rugose.lacunarity(board).sizes["lacunarity"].tolist()
    [2.0, 1.0, 1.0, 1.0]
    """
    if _arrays.flag("gray", gray) and foreground != "auto":
        raise ValueError("foreground: given beside gray; give one of them")
    numbers = _arrays.integers("sizes", sizes)
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    found = _masses.lacunarity(
        array, _arrays.companion("mask", mask, array), _arrays.companion("labels", labels, array),
        None if gray else foreground, numbers, boxes, (threads, device, progress),
    )  # fmt: skip
    place = place_of(image)
    if labels is not None:
        return PerLabel([Lacunarity(**one, **place) for one in found])
    return Lacunarity(**found, **place)
