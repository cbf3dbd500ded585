# SPDX-License-Identifier: BSD-3-Clause
"""Classes of textures, told apart by their local binary patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _lbp
from ._patterns import Cuts, LBPHistograms, Operator, cuts_of, lbp_histogram, pairs_of
from ._results import Result


@dataclass(frozen=True, repr=False, eq=False)
class LBPVerdict(Result):
    """The class of an image.

    Attributes
    ----------
    predicted : str or None
        The class that wins; of equal ones, the one added first. None if there is none.
    second : str or None
        The best of the other classes.
    score, margin : float
        Of the class that wins, and how much better it is than that of the second; NaN if there is
        none.
    nearest : str or None
        The sample that won, if the nearest one was sought.
    n_ruled_out : int
        Classes that alpha = 0 rules out.
    """

    predicted: Optional[str]
    second: Optional[str]
    score: float
    margin: float
    nearest: Optional[str]
    n_ruled_out: int

    @property
    def status(self) -> str:
        """Either "ok" or "others ruled out"; without a class "all ruled out" or "no pixels"."""
        if self.predicted is None:
            return "all ruled out" if self.n_ruled_out else "no pixels"
        return "others ruled out" if self.second is None and self.n_ruled_out else "ok"

    def rows(self) -> np.ndarray:
        """One row."""
        kinds = dict(score=float, margin=float, n_ruled_out=np.uint64)
        values = {**self.summary(), "status": self.status}
        return np.array(
            [tuple(values.values())], [(name, kinds.get(name, object)) for name in values]
        )

    def summary(self) -> Dict[str, Any]:
        """All there is."""
        return dict(
            predicted=self.predicted, second=self.second, score=self.score, margin=self.margin,
            nearest=self.nearest, n_ruled_out=self.n_ruled_out, status=self.status,
        )  # fmt: skip


class LBPModel:
    """Classes of textures: histograms of samples, with which images are compared.

    What the program's ``train`` and ``classify`` do, bit for bit. It can be pickled.
    `rugose.sklearn` has estimators.

    Parameters
    ----------
    operators, method, border, exact, cuts
        How images are coded, as in `lbp_histogram`.

    Attributes
    ----------
    classes : list of str
        In the order of their first samples.
    samples : list of (str, str)
        Class and name of each sample.
    counts : ndarray of uint64
        ``[n_samples, n_bins]``, the histograms of all operators side by side.

    Examples
    --------
    >>> import numpy as np, rugose
    >>> board, stripes = np.indices((32, 32)).sum(0) % 2, np.indices((32, 32))[0] % 2
    >>> model = rugose.LBPModel(border="skip")
    >>> model.add("board", board)
    >>> model.add("stripes", stripes)
    >>> model.classify(stripes.T).predicted
    'stripes'
    """

    def __init__(
        self,
        operators: Sequence[Operator] = ((8, 1),),
        *,
        method: str = "uniform",
        border: str = "zero",
        exact: str = "skimage",
        cuts: Cuts = None,
    ) -> None:
        self.operators: List[Operator] = pairs_of(operators)
        self.method = "uniform" if method == "riu2" else method
        self.border, self.exact = border, exact
        self.cuts = cuts_of(cuts, len(self.operators))
        self.n_bins = _lbp.model_bins(self.operators, self.cuts, method, border, exact)
        self._samples: List[Tuple[str, str, np.ndarray]] = []

    @property
    def classes(self) -> List[str]:
        """The classes, in the order of their first samples."""
        return list(dict.fromkeys(name for name, _, _ in self._samples))

    @property
    def samples(self) -> List[Tuple[str, str]]:
        """Class and name of each sample."""
        return [(name, sample) for name, sample, _ in self._samples]

    @property
    def counts(self) -> np.ndarray:
        """The histograms of the samples."""
        rows = [bins for _, _, bins in self._samples]
        return np.stack(rows) if rows else np.zeros((0, self.n_bins), np.uint64)

    def __repr__(self) -> str:
        return (
            f"LBPModel({len(self.classes)} classes, {len(self._samples)} samples, "
            f"operators={self.operators!r}, method={self.method!r}, n_bins={self.n_bins})"
        )

    def histogram(self, image: Any, *, mask: Any = None, **run: Any) -> LBPHistograms:
        """Count the patterns of an image, as the model codes them.

        Parameters
        ----------
        image, mask
            As in `lbp_histogram`.
        **run
            threads, device, progress.
        """
        return lbp_histogram(
            image, self.operators, method=self.method, mask=mask, cuts=self.cuts,
            border=self.border, exact=self.exact, **run,
        )  # fmt: skip

    def _bins(self, image: Any, mask: Any, run: Dict[str, Any]) -> np.ndarray:
        if not isinstance(image, LBPHistograms):
            image = self.histogram(image, mask=mask, **run)
        elif mask is not None or run:
            raise ValueError("mask, threads, device, progress: are for images, not for histograms")
        is_alike = image.operators == self.operators and image.method == self.method
        bins = np.concatenate(image.counts, axis=-1)
        if not is_alike or bins.shape != (self.n_bins,):
            raise ValueError(
                f"image: {image!r} given, what histogram() of this model counts expected"
            )
        return bins

    def add(
        self,
        name: str,
        image: Union[LBPHistograms, Any],
        sample: str = "",
        *,
        mask: Any = None,
        **run: Any,
    ) -> None:
        """Add a training sample.

        Parameters
        ----------
        name : str
            Its class.
        image : array_like or LBPHistograms
            ``[ny, nx]``, or what `histogram` counted.
        sample : str, optional
            Its name.
        mask : array_like, optional
            Of the image's shape: pixels where it is 0 or NaN are not counted.
        **run
            threads, device, progress.
        """
        for what, text in (("name", name), ("sample", sample)):
            if not isinstance(text, str) or "\0" in text:
                raise ValueError(f"{what}: {text!r} given, text expected")
        bins = self._bins(image, mask, run)
        _lbp.check_sample(self.operators, self.cuts, self.method, name, bins)
        self._samples.append((name, sample, bins))

    def classify(
        self,
        image: Union[LBPHistograms, Any],
        *,
        mask: Any = None,
        score: str = "likelihood",
        nearest: bool = False,
        alpha: float = 1.0,
        **run: Any,
    ) -> LBPVerdict:
        """Find the class of an image.

        Parameters
        ----------
        image, mask
            As in `add`.
        score : {"likelihood", "chi2", "g"}
            How a histogram S is compared with that of a class, M: ``sum(S ln M)``, the largest
            wins; chi squared or G of shares, the smallest wins.
        nearest : bool, default False
            The class of the single most alike sample; by default samples of a class are summed.
        alpha : float, default 1
            Added to each bin of the model, 0 or more. With 0 a class that lacks a pattern is ruled
            out.
        **run
            threads, device, progress.

        Raises
        ------
        ValueError
            The model has no sample, or a histogram is not of its kind.
        """
        return LBPVerdict(
            **_lbp.classify(
                self.operators, self.cuts, self.method, self._samples, self._bins(image, mask, run),
                score, _arrays.flag("nearest", nearest), _arrays.number("alpha", alpha),
            )
        )  # fmt: skip
