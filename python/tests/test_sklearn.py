# SPDX-License-Identifier: BSD-3-Clause
"""The estimators: scikit-learn's own checks, pipelines, the program's numbers."""

import importlib
import pickle
import sys

import numpy as np
import pytest
import rugose

pytest.importorskip("sklearn", minversion="1.6")

from rugose.sklearn import (
    BoxCountTransformer,
    HaralickTransformer,
    LBPLikelihoodClassifier,
    LBPTransformer,
)
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

ROW = dict(image_shape=(1, -1))  # the checks have rows of pixels


def failures(estimator):
    if not isinstance(estimator, LBPLikelihoodClassifier):
        return {}
    reasons = {"check_estimators_dtypes": "rows without any count have no class"}
    if hasattr(estimator, "predict_proba"):
        reasons["check_decision_proba_consistency"] = "it has counts below 0"
    return reasons


@parametrize_with_checks(
    [
        LBPLikelihoodClassifier(),
        LBPLikelihoodClassifier(nearest=True),
        LBPLikelihoodClassifier(criterion="chi2"),
        LBPLikelihoodClassifier(criterion="g", nearest=True),
        LBPTransformer([(8, 1), (4, 2)], n_jobs=2, **ROW),
        HaralickTransformer(**ROW),
        BoxCountTransformer(**ROW),
    ],
    expected_failed_checks=failures,
)
def test_checks(estimator, check):
    check(estimator)


OPERATORS = [(8, 1), (16, 2)]
CRITERIA = ["likelihood", "chi2", "g"]


@pytest.fixture(scope="session")
def counts(textures):
    """Histograms of the textures that train and of those that test."""
    coder = LBPTransformer(OPERATORS, border="skip", normalize=False)
    train, names, test, _ = textures
    return coder.fit_transform(train), names, coder.transform(test), coder.n_bins_


@pytest.mark.parametrize("nearest", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_scores_are_those_of_the_program(criterion, nearest, counts, classified):
    train, names, test, n_bins = counts
    model = LBPLikelihoodClassifier(criterion=criterion, nearest=nearest, n_bins=n_bins, alpha=0.5)
    scores = model.fit(train, names).scores(test)
    alpha = ["--alpha", 0.5] * (criterion != "chi2")
    rows = classified("--score", criterion, *["--nearest"] * nearest, *alpha)
    assert model.predict(test).tolist() == [row["predicted"] for row in rows]
    best = scores.max(axis=1) if criterion == "likelihood" else scores.min(axis=1)
    np.testing.assert_allclose(best, [row["score"] for row in rows], rtol=1e-12)
    two = np.sort(scores, axis=1)[:, :: -1 if criterion == "likelihood" else 1][:, :2]
    margins = abs(two[:, 0] - two[:, 1])
    np.testing.assert_allclose(margins, [row["margin"] for row in rows], rtol=1e-10)
    signs = 1 if criterion == "likelihood" else -1
    np.testing.assert_array_equal(model.decision_function(test), signs * scores)


def test_one_histogram_orders_classes_alike(counts):
    train, names, test, n_bins = counts
    for criterion in CRITERIA:
        model = LBPLikelihoodClassifier(criterion=criterion).fit(train, names)
        apart = clone(model).set_params(n_bins=n_bins).fit(train, names)
        assert model.predict(test).tolist() == apart.predict(test).tolist()


def test_probabilities_of_a_few_pixels():
    model = LBPLikelihoodClassifier().fit([[3, 1], [0, 2]], ["a", "b"])
    likelihoods = np.array([(4 / 6) ** 2 * (2 / 6), (1 / 4) ** 2 * (3 / 4)])
    found = model.predict_proba([[2, 1]])
    np.testing.assert_allclose(found, [likelihoods / likelihoods.sum()], rtol=1e-14)
    np.testing.assert_allclose(model.predict_log_proba([[2, 1]]), np.log(found), rtol=1e-14)
    np.testing.assert_allclose(
        model.decision_function([[2, 1]]), [np.log(likelihoods[1] / likelihoods[0])], rtol=1e-14
    )
    np.testing.assert_allclose(model.fit([[3.5, 1], [0, 2]], [7, 5]).predict([[2, 1]]), [7])


def test_equal_scores_go_to_the_first_class():
    for nearest in (False, True):
        model = LBPLikelihoodClassifier(nearest=nearest).fit([[3, 1], [3, 1]], ["b", "a"])
        assert model.predict([[1, 5]]).tolist() == ["a"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (dict(criterion="G"), "criterion: 'G' given, one of likelihood"),
        (dict(alpha=0), "alpha: 0 given"),
        (dict(alpha=float("nan")), "alpha: nan given"),
        (dict(n_bins=[1, 2]), r"n_bins: \[1, 2\] given, 2 bins in all"),
        (dict(n_bins=[2, 0]), "n_bins: 0 given"),
    ],
)
def test_refused_by_the_classifier(options, text):
    with pytest.raises(ValueError, match=text):
        LBPLikelihoodClassifier(**options).fit([[3, 1], [0, 2]], ["a", "b"])


