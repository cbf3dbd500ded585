# SPDX-License-Identifier: BSD-3-Clause
"""What results have in common: fits, tables, how they print."""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Dict, Generic, List, Optional, Tuple, TypeVar

import numpy as np

from ._errors import RugoseWarning

R = TypeVar("R", bound="Result")

# Stands for a number that 64 bits do not hold.
TOO_MANY = (1 << 64) - 1

# Rows that a notebook shows of a table.
_SHOWN = 40


def columns_of(rows: np.ndarray) -> Dict[str, np.ndarray]:
    """The columns of a structured array; a column of vectors becomes one for each component."""
    columns: Dict[str, np.ndarray] = {}
    for name in rows.dtype.names or ():
        column = rows[name]
        if column.ndim == 1:
            columns[name] = column
        else:
            columns.update({f"{name}_{a}": column[:, a] for a in range(column.shape[1])})
    return columns


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else html.escape(str(value))


def html_table(columns: Dict[str, Any]) -> str:
    """A table for notebooks."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = list(zip(*columns.values()))
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>"
        for row in rows[:_SHOWN]
    )
    more = f"<p>… {len(rows) - _SHOWN} more rows</p>" if len(rows) > _SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def axes_or_new(ax: Any) -> Any:
    """The axes given, or those of a new figure of matplotlib."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from None
    return plt.subplots()[1]


def picture_of(result: Any) -> str:
    """What a result plots, for notebooks, about 20 kB; nothing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    figure, file = Figure(figsize=(4.0, 3.0), dpi=80, layout="tight"), io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of axes without a number
        result.plot(figure.add_subplot())
        figure.savefig(file, format="png")
    content = base64.b64encode(file.getvalue()).decode()
    return f'<p><img alt="plot" src="data:image/png;base64,{content}"></p>'


@dataclass(frozen=True, eq=False)
class LineFit:
    """The line through ln(count) against ln(1 / size).

    Attributes
    ----------
    slope : float
        The dimension; NaN where it is undefined.
    std_error, r_squared, intercept : float
        Standard error of the slope, coefficient of determination, ln(count) at size 1.
    size_min, size_max, n_sizes : int
        The sizes that were fitted; 0: none.
    status : str
        "ok", or why the slope is undefined or doubtful.
    used : ndarray of bool
        Which sizes are part of the fit.
    local_slopes : ndarray of float
        The slope between each size and the next; NaN where a count is 0, and at the end.
    """

    slope: float
    std_error: float
    r_squared: float
    intercept: float
    size_min: int
    size_max: int
    n_sizes: int
    status: str
    used: np.ndarray
    local_slopes: np.ndarray

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LineFit) and _is_equal(self, other)

    __hash__ = None  # type: ignore[assignment]

    def warn(self) -> None:
        """Says what is wrong with it, at the line that called rugose."""
        if self.status == "ok":
            return
        sizes = f"sizes {self.size_min}..{self.size_max}" if self.n_sizes else "no sizes"
        warnings.warn(
            f"the dimension, {self.slope:.4g} +- {self.std_error:.2g}: {self.status} "
            f"(R2 {self.r_squared:.3f}, {sizes})",
            RugoseWarning,
            stacklevel=3,
        )


class Result:
    """A result, which can be pickled, printed and turned into a table."""

    def rows(self) -> np.ndarray:
        """The rows of the table as a structured array."""
        raise NotImplementedError

    def summary(self) -> Dict[str, Any]:
        """The numbers of which there is one."""
        raise NotImplementedError

    def to_dict(self) -> Dict[str, np.ndarray]:
        """The columns of the table; `pandas.DataFrame` takes it."""
        return columns_of(self.rows())

    def to_frame(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value!r}"
            for name, value in self.summary().items()
            if value is not None
        )
        return f"{type(self).__name__}({inside})"

    def _is_drawn(self) -> bool:
        """Whether notebooks show the plot."""
        return hasattr(self, "plot")

    def _repr_html_(self) -> str:
        picture = picture_of(self) if self._is_drawn() else ""
        return f"<p>{html.escape(repr(self))}</p>{picture}{html_table(self.to_dict())}"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _is_equal(getattr(self, f.name), getattr(other, f.name))
            for f in fields(self)  # type: ignore[arg-type]
        )

    __hash__ = None  # type: ignore[assignment]


def _is_equal(a: Any, b: Any) -> bool:
    if isinstance(a, LineFit) and isinstance(b, LineFit):
        return all(_is_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.dtype.names is not None:
            return all(_is_equal(a[name], b[name]) for name in a.dtype.names)
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(_is_equal, a, b))
    return bool(a == b or (a != a and b != b))


class PerLabel(Sequence, Generic[R]):
    """A result for each label, in ascending order of labels.

    What a result has one of is an array here: ``cells.dimension``, ``cells.area``.

    Attributes
    ----------
    labels : ndarray of uint64
        The labels that occur.
    """

    def __init__(self, results: List[R]) -> None:
        self._results = list(results)
        self._by_label = {result.label: result for result in results}  # type: ignore
        self.labels = np.array([result.label for result in results], np.uint64)  # type: ignore

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return PerLabel(self._results[i])
        return self._results[i]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerLabel) and self._results == other._results

    __hash__ = None  # type: ignore[assignment]

    def of(self, label: int) -> R:
        """The result of a label.

        Raises
        ------
        KeyError
            No pixel has that label.
        """
        if label not in self._by_label:
            raise KeyError(f"label {label} does not occur")
        return self._by_label[label]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name == "labels":
            raise AttributeError(name)
        if self._results and name not in self._results[0].summary():
            raise AttributeError(f"PerLabel has no {name}: its results have no such number")
        return np.array([result.summary()[name] for result in self._results])

    def to_dict(self) -> Dict[str, np.ndarray]:
        """A column for each number of which a result has one; `pandas.DataFrame` takes it."""
        if not self._results:
            return {"label": self.labels}
        summaries = [result.summary() for result in self._results]
        columns: Dict[str, np.ndarray] = {"label": self.labels}
        for name, first in summaries[0].items():
            if name != "label" and first is not None and not isinstance(first, tuple):
                columns[name] = np.array([summary[name] for summary in summaries])
        return columns

    def to_frame(self) -> Any:
        """A `pandas.DataFrame` with a row for each label."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        return f"PerLabel({len(self)} labels)"

    def _repr_html_(self) -> str:
        return f"<p>{repr(self)}</p>{html_table(self.to_dict())}"


