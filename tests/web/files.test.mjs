// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// What the page reads beside what the program reads: every pixel, every fact, every message.
//
//   RUGOSE  the program; default build/release/cli/rugose
//   TOOLS   the folder of write_pixels; default build/release/tests/web

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { deflateSync, gzipSync } from "node:zlib";
import { gunzipHead, inflate, inflateHere } from "../../web/files/inflate.js";
import { FileError, read } from "../../web/files/read.js";
import { chunk, makeNifti, makeNpy, makePng, makeTiff, packLzw, randomFrom } from "./make_files.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = resolve(process.env.RUGOSE || join(ROOT, "build/release/cli/rugose"));
const WRITER = resolve(process.env.TOOLS || join(ROOT, "build/release/tests/web"), "write_pixels");
const DATA = join(ROOT, "tests/data"), FOLDER = mkdtempSync(join(tmpdir(), "rugose-"));

after(() => rmSync(FOLDER, { recursive: true }));

const bytesAt = (path) => new Uint8Array(readFileSync(path));

/* ---- The program's side ---- */

function run(program, words, folder) {
  const done = spawnSync(program, words, { cwd: folder, maxBuffer: 2 ** 30 });
  assert.equal(done.error, undefined);
  return done;
}

/* What the library reads of files: {dtype, shape, bytes} or {message} of each. */
function libraryReads(names, folder, page = -1, channel = -1, arePoints = false) {
  const words = arePoints ? ["points"] : [String(page), String(channel)];
  const { stdout } = run(WRITER, [...words, ...names], folder);
  let at = 0;
  return names.map((name) => {
    const end = stdout.indexOf(10, at), words = stdout.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (words[0] === "-")
      return { message: words.slice(1).join(" ").replace(`${name}: `, "") };
    const n = words.slice(1).reduce((all, size) => all * Number(size), Number(words[0].slice(1)) / 8);
    const bytes = stdout.subarray(at, at + n);
    at += n;
    return { dtype: words[0], shape: words.slice(1).join("x"), bytes };
  });
}

/* The rows of 'rugose info' by the names of files; those that fail have none. */
function programSays(names, folder, options) {
  if (names.length === 0)
    return new Map();
  const { stdout } = run(PROGRAM, ["info", "-q", "-f", "json", ...options, ...names], folder);
  return new Map(JSON.parse(stdout.toString()).results.map((row) => [row.image, row]));
}

/* ---- The page's side ---- */

async function tryRead(name, bytes, options) {
  try {
    return await read(name, bytes, options);
  } catch (error) {
    assert.ok(error instanceof FileError, `${name}: ${error.stack}`);
    return { kind: "refused", message: error.message };
  }
}

