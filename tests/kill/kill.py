#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""Runs that are killed and gone on with: kill.py [--kills N] [--seed S] [--inputs N] WAY [JOB...]

Environment: RUGOSE (the program), TOOLS (the folder of make_image). WAY is `random` (N kills at random
moments, of each job), `calls` (one at each call of the system that changes a file), `shards` (N kills of
shards that run side by side) or `rivals` (two runs of the same command at once); JOBs are those below.
Whatever happened, the files must be those of a run that nobody disturbed, byte for byte but for the
seconds in a page. Exit status 77 where strace is needed and not there."""

import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Inputs: pages, one that is missing, one that gives a warning, and a folder's worth of others.
IMAGES = [("pages.tif", "shape=2x16x16", "fill=steps"), ("flat.npy", "shape=9x9", "fill=full")]
IMAGES += [(f"n{i}.npy", f"shape=40x{40 + i}", "fill=noise", "high=200") for i in range(6)]
INPUTS = ["pages.tif", "none.npy", "flat.npy"] + [f"n{i}.npy" for i in range(6)]

# What is run, and the table that it goes on with.
JOBS = {
    "csv": ["boxcount", "--page", "all", "--counts", "counts.json", "--report", "t.html", "-o", "t.csv"],
    "json": ["multifractal", "--q=-2..2:1", "--moments", "m.csv", "--summary", "s.json", "--report", "t.html",
             "--plot", "{}.gp", "-o", "t.json"],
    "maps": ["haralick", "--window", "5", "--features", "contrast", "--levels", "8", "--map", "{}.tif", "--page", "0",
             "-o", "t.csv"],
}
CALLS = "write,pwrite64,writev,ftruncate,fsync,rename,renameat,renameat2,unlink,unlinkat"


class Job:
    """A command in a folder, and the files that it must leave."""

    def __init__(self, args, name, *more, threads=4):
        self.folder = pathlib.Path(args.folder, name + "".join(more).replace("/", "-").replace("-", "_"))
        self.folder.mkdir()
        for image in IMAGES:
            (self.folder / image[0]).symlink_to(pathlib.Path(args.folder, image[0]))
        self.table = self.folder / JOBS[name][-1]
        self.command = [args.program, *JOBS[name], *more, "--threads", str(threads), "-q", "--resume",
                        *INPUTS[:args.inputs]]
        start = time.perf_counter()
        self.status = self.start().wait()
        self.seconds = time.perf_counter() - start
        self.wanted = self.files()
        assert self.table.name in self.wanted and self.status < 2, self.said()
        self.clear()

    def start(self, *before):
        """Starts the command behind others; what it says is kept."""
        with open(self.folder / ".said", "wb") as said:
            return subprocess.Popen([*before, *self.command], cwd=self.folder, stdout=said, stderr=said)

    def said(self):
        return (self.folder / ".said").read_text("utf-8", "replace")

    def files(self):
        """The files of the run; those of a killed process under a passing name are not among them."""
        found = {}
        for path in self.folder.iterdir():
            if not path.is_symlink() and not path.name.startswith("."):
                found[path.name] = re.sub(rb'(?m)^("seconds":).*$', rb"\1", path.read_bytes())
        return found

    def clear(self):
        for path in self.folder.iterdir():
            if not path.is_symlink():
                path.unlink()

    def finish(self, story):
        """Goes on to the end, and compares."""
        status = self.start().wait()
        self.compare(status, story)

    def compare(self, status, story):
        """A run that was killed when all was done, but before it could say how it ends, has nothing to do."""
        found = self.files()
        is_over = status == 0 and "nothing to do" in self.said()
        if found == self.wanted and (status == self.status or is_over):
            return
        print(f"{' '.join(self.command)}\n{story}: status {status}, {self.status} expected\n{self.said()}")
        for name in sorted(found.keys() | self.wanted.keys()):
            if found.get(name) != self.wanted.get(name):
                print(f"  {name} differs: {len(found.get(name, b''))} of {len(self.wanted.get(name, b''))} bytes")
        sys.exit(1)


def stop(process, rng, most):
    """Kills a process at a random moment. Whether it was still there."""
    time.sleep(rng.random() * most)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def kill_at_random(args, rng):
    for name in args.jobs:
        job = Job(args, name)
        kills = ends = 0
        while kills < args.kills:
            process = job.start()
            if stop(process, rng, 1.2 * job.seconds):
                kills += 1
                continue
            job.compare(process.returncode, f"{name}: {kills} kills")
            ends += 1
            job.clear()
        job.finish(f"{name}: {kills} kills")
        print(f"{name}: {kills} kills of a run of {job.seconds * 1e3:.0f} ms, {ends + 1} ends, each as if undisturbed")


def strace(*words):
    """What a command is put behind to be traced, with its threads."""
    return ["strace", "-f", "-qqq", "-o", "/dev/null", *words]


def need_strace():
    if not shutil.which("strace") or subprocess.run([*strace(), "true"], check=False).returncode:
        print("there is no strace here, or it may not trace")
        sys.exit(77)


def kill_at_each_call(args, _):
    need_strace()
    for name in args.jobs:
        job = Job(args, name, threads=2)
        n = 0
        while True:
            n += 1
            process = job.start(*strace("-e", f"trace={CALLS}", "-e", f"inject={CALLS}:signal=KILL:when={n}"))
            if process.wait() not in (-signal.SIGKILL, 128 + signal.SIGKILL):
                break
            job.finish(f"{name}: killed at call {n}")
            assert job.status == 0 or "nothing to do" not in job.said() or "none.npy" in job.said(), "no word of what failed"
            job.clear()
        job.compare(process.returncode, f"{name}: not killed")
        print(f"{name}: killed at each of {n - 1} calls")


# Behind which call of the system, of those on the part of the first table, a run is made to wait while another
# one begins and ends, or tries to; and which of the two goes on.
WAITS = {
    "before it locks the part": ("openat", "other"),
    "when it has locked the part": ("fcntl", "waiting"),
    "before it names the table": ("fsync", "waiting"),
}


def start_and_stop(job, part, call):
    """Starts a run that stops behind a call. The process, and the one that has stopped."""
    trace = job.folder / ".trace"
    process = job.start("strace", "-f", "-o", trace, "-P", part, "-e", f"trace={call}",
                        "-e", f"inject={call}:signal=STOP:when=1")
    for _ in range(3000):
        stopped = trace.exists() and re.search(r"(?m)^(\d+) +--- stopped by SIGSTOP", trace.read_text("utf-8", "replace"))
        if stopped:
            return process, int(stopped[1])
        time.sleep(0.01)
    sys.exit(f"the run does not stop behind {call}: {job.said()}")


def run_rivals(args, _):
    """Two runs go on with the same table, which lacks its name alone."""
    need_strace()
    for name in args.jobs:
        job = Job(args, name)
        part, refused = job.table.name + ".part", f"another run writes {job.table.name}.part"
        for story, (call, goes_on) in WAITS.items():
            job.start(*strace("-P", part, "-e", "trace=rename", "-e", "inject=rename:signal=KILL")).wait()
            process, stopped = start_and_stop(job, part, call)
            other = subprocess.run(job.command, cwd=job.folder, capture_output=True, text=True, check=False)
            os.kill(stopped, signal.SIGCONT)
            process.wait()
            said = {"other": other.stderr, "waiting": job.said()}
            job.compare(process.returncode, f"{name}: {story}, beside another run that says {other.stderr}")
            for who, text in said.items():
                assert (refused in text) == (who != goes_on), f"{name}: {story}: the {who} one says {text}"
            job.clear()
        print(f"{name}: of two runs one goes on, and the other is refused, in {len(WAITS)} cases")


def kill_shards(args, rng):
    """Shards of one command run side by side, and are killed, until all are complete."""
    whole, n = Job(args, "csv"), 4
    shards = [Job(args, "csv", "--shard", f"{k + 1}/{n}", threads=2) for k in range(n)]
    kills = ends = 0
    while kills < args.kills or ends == 0:
        waiting = list(shards)
        while waiting:
            started = [(shard, shard.start()) for shard in waiting]
            for shard, process in started:
                if stop(process, rng, shard.seconds):
                    kills += 1
                else:
                    shard.compare(process.returncode, f"{shard.folder.name}: {kills} kills")
                    waiting.remove(shard)
        tables = [shard.table.read_text("utf-8").splitlines() for shard in shards]
        joined = tables[0][:1] + sorted(row for table in tables for row in table[1:])
        rows = whole.wanted[whole.table.name].decode("utf-8").splitlines()
        assert joined == rows[:1] + sorted(rows[1:]), "the tables of the shards are not that of one run"
        ends += 1
        for shard in shards:
            shard.clear()
    print(f"{n} shards: {kills} kills, {ends} ends, each with the rows of one run")


WAYS = {"random": kill_at_random, "calls": kill_at_each_call, "shards": kill_shards, "rivals": run_rivals}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=len(INPUTS))
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("jobs", nargs="*")
    args = parser.parse_args()
    args.program, args.jobs = os.path.abspath(os.environ["RUGOSE"]), args.jobs or list(JOBS)
    with tempfile.TemporaryDirectory(prefix="rugose-kill.") as args.folder:
        for name, *words in IMAGES:
            subprocess.run([os.path.join(os.environ["TOOLS"], "make_image"), os.path.join(args.folder, name), *words],
                           check=True)
        WAYS[args.way](args, random.Random(args.seed))


if __name__ == "__main__":
    main()
