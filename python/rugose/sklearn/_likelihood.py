# SPDX-License-Identifier: BSD-3-Clause
"""Classes of textures."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
from scipy.special import logsumexp, xlogy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from .. import _arrays
from .._context import choice


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
        The class of the single most alike sample; by default samples of a class are summed.
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
    Probabilities come from likelihoods alone: all classes are taken to be equally frequent. Pixels
    are counted as if they were independent, which neighbours are not, so that probabilities are
    nearly 0 or 1; `sklearn.calibration.CalibratedClassifierCV` makes better ones by "temperature".
    The other criteria have none.

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
