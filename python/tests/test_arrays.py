# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of all kinds are read where they lie, or refused."""

import resource

import numpy as np
import pytest
import rugose
from rugose import _arrays, _context

pytestmark = pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")

TYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"]


def views(array):
    """The same values at other strides."""
    wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
    wide[::2, ::3] = array
    yield wide[::2, ::3]
    yield np.asfortranarray(array)
    yield np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    yield np.ascontiguousarray(array.T).T


@pytest.fixture
def image():
    return np.random.default_rng(1).integers(0, 2, (40, 56))


@pytest.mark.parametrize("kind", TYPES)
def test_no_copy(kind, image):
    array = image.astype(kind)
    expected = rugose.boxcount(array)
    for view in views(array):
        seen = _arrays.pixels("image", view)
        assert np.shares_memory(seen, view)
        address, strides = _context.address_of(seen)
        assert address == view.__array_interface__["data"][0]
        assert strides == view.strides
        assert (rugose.boxcount(view).counts == expected.counts).all()


def test_read_only_and_broadcast(image):
    row = np.broadcast_to(image[0].astype("u2"), (30, 56))
    assert not row.flags.writeable and row.strides[0] == 0
    assert rugose.haralick(row)["contrast"] == rugose.haralick(row.copy())["contrast"]
    codes, expected = (rugose.local_binary_pattern(i, 8, 1) for i in (row, row.copy()))
    assert (codes == expected).all()


@pytest.mark.parametrize("kind", [">u2", ">i4", ">f8", "f2"])
def test_copied(kind, image):
    native = "f4" if kind == "f2" else kind[1:]
    assert rugose.dbc(image.astype(kind)) == rugose.dbc(image.astype(native))


def test_unaligned(image):
    packed = np.zeros(image.shape, np.dtype([("a", "u1"), ("value", "f8")]))
    packed["value"] = image
    assert not packed["value"].flags.aligned
    assert rugose.boxcount(packed["value"]) == rugose.boxcount(image.astype(float))


def test_protocols(image):
    class HasArray:
        def __array__(self, dtype=None, copy=None):
            return image

    class HasDlpack:
        def __dlpack__(self, **options):
            return image.__dlpack__(**options)

        def __dlpack_device__(self):
            return image.__dlpack_device__()

    expected = rugose.boxcount(image)
    for holder in (HasArray(), HasDlpack(), image.tolist()):
        assert rugose.boxcount(holder) == expected
    assert np.shares_memory(_arrays.pixels("image", HasDlpack()), image)


def test_masked_array(image):
    mask = np.zeros(image.shape, bool)
    mask[10:30, 5:50] = True
    hidden = np.ma.masked_array(image, ~mask)
    assert rugose.boxcount(hidden) == rugose.boxcount(image, mask=mask)
    with pytest.raises(ValueError, match="masked array given beside mask"):
        rugose.boxcount(hidden, mask=mask)
    with pytest.raises(ValueError, match="masked array"):
        rugose.local_binary_pattern(hidden, 8, 1)


