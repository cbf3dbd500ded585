# SPDX-License-Identifier: BSD-3-Clause
"""Estimators of scikit-learn: features of images, and classes of textures by likelihood.

It is imported by itself, ``import rugose.sklearn``, and needs scikit-learn 1.6 or later:
``pip install 'rugose[sklearn]'``.

Transformers take images, a list of arrays or one array ``[n, ny, nx]``, and give a row of features
for each. Where images come as rows of a table, as in ``sklearn.datasets.load_digits``,
``image_shape=(ny, nx)`` tells them so.
"""

try:
    from sklearn.utils.validation import validate_data as _  # noqa: F401 of 1.6
except ImportError as error:
    raise ImportError(
        "rugose.sklearn needs scikit-learn 1.6 or later: pip install 'rugose[sklearn]'"
    ) from error

from ._features import BoxCountTransformer, HaralickTransformer, LBPTransformer
from ._likelihood import LBPLikelihoodClassifier

__all__ = [
    "BoxCountTransformer",
    "HaralickTransformer",
    "LBPLikelihoodClassifier",
    "LBPTransformer",
]