@pytest.mark.parametrize("kind", ["u1", "u8", "i4", "i8", "f4", "f8", ">f8", "O"])
def test_types_of_counts(kind):
    model = LBPLikelihoodClassifier().fit(np.array([[3, 1], [0, 2]], kind), ["a", "b"])
    expected = LBPLikelihoodClassifier().fit([[3, 1], [0, 2]], ["a", "b"]).scores([[2, 1]])
    np.testing.assert_array_equal(model.scores(np.array([[2, 1]], kind)), expected)


def test_histograms_without_pixels_are_refused():
    with pytest.raises(ValueError, match="all bins of class 1 are 0"):
        LBPLikelihoodClassifier().fit([[3, 1], [0, 0]], ["a", "b"])
    with pytest.raises(ValueError, match="all bins of sample 1 are 0"):
        LBPLikelihoodClassifier(nearest=True).fit([[3, 1], [0, 0]], ["a", "a"])
    model = LBPLikelihoodClassifier(n_bins=[1, 1]).fit([[3, 1], [0, 2], [1, 0]], ["a", "b", "b"])
    with pytest.raises(ValueError, match="all bins of row 0 are 0"):
        model.predict([[0, 3]])
    assert not hasattr(LBPLikelihoodClassifier(criterion="g"), "predict_proba")


# ---- Transformers ----


