# SPDX-License-Identifier: BSD-3-Clause
"""Threads, progress, interruption, processes, results."""

import doctest
import importlib
import math
import pickle
import pkgutil
import signal
import sys
import threading
import time

import numpy as np
import pytest
import rugose

NOISE = np.random.default_rng(7).integers(0, 256, (300, 280), np.uint8)


def long_call(**options):
    """Minutes of work."""
    large = np.random.default_rng(8).integers(0, 4096, (3000, 3000), np.uint16)
    return rugose.haralick_map(large, window=31, threads=1, **options)


class Stop(Exception):
    pass


def test_a_signal_stops_a_call():
    def stop(number, frame):
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 1.5)
        with pytest.raises(Stop):
            long_call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 20


def test_what_progress_raises_stops_a_call():
    def stop(share):
        raise Stop

    with pytest.raises(Stop):
        long_call(progress=stop)


def test_progress():
    shares = []
    expected = rugose.haralick_map(NOISE, window=9, features="contrast")
    found = rugose.haralick_map(NOISE, window=9, features="contrast", progress=shares.append)
    assert shares[-1] == 1.0 and shares == sorted(set(shares))
    assert all(0 <= share <= 1 for share in shares)
    np.testing.assert_array_equal(found["contrast"], expected["contrast"])


def test_progress_ends_once():
    for image in (NOISE[:5, :5], NOISE):
        shares = []
        for _ in range(20):
            shares.clear()
            rugose.lacunarity(image, progress=shares.append)
            assert shares.count(1.0) == 1 and shares[-1] == 1.0


def test_progress_may_call_the_library():
    inner = []
    rugose.haralick_map(
        NOISE, window=9, progress=lambda share: inner.append(rugose.boxcount(NOISE).dimension)
    )
    assert set(inner) == {rugose.boxcount(NOISE).dimension}


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_progress_bar(has_tqdm, capsys, monkeypatch):
    if has_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    rugose.boxcount(NOISE, progress=True)
    assert "100" in capsys.readouterr().err


def test_other_threads_run_meanwhile():
    steps, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            steps[0] += 1

    other = threading.Thread(target=count)
    other.start()
    try:
        before = steps[0]
        rugose.haralick_map(NOISE, window=15, threads=1)
        during = steps[0] - before
    finally:
        is_over.set()
        other.join()
    assert during > 1000


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_change_nothing(threads):
    expected = rugose.boxcount(NOISE, grid="mean", threads=1)
    found = rugose.boxcount(NOISE, grid="mean", threads=threads)
    assert found == expected
    assert rugose.multifractal(NOISE, threads=threads) == rugose.multifractal(NOISE, threads=1)


def test_calls_side_by_side():
    expected = rugose.haralick(NOISE)
    found = [None] * 8

    def work(i):
        found[i] = rugose.haralick(NOISE, threads=2)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(found))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for table in found:
        assert all((table[name] == expected[name]).all() for name in expected)


def results():
    labels = (np.indices(NOISE.shape).sum(0) // 80 + 1).astype(np.uint16)
    yield rugose.boxcount(NOISE, grid="min")
    yield rugose.boxcount(NOISE, labels=labels)
    yield rugose.dbc(NOISE)
    yield rugose.multifractal(NOISE)
    yield rugose.lacunarity(NOISE)
    yield rugose.lacunarity(NOISE, labels=labels, sizes=[1, 2])
    yield rugose.lbp_histogram(NOISE, [(8, 1), (4, 1)])
    yield rugose.lbp_histogram(NOISE, labels=labels)
    yield rugose.compare(NOISE, NOISE)


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
def test_results_are_pickled_printed_and_tables():
    pandas = pytest.importorskip("pandas")
    for result in results():
        again = pickle.loads(pickle.dumps(result))
        assert again == result
        assert repr(result).startswith(type(result).__name__)
        html = result._repr_html_()
        assert html.count("<table>") == html.count("</table>") == 1
        frame = result.to_frame()
        assert isinstance(frame, pandas.DataFrame) and len(frame) > 0
        assert frame.equals(pandas.DataFrame(result.to_dict()))
    table = rugose.haralick(NOISE, aggregate="none")
    assert pickle.loads(pickle.dumps(table)).keys() == table.keys()
    assert len(table.to_frame()) == 4 and "<td>135</td>" in table._repr_html_()
    assert repr(table).startswith("Table(4 rows: label")


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = pytest.importorskip("matplotlib.figure").Figure()
    for result in results():
        if hasattr(type(result), "plot"):
            ax = figure.add_subplot()
            assert result.plot(ax) is ax and ax.get_xlabel()
    figure.savefig("/dev/null", format="png")


def test_per_label():
    labels = np.zeros(NOISE.shape, np.int32)
    labels[:100, :100], labels[100:, 200:] = 7, 3
    result = rugose.boxcount(NOISE, labels=labels)
    assert result.labels.tolist() == [3, 7] and len(result) == 2
    assert result.of(7).bbox == (0, 0, 100, 100) and result.of(7).area == 10000
    assert result.dimension.tolist() == [r.dimension for r in result]
    assert result[:1].labels.tolist() == [3]
    for absent in (5, -1, 1 << 64):
        with pytest.raises(KeyError):
            result.of(absent)
    with pytest.raises(AttributeError):
        _ = result.nothing
    nothing = rugose.boxcount(NOISE, labels=np.zeros(NOISE.shape, int))
    assert len(nothing) == 0 and list(nothing.to_dict()) == ["label"]
    assert len(rugose.haralick(NOISE, labels=np.zeros(NOISE.shape, int))["contrast"]) == 0
    assert rugose.lbp_histogram(NOISE, labels=np.zeros(NOISE.shape, int)).counts[0].shape[0] == 0


@pytest.mark.filterwarnings("ignore::rugose.RugoseWarning")
def test_more_boxes_than_64_bits_hold():
    corners = np.array([[0] * 10, [1 << 10] * 10])
    result = rugose.boxcount(points=corners, sizes=[1, 1 << 10], of="white", fit=(1, 1 << 10))
    assert result.counts["total"][0] == (1 << 64) - 1 and result.counts["nonempty"][0] == 2
    assert math.isnan(result.summary()["foreground_share"])


def test_no_device():
    with pytest.raises(rugose.Error) as caught:
        rugose.boxcount(NOISE, device="opencl:9999")
    assert caught.value.status == "RUG_E_DEVICE"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    expected = rugose.boxcount(NOISE).counts.tolist()
    for _ in range(2):
        assert rugose.boxcount(NOISE, device="auto").counts.tolist() == expected


def test_undefined_is_nan():
    flat = rugose.haralick(np.full((5, 5), 3))
    assert flat["status"][0] == "flat" and math.isnan(flat["correlation"][0])
    assert math.isnan(rugose.compare(NOISE[:5], NOISE[:5]).ssim)


MODULES = [
    module.name
    for module in pkgutil.walk_packages(rugose.__path__, "rugose.")
    if "-" not in module.name
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_all_is_documented():
    for name in rugose.__all__:
        assert getattr(rugose, name).__doc__, name
    assert rugose.__version__.count(".") == 2


def test_fits_are_compared_by_value():
    a, again, b = (rugose.boxcount(np.tri(n)).fit for n in (64, 64, 80))
    assert a == again and a != b and a != "ok"
