# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong, and what is doubtful."""

from __future__ import annotations


class Error(Exception):
    """A failure that is neither a wrong argument nor a lack of memory.

    Wrong arguments are `ValueError`, and memory that runs out is `MemoryError`.

    Attributes
    ----------
    status : str
        The name of the library's status, such as ``"RUG_E_DEVICE"``.
    """

    def __init__(self, text: str, status: str = "") -> None:
        super().__init__(text, status)
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0])


class RugoseWarning(UserWarning):
    """A result that is doubtful or undefined, or a device that was passed over."""
