// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Makes small files of known pixels for the tests of web/files: PNG, TIFF, npy, NIfTI, each in the ways that the format
// has. What a maker gets is a random() of its own, so that all is the same in each run.

import { crc32 } from "../../web/files/inflate.js";
import { deflateSync, gzipSync } from "node:zlib";

/** Random numbers of 0 to below 1 from a seed. */
export function randomFrom(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const below = (random, n) => Math.floor(random() * n);
const pick = (random, list) => list[below(random, list.length)];
const join = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

/* A number as bytes. */
function bytesOf(value, type, isBig) {
  const buffer = Buffer.alloc(8), size = Number(type.slice(1)) / 8, order = isBig ? "BE" : "LE";
  if (type[0] === "f")
    buffer[size === 4 ? `writeFloat${order}` : `writeDouble${order}`](value);
  else if (size === 8)
    buffer[`write${type[0] === "u" ? "BigUInt64" : "BigInt64"}${order}`](BigInt(value));
  else
    buffer[`write${type[0] === "u" ? "UInt" : "Int"}${order}`](value, 0, size);
  return buffer.subarray(0, size);
}

const pack = (values, type, isBig) => join(...values.map((value) => bytesOf(value, type, isBig)));

/* A value of a type; of 64 bits a BigInt. */
function valueOf(random, type) {
  const bits = Number(type.slice(1));
  if (type[0] === "f")
    return bits === 32 ? Math.fround(random() * 200 - 100) : random() * 200 - 100;
  const value = BigInt(Math.floor(random() * 2 ** 32)) * (bits > 32 ? 2n ** 32n : 1n) + BigInt(below(random, 1000));
  const own = type[0] === "u" ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return bits === 64 ? own : Number(own);
}

const valuesOf = (random, type, n) => Array.from({ length: n }, () => valueOf(random, type));

/* Samples of some bits, one after the other; rows begin with a byte. */
function packBits(rows, bits) {
  return join(...rows.map((row) => {
    const text = row.map((value) => value.toString(2).padStart(bits, "0")).join("");
    const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, "0").match(/.{8}/g) ?? [];
    return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
  }));
}

const rowsOf = (values, n) => Array.from({ length: values.length / n }, (_, i) => values.slice(i * n, (i + 1) * n));

/* ---- PNG ---- */

const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function chunk(name, data) {
  const body = join(Buffer.from(name, "latin1"), data);
  return join(pack([data.length], "u32", true), body, pack([crc32(body)], "u32", true));
}

const near = (a, b, c) => {
  const far = [a, b, c].map((value) => Math.abs(a + b - c - value)), least = Math.min(...far);
  return [a, b, c][far.indexOf(least)];
};

/* Rows with filters, each with another one. */
function filterRows(random, rows, step) {
  let above = new Uint8Array(rows[0].length);
  return join(...rows.map((row) => {
    const kind = below(random, 5), out = [kind];
    for (let i = 0; i < row.length; i++) {
      const left = i < step ? 0 : row[i - step], up = above[i], corner = i < step ? 0 : above[i - step];
      out.push((row[i] - [0, left, up, (left + up) >> 1, near(left, up, corner)][kind]) & 255);
    }
    above = row;
    return Buffer.from(out);
  }));
}

