# SPDX-License-Identifier: BSD-3-Clause
"""Estimators of scikit-learn: features of images, and classes of textures by likelihood.

It is imported by itself, ``import rugose.sklearn``, and needs scikit-learn 1.6 or later:
``pip install 'rugose[sklearn]'``.

Transformers take images, a list of arrays or one array ``[n, ny, nx]``, and give a row of features
for each. Where images come as rows of a table, as in ``sklearn.datasets.load_digits``,
``image_shape=(ny, nx)`` tells them so.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

try:
    from joblib import effective_n_jobs
    from scipy.special import logsumexp, xlogy
    from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.parallel import Parallel, delayed
    from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data
except ImportError as error:
    raise ImportError(
        "rugose.sklearn needs scikit-learn 1.6 or later: pip install 'rugose[sklearn]'"
    ) from error

from . import _arrays, _lbp
from ._context import choice
from ._counting import boxcount
from ._patterns import Operator, lbp_cuts, lbp_histogram, pairs_of
from ._textures import Names, Range, haralick

__all__ = [
    "BoxCountTransformer",
    "HaralickTransformer",
    "LBPLikelihoodClassifier",
    "LBPTransformer",
]


# ---- Features of images ----


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
        How many images are worked on at once, -1: as many as there are processors. By default one
        image after the other, each by all processors. Results do not depend on it.
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
        Of entropies.
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


# ---- Classes of textures ----


def _log_likelihood(s: np.ndarray, m: np.ndarray, alpha: float) -> np.ndarray:
    return (s * np.log((m + alpha) / (m.sum() + alpha * len(m)))).sum(axis=1)


def _chi2(s: np.ndarray, m: np.ndarray, alpha: float) -> np.ndarray:
    p, q = s / s.sum(axis=1, keepdims=True), m / m.sum()
    both = p + q
    return ((p - q) ** 2 / np.where(both > 0, both, 1)).sum(axis=1)


def _g(s: np.ndarray, m: np.ndarray, alpha: float) -> np.ndarray:
    p, q = s / s.sum(axis=1, keepdims=True), (m + alpha) / (m.sum() + alpha * len(m))
    return 2 * xlogy(p, p / q).sum(axis=1)


# Of histograms, a row each, against that of a class; and whether the largest wins.
_CRITERIA: Dict[str, Tuple[Callable[..., np.ndarray], bool]] = {
    "likelihood": (_log_likelihood, True), "chi2": (_chi2, False), "g": (_g, False)
}  # fmt: skip


def _has_likelihood(classifier: LBPLikelihoodClassifier) -> bool:
    return classifier.criterion == "likelihood"


class LBPLikelihoodClassifier(ClassifierMixin, BaseEstimator):
    """Tell textures apart by the likelihood of their histograms.

    The rules of the program's ``classify`` and of `rugose.LBPModel` (Ojala, Pietikäinen and
    Mäenpää 2002), for histograms of any kind: a class is the sum of the histograms of its samples,
    or each of them, and a histogram S is compared with it, M.

    Parameters
    ----------
    criterion : {"likelihood", "chi2", "g"}
        ``sum(S ln M)``, where S are counts and M shares; chi squared of shares; G of shares.
    nearest : bool, default False
        The class of the single most alike sample.
    alpha : float, default 1
        Added to each bin of M, 1e-100..1e100, so that a pattern that was never seen rules no class
        out; chi squared needs none.
    n_bins : sequence of int, optional
        X holds several histograms side by side, such as those of several operators
        (`LBPTransformer.n_bins_`): their bins. Scores add up. By default all is one histogram,
        which orders classes alike where all histograms count the same pixels.

    Attributes
    ----------
    classes_ : ndarray
        The classes; of equal scores the first one wins.
    counts_ : ndarray
        The histograms of classes, or of samples, a row for each.

    Notes
    -----
    Probabilities come from likelihoods alone: all classes are held for equally frequent. Pixels are
    counted as if they were independent, which neighbours are not, so that probabilities are nearly
    0 or 1; `sklearn.calibration.CalibratedClassifierCV` makes honest ones. The other criteria have
    none.

    Examples
    --------
    >>> import numpy as np
    >>> from rugose.sklearn import LBPLikelihoodClassifier, LBPTransformer
    >>> from sklearn.pipeline import make_pipeline
    >>> board, stripes = np.indices((32, 32)).sum(0) % 2, np.indices((32, 32))[0] % 2
    >>> model = make_pipeline(LBPTransformer(normalize=False), LBPLikelihoodClassifier())
    >>> model.fit([board, stripes], ["board", "stripes"]).predict([stripes.T]).tolist()
    ['stripes']
    """

    def __init__(
        self,
        *,
        criterion: str = "likelihood",
        nearest: bool = False,
        alpha: float = 1.0,
        n_bins: Optional[Sequence[int]] = None,
    ) -> None:
        self.criterion = criterion
        self.nearest = nearest
        self.alpha = alpha
        self.n_bins = n_bins

    def _parts(self, counts: np.ndarray) -> List[np.ndarray]:
        """The histograms that lie side by side."""
        n = counts.shape[1]
        if self.n_bins is None:
            return [counts]
        bins = [_arrays.count("n_bins", number, 1) for number in self.n_bins]
        if sum(bins) != n:
            raise ValueError(f"n_bins: {self.n_bins!r} given, {n} bins in all expected, as X has")
        return np.split(counts, np.cumsum(bins)[:-1], axis=1)

    def _check_sums(self, counts: np.ndarray, what: str) -> None:
        for part in self._parts(counts):
            (empty,) = np.nonzero(part.sum(axis=1) == 0)
            if len(empty):
                raise ValueError(
                    f"X: all bins of {what} {empty[0]} are 0, a histogram with pixels expected"
                )

    def fit(self, X: Any, y: Any) -> LBPLikelihoodClassifier:
        """Sum, or keep, the histograms of samples.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``, counts from 0 on.
        y : array_like
            The class of each sample.

        Returns
        -------
        self
        """
        choice("criterion", self.criterion, _CRITERIA)
        if not 1e-100 <= self.alpha <= 1e100:
            raise ValueError(f"alpha: {self.alpha!r} given, a number 1e-100..1e100 expected")
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_min_features=2)
        check_non_negative(X, "LBPLikelihoodClassifier (input X)")
        check_classification_targets(y)
        self.classes_, of_sample = np.unique(y, return_inverse=True)
        if self.nearest:
            self.counts_, self._class = X.copy(), of_sample
        else:
            self._class = np.arange(len(self.classes_))
            self.counts_ = np.stack([X[of_sample == c].sum(axis=0) for c in self._class])
        self._check_sums(self.counts_, "sample" if self.nearest else "class")
        return self

    def scores(self, X: Any) -> np.ndarray:
        """Score histograms against the classes, as the program does.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``.

        Returns
        -------
        ndarray of float64
            ``[n_samples, n_classes]``; the largest wins with criterion "likelihood", otherwise the
            smallest.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        check_non_negative(X, "LBPLikelihoodClassifier (input X)")
        self._check_sums(X, "row")
        score, is_largest = _CRITERIA[self.criterion]
        better = np.fmax if is_largest else np.fmin
        found = np.full((len(X), len(self.classes_)), np.nan)
        parts, of_candidates = self._parts(X), self._parts(self.counts_)
        for i, c in enumerate(self._class):
            value = sum(score(s, m[i], self.alpha) for s, m in zip(parts, of_candidates))
            found[:, c] = better(found[:, c], value)
        return found

    def _merits(self, X: Any) -> np.ndarray:
        """Scores of which the largest wins."""
        scores = self.scores(X)
        return scores if _CRITERIA[self.criterion][1] else -scores

    def decision_function(self, X: Any) -> np.ndarray:
        """Say how much is in favour of each class.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``.

        Returns
        -------
        ndarray of float64
            `scores`, of which the largest wins: those of "chi2" and "g" with a minus sign. Of two
            classes, how much better the second one is, ``[n_samples]``.
        """
        merits = self._merits(X)
        return merits[:, 1] - merits[:, 0] if len(self.classes_) == 2 else merits

    def predict(self, X: Any) -> np.ndarray:
        """Find the classes of histograms.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``.

        Returns
        -------
        ndarray
            A class for each row.
        """
        best = np.argmax(self._merits(X), axis=1)
        return self.classes_[best]

    @available_if(_has_likelihood)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Find the logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``.

        Returns
        -------
        ndarray of float64
            ``[n_samples, n_classes]``.
        """
        scores = self.scores(X)
        return scores - logsumexp(scores, axis=1, keepdims=True)

    @available_if(_has_likelihood)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Find the probabilities of the classes: their likelihoods, divided by the sum.

        Parameters
        ----------
        X : array_like
            ``[n_samples, n_bins]``.

        Returns
        -------
        ndarray of float64
            ``[n_samples, n_classes]``.
        """
        return np.exp(self.predict_log_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # of what are no histograms
        return tags
