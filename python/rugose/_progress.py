# SPDX-License-Identifier: BSD-3-Clause
"""How progress is shown."""

from __future__ import annotations

import sys
from typing import Callable, Optional, Union

Progress = Union[None, bool, Callable[[float], object]]


class _Bar:
    """A bar of tqdm, of 100 steps."""

    def __init__(self, tqdm: Callable) -> None:
        self._bar = tqdm(total=100, leave=False, unit="%")

    def show(self, share: float) -> None:
        self._bar.update(int(100 * share) - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line of text on standard error."""

    def show(self, share: float) -> None:
        print(f"\r{100 * share:3.0f} %", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r     \r", end="", file=sys.stderr, flush=True)


class _Caller:
    """Whatever the caller brings."""

    def __init__(self, function: Callable[[float], object]) -> None:
        self._function = function

    def show(self, share: float) -> None:
        self._function(share)

    def close(self) -> None:
        pass


def reporter(progress: Progress) -> Optional[Union[_Bar, _Line, _Caller]]:
    """What shows progress; None: nothing does."""
    if progress is None or progress is False:
        return None
    if callable(progress):
        return _Caller(progress)
    if progress is not True:
        raise ValueError(f"progress: {progress!r} given, True, None or a function expected")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bar(tqdm)