/** @returns {{name, bytes}} */
export function makePng(random) {
  const colour = pick(random, [0, 2, 3, 4, 6]), depths = { 0: [1, 2, 4, 8, 16], 3: [1, 2, 4, 8] }[colour] ?? [8, 16];
  const depth = pick(random, depths), n = SAMPLES[colour], height = 1 + below(random, 20);
  const width = 1 + below(random, 20);
  const isWoven = random() < 0.4, pixels = Array.from({ length: height * width * n }, () => below(random, 2 ** depth));
  const at = (y, x) => pixels.slice((y * width + x) * n, (y * width + x + 1) * n), parts = [];
  for (const [x0, y0, across, down] of isWoven ? PASSES : [[0, 0, 1, 1]]) {
    const rows = [];
    for (let y = y0; y < height; y += down) {
      const row = [];
      for (let x = x0; x < width; x += across)
        row.push(...at(y, x));
      rows.push(packBits([row], depth));
    }
    if (rows.length > 0 && rows[0].length > 0)
      parts.push(filterRows(random, rows, Math.max(1, (depth * n) >> 3)));
  }
  const head = join(pack([width, height], "u32", true), [depth, colour, 0, 0, isWoven ? 1 : 0]);
  const packed = deflateSync(join(...parts)), middle = below(random, packed.length);
  const colours = Buffer.from(Array.from({ length: 3 * 2 ** depth }, () => below(random, 256)));
  const palette = colour === 3 ? [chunk("PLTE", colours)] : [];
  const turned = join(Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", "latin1"),
    [1 + below(random, 8), 0, 0, 0, 0, 0, 0]);
  const exif = random() < 0.3 ? [chunk("eXIf", turned)] : [];
  return {
    name: `${colour}-${depth}${isWoven ? "-woven" : ""}.png`,
    bytes: join(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), ...palette, ...exif,
      chunk("IDAT", packed.subarray(0, middle)), chunk("IDAT", packed.subarray(middle)), chunk("IEND", [])),
  };
}

/* ---- TIFF ---- */

/** LZW with all lengths of codes: a table that is emptied when it is full. */
export function packLzw(bytes) {
  const bits = [];
  let table = new Map(), size = 9, word = "";
  const put = (code) => bits.push(code.toString(2).padStart(size, "0"));
  const codeOf = (text) => (text.length === 1 ? text.charCodeAt(0) : table.get(text));
  put(256);
  for (const byte of bytes) {
    const longer = word + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      word = longer;
      continue;
    }
    put(codeOf(word));
    table.set(longer, 258 + table.size);
    size = 258 + table.size < 512 ? 9 : 258 + table.size < 1024 ? 10 : 258 + table.size < 2048 ? 11 : 12;
    word = String.fromCharCode(byte);
    if (table.size === 4094 - 258) {
      put(256);
      table = new Map();
      size = 9;
    }
  }
  if (word !== "")
    put(codeOf(word));
  put(257);
  return packBits([[...bits.join("")].map(Number)], 1);
}

function packRuns(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    let n = 1;
    while (n < 128 && at + n < bytes.length && bytes[at + n] === bytes[at])
      n++;
    parts.push(n > 1 ? [257 - n, bytes[at]] : [0, bytes[at]]);
    at += n;
  }
  return join(...parts);
}

const PACKERS = { 1: (bytes) => bytes, 5: packLzw, 8: deflateSync, 32946: deflateSync, 32773: packRuns };

/* Differences of the samples of rows. */
function differ(rows, step, type) {
  const bits = Number(type.slice(1));
  return rows.map((row) => row.map((value, i) => (i < step ? value
    : bits === 64 ? BigInt.asUintN(64, BigInt(value) - BigInt(row[i - step]))
      : ((value - row[i - step]) & (2 ** bits - 1)) >>> 0)));
}

/* Bytes of floats apart, then differences of bytes. */
function differFloats(rows, step, type) {
  return join(...rows.map((row) => {
    const bytes = pack(row, type, true), size = Number(type.slice(1)) / 8, apart = new Uint8Array(bytes.length);
    bytes.forEach((byte, i) => { apart[(i % size) * row.length + Math.floor(i / size)] = byte; });
    return apart.map((byte, i) => (i < step ? byte : byte - apart[i - step]));
  }));
}

/* Strips or tiles of one plane. */
function blocksOf(plane, how) {
  const { height, width, n, high, wide, isTiled } = how, blocks = [];
  for (let top = 0; top < height; top += high)
    for (let left = 0; left < width; left += wide) {
      const rows = [];
      for (let y = top; y < (isTiled ? top + high : Math.min(height, top + high)); y++) {
        const from = (Math.min(y, height - 1) * width + left) * n, there = Math.min(wide, width - left) * n;
        const row = plane.slice(from, from + there);
        rows.push([...row, ...Array(wide * n - there).fill(row[0])]);
      }
      blocks.push(rows);
    }
  return blocks;
}

