#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Memory and time of rugose.dask for a large zarr, with two workers of one thread each.

    python3 bench/dask_memory.py [SIDE [CHUNK]]

Makes an image of blobs in a folder for temporary files, 20000 pixels a side in chunks of 2000, and
removes it. Prints for each method the seconds with Dask and of the whole image in memory, by two
threads, and the most memory that a worker had. Fails where the numbers differ.
"""

import sys
import tempfile
import time

import dask
import dask.array as da
import numpy as np
import rugose.dask
from dask import distributed


def blobs(block_info):
    """Grey blobs of about 16 pixels, with noise."""
    at, shape = block_info[None]["chunk-location"], block_info[None]["chunk-shape"]
    rng = np.random.default_rng(at)
    coarse = rng.integers(0, 200, [n // 16 + 1 for n in shape], np.uint8)
    grey = coarse.repeat(16, 0).repeat(16, 1)[: shape[0], : shape[1]]
    return grey + rng.integers(0, 50, shape, np.uint8)


def peak():
    """Megabytes that this process has had at most."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1000


RUNS = [
    ("boxcount", {"foreground": "otsu"}),
    ("boxcount", {"foreground": "above=125", "sizes": [3, 10, 30]}),
    ("multifractal", {"q": [-2, 0, 1, 2]}),
    ("lbp_histogram", {"operators": [(8, 1), (16, 2)]}),
]


def same(a, b):
    """Whether the counts are equal."""
    if isinstance(b, rugose.LBPHistograms):
        return all((x == y).all() for x, y in zip(a.counts, b.counts))
    return (a.rows() == b.rows()).all()


def main(side=20000, chunk=2000):
    """Prints a row for each method."""
    with tempfile.TemporaryDirectory() as folder:
        image = da.map_blocks(
            blobs, chunks=da.core.normalize_chunks(chunk, (side, side)), dtype=np.uint8
        )
        with dask.config.set(scheduler="threads", num_workers=2):
            da.to_zarr(image, folder, overwrite=True)
            whole = np.asarray(da.from_zarr(folder))
        print(f"{side} x {side} bytes, chunks of {chunk} x {chunk}")
        for name, options in RUNS:
            begin = time.perf_counter()
            expected = getattr(rugose, name)(whole, threads=2, **options)
            alone = time.perf_counter() - begin
            with (
                distributed.LocalCluster(
                    n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None
                ) as cluster,
                distributed.Client(cluster) as client,
            ):
                least = max(client.run(peak).values())
                begin = time.perf_counter()
                found = getattr(rugose.dask, name)(da.from_zarr(folder), **options).compute()
                seconds = time.perf_counter() - begin
                most = max(client.run(peak).values())
            assert same(found, expected), name
            print(
                f"{name} {options}: {seconds:.2f} s, in memory {alone:.2f} s; "
                f"a worker {most:.0f} MB, idle {least:.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