@pytest.mark.parametrize(
    ("image", "text"),
    [
        (np.zeros(5), "1 axes given"),
        (np.zeros((2, 2, 2, 2)), "4 axes given"),
        (np.zeros((0, 5)), "no pixel"),
        (np.zeros((3, 3), complex), "complex128 given"),
        (np.zeros((3, 3), np.longdouble), "given, bool"),
        (np.array([[1, None]]), "object given"),
        (np.zeros((3, 3), "M8[s]"), "given, bool"),
        ("camera.png", "text given"),
        (None, "one of them"),
    ],
)
def test_refused(image, text):
    with pytest.raises(ValueError, match=text):
        rugose.boxcount(image)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda a: rugose.boxcount(a, mask=a[1:]), "shape"),
        (lambda a: rugose.boxcount(a, labels=a - 1), "label"),
        (lambda a: rugose.boxcount(a, foreground="abvoe=1"), "foreground"),
        (lambda a: rugose.boxcount(a, foreground=7), "rule"),
        (lambda a: rugose.boxcount(a, grid="orgin"), "'origin'\\?"),
        (lambda a: rugose.boxcount(a, sizes=[0]), "size"),
        (lambda a: rugose.boxcount(a, sizes=[]), "sizes: none"),
        (lambda a: rugose.boxcount(a, sizes=[-1]), "sizes"),
        (lambda a: rugose.boxcount(a, sizes=[1.5]), "sizes"),
        (lambda a: rugose.boxcount(a, fit=(4, 2)), "fit"),
        (lambda a: rugose.boxcount(a, fit="best"), "fit"),
        (lambda a: rugose.boxcount(a, spacing=2), "spacing"),
        (lambda a: rugose.boxcount(a, pixel_size=[1]), "pixel_size"),
        (lambda a: rugose.boxcount(a, pixel_size=[1, 2.5]), "pixel_size"),
        (lambda a: rugose.boxcount(points=a, resolution=-1), "resolution"),
        (lambda a: rugose.haralick(a, levels=3.5), "levels"),
        (lambda a: rugose.boxcount(points=a, mask=a), "for images"),
        (lambda a: rugose.boxcount(points=a[0]), "row for each point"),
        (lambda a: rugose.boxcount(points=np.full((3, 2), np.nan)), "nan|NaN|finite"),
        (lambda a: rugose.boxcount(a, threads=0), "threads"),
        (lambda a: rugose.boxcount(a, threads=1.5), "threads"),
        (lambda a: rugose.boxcount(a, device="gpu"), "device"),
        (lambda a: rugose.boxcount(a, progress=3), "progress"),
        (lambda a: rugose.dbc(a, levels=-1), "levels"),
        (lambda a: rugose.dbc(a, anchor="max"), "anchor"),
        (lambda a: rugose.multifractal(a, q=[]), "no order"),
        (lambda a: rugose.multifractal(a, q=[np.inf]), "q"),
        (lambda a: rugose.multifractal(-a), "mass of at least 0"),
        (lambda a: rugose.lacunarity(a, gray=True, foreground="nonzero"), "foreground"),
        (lambda a: rugose.alpha_map(a, windows=1), "windows"),
        (lambda a: rugose.alpha_map(a, iso_tolerance=1), "iso"),
        (lambda a: rugose.local_binary_pattern(a, 33, 1), "1..32"),
        (lambda a: rugose.local_binary_pattern(a, 8, -1), "radius"),
        (lambda a: rugose.local_binary_pattern(a, 8, 1, "unifrom"), "'uniform'\\?"),
        (lambda a: rugose.local_binary_pattern(a, 8, 1, dtype="u3"), "'u3' given, a type"),
        (lambda a: rugose.local_binary_pattern(a, 16, 1, dtype="u1"), "uint8 given, one that"),
        (lambda a: rugose.lbp_histogram(a, method="var"), "var|cuts|histogram"),
        (lambda a: rugose.haralick(a, levels=1), "2..65536"),
        (lambda a: rugose.haralick(a, levels=8, bin_width=2), "bin_width"),
        (lambda a: rugose.haralick(a, bin_origin=2), "bin_width"),
        (lambda a: rugose.haralick(a, features=["contrats"]), "'contrast'\\?"),
        (lambda a: rugose.haralick(a, distances=[]), "distance"),
        (lambda a: rugose.haralick(a, directions=["10"]), "directions"),
        (lambda a: rugose.haralick_map(a, window=4), "window"),
        (lambda a: rugose.haralick_map(a, features=["cluster_shade"]), "no map"),
        (lambda a: rugose.ifs.encode(a), "uint8"),
        (lambda a: rugose.ifs.encode(np.zeros((3, 4, 5), "u1")), "shape"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), quality=2, psnr=3), "together"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), quality=101), "quality"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), quality=3, lossless=True), "lossless"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), chroma="420"), "grey"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), notes=dict(exif=b"")), "icc, spacing"),
        (lambda a: rugose.ifs.encode(a.astype("u1"), notes=dict(unit="a" * 16)), "at most 15"),
        (lambda a: rugose.upscale(a.astype("u1"), 3), "scale"),
        (lambda a: rugose.compare(a, a.astype("u1")), "one type"),
        (lambda a: rugose.compare(a, a, channel_axis=2), "axis|axes"),
    ],
)
def test_wrong_arguments(call, text, image):
    with pytest.raises(ValueError, match=text):
        call(image)


def test_damaged_streams():
    stream = rugose.ifs.encode(np.zeros((30, 30), np.uint8))
    for bad in (b"", b"no stream", stream[:10], stream[:-1]):
        with pytest.raises(rugose.Error) as caught:
            rugose.ifs.decode(bad)
        assert caught.value.status == "RUG_E_FORMAT"
    for bad in (None, "text", 7):
        with pytest.raises(ValueError, match="bytes expected"):
            rugose.ifs.info(bad)
    with pytest.raises(ValueError, match="pixels"):
        rugose.ifs.decode(stream, max_pixels=10)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["u1", "u2"])
def test_streams_of_version_3(n, dtype):
    y, x = np.mgrid[0:70, 0:90]
    image = np.stack([3 * x + y * (k + 1) for k in range(n)], -1).astype(dtype)
    image = image[:, :, 0] if n == 1 else image
    known = dict(icc=b"profile", spacing=(0.5, 0.25), unit="mm", orientation=6)
    exact = rugose.ifs.encode(image, lossless=True, notes=known)
    stream = rugose.ifs.encode(image, effort=1, progressive=True, notes={})
    decoded = rugose.ifs.decode(stream)
    assert np.array_equal(rugose.ifs.decode(exact), image)
    assert rugose.ifs.notes(exact) == known and rugose.ifs.notes(stream) == {}
    assert decoded.shape == image.shape and decoded.dtype == image.dtype
    if n in (2, 4):
        assert np.array_equal(decoded[..., -1], image[..., -1])
    part = rugose.ifs.decode(stream, crop=(10, 20, 30, 40))
    assert np.array_equal(part, decoded[10:40, 20:60])
    with pytest.warns(rugose.RugoseWarning, match="cut off"):
        assert rugose.ifs.decode(stream[:-9], partial=True).shape == image.shape


def test_out_of_memory(image):
    limits = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError):
        try:
            resource.setrlimit(resource.RLIMIT_AS, (1 << 32, limits[1]))
            large = np.broadcast_to(np.uint8(1), (1 << 16, 1 << 16))
            rugose.haralick(large, levels=300, range=(0, 1), threads=1)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)
