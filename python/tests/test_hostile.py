# SPDX-License-Identifier: BSD-3-Clause
"""Whatever stands in place of an image or an option: a result, or an error that names it."""

import inspect
import random
import re

import numpy as np
import pytest
import rugose
from rugose.compat import mahotas

pytestmark = pytest.mark.filterwarnings("ignore")

STREAM = rugose.ifs.encode(np.arange(120, dtype=np.uint8).reshape(10, 12))
FUNCTIONS = {
    name: getattr(rugose, name)
    for name in rugose.__all__
    if inspect.isfunction(getattr(rugose, name))
}
FUNCTIONS.update(
    encode=rugose.ifs.encode, decode=rugose.ifs.decode, info=rugose.ifs.info,
    notes=rugose.ifs.notes,
    mahotas=mahotas.haralick,
)  # fmt: skip
OF_IMAGES = {
    name: next(iter(inspect.signature(call).parameters))
    for name, call in FUNCTIONS.items()
    if name not in ("compare", "decode", "info", "notes")
}
NEEDED = {"local_binary_pattern": dict(P=8, R=1)}
PLAIN = np.arange(30, dtype=np.uint8).reshape(5, 6)
COMPANIONS = [
    (call, what)
    for call in (rugose.boxcount, rugose.dbc, rugose.multifractal, rugose.alpha_map,
                 rugose.lacunarity, rugose.haralick, rugose.haralick_map, rugose.lbp_histogram)
    for what in ("mask", "labels")
    if what in inspect.signature(call).parameters
]  # fmt: skip

# Neither images nor masks nor labels.
REFUSED = {
    "empty": np.zeros((0, 6)),
    "empty in the middle": np.zeros((3, 0, 6), np.uint8),
    "one number": np.array(3),
    "one axis": np.arange(30),
    "four axes": np.zeros((2, 2, 2, 2)),
    "objects": np.full((5, 6), None),
    "numbers as objects": PLAIN.astype(object),
    "records": np.zeros((5, 6), [("a", "u1"), ("b", "f8")]),
    "text": np.full((5, 6), "a"),
    "bytes": np.full((5, 6), b"a"),
    "complex": np.zeros((5, 6), complex),
    "long double": np.zeros((5, 6), np.longdouble),
    "times": np.zeros((5, 6), "M8[s]"),
    "durations": np.zeros((5, 6), "m8[s]"),
    "a name of a file": "camera.png",
    "a ragged list": [[1, 2, 3], [4, 5]],
    "a dict": {"image": 3},
    "a function": len,
}


@pytest.mark.parametrize("kind", REFUSED)
def test_no_image(kind):
    for name, what in OF_IMAGES.items():
        with pytest.raises((ValueError, TypeError), match=f"^{what}: .*(given|expected|pixel)"):
            FUNCTIONS[name](REFUSED[kind], **NEEDED.get(name, {}))


@pytest.mark.parametrize("kind", REFUSED)
def test_no_companion(kind):
    for call, what in COMPANIONS:
        with pytest.raises(ValueError, match=f"^{what}: .*(given|expected|pixel)"):
            call(PLAIN, **{what: REFUSED[kind]})


@pytest.mark.parametrize("shape", [(6, 5), (5, 7), (1, 6), (5, 6, 1), (1, 5, 6), (30,)])
def test_companions_of_other_shapes(shape):
    for call, what in COMPANIONS:
        with pytest.raises(ValueError, match=re.escape(f"{what}: ")) as caught:
            call(PLAIN, **{what: np.ones(shape, np.uint8)})
        text = str(caught.value)
        assert "(5, 6) expected" in text and str(shape) in text or "axes given" in text


@pytest.mark.parametrize("labels", [-np.ones((5, 6), int), np.full((5, 6), 1.5), np.ones((5, 6))])
def test_labels_are_whole_numbers_from_0_on(labels):
    for call, what in COMPANIONS:
        if what == "labels" and not (labels == 1).all():
            with pytest.raises(ValueError, match="label"):
                call(PLAIN, labels=labels)


def layouts():
    """The pixels of PLAIN as they may lie, with their values."""
    wide = np.zeros((15, 6000), np.uint8)
    wide[::3, ::1000] = PLAIN
    yield wide[::3, ::1000]
    yield np.ascontiguousarray(PLAIN[::-1, ::-1])[::-1, ::-1]
    yield np.asfortranarray(PLAIN)
    read_only = PLAIN.copy()
    read_only.flags.writeable = False
    yield read_only
    yield np.frombuffer(b"x" + PLAIN.tobytes(), np.uint8)[1:].reshape(5, 6)
    yield np.asmatrix(PLAIN)
    yield np.ma.masked_array(PLAIN)
    yield memoryview(PLAIN)


