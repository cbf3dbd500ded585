# SPDX-License-Identifier: BSD-3-Clause
"""Classes of textures: the program's verdicts, bit for bit."""

import math
import pickle

import numpy as np
import pytest
import rugose

OPERATORS = [(8, 1), (16, 2)]
IMAGE = np.add.outer(np.arange(40) % 7, np.arange(50) % 5)


@pytest.fixture(scope="session")
def model(textures):
    found = rugose.LBPModel(OPERATORS, border="skip")
    for image, name in zip(*textures[:2]):
        found.add(name, image, f"{name} of {len(found.samples)}")
    return found


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ""),
        (dict(nearest=True), "--nearest"),
        (dict(score="chi2"), "--score chi2"),
        (dict(score="g", alpha=0.25, nearest=True), "--score g --alpha 0.25 --nearest"),
        (dict(alpha=0), "--alpha 0"),
    ],
)
def test_verdicts(options, words, model, textures, classified):
    rows = classified(*words.split())
    for image, row in zip(textures[2], rows):
        verdict = model.classify(image, **options)
        assert (verdict.predicted, verdict.second) == (row["predicted"], row["second"])
        assert (verdict.score, verdict.margin) == (row["score"], row["margin"])
        assert (verdict.status, verdict.n_ruled_out) == (row["status"], row.get("ruled_out", 0))
        assert (verdict.nearest is not None) == options.get("nearest", False)


def test_model(model, textures):
    assert model.classes == ["brick", "fabric", "grass"] and model.n_bins == 28
    assert model.samples[4] == ("fabric", "fabric of 4")
    assert model.counts.shape == (9, 28) and model.counts.dtype == np.uint64
    again = pickle.loads(pickle.dumps(model))
    counted = model.histogram(textures[2][0])
    assert again.classify(counted) == model.classify(textures[2][0], threads=1)
    assert repr(again).startswith("LBPModel(3 classes, 9 samples, operators=[(8, 1.0), (16, 2.0)]")
    assert model.classify(counted).to_frame()["predicted"].tolist() == ["brick"]


def test_joint_histograms(textures, program, tmp_path):
    train, names, test, files = textures
    cuts = rugose.lbp_cuts(train, [(8, 1)], 5, threads=2)
    model = rugose.LBPModel(method="nri_uniform", cuts=cuts)
    for image, name in zip(train, names):
        model.add(name, image)
    assert model.n_bins == 59 * 5 and (np.diff(cuts[0]) > 0).all()
    program.run(
        "train", "--model", tmp_path / "m", "--method", "nri_uniform", "--var-bins", 5,
        "textures/train",
    )  # fmt: skip
    for image, row in zip(test, program("classify", "--model", tmp_path / "m", *files)):
        assert model.classify(image).score == row["score"]


def test_bins_of_the_variance(program, read):
    (row,) = program("lbp", "--method", "var", "--cuts", "10,50,200", "brick.png")
    found = rugose.lbp_histogram(read("brick.png"), method="var", cuts=[[10, 50, 200]])
    assert found.counts[0].tolist() == row["bins"]


def test_masks_leave_pixels_out():
    left = np.zeros(IMAGE.shape, bool)
    left[:, :25] = True
    whole, part = rugose.LBPModel(), rugose.LBPModel()
    whole.add("a", IMAGE)
    part.add("a", IMAGE, mask=left)
    assert part.counts.sum() == left.sum() and whole.counts.sum() == left.size
    masked = np.ma.array(IMAGE, mask=~left)
    assert whole.classify(masked) == whole.classify(IMAGE, mask=left)
    noise = np.random.default_rng(1).integers(0, 99, IMAGE.shape)
    joined = np.where(left, IMAGE, noise)
    of_mask = rugose.lbp_cuts([np.ma.array(joined, mask=~left)], n_bins=4)[0]
    assert of_mask.tolist() != rugose.lbp_cuts([joined], n_bins=4)[0].tolist()


def test_nothing_to_classify():
    model = rugose.LBPModel()
    model.add("flat", np.zeros((9, 9)))
    verdict = model.classify(IMAGE, mask=np.zeros(IMAGE.shape))
    assert verdict.predicted is None and math.isnan(verdict.score)
    assert verdict.status == "no pixels"
    verdict = model.classify(IMAGE, alpha=0)
    assert verdict.status == "all ruled out" and verdict.n_ruled_out == 1
    model.add("tiles", IMAGE)
    verdict = model.classify(IMAGE, alpha=0)
    assert verdict.status == "others ruled out"
    assert (verdict.predicted, verdict.second) == ("tiles", None)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: rugose.LBPModel([]), "operators: none given"),
        (lambda: rugose.LBPModel([8, 1]), r"pairs \(points, radius\)"),
        (lambda: rugose.LBPModel([(33, 1)]), "points: 33 given"),
        (lambda: rugose.LBPModel(method="var"), "cuts to 'var'"),
        (lambda: rugose.LBPModel(method="default", operators=[(17, 2)]), "no histogram"),
        (lambda: rugose.LBPModel(cuts=[[3, 1]]), "ascending"),
        (lambda: rugose.LBPModel(cuts=[[math.nan]]), "nan; finite numbers above 0"),
        (lambda: rugose.LBPModel(cuts=[3]), "a list of variances for each of 1 operators"),
        (lambda: rugose.LBPModel(cuts=7), "a list of variances for each of 1 operators"),
        (lambda: rugose.LBPModel().add("", IMAGE), "the class has no name"),
        (lambda: rugose.LBPModel().add("a\0b", IMAGE), "name: 'a.x00b' given, text"),
        (lambda: rugose.LBPModel().add("a", IMAGE, 3), "sample: 3 given, text"),
        (lambda: rugose.LBPModel(border="skip").add("a", IMAGE[:2]), "no pixel has a code"),
        (lambda: rugose.LBPModel().classify(IMAGE), "the model has no class"),
        (lambda: one().classify(IMAGE, alpha=-1), "alpha -1 given"),
        (lambda: one().classify(IMAGE, alpha=None), "alpha: None given, a number"),
        (lambda: one().classify(IMAGE, nearest="no"), "nearest: 'no' given, True or False"),
        (lambda: one().classify(IMAGE, score="G"), "score: 'G' given, one of likelihood"),
        (lambda: one().classify(rugose.lbp_histogram(IMAGE, OPERATORS)), "of this model"),
        (lambda: one().classify(rugose.lbp_histogram(IMAGE, method="ror")), "of this model"),
        (lambda: one().classify(rugose.lbp_histogram(IMAGE, labels=IMAGE)), "of this model"),
        (lambda: one().classify(one().histogram(IMAGE), threads=2), "are for images"),
        (lambda: rugose.lbp_cuts([IMAGE], n_bins=1), "n_bins: 1 given"),
        (lambda: rugose.lbp_cuts([]), "images: none given"),
        (lambda: rugose.lbp_cuts([IMAGE, IMAGE[0]]), "1 axes given"),
    ],
)
def test_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def one():
    found = rugose.LBPModel()
    found.add("a", IMAGE)
    return found


def test_what_an_iterable_raises_comes_through():
    def images():
        yield IMAGE
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        rugose.lbp_cuts(images())