def test_features_are_those_of_the_functions(textures):
    images = textures[0]
    coder = LBPTransformer(OPERATORS, method="nri_uniform", border="skip").fit(images)
    expected = [
        rugose.lbp_histogram(image, OPERATORS, method="nri_uniform", border="skip").features()
        for image in images
    ]
    np.testing.assert_array_equal(coder.transform(np.stack(images)), expected)
    assert coder.n_bins_ == [59, 243] and coder.cuts_ is None
    assert coder.get_feature_names_out()[[0, 58, 59, -1]].tolist() == [
        "lbp_8_1_0", "lbp_8_1_58", "lbp_16_2_0", "lbp_16_2_242",
    ]  # fmt: skip
    measure = HaralickTransformer(
        levels=16, distances=[2, 1], aggregate="none", directions=["0", "90"],
        features=["contrast", "entropy"], n_jobs=2,
    )  # fmt: skip
    table = rugose.haralick(
        images[1], levels=16, distances=[1, 2], aggregate="none", directions=["0", "90"]
    )
    found = measure.fit_transform(images)
    names = measure.get_feature_names_out().tolist()
    assert names[:4] == ["contrast_1_0", "entropy_1_0", "contrast_1_90", "entropy_1_90"]
    for i, name in enumerate(names):
        assert found[1, i] == table[name.split("_")[0]][i // 2]
    boxes = BoxCountTransformer(
        foreground="otsu-dark", grid="min", sizes=[1, 2, 4, 8], fit_range=(1, 8),
        features=["foreground_share", "dimension"],
    )  # fmt: skip
    r = rugose.boxcount(
        images[2], foreground="otsu-dark", grid="min", sizes=[1, 2, 4, 8], fit=(1, 8)
    )
    expected = [r.summary()["foreground_share"], r.dimension]
    assert boxes.fit_transform(images)[2].tolist() == expected
    volumes = np.zeros((2, 16, 16, 16))
    volumes[:, 4:9, :, ::3] = 1
    found = BoxCountTransformer(fit_range=(1, 16)).fit_transform(volumes)
    assert found.tolist() == [[rugose.boxcount(volumes[0], fit=(1, 16)).dimension]] * 2


def test_bins_of_the_variance(textures, program, tmp_path):
    train, names, test, files = textures
    coder = LBPTransformer(var_bins=5, normalize=False).fit(train)
    model = LBPLikelihoodClassifier().fit(coder.transform(train), names)
    program.run("train", "--model", tmp_path / "m.json", "--var-bins", 5, "textures/train")
    rows = program("classify", "--model", tmp_path / "m.json", *files)
    assert coder.n_bins_ == [50] and len(coder.get_feature_names_out()) == 50
    scores = model.scores(coder.transform(test))
    np.testing.assert_allclose(scores.max(axis=1), [row["score"] for row in rows], rtol=1e-12)
    with pytest.raises(ValueError, match="about the same"):
        coder.fit([np.zeros((9, 9))])


def test_n_jobs_change_nothing(textures):
    for estimator in (LBPTransformer(), HaralickTransformer(levels=8)):
        expected = estimator.fit_transform(textures[0])
        for n_jobs in (2, -1):
            found = clone(estimator).set_params(n_jobs=n_jobs).fit_transform(textures[0])
            np.testing.assert_array_equal(found, expected)


def test_masked_images(textures):
    image = textures[0][0]
    mask = np.zeros(image.shape, bool)
    mask[20:90, 30:] = True
    masked = np.ma.array(image, mask=~mask)
    found = LBPTransformer().fit_transform([masked, image])
    assert found[0].tolist() == rugose.lbp_histogram(image, mask=mask).features().tolist()
    assert found[0].tolist() != found[1].tolist()


def test_rows_of_pixels():
    digits = load_digits()
    flat = HaralickTransformer(image_shape=(8, 8), features="contrast")
    found = flat.fit_transform(digits.data[:9])
    images = HaralickTransformer(features="contrast").fit_transform(digits.images[:9])
    np.testing.assert_array_equal(found, images)
    assert flat.n_features_in_ == 64


@pytest.mark.parametrize(
    ("estimator", "X", "text"),
    [
        (LBPTransformer(), np.zeros((4, 64)), r"\[n, ny, nx\] or a list of images expected"),
        (LBPTransformer(), [], "no image given"),
        (LBPTransformer([(0, 1)]), np.zeros((2, 9, 9)), "points: 0 given"),
        (LBPTransformer(method="var"), np.zeros((2, 9, 9)), "cuts to 'var'"),
        (LBPTransformer(method="rui2"), np.zeros((2, 9, 9)), "'riu2'?"),
        (LBPTransformer(image_shape=(7, 9)), np.zeros((2, 64)), "a shape of 64 pixels expected"),
        (LBPTransformer(image_shape="8x8"), np.zeros((2, 64)), "a shape of 64 pixels expected"),
        (HaralickTransformer(features=["kontrast"]), np.zeros((2, 9, 9)), "'contrast'?"),
        (BoxCountTransformer(features=["slope"]), np.zeros((2, 9, 9)), "one of dimension"),
        (BoxCountTransformer(features=[]), np.zeros((2, 9, 9)), "none given"),
        (BoxCountTransformer(), [np.zeros(9)], "1 axes given, 2 or 3 expected"),
    ],
)
def test_refused_by_transformers(estimator, X, text):
    with pytest.raises(ValueError, match=text):
        estimator.fit_transform(X)


# ---- With the rest of scikit-learn ----


def test_pipeline_search_and_pickle(textures):
    train, names, test, files = textures
    pipeline = make_pipeline(
        LBPTransformer(OPERATORS, normalize=False), LBPLikelihoodClassifier(nearest=True)
    )
    grid = dict(
        lbptransformer__border=["zero", "skip"], lbplikelihoodclassifier__criterion=CRITERIA
    )
    search = GridSearchCV(pipeline, grid, cv=StratifiedKFold(3)).fit(train, names)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    assert set(search.best_params_) == set(grid)
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert again.predict(test).tolist() == [file.split("/")[2] for file in files]
    trees = RandomForestClassifier(9, random_state=0)
    forest = make_pipeline(HaralickTransformer(levels=16), trees)
    assert forest.fit(train, names).score(train, names) > 0.8


def test_tables_of_pandas(textures):
    pandas = pytest.importorskip("pandas")
    for estimator in (LBPTransformer(), HaralickTransformer(levels=8), BoxCountTransformer()):
        frame = clone(estimator).set_output(transform="pandas").fit_transform(textures[0])
        assert isinstance(frame, pandas.DataFrame)
        assert frame.columns.tolist() == estimator.fit(textures[0]).get_feature_names_out().tolist()
        np.testing.assert_array_equal(frame.to_numpy(), estimator.transform(textures[0]))


def test_without_scikit_learn(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("rugose.sklearn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn.utils.validation", None)
    with pytest.raises(ImportError, match="needs scikit-learn 1.6 or later: pip install"):
        importlib.import_module("rugose.sklearn")