function packBlock(rows, { type, bits, isBig, predictor, compression, n }) {
  const isWhole = bits === Number(type.slice(1));
  const unsigned = type.replace("i", "u"), natural = (value) => (type[0] !== "i" ? value
    : bits === 64 ? BigInt.asUintN(64, value) : (value & (2 ** bits - 1)) >>> 0);
  if (predictor === 3)
    return PACKERS[compression](differFloats(rows, n, type));
  if (!isWhole)
    return PACKERS[compression](packBits(rows, bits));
  const stored = predictor === 2 ? differ(rows.map((row) => row.map(natural)), n, unsigned) : rows;
  return PACKERS[compression](join(...stored.map((row) => pack(row, predictor === 2 ? unsigned : type, isBig))));
}

/* The bytes of a directory and what it points to. @param entries  [tag, type, values] */
function directoryOf(entries, { isBig, isWide }, offset) {
  const wide = isWide ? "u64" : "u32", room = isWide ? 8 : 4, sizes = { 2: "u8", 3: "u16", 4: "u32", 16: "u64" };
  const head = (isWide ? 8 : 2) + entries.length * (isWide ? 20 : 12) + room, behind = [], all = [];
  let at = offset + head;
  for (const [tag, type, values] of entries.sort((a, b) => a[0] - b[0])) {
    const data = pack(values, sizes[type], isBig), fits = data.length <= room;
    all.push(pack([tag, type], "u16", isBig), pack([values.length], wide, isBig),
      fits ? join(data, new Uint8Array(room - data.length)) : pack([at], wide, isBig));
    if (!fits) {
      behind.push(data, new Uint8Array(data.length % 2));
      at += data.length + data.length % 2;
    }
  }
  return join(pack([entries.length], isWide ? "u64" : "u16", isBig), ...all, pack([0], wide, isBig), ...behind);
}

function chooseTiff(random) {
  const type = pick(random, ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "u8", "u16"]);
  const compression = pick(random, [1, 5, 8, 32946, 32773]), isTiled = random() < 0.4, whole = Number(type.slice(1));
  const few = { u8: [1, 2, 3, 4, 7], u16: [10, 12], u32: [20] }[type];
  const bits = few && random() < 0.4 ? pick(random, few) : whole;
  const height = 1 + below(random, 30), width = 1 + below(random, 30), samples = pick(random, [1, 1, 3]);
  const canDiffer = [5, 8, 32946].includes(compression) && bits === whole && random() < 0.5;
  return {
    type, bits, compression, isTiled, height, width, samples, isBig: random() < 0.4, isWide: random() < 0.3,
    isPlanar: samples > 1 && random() < 0.4, predictor: !canDiffer ? 1 : type[0] === "f" ? 3 : 2,
    high: isTiled ? 16 : 1 + below(random, height), wide: isTiled ? 16 : width,
    photometric: samples === 3 ? 2 : type[0] === "u" ? below(random, 2) : 1,
    orientation: random() < 0.2 ? 1 + below(random, 8) : 1,
  };
}

/** @returns {{name, bytes, how}} */
export function makeTiff(random) {
  const how = chooseTiff(random), { bits, samples, type, height, width, isPlanar } = how;
  const planes = isPlanar ? samples : 1;
  how.n = isPlanar ? 1 : samples;
  const parts = [], offsets = [], counts = [];
  let at = how.isWide ? 16 : 8;
  for (let p = 0; p < planes; p++) {
    const values = bits === Number(type.slice(1)) ? valuesOf(random, type, height * width * how.n)
      : Array.from({ length: height * width * how.n }, () => below(random, 2 ** bits));
    for (const rows of blocksOf(values, how)) {
      const packed = packBlock(rows, how);
      offsets.push(at);
      counts.push(packed.length);
      parts.push(packed, new Uint8Array(packed.length % 2));
      at += packed.length + packed.length % 2;
    }
  }
  const format = { u: 1, i: 2, f: 3 }[type[0]], each = Array(samples);
  const entries = [
    [256, 4, [width]], [257, 4, [height]], [258, 3, each.fill(bits)], [259, 3, [how.compression]],
    [262, 3, [how.photometric]], [274, 3, [how.orientation]], [277, 3, [samples]], [284, 3, [isPlanar ? 2 : 1]],
    [317, 3, [how.predictor]], [339, 3, Array(samples).fill(format)],
    ...(how.isTiled ? [[322, 3, [16]], [323, 3, [16]], [324, 4, offsets], [325, 4, counts]]
      : [[273, 4, offsets], [278, 3, [how.high]], [279, 4, counts]])];
  const magic = Buffer.from(how.isBig ? "MM" : "II"), number = pack([how.isWide ? 43 : 42], "u16", how.isBig);
  const first = how.isWide ? join(pack([8, 0], "u16", how.isBig), pack([at], "u64", how.isBig))
    : pack([at], "u32", how.isBig);
  const { isBig, isWide } = how;
  return {
    name: `${type}-${bits}-${how.compression}-${how.predictor}.tif`, how,
    bytes: join(magic, number, first, ...parts, directoryOf(entries, { isBig, isWide }, at)),
  };
}