def test_layouts():
    overlapping = np.lib.stride_tricks.as_strided(np.arange(99, dtype=np.uint8), (5, 6), (1, 2))
    for image, plain in [*((i, PLAIN) for i in layouts()), (overlapping, overlapping.copy())]:
        assert rugose.boxcount(image) == rugose.boxcount(plain)
        assert rugose.lacunarity(image, gray=True) == rugose.lacunarity(plain, gray=True)
        assert rugose.haralick(image)["contrast"] == rugose.haralick(plain)["contrast"]
        np.testing.assert_array_equal(rugose.alpha_map(image), rugose.alpha_map(plain))
        assert rugose.ifs.encode(image) == rugose.ifs.encode(plain)
    for mask in layouts():
        for call, what in COMPANIONS:
            a, b = (call(PLAIN, **{what: values}) for values in (mask, PLAIN))
            assert str(a) == str(b)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_no_number_at_all(value):
    image = np.full((6, 7), value)
    boxes = rugose.boxcount(image)  # what is infinite is set
    assert boxes.n_set == 0 and np.isnan(boxes.dimension) or np.isinf(value)
    assert np.isnan(rugose.dbc(image).dimension)
    assert rugose.haralick(image)["pairs"][0] == 0
    assert np.isnan(rugose.alpha_map(image)).all()
    assert np.isnan(rugose.haralick_map(image, features="contrast")["contrast"]).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (1, 1, 1), (1, 5, 1)])
def test_thin_images(shape):
    """Undefined is NaN, never a number."""
    image = np.ones(shape, np.uint8)
    assert rugose.boxcount(image).counts["total"][0] == image.size
    assert np.isnan(rugose.multifractal(image).orders["dimension"]).all() or max(shape) > 4
    if len(shape) == 2:
        codes = rugose.local_binary_pattern(image, 8, 1, dtype=None)
        assert codes.shape == shape
        assert rugose.lbp_histogram(image).counts[0].sum() == image.size
        assert rugose.ifs.decode(rugose.ifs.encode(image)).shape == shape
    table = rugose.haralick(image)
    assert table["status"][0] != "ok" and np.isnan(table["correlation"][0])


# ---- Anything at all ----

VALUES = [
    None, 0, 1, -1, 2, 3, 7, 1.5, -2.5, float("nan"), float("inf"), 2**31, 2**32, 2**63, 2**64,
    2**70, 1e308, 5e-324, "", "auto", "min", "mean", "above=1", "above=nan", "label=3", "é\ud800",
    "auto\0", "x" * 999, b"auto", [], [1, 2], [0], [-1], (1, 2), (3, 2), (1.5, 2), [None], {},
    object(), True, np.int64(3), np.float32(2), np.array(3), np.array([1, 2]), [2**64], ["45"],
    "contrast", ["contrast"], "all", ((8, 1),), ((8, 1), (3, 2.5)), ((0, 1),), ((8, np.nan),),
    ((8,),), 1 + 2j, "uniform", "ror", "skip", "iso", "roi", "type", "exact", "merged", "none",
    "xy", "frame",
]  # fmt: skip
THREADS = [None, 1, 2, 0, -1, 5000, "2", 1.0]
DEVICES = ["cpu", "opencl:99", "cpu\0", "", None]
REPORTERS = [None, lambda share: None, 3, "x"]


NAMED = "given|expected|is for|are for|no pair|allow|masses|no map|stream|asked for|about the same"


class Attack:
    """Arguments by chance."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(list(seed.encode()))

    def array(self):
        choose = self.random.choice
        if self.random.random() < 0.3:
            return choose(list(REFUSED.values()))
        shape = choose([(5, 6), (3, 4, 5), (1, 1), (1, 9), (9, 1), (12, 13), (16, 16, 3)])
        values = self.rng.integers(0, choose([2, 5, 200]), shape)
        kinds = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8", ">i4", "f2"]
        array = values.astype(choose(kinds)) - self.random.choice([0, 0, 0, 1]) * np.uint8(1)
        return array[::-1, :: choose([1, 2])]

    def stream(self):
        changed = bytearray(STREAM)
        for _ in range(self.random.randrange(3)):
            changed[self.random.randrange(len(changed))] = self.random.randrange(256)
        return bytes(changed[: self.random.choice([len(changed), 9])])

    def value(self, name):
        choices = dict(threads=THREADS, device=DEVICES, progress=REPORTERS).get(name, VALUES)
        if name in ("image", "f", "a", "b", "points", "mask", "labels"):
            return self.array()
        if name == "images":
            return [self.array() for _ in range(self.random.randrange(3))]
        return self.stream() if name == "stream" else self.random.choice(choices)

    def arguments(self, call):
        for name, parameter in inspect.signature(call).parameters.items():
            is_image = name == "image" and self.random.random() < 0.9
            is_needed = is_image or parameter.default is parameter.empty
            if is_needed or self.random.random() < 0.12:
                yield name, self.value(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_anything(name):
    attack = Attack(name)
    outcomes = set()
    for _ in range(400):
        arguments = dict(attack.arguments(FUNCTIONS[name]))
        if name == "decode":
            arguments.setdefault("max_pixels", 1 << 20)
        try:
            FUNCTIONS[name](**arguments)
            outcomes.add("a result")
        except rugose.Error as error:
            assert error.status in ("RUG_E_DEVICE", "RUG_E_FORMAT"), (arguments, error)
            outcomes.add("an error")
        except ValueError as error:
            assert re.search(NAMED, str(error)), (arguments, error)
            outcomes.add("an error")
        except TypeError as error:
            assert name == "mahotas" and "integers expected" in str(error), (arguments, error)
    assert "an error" in outcomes and ("a result" in outcomes or name == "info")