class Table(dict):
    """A dict of columns, arrays of one length; `pandas.DataFrame` takes it."""

    def to_frame(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame(self)

    def __repr__(self) -> str:
        n = len(next(iter(self.values()))) if self else 0
        return f"Table({n} rows: {', '.join(self)})"

    def _repr_html_(self) -> str:
        return html_table(self)


def draw_fit(ax: Any, result: Any, counts: np.ndarray, label: str) -> Any:
    """Counts of a result against its sizes, both logarithmic, with the line."""
    ax = axes_or_new(ax)
    fit, length = result.fit, result.length or 1.0
    is_drawn = (counts > 0) & (counts != TOO_MANY)
    sizes = result.counts["size"] * length
    points = ax.plot(sizes[is_drawn], counts[is_drawn], "o", label=label)[0]
    if fit.n_sizes > 1:
        ends = np.array([fit.size_min, fit.size_max], float)
        ax.plot(
            ends * length,
            np.exp(fit.intercept) * ends**-fit.slope,
            color=points.get_color(),
            label=f"D = {fit.slope:.4f} ± {fit.std_error:.2g}",
        )
    if is_drawn.any():  # matplotlib takes no logarithm of nothing
        ax.set_xscale("log")
        ax.set_yscale("log")
    ax.set_xlabel(result.size_axis())
    ax.set_ylabel(label)
    ax.legend()
    return ax


def share(n: int, total: int) -> float:
    """How much of a total; NaN of nothing, and of more than 64 bits hold."""
    return n / total if 0 < total < TOO_MANY else float("nan")


Shape = Tuple[int, ...]
Label = Optional[int]