/* The facts as JSON, without what only a measurement of the pixels tells. */
function factsOf(read) {
  const rest = { ...read };
  for (const name of ["min", "max", "nan", "infinite", "distinct", "distinct_is_min"])
    delete rest[name];
  return JSON.stringify(rest, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}

function isSame(own, theirs) {
  const mine = Buffer.from(own.data.buffer, own.data.byteOffset, own.data.byteLength);
  if (mine.equals(theirs.bytes) || own.dtype[0] !== "f")
    return mine.equals(theirs.bytes);
  const copy = new own.data.constructor(new Uint8Array(theirs.bytes).buffer); /* one NaN is as good as another */
  return own.data.every((value, i) => Object.is(value, copy[i]));
}

function compareOne(name, own, theirs, row) {
  assert.equal(own.dtype, theirs.dtype, name);
  assert.equal(own.kind === "points" ? `${own.n_points}x${own.n_axes}` : own.shape.join("x"), theirs.shape, name);
  assert.ok(isSame(own, theirs), `${name}: numbers differ`);
  assert.equal(factsOf(own.facts), factsOf(row.read), name);
  assert.deepEqual(own.warnings, row.warnings, name);
}

/* Compares files of a folder. @returns those that the program alone reads, as "name: the page's message" */
async function compareAll(names, folder, options = {}, words = []) {
  const { page = -1, channel = -1 } = options, owns = [], alone = [];
  for (const name of names)
    owns.push(await tryRead(name, bytesAt(join(folder, name)), options));
  for (const arePoints of [false, true]) {
    const some = names.filter((name, i) => (owns[i].kind === "points" || /\.[ct]sv$/.test(name)) === arePoints);
    if (some.length === 0)
      continue;
    const theirs = libraryReads(some, folder, page, channel, arePoints);
    const good = some.filter((name) => owns[names.indexOf(name)].kind !== "refused");
    const rows = programSays(good, folder, arePoints ? ["--points"] : ["--range", ...words]);
    some.forEach((name, i) => {
      const own = owns[names.indexOf(name)];
      if (own.kind !== "refused")
        compareOne(name, own, theirs[i], rows.get(name) ?? assert.fail(`${name}: the program refuses it`));
      else if (theirs[i].message === undefined)
        alone.push(`${name}: ${own.message}`);
      else if (!/the program reads|cannot be read|is not an image/.test(own.message))
        assert.equal(own.message, theirs[i].message, name);
    });
  }
  return alone;
}

/* ---- All of tests/data ---- */

const FILES = readdirSync(DATA, { recursive: true }).filter((name) => statSync(join(DATA, name)).isFile()).sort();

test("all of tests/data is read as the program reads it", async () => {
  const alone = await compareAll(FILES, DATA);
  for (const text of alone)
    assert.match(text, /looks like .*; (the program reads it|unpack it)|is not an image that is read in a browser/);
  assert.ok(FILES.length - alone.length > 150);
  assert.ok(alone.every((text) => /^(arrays|dicom|meshes|volumes)\//.test(text)), alone.join("\n"));
});

/* ---- Files that are made ---- */

/* Writes n files of a maker. @returns their names */
function writeMade(make, n, seed, folder = FOLDER) {
  const random = randomFrom(seed);
  return Array.from({ length: n }, (_, i) => {
    const { name, bytes } = make(random), own = `${String(i).padStart(3, "0")}-${name}`;
    writeFileSync(join(folder, own), bytes);
    return own;
  });
}

for (const [what, make, n] of [["PNG", makePng, 60], ["TIFF", makeTiff, 120], ["npy", makeNpy, 40],
  ["NIfTI", makeNifti, 60]])
  test(`${what} files of all kinds are read as the program reads them`, async () => {
    assert.deepEqual(await compareAll(writeMade(make, n, 7), FOLDER), []);
  });

test("a channel, a page and the indices of a palette are read as the program reads them", async () => {
  const pictures = [...writeMade(makePng, 20, 3), ...writeMade(makeTiff, 20, 3)];
  assert.deepEqual(await compareAll(pictures, FOLDER, { channel: "1" }, ["--channel", "1"]), []);
  const volumes = writeMade(makeNifti, 20, 4);
  assert.deepEqual(await compareAll(volumes, FOLDER, { page: 1 }, ["--page", "1"]), []);
  const palettes = pictures.filter((name) => /^\d+-3-/.test(name));
  for (const [i, theirs] of libraryReads(palettes, FOLDER, -1, -2).entries()) {
    const own = await read(palettes[i], bytesAt(join(FOLDER, palettes[i])), { indices: true });
    assert.ok(isSame(own, theirs) && own.meaning === "palette indices", palettes[i]);
  }
  assert.ok(palettes.length > 1);
});

const TEXTS = {
  "solid.csv": "solid x,y\n1,2\n", "wide_letters.txt": "1\0,\x002\0\n\0",
  "header.csv": "id,x,y [um]\n1,2,3\n2,0.5,-7e-1\n", "blanks.txt": "# x y z\n  1   2 3\n4 5\t6\n",
  "bom.csv": "\ufeff1;2\r\n3;4\r\n",
  "long.csv": "9223372036854775807,1\n-9223372036854775808,2\n9007199254740993,3\n",
  "beyond.csv": "9223372036854775808,1\n",
  "water.xyz": "3\nwater\nO 0 0 0.1\nH 0 0.7 -0.4\nH 0 -0.7 -0.4\n", "few.xyz": "3\nwater\nO 0 0 0.1\n",
  "one.txt": "5\n6\n7.25\n",
  "index.csv": "1,5,6\n2,7,8\n3,0,1\n", "wide.csv": "1,2,3,4\n", "twice.csv": "x,X\n1,2\n", "ragged.csv": "1,2\n3\n",
  "word.csv": "1,2\n3,b\n",
  "nan.csv": "1,nan\n", "comma.csv": "1,5;2,5\n", "empty.csv": "\n\n",
  "quoted.csv": "\"x\",\"y (nm)\",\"a, b\"\n1,2,3\n", "huge.csv": "1e999,1\n",
};

test("points are read as the program reads them", async () => {
  for (const [name, text] of Object.entries(TEXTS))
    writeFileSync(join(FOLDER, name), text);
  const names = Object.keys(TEXTS), random = randomFrom(9);
  for (const name of names) {
    const own = await tryRead(name, bytesAt(join(FOLDER, name)), { points: true });
    const [theirs] = libraryReads([name], FOLDER, -1, -1, true);
    if (own.kind === "refused")
      assert.equal(own.message, theirs.message, name);
    else
      compareOne(name, own, theirs, programSays([name], FOLDER, ["--points"]).get(name));
  }
  for (const nAxes of [1, 2, 2, 3]) {
    const { bytes } = makeNpy(random, nAxes);
    writeFileSync(join(FOLDER, "points.npy"), bytes);
    const own = await tryRead("points.npy", bytes, { points: true });
    const [theirs] = libraryReads(["points.npy"], FOLDER, -1, -1, true);
    assert.equal(own.message, theirs.message);
    assert.ok(own.kind === "refused" || isSame(own, theirs));
  }
});

test("columns and lines of points are chosen", async () => {
  const bytes = Buffer.from("made by hand\na,b,c\n1,2,3\n4,5,6\n");
  const { data, n_axes: n, facts } = await read("p.csv", bytes, { columns: "c,1", skip_rows: "1" });
  assert.deepEqual([[...data], n, facts.columns, facts.left_out], [[3n, 1n, 6n, 4n], 2, "c, a", "b"]);
  await assert.rejects(read("p.csv", bytes, { columns: "d", skip_rows: 1 }),
    /there is no 'd'; one of these .*: a, b, c/);
});

/* ---- Options ---- */

test("options are checked", async () => {
  const png = bytesAt(join(DATA, "camera.png"));
  for (const [options, message] of [
    [{ pages: 1 }, /no option 'pages'/], [{ page: "x" }, /--page 'x' given/],
    [{ page: 3 }, /page 3 requested, but the png file has one/],
    [{ channel: "2" }, /channel 2 requested/], [{ level: 1 }, /level 1 requested/],
    [{ volume: true }, /holds no volume/],
    [{ nodata: "much" }, /--nodata 'much' given/], [{ skip_rows: -1 }, /--skip-rows '-1' given/]])
    await assert.rejects(read("camera.png", png, options), { name: "FileError", message });
});

test("pixels without data are NaN, or values", async () => {
  const tiff = bytesAt(join(DATA, "nodata_binary.tif"));
  const found = await read("n.tif", tiff), kept = await read("n.tif", tiff, { nodata: "none" });
  const other = await read("n.tif", tiff, { nodata: "0" });
  const nOf = (image, value) => image.data.reduce((n, pixel) => n + (Object.is(pixel, value) ? 1 : 0), 0);
  assert.deepEqual([found.dtype, found.facts.dtype, found.nodata, nOf(found, NaN)],
    ["f32", "u8", 255, found.facts.nodata_pixels]);
  assert.deepEqual([kept.dtype, kept.nodata, nOf(kept, 255)], ["u8", null, found.facts.nodata_pixels]);
  assert.deepEqual([other.nodata, nOf(other, NaN)], [0, nOf(kept, 0)]);
});

/* ---- Folders ---- */

test("names are in the order that the program has for a folder", () => {
  const stems = ["a10", "a2", "a02", "a002", "a", "b1x10", "b1x9", "b01x9", "A3", "é1", "z\u{1f600}", "z\uff5e", "10",
    "9", "09", "99999999999999999999", "100000000000000000000", "a2b", "a02b", "a_2", "a-2"];
  const names = stems.map((stem) => `${stem}.npy`);
  const folder = join(FOLDER, "names"), context = { rugose: {}, TextEncoder };
  mkdirSync(folder);
  for (const name of names)
    writeFileSync(join(folder, name), makeNpy(randomFrom(2), 2).bytes);
  runInNewContext(readFileSync(join(ROOT, "web/page/natural.js"), "utf8"), context);
  const theirs = [...programSays(["."], folder, []).keys()].map((name) => name.replace("./", ""));
  assert.deepEqual(names.sort(context.rugose.compareNaturally), theirs);
  assert.equal(theirs.length, names.length);
});

/* ---- Pictures that the browser decodes ---- */

/* A JPEG file of no pixels: what its head says. */
function jpegHead(orientation, nComponents) {
  const exif = Buffer.concat([Buffer.from("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", "latin1"),
    Buffer.from([orientation, 0, 0, 0, 0, 0, 0])]);
  const frame = [8, 0, 2, 0, 3, nComponents, ...Array(3 * nComponents).fill(1)];
  return new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, 0xff, 0xc0, 0, frame.length + 2, ...frame,
    0xff, 0xd9]);
}

test("a picture is turned here, and the decoder is not told to", async () => {
  let given = null;
  const decode = async (bytes, mime) => {
    given = { bytes, mime };
    const rgba = Uint8ClampedArray.from({ length: 24 }, (_, i) => (i % 4 === 3 ? 255 : i * 10));
    return { width: 3, height: 2, rgba };
  };
  const plain = await read("a.jpg", jpegHead(1, 3), { decode });
  const turned = await read("a.jpg", jpegHead(6, 3), { decode });
  assert.equal(given.mime, "image/jpeg");
  assert.ok(!Buffer.from(given.bytes).includes(Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6])));
  assert.deepEqual([plain.shape, plain.facts.channels, plain.lossy], [[2, 3], 3, "JPEG"]);
  assert.deepEqual([turned.shape, turned.facts.orientation], [[3, 2], 6]);
  assert.deepEqual([...turned.data], [3, 0, 4, 1, 5, 2].map((i) => plain.data[i]));
  assert.deepEqual((await read("a.jpg", jpegHead(1, 1), { decode })).facts.channels, 1);
  await assert.rejects(read("a.jpg", jpegHead(1, 4), { decode }), /4 channels that are not red, green and blue/);
  await assert.rejects(read("a.jpg", jpegHead(1, 3), { decode: async () => { throw new Error("no"); } }),
    /cannot decode the jpeg file/);
});

