# SPDX-License-Identifier: BSD-3-Clause
"""Co-occurrence features."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _glcm
from ._context import choice
from ._places import as_image
from ._progress import Progress
from ._results import Table

Names = Union[str, Sequence[str]]
Range = Union[None, str, Tuple[float, float]]

# Directions in a plane, by (row, column), each of which stands for the opposite one too.
IN_PLANE = {(0, 1): "0", (-1, 1): "45", (-1, 0): "90", (-1, -1): "135"}

_NAMES = list(_glcm.FEATURES)
_GROUPS = {"14": _NAMES[:14], "13": _NAMES[:13], "all": _NAMES}


def feature_names(features: Names) -> List[str]:
    """The names of a group, or those given, each once."""
    if isinstance(features, str) and features in _GROUPS:
        return _GROUPS[features]
    wanted = [features] if isinstance(features, str) else features
    wanted = _arrays.items("features", wanted, "'14', '13', 'all' or names")
    if not wanted:
        raise ValueError("features: none given, '14', '13', 'all' or names expected")
    for name in wanted:
        choice("features", name, _glcm.FEATURES)
    return list(dict.fromkeys(wanted))


def group_of(names: List[str]) -> int:
    """The least number of features that has all of these; the slowest is f14."""
    if any(name not in _GROUPS["14"] for name in names):
        return 2
    return 0 if _NAMES[13] in names else 1


# Of options: how they are checked; which of them may be None, or words.
_CHECKS = {
    "symmetric": _arrays.flag, "log_base": _arrays.number, "bin_width": _arrays.number,
    "bin_origin": _arrays.number, "range": _arrays.pair, "resegment": _arrays.pair,
}  # fmt: skip
_OPTIONAL = ("bin_width", "bin_origin", "range", "resegment")
_WORDS = ("bin_origin", "range")


def options_of(array: np.ndarray, **given: Any) -> Dict[str, Any]:
    """Options for the library, checked."""
    for name, check in _CHECKS.items():
        value = given.get(name)
        is_default = value is None and (name in _OPTIONAL or name not in given)
        if not is_default and not (isinstance(value, str) and name in _WORDS):
            given[name] = check(name, value)
    if isinstance(given["directions"], str):
        given["directions"] = [given["directions"]]
    elif given["directions"] is not None:
        given["directions"] = _arrays.items("directions", given["directions"], "names")
    if array.dtype == np.bool_ and given["range"] == "type":
        given["range"] = (0, 1)
    return given


def exact_options(symmetric: bool) -> Dict[str, Any]:
    """Options for the library: values as they are, in all directions, each by itself."""
    return dict(
        levels="exact", bin_width=None, bin_origin=None, range=None, resegment=None,
        directions=None, symmetric=symmetric, pairs="inside", frame=0, aggregate="none",
        slices="none", log_base=2.0,
    )  # fmt: skip


def haralick(
    image: Any,
    *,
    labels: Any = None,
    mask: Any = None,
    levels: Union[None, str, int] = None,
    bin_width: Optional[float] = None,
    bin_origin: Union[None, str, float] = None,
    range: Range = None,
    resegment: Optional[Tuple[float, float]] = None,
    distances: Sequence[int] = (1,),
    directions: Optional[Sequence[str]] = None,
    symmetric: bool = True,
    pairs: str = "inside",
    frame: int = 0,
    aggregate: str = "mean",
    slices: str = "none",
    features: Names = "14",
    log_base: float = 2.0,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Table:
    """Measure Haralick's features of an image, or of each label.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]`` or ``[nz, ny, nx]``. Pixels that are NaN or infinite are in no pair.
    labels : array_like, optional
        Label image of the image's shape: rows for each label but 0. By default the image is one
        region, label 0.
    mask : array_like, optional
        Of the image's shape: pixels where it is 0 or NaN are in no pair.
    levels : "exact" or int, optional
        The values themselves (default for integers), or bins of equal width (64 for floats).
    bin_width, bin_origin : float, float or {"zero", "min"}, optional
        Bins of a width instead of a number of bins, and where the first one begins.
    range : {"type", "image", "roi"} or (float, float), optional
        What is divided into bins: all that the type holds, the values of the image (default), of
        each region (default with bin_width), or from one value to another.
    resegment : (float, float), optional
        Pixels with values outside are left out, as if a mask did; an end may be infinite.
    distances : sequence of int, default (1,)
        Distances of pairs in pixels: the largest coordinate of the offset.
    directions : sequence of str, optional
        "0", "45", "90", "135", of volumes also "z+1,y-1,x-1" …; all by default.
    symmetric : bool, default True
        Count pairs in both orders.
    pairs : {"inside", "frame"}
        Pairs inside of the region, or the region on a background of level 0, in its bounding box
        widened by the distance, or by `frame`.
    frame : int, default 0
        Of pairs "frame", in pixels; 0: the distance.
    aggregate : {"mean", "none", "range", "merged"}
        The mean of each feature over the directions, a row for each direction, the largest value
        minus the smallest, or the features of the summed matrices.
    slices : {"none", "mean", "merged"}
        Volumes: 13 directions in space, or 4 in each slice: means of features over slices, or
        features of the matrices summed over slices.
    features : {"14", "13", "all"} or sequence of str
        Which features.
    log_base : float, default 2
        Of entropies: 2 or ``math.e``.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    Table
        A dict of arrays, a row for each label, distance and, with aggregate "none", direction:
        label, distance, direction, area, pairs, levels, status, and the features.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> board = np.indices((8, 8)).sum(0) % 2
    >>> t = rugose.haralick(board, directions=["0"], features=["contrast", "correlation"])
    >>> float(t["contrast"][0]), float(t["correlation"][0]), str(t["status"][0])
    (1.0, -1.0, 'ok')
    """
    names = feature_names(features)
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image)
    options = options_of(
        array, levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, directions=directions, symmetric=symmetric, pairs=pairs,
        frame=_arrays.count("frame", frame), aggregate=aggregate, slices=slices, log_base=log_base,
    )  # fmt: skip
    rows, values = _glcm.glcm(
        array, _arrays.companion("mask", mask, array), _arrays.companion("labels", labels, array),
        _arrays.integers("distances", distances, "I"), group_of(names), options,
        (threads, device, progress),
    )  # fmt: skip
    table = Table((name, rows[name].copy()) for name in rows.dtype.names)
    for name in names:
        column = _glcm.FEATURES[name]
        table[name] = values[:, column].copy() if len(rows) else np.zeros(0)
    return table


def haralick_map(
    image: Any,
    *,
    window: Union[int, Tuple[int, int]] = 7,
    features: Names = "13",
    mask: Any = None,
    levels: Union[None, str, int] = None,
    bin_width: Optional[float] = None,
    bin_origin: Union[None, str, float] = None,
    range: Range = None,
    resegment: Optional[Tuple[float, float]] = None,
    distance: int = 1,
    directions: Optional[Sequence[str]] = None,
    log_base: float = 2.0,
    leave_out: bool = False,
    threads: Optional[int] = None,
    device: str = "cpu",
    progress: Progress = None,
) -> Dict[str, np.ndarray]:
    """Map Haralick's features of the window around each pixel.

    Parameters
    ----------
    image : array_like
        ``[ny, nx]``.
    window : int or (int, int), default 7
        Side of the window, or rows and columns, odd, 3..255; it is cut off at the edges.
    features : {"13"} or sequence of str
        Which features.
    distance : int, default 1
        Of the pairs, in pixels: the largest coordinate of the offset.
    leave_out : bool, default False
        Pixels that are in no pair, since the mask leaves them out or they are not finite, are NaN;
        by default they have the value of their window.
    mask, levels, bin_width, bin_origin, range, resegment, directions, log_base
        As in `haralick`; levels are those of the whole image.
    threads, device, progress
        As for all functions: see `rugose`.

    Returns
    -------
    dict of ndarray of float64
        A map of the image's shape for each feature; NaN where it is undefined. Of an
        `xarray.DataArray` each is a DataArray with its coordinates, and `xarray.Dataset` takes the
        dict.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> board = np.indices((8, 8)).sum(0) % 2
    >>> float(rugose.haralick_map(board, directions=["0"], features="contrast")["contrast"][4, 4])
    1.0
    """
    names = feature_names(features)
    for name in names:
        if name not in _glcm.MAPPED:
            raise ValueError(
                f"features: there is no map of {name!r}, but of {', '.join(_glcm.MAPPED)}"
            )
    image, mask = _arrays.masked(image, mask)
    array = _arrays.pixels("image", image, (2,))
    sides = window if isinstance(window, tuple) else (window, window)
    if len(sides) != 2:
        raise ValueError(f"window: {window!r} given, one side or (rows, columns) expected")
    options = options_of(
        array, levels=levels, bin_width=bin_width, bin_origin=bin_origin, range=range,
        resegment=resegment, directions=directions, log_base=log_base,
    )  # fmt: skip
    found = _glcm.maps(
        array, _arrays.companion("mask", mask, array),
        _arrays.integers("distance", [distance], "I"), names,
        tuple(_arrays.count("window", side) for side in sides),
        _arrays.flag("leave_out", leave_out), options,
        (threads, device, progress),
    )  # fmt: skip
    return {name: as_image(image, name, values) for name, values in zip(names, found)}
