#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""A campaign of many shards with failures, in small: shards.py PROGRAM [--shards N] [--images N] [--slots N] [--kill P]

Writes IMAGES tiny images (npy of 16 x 16), one in 500 of which is cut off, and measures them by SHARDS
processes of the real program, SLOTS side by side on each of four pretended hosts. A process is killed with
probability P, and some ten times a host dies with all that it runs. What was killed is started again with the
same words until it ends by itself. The rows of all tables must be those of one run that nobody disturbed."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

HOSTS = 4
SIDE = 16


def write_images(folder, n, rng):
    """Images of noise, and a list of them."""
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({SIDE}, {SIDE}), }}"
    text += " " * (53 - len(text) % 64 + (64 if len(text) % 64 > 53 else 0)) + "\n"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    names = []
    for i in range(n):
        names.append(f"i{i % 100:02d}/{i:06d}.npy")
        path = folder / names[-1]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(head + rng.randbytes(SIDE * SIDE - (i % 500 == 7)))
    (folder / "list.csv").write_text("image\n" + "\n".join(names) + "\n")


class Host:
    """What runs on a host, to die together."""

    def __init__(self):
        self.lock, self.running = threading.Lock(), set()

    def run(self, command, folder, moment):
        """Runs a command, and kills it at a moment, if that is a number. Its status, and what it said."""
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, close_fds=False)
        with self.lock:
            self.running.add(process)
        if moment is not None:
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
        said = process.communicate()[1]
        with self.lock:
            self.running.discard(process)
        return process.returncode, said

    def die(self):
        with self.lock:
            for process in self.running:
                process.send_signal(signal.SIGKILL)


class Campaign:
    def __init__(self, args, folder):
        self.args, self.folder, self.hosts = args, folder, [Host() for _ in range(HOSTS)]
        self.command = [args.program, "boxcount", "-q", "--foreground", "above=128", "--resume", "--threads", "1",
                        "--list", "list.csv"]
        self.starts = self.kills = self.deaths = self.failed = 0
        self.lock = threading.Lock()
        start = time.perf_counter()
        self.one_shard("0.csv", f"1/{args.shards}", Host(), None)
        self.seconds = time.perf_counter() - start

    def one_shard(self, table, shard, host, moment):
        return host.run([*self.command, "--shard", shard, "-o", table], self.folder, moment)

    def measure(self, k):
        """A shard, until it ends by itself."""
        args, rng, host = self.args, random.Random(k), self.hosts[k % HOSTS]
        while True:
            moment = rng.random() * self.seconds if rng.random() < args.kill else None
            if rng.random() < min(0.02, 10 / args.shards):
                host.die()
                with self.lock:
                    self.deaths += 1
            status, said = self.one_shard(f"shard-{k}.csv", f"{k}/{args.shards}", host, moment)
            with self.lock:
                self.starts += 1
                self.kills += status == -signal.SIGKILL
                self.failed += status == 1
            if status == -signal.SIGKILL:
                continue
            if status not in (0, 1):
                raise SystemExit(f"shard {k}: status {status}: {said.decode()}")
            return

    def run(self):
        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(self.args.slots * HOSTS) as pool:
            list(pool.map(self.measure, range(1, self.args.shards + 1)))
        return time.perf_counter() - start


def rows(path):
    head, *found = path.read_text("utf-8").splitlines()
    return head, found


def check(campaign, folder, n_shards):
    """The rows of all tables against those of one run; how long joining and that run take."""
    start = time.perf_counter()
    tables = [rows(folder / f"shard-{k}.csv") for k in range(1, n_shards + 1)]
    joined = sorted(row for _, found in tables for row in found)
    joining = time.perf_counter() - start
    start = time.perf_counter()
    subprocess.run([*campaign.command, "-o", "whole.csv"], cwd=folder, stderr=subprocess.DEVNULL, check=False)
    head, whole = rows(folder / "whole.csv")
    if joined != sorted(whole) or {table[0] for table in tables} != {head}:
        sys.exit(f"the tables of the shards have {len(joined)} rows, one run has {len(whole)}, and they differ")
    left = [path.name for path in folder.iterdir() if ".part" in path.name]
    if left:
        sys.exit(f"parts are left: {left[:9]}")
    return len(joined), joining, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--shards", type=int, default=10000)
    parser.add_argument("--images", type=int, default=20000)
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("--kill", type=float, default=0.05)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rugose-shards.") as name:
        folder = pathlib.Path(name)
        write_images(folder, args.images, random.Random(0))
        campaign = Campaign(args, folder)
        seconds = campaign.run()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        n_rows, joining, whole = check(campaign, folder, args.shards)
    print(f"{args.shards} shards of {args.images} images: {campaign.starts} processes, {campaign.kills} killed, "
          f"{campaign.deaths} hosts died, {campaign.failed} shards with a failed input; {seconds:.1f} s, "
          f"{(usage.ru_utime + usage.ru_stime) / campaign.starts * 1e3:.2f} ms of processor time each; joined in {joining:.2f} s")
    print(f"the {n_rows} rows are those of one run, which took {whole:.1f} s")


if __name__ == "__main__":
    main()