test("a WebP picture is decoded without its alpha", async () => {
  const part = (name, data) => [...Buffer.from(name), data.length, 0, 0, 0, ...data];
  const canvas = part("VP8X", [16 | 4, 0, 0, 0, 1, 0, 0, 0, 0, 0]), head = Buffer.from("RIFF\x30\0\0\0WEBP", "latin1");
  const bytes = new Uint8Array([...head, ...canvas, ...part("ALPH", [0, 9]), ...part("VP8 ", [1, 2])]);
  let given = null;
  const decodeAs = (alpha) => async (copy) => {
    given = Buffer.from(copy).toString("latin1");
    return { width: 2, height: 1, rgba: Uint8ClampedArray.of(1, 2, 3, 255, 4, 5, 6, alpha) };
  };
  const found = await read("a.webp", bytes, { decode: decodeAs(255) });
  assert.deepEqual([found.facts.dropped_alpha, found.facts.channels, found.lossy, found.warnings],
    [true, 3, "WebP", []]);
  assert.ok(!given.includes("ALPH") && given.includes("VP8X\x0a\0\0\0\x04"));
  assert.match((await read("a.webp", bytes, { decode: decodeAs(9) })).warnings[0], /is transparent in places/);
});

/* ---- Packed bytes ---- */

test("what is packed is unpacked, by the browser or here", async () => {
  const random = randomFrom(5);
  const some = Uint8Array.from({ length: 700000 }, (_, i) => (i % 3 === 0 ? random() * 9 : i >> 6));
  const unpacked = async (packed, n, format) => {
    const out = new Uint8Array(n), here = new Uint8Array(n);
    await inflate(packed, out, format, "it");
    inflateHere(packed, here, format, "it");
    assert.deepEqual(out, here);
    return out;
  };
  for (const level of [0, 1, 9])
    for (const n of [some.length, 100000, 0]) {
      const packed = deflateSync(some.subarray(0, n), { level }), behind = new Uint8Array([...packed, 1, 2, 3]);
      assert.deepEqual(await unpacked(new Uint8Array(packed), n, "deflate"), some.subarray(0, n));
      assert.deepEqual(await unpacked(behind, n, "deflate"), some.subarray(0, n));
    }
  const long = new Uint8Array(deflateSync(new Uint8Array(1000).fill(7)));
  assert.ok((await unpacked(long, 300, "deflate")).every((value) => value === 7)); /* that ends within a run */
  const two = new Uint8Array([...gzipSync(some.subarray(0, 300000)), ...gzipSync(some.subarray(300000)), 0, 0]);
  assert.deepEqual(await unpacked(two, some.length, "gzip"), some);
  assert.deepEqual(await unpacked(two, 300001, "gzip"), some.subarray(0, 300001));
  assert.deepEqual(gunzipHead(two, 540), some.subarray(0, 540));
});

