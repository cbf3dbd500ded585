# SPDX-License-Identifier: BSD-3-Clause
"""Functions of other packages, with their arguments and their values."""
