#!/usr/bin/env node
// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Methods in WebAssembly beside the same calls of the library, on one thread:
//   node bench/web.mjs build/web/rugose.js build/release/bench/bench_web [SIDE] [METHOD]
// Runs take turns, and the best of them counts. A line: milliseconds in WebAssembly, with its kernels of vectors and
// with the portable ones, then those of the library's portable kernels and of the best ones of this processor, and how
// many times as long WebAssembly takes as the best.

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [script, native, side = "2048", only = ""] = process.argv.slice(2);
if (!native) {
  console.error("web.mjs: build/web/rugose.js and build/release/bench/bench_web expected");
  process.exit(2);
}
const RUNS = 5;
const { load } = await import(pathToFileURL(resolve(script)).href);

/** The picture of bench_web.c: noise at four scales. */
function pixelsOf(n) {
  const hash = (x, y, k) => {
    let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(k, 0xc2b2ae3d);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return (h ^ (h >>> 15)) & 63;
  };
  const pixels = new Uint8Array(n * n);
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++)
      for (let k = 0; k < 8; k += 2) pixels[y * n + x] += hash(x >> k, y >> k, k);
  return pixels;
}

const above = { foreground: "above=140" };
const bins = { levels: "count", n_levels: 32 };
const METHODS = {
  range: (r, image) => r.image_measure_range(image),
  boxcount: (r, image) => r.boxcount(image, above),
  "boxcount, grid min": (r, image) => r.boxcount(image, { ...above, grid: "min" }),
  masses: (r, image) => r.masses_measure(image, {}),
  lacunarity: (r, image) => r.lacunarity(image, above),
  lbp: (r, image) => r.lbp(image, {}),
  dbc: (r, image) => r.dbc(image, {}),
  "glcm, 32 bins": (r, image) => r.glcm(image, bins),
  alpha: (r, image) => r.alpha_map(image, {}),
};

/** Milliseconds of a call with the kernels of a level, whose result goes back at once. */
function time(rugose, image, call, level) {
  rugose.context_set_cpu_level(level);
  const begin = performance.now();
  const result = call(rugose, image);
  const spent = performance.now() - begin;
  result?.free?.();
  return spent;
}

/** Milliseconds of one method in the library, by level of processors. */
function timeNative(name) {
  const lines = execFileSync(native, [side, name], { encoding: "utf8" }).trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split("\t")).map(([level, ms]) => [level, Number(ms)]));
}

const rugose = await load({ threads: 1 });
const image = rugose.image(pixelsOf(Number(side)), [Number(side), Number(side)], { dtype: "u8" });
console.log(["method", "wasm", "wasm portable", "portable", "best", "wasm / best"].join("\t"));
for (const [name, call] of Object.entries(METHODS)) {
  if (!name.includes(only)) continue;
  const best = [Infinity, Infinity, Infinity, Infinity];
  for (let run = 0; run < RUNS; run++) {
    const library = timeNative(name);
    const times = [time(rugose, image, call, "wasm"), time(rugose, image, call, "ref"), library.ref, library.best];
    times.forEach((ms, i) => { best[i] = Math.min(best[i], ms); });
  }
  console.log([name, ...[...best, best[0] / best[3]].map((v) => v.toFixed(2))].join("\t"));
}
rugose.close();