/* ---- Arrays ---- */

const TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"];

/** @returns {{name, bytes}} */
export function makeNpy(random, nAxes = 2 + below(random, 2)) {
  const type = pick(random, TYPES), isBig = random() < 0.4;
  const shape = Array.from({ length: nAxes }, () => 1 + below(random, 9));
  const order = type.endsWith("8") && type !== "f8" ? "|" : isBig ? ">" : "<", isFortran = random() < 0.4;
  const kind = `${order}${type[0]}${Number(type.slice(1)) / 8}`;
  const text = `{'descr': '${kind}', 'fortran_order': ${isFortran ? "True" : "False"}, ` +
    `'shape': (${shape.join(", ")}${nAxes === 1 ? "," : ""}), }\n`;
  const values = valuesOf(random, type, shape.reduce((a, b) => a * b, 1)), version = 1 + below(random, 2);
  return {
    name: `${type}${isFortran ? "-fortran" : ""}.npy`,
    bytes: join(Buffer.from("\x93NUMPY", "latin1"), [version, 0],
      pack([text.length], version === 1 ? "u16" : "u32", false),
      Buffer.from(text), pack(values, type, isBig)),
  };
}

const NIFTI_TYPES = { u8: 2, i8: 256, u16: 512, i16: 4, u32: 768, i32: 8, u64: 1280, i64: 1024, f32: 16, f64: 64 };

/** @returns {{name, bytes}} */
export function makeNifti(random) {
  const type = pick(random, TYPES), isBig = random() < 0.4, nAxes = 2 + below(random, 3), isSecond = random() < 0.4;
  const shape = Array.from({ length: nAxes }, () => 1 + below(random, 8)), head = Buffer.alloc(isSecond ? 544 : 352);
  const put = (at, values, kind) => head.set(pack(values, kind, isBig), at), real = isSecond ? "f64" : "f32";
  put(0, [isSecond ? 540 : 348], "i32");
  head.write(isSecond ? "n+2\0\r\n\x1a\n" : "n+1\0", isSecond ? 4 : 344, "latin1");
  put(isSecond ? 16 : 40, [nAxes, ...shape], isSecond ? "i64" : "i16");
  put(isSecond ? 12 : 70, [NIFTI_TYPES[type], Number(type.slice(1))], "i16");
  put(isSecond ? 104 : 76, [1, 0.5, 0.25, 2, 1], real);
  put(isSecond ? 168 : 108, [isSecond ? 544 : 352], isSecond ? "i64" : "f32");
  put(isSecond ? 176 : 112, random() < 0.5 ? [2.5, -3] : [0, 7], real);
  put(isSecond ? 500 : 123, [2], isSecond ? "i32" : "u8");
  const all = join(head, pack(valuesOf(random, type, shape.reduce((a, b) => a * b, 1)), type, isBig));
  const isPacked = random() < 0.5, middle = below(random, all.length);
  return {
    name: `${type}-${isSecond ? 2 : 1}.nii${isPacked ? ".gz" : ""}`,
    bytes: !isPacked ? all : random() < 0.3 ? join(gzipSync(all.subarray(0, middle)), gzipSync(all.subarray(middle)))
      : new Uint8Array(gzipSync(all)),
  };
}