test("what is cut off or damaged is refused", async () => {
  const some = Uint8Array.from({ length: 400000 }, (_, i) => i * i >> 5), out = new Uint8Array(some.length);
  for (const [format, packed] of [["deflate", deflateSync(some)], ["gzip", gzipSync(some)]]) {
    const wrong = new Uint8Array(packed), half = new Uint8Array(packed.subarray(0, packed.length >> 1));
    wrong[wrong.length - (format === "gzip" ? 8 : 1)] ^= 1;
    await assert.rejects(inflate(wrong, out, format, "it"), /damaged/);
    await inflate(wrong, out, format, "it", true);
    await assert.rejects(inflate(half, out, format, "it", true), /cut off: \d+ of 400000 bytes/);
    await assert.rejects(inflate(new Uint8Array(packed), new Uint8Array(400001), format, "it", true),
      /cut off: 400000 of 400001 bytes/);
  }
  const { length } = gzipSync(some);
  for (const n of [length - 1, length - 8]) /* its checksum is missing */
    await assert.rejects(inflate(new Uint8Array(gzipSync(some).subarray(0, n)), out, "gzip", "it"), /cut off/);
  await assert.rejects(inflate(new Uint8Array(gzipSync(some)), out, "deflate", "it"), /damaged behind 0 of/);
});

