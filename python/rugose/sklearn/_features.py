# SPDX-License-Identifier: BSD-3-Clause
"""Features of images."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _arrays, _lbp
from .._context import choice
from .._counting import boxcount
from .._patterns import Operator, lbp_cuts, lbp_histogram, pairs_of
from .._textures import Names, Range, haralick


class _ImageTransformer(TransformerMixin, BaseEstimator):
    """A row of features for each image."""

    image_shape: Optional[Tuple[int, ...]]
    n_jobs: Optional[int]

    def _images(self, X: Any, reset: bool) -> List[Any]:
        if self.image_shape is not None:
            rows = validate_data(self, X, reset=reset, ensure_all_finite=False)
            try:
                return list(rows.reshape(len(rows), *self.image_shape))
            except (TypeError, ValueError):
                raise ValueError(
                    f"image_shape: {self.image_shape!r} given, a shape of {rows.shape[1]} "
                    "pixels expected"
                ) from None
        if len(getattr(X, "shape", (0, 0, 0))) == 2:
            raise ValueError(
                f"X: an array of shape {X.shape} given, [n, ny, nx] or a list of images expected; "
                "image_shape=(ny, nx) takes rows of pixels as images"
            )
        images = list(X)
        if not images:
            raise ValueError("X: no image given")
        return images

    def fit(self, X: Any, y: Any = None) -> _ImageTransformer:
        """Check the parameters, on the first image; learn from all images what there is to learn.

        Parameters
        ----------
        X : list of array_like, or array_like
            Images, or with ``image_shape`` rows of pixels.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        self._names = self._learn(self._images(X, reset=True))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Measure images.

        Parameters
        ----------
        X : list of array_like, or array_like
            Images, or with ``image_shape`` rows of pixels.

        Returns
        -------
        ndarray of float64
            ``[n_images, n_features]``; NaN where a feature is undefined.
        """
        check_is_fitted(self)
        images = self._images(X, reset=False)
        threads = None if effective_n_jobs(self.n_jobs) == 1 else 1
        work = delayed(self._measure)
        rows = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            work(image, threads) for image in images
        )
        return np.array(rows, np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Name the features.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        return np.array(self._names, object)

    def _learn(self, images: List[Any]) -> List[str]:
        """The names of the features."""
        raise NotImplementedError

    def _measure(self, image: Any, threads: Optional[int]) -> np.ndarray:
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_names")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = self.image_shape is not None
        tags.input_tags.three_d_array = self.image_shape is None
        tags.input_tags.allow_nan = True
        return tags


class LBPTransformer(_ImageTransformer):
    """Images to histograms of their local binary patterns.

    Parameters
    ----------
    operators : sequence of (int, float), default ((8, 1),)
        Points and radius of each circle.
    method, border, exact
        As in `rugose.local_binary_pattern`. "var" needs `var_bins`.
    var_bins : int, optional
        Histograms are joint, of codes and of so many bins of the variance, 2..1024, which `fit`
        makes about equally frequent over its images.
    normalize : bool, default True
        Shares of the pixels; otherwise counts, as `LBPLikelihoodClassifier` takes them.
    image_shape : tuple of int, optional
        X has a row for each image, which has this shape.
    n_jobs : int, optional
        How many images are worked on at once, by threads; -1: as many as there are processors. By
        default one image after the other, each by all processors. Results do not depend on it.
    device : str, default "cpu"
        As for all functions: see `rugose`.

    Attributes
    ----------
    n_bins_ : list of int
        The bins of each operator; their histograms lie side by side.
    cuts_ : list of ndarray or None
        Of each operator the variances between bins.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.sklearn import LBPTransformer
    >>> images = np.indices((6, 20, 20)).sum(0) % 3
    >>> features = LBPTransformer([(8, 1), (16, 2)]).fit(images)
    >>> features.transform(images).shape, features.get_feature_names_out()[10]
    ((6, 28), 'lbp_16_2_0')
    """

    def __init__(
        self,
        operators: Sequence[Operator] = ((8, 1),),
        *,
        method: str = "uniform",
        border: str = "zero",
        exact: str = "skimage",
        var_bins: Optional[int] = None,
        normalize: bool = True,
        image_shape: Optional[Tuple[int, ...]] = None,
        n_jobs: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        self.operators = operators
        self.method = method
        self.border = border
        self.exact = exact
        self.var_bins = var_bins
        self.normalize = normalize
        self.image_shape = image_shape
        self.n_jobs = n_jobs
        self.device = device

    def _learn(self, images: List[Any]) -> List[str]:
        pairs = pairs_of(self.operators)
        self.cuts_ = None
        if self.var_bins is not None:
            self.cuts_ = lbp_cuts(
                images, pairs, self.var_bins, border=self.border, device=self.device
            )
        _lbp.model_bins(pairs, self.cuts_, self.method, self.border, self.exact)
        self.n_bins_ = _lbp.n_bins(pairs, self.cuts_, self.method)
        return [
            f"lbp_{points}_{radius:g}_{b}"
            for (points, radius), n in zip(pairs, self.n_bins_)
            for b in range(n)
        ]

    def _measure(self, image: Any, threads: Optional[int]) -> np.ndarray:
        found = lbp_histogram(
            image, self.operators, method=self.method, border=self.border, exact=self.exact,
            cuts=self.cuts_, threads=threads, device=self.device,
        )  # fmt: skip
        return found.features() if self.normalize else np.concatenate(found.counts)


class HaralickTransformer(_ImageTransformer):
    """Images to Haralick's features.

    Parameters
    ----------
    levels, bin_width, bin_origin, range, distances, directions, symmetric, aggregate, slices
        As in `rugose.haralick`. With aggregate "none" there is a feature for each direction.
    features : {"14", "13", "all"} or sequence of str, default "13"
        Which features.
    log_base : float, default 2
        Of entropies: 2 or ``math.e``.
    image_shape, n_jobs, device
        As in `LBPTransformer`.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.sklearn import HaralickTransformer
    >>> images = np.indices((6, 20, 20)).sum(0) % 3
    >>> HaralickTransformer(features=["contrast"]).fit_transform(images).round(2)[0].tolist()
    [1.5]
    """

    def __init__(
        self,
        *,
        levels: Union[None, str, int] = None,
        bin_width: Optional[float] = None,
        bin_origin: Union[None, str, float] = None,
        range: Range = None,
        distances: Sequence[int] = (1,),
        directions: Optional[Sequence[str]] = None,
        symmetric: bool = True,
        aggregate: str = "mean",
        slices: str = "none",
        features: Names = "13",
        log_base: float = 2.0,
        image_shape: Optional[Tuple[int, ...]] = None,
        n_jobs: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        self.levels = levels
        self.bin_width = bin_width
        self.bin_origin = bin_origin
        self.range = range
        self.distances = distances
        self.directions = directions
        self.symmetric = symmetric
        self.aggregate = aggregate
        self.slices = slices
        self.features = features
        self.log_base = log_base
        self.image_shape = image_shape
        self.n_jobs = n_jobs
        self.device = device

    def _table(self, image: Any, threads: Optional[int]) -> Dict[str, np.ndarray]:
        options = self.get_params(deep=False)
        del options["image_shape"], options["n_jobs"]
        return haralick(image, threads=threads, **options)

    def _learn(self, images: List[Any]) -> List[str]:
        table = self._table(images[0], None)
        is_each = self.aggregate == "none"
        ends = [
            f"_{distance}" * (len(set(self.distances)) > 1) + f"_{direction}" * is_each
            for distance, direction in zip(table["distance"], table["direction"])
        ]
        self._features = list(table)[list(table).index("status") + 1 :]
        return [name + end for end in ends for name in self._features]

    def _measure(self, image: Any, threads: Optional[int]) -> np.ndarray:
        table = self._table(image, threads)
        return np.stack([table[name] for name in self._features], axis=1).ravel()


# Of a fit, which are features.
_NUMBERS = dict.fromkeys(("dimension", "std_error", "r_squared", "foreground_share"))


class BoxCountTransformer(_ImageTransformer):
    """Images to fractal dimensions by box counting.

    Parameters
    ----------
    foreground, sizes, grid, fit_range, of
        As in `rugose.boxcount`, where fit_range is ``fit``.
    features : sequence of str, default ("dimension",)
        Out of "dimension", "std_error", "r_squared", "foreground_share".
    image_shape, n_jobs, device
        As in `LBPTransformer`.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.sklearn import BoxCountTransformer
    >>> i = np.arange(256)
    >>> triangle = (i[:, None] & i) == 0
    >>> BoxCountTransformer().fit_transform([triangle, triangle.T]).round(4).tolist()
    [[1.585], [1.585]]
    """

    def __init__(
        self,
        *,
        foreground: str = "auto",
        sizes: _arrays.Sizes = None,
        grid: str = "origin",
        fit_range: _arrays.Fit = None,
        of: str = "nonempty",
        features: Sequence[str] = ("dimension",),
        image_shape: Optional[Tuple[int, ...]] = None,
        n_jobs: Optional[int] = None,
        device: str = "cpu",
    ) -> None:
        self.foreground = foreground
        self.sizes = sizes
        self.grid = grid
        self.fit_range = fit_range
        self.of = of
        self.features = features
        self.image_shape = image_shape
        self.n_jobs = n_jobs
        self.device = device

    def _learn(self, images: List[Any]) -> List[str]:
        names = [self.features] if isinstance(self.features, str) else list(self.features)
        for name in names:
            choice("features", name, _NUMBERS)
        if not names:
            raise ValueError(f"features: none given, some of {', '.join(_NUMBERS)} expected")
        self._features = names
        self._measure(images[0], None)
        return names

    def _measure(self, image: Any, threads: Optional[int]) -> np.ndarray:
        found = boxcount(
            image, foreground=self.foreground, sizes=self.sizes, grid=self.grid,
            fit=self.fit_range, of=self.of, threads=threads, device=self.device,
        ).summary()  # fmt: skip
        return np.array([found[name] for name in self._features], np.float64)
