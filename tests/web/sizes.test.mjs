// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The module, whose addresses have 32 bits: what has 2^32 entries or pixels is counted or refused, and never cut.
// Its kernels are beside definitions where tests/data has no images: narrow and odd ones of every dtype.
//
//   RUGOSE_WEB=build/web node --test tests/web/sizes.test.mjs

import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const WEB = resolve(process.env.RUGOSE_WEB || join(ROOT, "build/web"));
const { load } = await import(pathToFileURL(join(WEB, "rugose.js")));
const rugose = await load({ threads: 1 });

test("a matrix of all 65536 levels has as many entries as 32 bits count", () => {
  const image = rugose.image(Uint16Array.from({ length: 65536 }, (_, i) => i), [256, 256]);
  const [row] = rugose.glcm(image, { directions: 1 });
  assert.equal(row.features[0], 1 / (2 * 256 * 255)); // each value has one neighbour to the right, but for the last
});

/** CRC-32 of ISO 3309. */
function crcOf(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A stream of 64 x 64 pixels that says it has 65535 x 65535, with as long a payload as these may have. */
function largeStream() {
  const HEAD = 32, PAYLOAD = 300000;
  const small = rugose.ifs_compress([rugose.image(new Uint8Array(64 * 64), [64, 64])], { version: 1 }).bytes;
  const bytes = new Uint8Array(HEAD + PAYLOAD), view = new DataView(bytes.buffer);
  bytes.set(small);
  view.setUint32(8, 0xffffffff);
  view.setUint32(20, PAYLOAD, true);
  view.setUint32(24, crcOf(bytes.subarray(HEAD)), true);
  view.setUint32(28, crcOf(bytes.subarray(0, 28)), true);
  return bytes;
}

test("a picture of 2^32 pixels is refused, also where as many are allowed", () => {
  const bytes = largeStream();
  const refused = (options, status) => assert.throws(() => rugose.ifs_decompress(bytes, options), { status });
  refused({}, "RUG_E_ARG");
  refused({ pixels_max: 2 ** 50 }, "RUG_E_NOMEM");
  refused({ pixels_max: 2 ** 50, scale: 16 }, "RUG_E_NOMEM");
});

/** Pixels that look like noise, the same each time. */
function noise(n, type) {
  let state = 7;
  return type.from({ length: n }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 20);
}

const SIDES = [[1, 1], [1, 40], [3, 7], [16, 16], [17, 33], [5, 130], [67, 71]];
const TYPES = [Uint8Array, Uint16Array, Uint32Array, Float32Array];

/* Sum over all boxes of the number of levels from their least to their largest box, as the definition has it. */
function dbcBoxes(pixels, [ny, nx], size, height, base) {
  let boxes = 0;
  for (let y = 0; y < ny; y += size)
    for (let x = 0; x < nx; x += size) {
      let least = Infinity, largest = -Infinity;
      for (let j = y; j < Math.min(y + size, ny); j++)
        for (let i = x; i < Math.min(x + size, nx); i++) {
          least = Math.min(least, pixels[j * nx + i]);
          largest = Math.max(largest, pixels[j * nx + i]);
        }
      boxes += Math.floor((largest - base) / height) - Math.floor((least - base) / height) + 1;
    }
  return boxes;
}

test("the range of values", () => {
  for (const type of TYPES)
    for (const shape of SIDES) {
      const pixels = noise(shape[0] * shape[1], type), range = rugose.image_measure_range(rugose.image(pixels, shape));
      assert.deepEqual([range.min, range.max], [Math.min(...pixels), Math.max(...pixels)]);
      assert.equal(range.n_distinct, Math.min(new Set(pixels).size, 256));
    }
});

test("differential box counts", () => {
  for (const type of [Uint8Array, Uint16Array])
    for (const shape of SIDES) {
      const pixels = noise(shape[0] * shape[1], type);
      const { at } = rugose.dbc(rugose.image(pixels, shape), { levels: 4096 });
      for (const { size, height, boxes } of at)
        assert.equal(boxes, dbcBoxes(pixels, shape, size, height, 0), `${shape} ${size}`);
    }
});

/* Lambda of gliding boxes, from sums that are exact. */
function lacunarityOf(pixels, [ny, nx], size) {
  let n = 0, sum = 0, squares = 0;
  for (let y = 0; y + size <= ny; y++)
    for (let x = 0; x + size <= nx; x++, n++) {
      let mass = 0;
      for (let j = y; j < y + size; j++) for (let i = x; i < x + size; i++) mass += pixels[j * nx + i];
      sum += mass;
      squares += mass * mass;
    }
  return (n * squares) / (sum * sum);
}

test("lacunarity", () => {
  for (const type of TYPES.slice(0, 3))
    for (const shape of [[16, 16], [17, 33], [67, 71]]) {
      const pixels = noise(shape[0] * shape[1], type);
      const { at } = rugose.lacunarity(rugose.image(pixels, shape), { is_gray: 1, sizes: [1, 2, 3, 8, 15] });
      for (const { size, lacunarity } of at) {
        const expected = lacunarityOf(pixels, shape, Number(size));
        assert.ok(Math.abs(lacunarity - expected) < 1e-12 * expected, `${shape} ${size}: ${lacunarity}, ${expected}`);
      }
    }
});

const AROUND = [[0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0], [1, 1]];

test("patterns of eight neighbours without interpolation", () => {
  const operators = [{ points: 8, radius: 1 }];
  for (const shape of [[3, 7], [17, 33], [5, 530]]) {
    const [ny, nx] = shape, pixels = noise(ny * nx, Uint8Array), bins = new Array(256).fill(0);
    const value = (y, x) => (y < 0 || x < 0 || y >= ny || x >= nx ? 0 : pixels[y * nx + x]);
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++) {
        const isReached = ([dy, dx]) => value(y + dy, x + dx) >= value(y, x);
        bins[AROUND.reduce((code, step, k) => code | (isReached(step) << k), 0)]++;
      }
    const { at } = rugose.lbp(rugose.image(pixels, shape), { operators, method: "default", interpolation: "nearest" });
    assert.deepEqual([...at[0].bins], bins);
  }
});
