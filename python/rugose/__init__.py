# SPDX-License-Identifier: BSD-3-Clause
"""rugose: roughness of images and volumes, from NumPy arrays.

Images are arrays ``[ny, nx]``, volumes ``[nz, ny, nx]``, of bool, integers or floats, with any
strides; they are read where they lie. Shapes, rules and statuses are those of the program
``rugose``, and so are the numbers, bit for bit.

Most functions take these options; their signatures show which of them:

threads : int, optional
    How many threads may work; all processors by default. Results do not depend on it.
device : str, default "cpu"
    "cpu", "auto", "opencl" or "opencl:N".
progress : callable or bool, optional
    Called with the share that is done, 0..1, at most ten times a second; True draws a bar (by tqdm
    where that is installed).

Ctrl-C stops a call. Wrong arguments raise `ValueError`, a lack of memory `MemoryError`, anything
else `Error`; doubtful results come with a `RugoseWarning`.
"""

from . import ifs
from ._classes import LBPModel, LBPVerdict
from ._context import version as __version__
from ._counting import BoxCounts, SurfaceCounts, boxcount, dbc
from ._errors import Error, RugoseWarning
from ._matrices import Matrices, glcm_matrices
from ._measures import Lacunarity, Spectrum, alpha_map, lacunarity, multifractal
from ._patterns import LBPHistograms, lbp_cuts, lbp_histogram, local_binary_pattern
from ._pictures import Difference, compare, upscale
from ._results import LineFit, PerLabel, Table
from ._states import BoxCountState, LacunarityState, MassState, SurfaceState, ValueState
from ._textures import haralick, haralick_map

__all__ = [
    "__version__",
    "BoxCountState",
    "BoxCounts",
    "Difference",
    "Error",
    "LBPHistograms",
    "LBPModel",
    "LBPVerdict",
    "Lacunarity",
    "LacunarityState",
    "LineFit",
    "Matrices",
    "MassState",
    "PerLabel",
    "RugoseWarning",
    "Spectrum",
    "SurfaceCounts",
    "SurfaceState",
    "Table",
    "ValueState",
    "alpha_map",
    "boxcount",
    "compare",
    "dbc",
    "glcm_matrices",
    "haralick",
    "haralick_map",
    "ifs",
    "lacunarity",
    "lbp_cuts",
    "lbp_histogram",
    "local_binary_pattern",
    "multifractal",
    "upscale",
]