/* ---- Hostile files ---- */

const ONE = [
  () => makePng(randomFrom(21)), () => makeTiff(randomFrom(22)), () => makeTiff(randomFrom(25)),
  () => makeNpy(randomFrom(23)),
  () => makeNifti(randomFrom(24)), () => ({ name: "p.csv", bytes: new Uint8Array(Buffer.from("x,y\n1,2\n3,4.5\n")) })];

/* Reads what may be anything, within a second. */
async function mustAnswer(name, bytes) {
  const start = performance.now(), found = await tryRead(name, bytes, {});
  assert.ok(performance.now() - start < 5000, name);
  return found;
}

test("damaged files are refused, or read", async () => {
  const random = randomFrom(6);
  for (const { name, bytes } of ONE.map((make) => make())) {
    for (let n = 0; n < bytes.length; n += 1 + Math.floor(random() * 7))
      await mustAnswer(name, bytes.slice(0, n));
    for (let i = 0; i < 50; i++) {
      const copy = bytes.slice();
      copy[Math.floor(random() * Math.min(copy.length, 400))] ^= 1 << Math.floor(random() * 8);
      await mustAnswer(name, copy);
    }
  }
});

test("a header is not believed", async () => {
  const side = [0, 1, 134, 160], magic = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const png = Buffer.concat([
    magic, chunk("IHDR", [...side, ...side, 16, 6, 0, 0, 0]), chunk("IDAT", deflateSync(Buffer.alloc(4000)))]);
  const head = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000)}    \n";
  const npy = Buffer.from(`\x93NUMPY\x01\0\x46\0${head}`, "latin1");
  const tiff = (compression) => {
    const entry = (tag, value) => [tag & 255, tag >> 8, 4, 0, 1, 0, 0, 0, value & 255, (value >> 8) & 255,
      (value >> 16) & 255, value >> 24];
    const tags = [[256, 100000], [257, 100000], [258, 8], [259, compression], [273, 8], [277, 1], [278, 100000],
      [279, 4000]];
    return Buffer.from([73, 73, 42, 0, 8, 0, 0, 0, tags.length, 0, ...tags.flatMap(([tag, value]) => entry(tag, value)),
      ...Array(4000).fill(0)]);
  };
  for (const bytes of [png, npy, tiff(1), tiff(5), tiff(8), tiff(32773)])
    assert.match((await mustAnswer("claims", new Uint8Array(bytes))).message, /cut off/);
  const real = new Uint8Array(tiff(1));
  real[10 + 12 * 6 + 2] = 11; /* the type of the rows of a strip: a float */
  assert.match((await mustAnswer("rows", real)).message, /tag 278 .* a whole number expected/);
});

test("directories in a circle, tables of LZW and other traps", async () => {
  const circle = new Uint8Array([73, 73, 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 3, 0, 1, 0,
    0, 0, 1, 0, 0, 0, 8, 0, 0, 0]);
  assert.match((await tryRead("circle.tif", circle, {})).message, /leads back to one before it/);
  const long = Uint8Array.from({ length: 60000 }, (_, i) => (i * 7919 >> 4) & 255), packed = packLzw(long);
  const { how, bytes } = makeTiff(randomFrom(30));
  assert.ok(packed.length > 4096 && how && bytes.length > 100);
  for (const [text, message] of [["", /is empty/], ["\x89HDF\r\n\x1a\n", /looks like HDF5.*the program reads it/],
    ["\0\x01\x02\x03", /is not an image/],
    ["<svg>", /looks like SVG/], ["BM\x1a\0\0\0\0\0\0\0", /looks like BMP/],
    ["BM, and so on", /looks like text, and not like points/], ["RIFF1234WEBP", /decoded by the browser/]])
    assert.match((await tryRead("x", new Uint8Array(Buffer.from(text, "latin1")), {})).message, message);
});
