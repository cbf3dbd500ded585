# SPDX-License-Identifier: BSD-3-Clause
"""Processes that fork, threads that call at once, calls that are interrupted."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
import rugose

pytestmark = [
    pytest.mark.filterwarnings("ignore::rugose.RugoseWarning"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]

NOISE = np.random.default_rng(7).integers(0, 256, (120, 130), np.uint8)
LABELS = (np.indices(NOISE.shape).sum(0) // 80 + 1).astype(np.uint16)
METHODS = {
    "boxcount": lambda **run: rugose.boxcount(NOISE, labels=LABELS, grid="min", **run),
    "dbc": lambda **run: rugose.dbc(NOISE, **run),
    "multifractal": lambda **run: rugose.multifractal(NOISE, **run),
    "alpha_map": lambda **run: rugose.alpha_map(NOISE, **run),
    "lacunarity": lambda **run: rugose.lacunarity(NOISE, gray=True, **run),
    "local_binary_pattern": lambda **run: rugose.local_binary_pattern(NOISE, 8, 1, **run),
    "lbp_histogram": lambda **run: rugose.lbp_histogram(NOISE, labels=LABELS, **run),
    "haralick": lambda **run: rugose.haralick(NOISE, labels=LABELS, **run),
    "haralick_map": lambda **run: rugose.haralick_map(NOISE, levels=8, features="entropy", **run),
    "encode": lambda **run: rugose.ifs.encode(NOISE[:40, :50], **run),
    "compare": lambda **run: rugose.compare(NOISE, NOISE[::-1].copy(), **run),
}


def plain(result):
    """What can be compared, and sent between processes."""
    if isinstance(result, dict):
        return {name: column.tobytes() for name, column in result.items()}
    return result.tobytes() if isinstance(result, np.ndarray) else result


def all_results(threads):
    return {name: plain(call(threads=threads)) for name, call in METHODS.items()}


@pytest.fixture(scope="module")
def expected():
    """Calls with threads, which are not those of a child."""
    return all_results(3)


def test_threads_change_nothing(expected):
    for threads in (1, 2, 8):
        assert all_results(threads) == expected


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools(method, expected):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(all_results, [1, 2, 3], 1).get(timeout=300) == [expected] * 3
    assert all_results(2) == expected


def test_executors(expected):
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, mp_context=context) as processes:
        found = list(processes.map(all_results, [2, 1], timeout=300))
    with ThreadPoolExecutor(4) as threads:
        found += threads.map(all_results, [1, 2, 3, 2])
    assert found == [expected] * 6


def test_a_fork_during_a_call(expected):
    """The child has none of the threads that were at work, and ends as it should."""
    is_over = threading.Event()

    def work():
        while not is_over.is_set():
            rugose.haralick_map(NOISE, levels=8, features="entropy", threads=2)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(3):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if all_results(2) == expected else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        is_over.set()
        worker.join()


# ---- Interruption ----


def press_ctrl_c(share):
    signal.raise_signal(signal.SIGINT)


def stop(share):
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("interrupt", [press_ctrl_c, stop])
def test_an_interrupted_call_leaves_nothing_behind(interrupt, name, expected):
    for threads in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            METHODS[name](progress=interrupt, threads=threads)
        assert plain(METHODS[name](threads=threads)) == expected[name]


def test_calls_of_other_threads_go_on(expected):
    """Ctrl-C is the main thread's."""
    with ThreadPoolExecutor(1) as others:
        other = others.submit(all_results, 2)
        for _ in range(10):
            with pytest.raises(KeyboardInterrupt):
                METHODS["boxcount"](progress=press_ctrl_c)
        assert other.result(timeout=300) == expected


def test_a_handler_that_returns_stops_nothing(expected):
    signals = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: signals.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        while len(signals) < 3:
            assert all_results(2) == expected
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_in_a_thread_waits_for_the_main_one(expected):
    """Python's handlers run in the main thread, whichever has called."""
    handled_by = []
    before = signal.signal(signal.SIGUSR1, lambda *_: handled_by.append(threading.get_ident()))

    def work():
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        return all_results(2)

    try:
        with ThreadPoolExecutor(1) as others:
            assert others.submit(work).result(timeout=300) == expected
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert handled_by == [threading.main_thread().ident]
