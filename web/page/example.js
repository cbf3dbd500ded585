/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images to begin with, made here: a branching tree in grey, a set of known dimension, clouds. */
"use strict";

rugose.examples = (function () {
  const SIDE = 512;

  /* Numbers from 0 to below 1, always the same (a linear congruential generator, Knuth's constants). */
  function numbers(seed) {
    let x = BigInt(seed);
    return () => {
      x = BigInt.asUintN(64, x * 6364136223846793005n + 1442695040888963407n);
      return Number(x >> 32n) / 4294967296;
    };
  }

  /* An array of bytes as a file of NumPy. */
  function npy(name, side, data) {
    const head = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + side + ", " + side + "), }";
    const magic = new Uint8Array([0x93, ...[..."NUMPY"].map((c) => c.charCodeAt(0)), 1, 0, 118, 0]);
    return new File([magic, head.padEnd(117) + "\n", data], name, { type: "application/octet-stream" });
  }

  /* A round dot whose edge is soft; of several dots the brightest counts. */
  function dot(data, x, y, r, value) {
    const inside = (v) => Math.max(0, Math.min(SIDE - 1, Math.round(v)));
    const left = inside(x - r - 1), right = inside(x + r + 1), top = inside(y - r - 1), bottom = inside(y + r + 1);
    for (let j = top; j <= bottom; j++)
      for (let i = left; i <= right; i++) {
        const share = Math.max(0, Math.min(1, r + 0.5 - Math.hypot(i - x, j - y))), at = j * SIDE + i;
        data[at] = Math.max(data[at], 24 + share * (value - 24));
      }
  }

  /* A branch that winds, thins and divides. */
  function grow(data, random, branch) {
    let { x, y, angle, width, length } = branch;
    const value = 70 + 185 * Math.min(1, width / 6), n = Math.round(length);
    for (let i = 0; i < n; i++) {
      angle += (random() - 0.5) * 0.25;
      [x, y] = [x + Math.cos(angle), y + Math.sin(angle)];
      dot(data, x, y, (width * (1 - (0.3 * i) / n)) / 2, value);
    }
    if (width < 0.9) return [];
    const next = (turn, w) =>
      ({ x, y, angle: angle + turn, width: width * w, length: length * (0.72 + 0.2 * random()) });
    return [next(0.35 + 0.3 * random(), 0.72), next(-0.35 - 0.3 * random(), 0.68)];
  }

  function tree() {
    const data = new Uint8Array(SIDE * SIDE), random = numbers(7);
    for (let i = 0; i < data.length; i++) data[i] = 12 + 12 * random();
    let branches = [0, 1, 2, 3, 4].map((i) => ({ x: 256, y: 262, angle: -1.5 + i * 1.2566, width: 7, length: 62 }));
    dot(data, 256, 262, 10, 250);
    while (branches.length) branches = branches.flatMap((branch) => grow(data, random, branch));
    return npy("branches.npy", SIDE, data);
  }

  /* The cells of a triangle of Sierpinski: those whose coordinates have no bit in common. */
  function sierpinski() {
    const data = new Uint8Array(SIDE * SIDE);
    for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) data[y * SIDE + x] = (x & y) === 0 ? 255 : 0;
    return npy("sierpinski.npy", SIDE, data);
  }

  /* Clouds: noise of ever smaller size and height, each smooth between its points. */
  function clouds() {
    const data = new Uint8Array(SIDE * SIDE), sum = new Float32Array(SIDE * SIDE), random = numbers(3);
    for (let step = 256, height = 1; step >= 1; step /= 2, height *= 0.62) {
      const n = SIDE / step + 1, points = Float32Array.from({ length: n * n }, () => height * (random() - 0.5));
      for (let y = 0; y < SIDE; y++)
        for (let x = 0; x < SIDE; x++) {
          const at = Math.floor(y / step) * n + Math.floor(x / step), smooth = (t) => t * t * (3 - 2 * t);
          const u = smooth((x % step) / step), v = smooth((y % step) / step);
          const between = (i) => (1 - u) * points[i] + u * points[i + 1];
          sum[y * SIDE + x] += (1 - v) * between(at) + v * between(at + n);
        }
    }
    const [low, high] = sum.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    sum.forEach((v, i) => { data[i] = Math.round((255 * (v - low)) / (high - low)); });
    return npy("clouds.npy", SIDE, data);
  }

  return [
    { title: "Branches", make: tree },
    { title: "Sierpinski’s triangle, D = 1.585", make: sierpinski },
    { title: "Clouds", make: clouds },
  ];
})();
