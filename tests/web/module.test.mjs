// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// The module and rugose.js: that all of the interface is there, arguments and results, failures, memory, threads.
// What they measure is compared with the program by the tests of the commands.
//
//   RUGOSE_WEB=build/web node --test tests/web/module.test.mjs

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe } from "../../web/module/describe.mjs";
import { HEADERS, LEFT_OUT } from "../../web/module/interface_notes.js";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const WEB = resolve(process.env.RUGOSE_WEB || join(ROOT, "build/web"));
const INCLUDE = join(ROOT, "include/rugose");
const { load, RugoseError } = await import(pathToFileURL(join(WEB, "rugose.js")));
const rugose = await load({ threads: 1 });

const fails = (status, pattern) => (error) => {
  assert.ok(error instanceof RugoseError, error.stack);
  assert.equal(error.status, status);
  assert.match(error.message, pattern);
  return true;
};

/* Pixels that look like noise, the same each time. */
function noise(n, levels = 256, type = Uint8Array) {
  let state = 1;
  return type.from({ length: n }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % levels;
  });
}

const image = rugose.image(noise(96 * 80), [96, 80]);
const labels = rugose.image(Uint16Array.from({ length: 96 * 80 }, (_, i) => (i % 80 < 40 ? 1 : 70)), [96, 80]);

test("every function of the headers is there, or left out by name", () => {
  const names = HEADERS.flatMap((header) => {
    const code = readFileSync(join(INCLUDE, `${header}.h`), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    return [...code.matchAll(/RUG_API[^;(]*?\b(rug_\w+)\(/g)].map((found) => found[1]);
  });
  assert.ok(names.length > 100);
  const missing = names.filter((name) => !LEFT_OUT[name] && typeof rugose[name.slice(4)] !== "function");
  assert.deepEqual(missing, []);
  assert.deepEqual(Object.keys(LEFT_OUT).filter((name) => !names.includes(name)), []);
});

test("no more is left out than this", () => {
  assert.equal(Object.keys(LEFT_OUT).length, 26);
});

test("every member of a struct is read and written, but its size and what is unused", () => {
  const { given } = describe(INCLUDE);
  let n = 0;
  for (const header of HEADERS) {
    const code = readFileSync(join(INCLUDE, `${header}.h`), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, name, body] of code.matchAll(/typedef struct (rug_\w+) \{([^}]*)\} \1;/g)) {
      if (name === "rug_allocator") continue;
      const { members, set } = given.structs[name];
      const known = [...members, ...set].map((member) => member.name);
      const declared = body.split(";").flatMap((line) => line.split(",")).map((text) => /(\w+)\s*(\[\w+\])?\s*$/.exec(text)?.[1]);
      const wanted = declared.filter((member) => member && !/^(struct_size|unused(_too)?)$/.test(member));
      assert.deepEqual(wanted.filter((member) => !known.includes(member)), [], name);
      n += wanted.length;
    }
  }
  assert.ok(n > 200);
});

test("defaults are those of C; what is given replaces them, and what is unknown is refused", () => {
  const counts = rugose.boxcount(image, { foreground: { kind: "above", value: 128 }, sizes: [1, 3n, 9] });
  assert.deepEqual(counts.at.map(({ size }) => size), [1, 3, 9]);
  assert.deepEqual(counts.facts.foreground, { kind: "above", value: 128, rest: 0 });
  assert.equal(counts.facts.n_set, noise(96 * 80).filter((value) => value >= 128).length);
  assert.equal(counts.positions, null);
  assert.throws(() => rugose.boxcount(image, { size: [1] }), fails("RUG_E_ARG", /has no 'size'; foreground, method/));
  assert.throws(() => rugose.boxcount(image, { grid: "best" }), fails("RUG_E_ARG", /"best" given; "origin", "min", "mean" expected/));
  assert.throws(() => rugose.boxcount(image, { sizes: [1.5] }), fails("RUG_E_ARG", /sizes\[0\]: 1\.5 given; a whole number/));
  assert.throws(() => rugose.boxcount(image, { sizes: [2, 1] }), fails("RUG_E_ARG", /ascending|sizes/));
  assert.throws(() => rugose.boxcount(image, { foreground: "above" }), fails("RUG_E_ARG", /foreground 'above' given/));
  assert.throws(() => rugose.boxcount(image, {}, 3), fails("RUG_E_ARG", /3 arguments given; image, opts expected/));
  assert.throws(() => rugose.boxcount({}), fails("RUG_E_ARG", /rugose\.image\(\) returned expected/));
  assert.throws(() => rugose.dbc_fit(counts), fails("RUG_E_ARG", /dbc_result expected/));
});

test("numbers of 64 bits are exact: as Numbers, or as BigInts", () => {
  const big = rugose.image(BigUint64Array.from([2n ** 63n + 1n, 5n, 7n, 9n]), [2, 2]);
  const rule = rugose.foreground_resolve(big, null, { kind: "label", value: 2 ** 63, rest: 1 });
  assert.deepEqual(rule, { kind: "label", value: 2 ** 63, rest: 1 });
  assert.equal(rugose.boxcount(big, { foreground: rule }).facts.n_set, 1);
  const region = rugose.regions_find(rugose.image(BigUint64Array.from([2n ** 63n + 1n, 0n, 7n, 7n]), [2, 2]));
  assert.deepEqual(region.at.map(({ label }) => label), [7, 2n ** 63n + 1n]);
  const far = rugose.boxcount_points(rugose.points(Float64Array.from([0, 0, 2 ** 52, 2 ** 52]), [2, 2]), { spacing: 1 });
  assert.equal(far.facts.n_pixels, 2n ** 64n - 1n);
});

test("numbers that are undefined are NaN, with a reason", () => {
  const empty = rugose.boxcount_fit(rugose.boxcount(image, { foreground: "above=1000" }), "nonempty");
  assert.ok(Number.isNaN(empty.slope));
  assert.equal(empty.status, "empty");
});

test("every dtype comes in as it is", () => {
  const values = [0, 1, 2, 3, 100, 7];
  const types = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array,
    f32: Float32Array, f64: Float64Array };
  for (const [dtype, type] of Object.entries(types)) {
    const small = rugose.image(type.from(values), [2, 3], { spacing: [2, 1], spacing_unit: "µm" });
    assert.equal(small.dtype, dtype);
    assert.deepEqual([...small.data()], values);
    assert.deepEqual([rugose.image_measure_range(small).max, rugose.image_pixels(small)], [100, 6]);
  }
  const bits = rugose.image(Uint8Array.from([0b101, 1, 0b10, 0]), [2, 9], { dtype: "bit" });
  assert.equal(rugose.boxcount(bits, { foreground: "nonzero" }).facts.n_set, 4);
  assert.throws(() => rugose.image(Uint8Array.from(values), [2, 4]), fails("RUG_E_ARG", /6 pixels given; 8 expected/));
  assert.throws(() => rugose.image(values, [2, 3]), fails("RUG_E_ARG", /a typed array/));
  assert.throws(() => rugose.image(Uint8Array.from(values), [6]), fails("RUG_E_ARG", /\[ny, nx\] or \[nz, ny, nx\]/));
  assert.throws(() => rugose.image(Uint8Array.from(values), [2, 3], { dtype: "i8" }), fails("RUG_E_ARG", /numbers of u8/));
});

test("callbacks: rows as a list, or one by one; results are lent to them; what they throw ends the call", () => {
  const rows = rugose.glcm(image, { levels: "count", n_levels: 8, labels, distances: [1, 2] });
  assert.deepEqual(rows.map(({ label, distance }) => [label, distance]), [[1, 1], [1, 2], [70, 1], [70, 2]]);
  const seen = [];
  let lent;
  rugose.boxcount_labels(image, labels, { foreground: "above=9" }, (region, counts) => {
    seen.push([region.label, rugose.boxcount_fit(counts, "nonempty").n_sizes]);
    lent = counts;
  });
  assert.deepEqual(seen.map(([label]) => label), [1, 70]);
  assert.throws(() => rugose.boxcount_fit(lent, "nonempty"), fails("RUG_E_ARG", /lent until a callback/));
  assert.throws(() => rugose.glcm(image, {}, () => { throw new TypeError("mine"); }), /mine/);
  const codes = [];
  const patterns = rugose.lbp(image, { map: (block) => codes.push(...block.codes) });
  assert.equal(codes.length, 96 * 80);
  assert.equal(patterns.at[0].bins[9], codes.filter((code) => code === 9).length);
});

test("progress and cancellation; what they throw ends the call", () => {
  const shares = [];
  rugose.onprogress = (share) => shares.push(share);
  rugose.boxcount(image, { foreground: "above=0" });
  assert.equal(shares.at(-1), 1);
  rugose.onprogress = () => { throw new TypeError("mine"); };
  assert.throws(() => rugose.glcm(image), /mine/);
  rugose.onprogress = null;
  rugose.oncancel = () => true;
  assert.throws(() => rugose.glcm(image), fails("RUG_E_CANCELLED", /cancelled/));
  rugose.oncancel = null;
  assert.equal(rugose.glcm(image).length, 1);
});

test("each method gives numbers that are known", () => {
  const carpet = rugose.image(Uint8Array.from({ length: 64 * 64 }, (_, i) => ((i >> 6) & i & 63 ? 0 : 255)), [64, 64]);
  const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-9, `${value} and not ${expected}`);
  near(rugose.boxcount_fit(rugose.boxcount(carpet), "nonempty").slope, Math.log2(3));
  const masses = rugose.masses_measure(carpet, { of: "foreground" });
  near(rugose.multifractal_fit(masses, [0, 2]).at[1].dimension, Math.log2(3));
  near(rugose.multifractal_moments(masses, [0])[0][1].z, 243);
  assert.deepEqual(rugose.masses_boxes(masses, 0), [{ mass: 1, boxes: 729 }]);
  near(rugose.lacunarity(carpet, { boxes: "fixed", sizes: [2] }).at[0].lacunarity, (1024 * 2187) / 729 ** 2);
  near(rugose.dbc_fit(rugose.dbc(rugose.image(new Uint8Array(64 * 64), [64, 64]))).slope, 2);
  assert.equal(rugose.quality([image], [image]).psnr, Infinity);
  const board = rugose.image(Uint8Array.from({ length: 16 }, (_, i) => (i + (i >> 2)) & 1), [4, 4]);
  near(rugose.glcm(board, { directions: 1 })[0].features[1], 1);
  assert.deepEqual([...rugose.glcm_matrices(board, { directions: 1 })[0].counts], [0, 12, 12, 0]);
  assert.deepEqual([...rugose.glcm_matrices_at(board, [[0, 1, 1]])[0].counts], [10, 0, 0, 8]);
  const { features, status } = rugose.glcm_matrix_features(Float64Array.from([0, 12, 12, 0]), {});
  assert.deepEqual([features[0], status], [0.5, "ok"]);
  assert.equal(rugose.glcm_maps(board, {}, { window: 3, features: ["contrast"] }).length, 1);
  assert.deepEqual([...rugose.glcm_direction(2, 1)], [0, -1, 1]);
  assert.equal(rugose.foreground_format("below=2.5"), "below=2.5");
  assert.equal(rugose.foreground_flags(carpet, null, "nonzero").reduce((a, b) => a + b), 729);
  const alpha = rugose.alpha_map(image);
  assert.equal(alpha.length, 96 * 80);
  const slices = rugose.alpha_slices(rugose.image(alpha, [96, 80]), { n_slices: 3 });
  assert.equal(rugose.alpha_boxes(slices, 1, 0), slices.at[1].n_pixels);
  assert.equal(rugose.alpha_fit(slices, 1).used.length, slices.facts.n_sizes);
  assert.equal(rugose.lacunarity_labels(image, labels).length, 2);
  assert.equal(rugose.ifs_draw([{ a: 0.5, d: 0.5 }, { a: 0.5, d: 0.5, e: 0.5 }], 32, 32).pixels.length, 1024);
});

test("patterns are learnt and told apart", () => {
  const model = rugose.lbp_model_new({});
  const coarse = rugose.lbp(rugose.image(Uint8Array.from({ length: 4096 }, (_, i) => 40 * ((i >> 3) & 3)), [64, 64]));
  rugose.lbp_model_add(model, "noise", "a", rugose.lbp(image));
  rugose.lbp_model_add_bins(model, "stripes", "b", coarse.at[0].bins);
  assert.deepEqual([rugose.lbp_model_class(model, 1), rugose.lbp_model_n_samples(model)], ["stripes", 2]);
  assert.deepEqual(rugose.lbp_model_sample(model, 1), { name: "b", class_index: 1, bins: coarse.at[0].bins });
  assert.equal(rugose.lbp_model_classify(model, coarse).predicted, "stripes");
  assert.throws(() => rugose.lbp_model_add_bins(model, "c", "c", [1]), fails("RUG_E_ARG", /1 numbers given; 10 expected/));
  const variances = rugose.lbp_variances_new({});
  rugose.lbp_variances_add(variances, image);
  assert.equal(rugose.lbp_variances_cuts(variances, 0, 8).length, 7);
});

test("streams: coded, read, decoded larger; damaged ones are refused", () => {
  const { bytes } = rugose.ifs_compress([image], { target_value: 60 });
  assert.equal(rugose.ifs_read_info(bytes).nx, 80);
  const picture = rugose.ifs_decompress(bytes, { scale: 4 });
  assert.deepEqual([picture.dtype, picture.ny, picture.nx, picture.pixels.length], ["u8", 384, 320, 384 * 320]);
  const earlier = rugose.ifs_compress([image], { target_value: 60, version: 1 }).bytes, frames = [];
  rugose.ifs_decompress(earlier, { iterations: 3, frame: (iteration, { pixels }) => frames.push([iteration, pixels.length]) });
  assert.deepEqual(frames, [0, 1, 2, 3].map((i) => [i, 96 * 80]));
  assert.ok(rugose.ifs_read_transforms(earlier, 0).length > 0);
  assert.throws(() => rugose.ifs_decompress(bytes.slice(0, 20)), fails("RUG_E_FORMAT", /./));
  const small = rugose.image(noise(256), [16, 16]);
  const code = rugose.ifs_find(small, { partition: "fixed", range_size: 4 });
  assert.equal(code.at.length, 16);
  assert.equal(rugose.ifs_iterate(code, 1, 4).pixels.length, 256);
  assert.equal(rugose.ifs_upscale(small, { rounds: 0 }).pixels.length, 1024);
});

test("streams: what goes with pixels, a region, and what there is of one that is cut off", () => {
  const notes = { icc: Uint8Array.of(1, 2, 3), spacing: [0.5, 0.25], unit: "mm", orientation: 6 };
  const { bytes } = rugose.ifs_compress([image], { tune: "psnr", effort: 2, progressive: true, notes });
  const found = rugose.ifs_read_notes(bytes), info = rugose.ifs_read_info(bytes);
  assert.deepEqual([[...found.icc], [...found.spacing], found.unit, found.orientation], [[1, 2, 3], [0.5, 0.25], "mm", 6]);
  assert.deepEqual([info.version, info.has_preview, info.chroma], [3, 1, "444"]);
  const whole = rugose.ifs_decompress(bytes), part = rugose.ifs_decompress(bytes, { crop_x: 8, crop_y: 5, crop_nx: 3, crop_ny: 2 });
  assert.deepEqual([...part.pixels.subarray(0, 3)], [...whole.pixels.subarray(5 * 80 + 8, 5 * 80 + 11)]);
  const cut = bytes.slice(0, bytes.length - 40), { share } = rugose.ifs_decompress(cut, { partial: 1 });
  assert.equal(whole.share, 1);
  assert.ok(share < 1);
  assert.throws(() => rugose.ifs_decompress(cut), fails("RUG_E_FORMAT", /cut off/));
  assert.throws(() => rugose.ifs_compress([image], { notes: { unit: "sixteen letters!" } }), fails("RUG_E_ARG", /at most 15 bytes/));
});

test("memory is given back, also after failures", () => {
  const pixels = noise(64 * 64);
  const work = () => {
    const one = rugose.image(pixels, [64, 64]);
    const counts = rugose.boxcount(one, { foreground: "otsu" });
    rugose.boxcount_fit(counts, "nonempty");
    assert.throws(() => rugose.boxcount(one, { foreground: "label=x" }));
    counts.free();
    counts.free();
    one.free();
    assert.throws(() => rugose.boxcount(one), fails("RUG_E_ARG", /it was freed/));
  };
  for (let i = 0; i < 300; i++) work();
  const before = rugose.memory();
  for (let i = 0; i < 3000; i++) work();
  assert.equal(rugose.memory(), before);
});

test("too much memory is a failure that says how much, and the module goes on", async () => {
  const other = await load({ threads: 1 });
  const small = other.image(noise(64), [8, 8]);
  const [ny, nx] = [65535, 65537]; // zeros that take no memory until somebody reads them
  assert.throws(() => other.image(new Uint8Array(ny * nx), [ny, nx]),
    fails("RUG_E_NOMEM", /65535 x 65537: no memory for 4096\.0 MB beside .* 4 GB at most/));
  assert.throws(() => other.lbp(small, { operators: Array.from({ length: 17 }, () => ({ points: 8, radius: 1 })) }), fails("RUG_E_ARG", /16/));
  assert.equal(other.boxcount(small).facts.n_pixels, 64);
  other.close();
  assert.equal(other.memory(), 0);
  assert.throws(() => other.boxcount(small), fails("RUG_E_DEVICE", /it was closed/));
});

/* What methods of all kinds find in noise, but for what says how they worked. */
function measureNoise(own) {
  const strip = ({ busy_least, busy_most, engine, ...facts }) => facts;
  const large = own.image(noise(512 * 400), [512, 400]), points = own.points(noise(60000, 999, Int32Array), [20000, 3]);
  const result = [own.boxcount(large, { grid: "min", sizes: [2, 5, 8] }), own.boxcount_points(points), own.dbc(large),
    own.lacunarity(large, { sizes: [2, 8] }), own.lbp(large), own.masses_measure(large)].map((one) => [strip(one.facts), one.at]);
  const rows = own.glcm(large, { levels: "count", n_levels: 16 }).map(strip);
  const { bytes } = own.ifs_compress([own.image(noise(64 * 64), [64, 64])]);
  return { range: own.image_measure_range(large), result, rows, bytes };
}

test("more threads give the same, and so does the module that has none", async () => {
  const measure = async (threads) => {
    const own = await load({ threads });
    assert.equal(own.threads(), threads);
    const found = measureNoise(own);
    own.close();
    return found;
  };
  const one = await measure(1);
  assert.deepEqual(await measure(2), one);
  assert.deepEqual(await measure(4), one);
});

test("kernels of vectors give what the portable ones give", async () => {
  const own = await load({ threads: 1 });
  const best = measureNoise(own), { engine } = own.dbc(own.image(noise(64), [8, 8])).facts;
  assert.equal(own.context_cpu_level(), "wasm");
  assert.equal(engine, "cpu-wasm");
  own.context_set_cpu_level("ref");
  assert.equal(own.context_cpu_level(), "ref");
  assert.deepEqual(measureNoise(own), best);
  own.close();
});

test("the module also comes as bytes, as it does in a page", async () => {
  const own = await load({ wasm: readFileSync(join(WEB, "rugose.wasm")), threads: 8 });
  assert.deepEqual([own.threads(), own.version], [1, rugose.version]);
  await assert.rejects(load({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }), /./);
});

test("types: an example is checked, and mistakes in it are found", (t) => {
  if (spawnSync("tsc", ["--version"]).error) {
    t.skip("no tsc");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "rugose-"));
  writeFileSync(join(folder, "example.ts"), `
    import { load, RugoseError } from "${join(WEB, "rugose.js")}";
    const rugose = await load({ threads: 1 });
    const image = rugose.image(new Uint8Array(64), [8, 8]);
    const counts = rugose.boxcount(image, { foreground: "above=100", grid: "min", sizes: [1, 2, 4], mask: null });
    const slope: number = rugose.boxcount_fit(counts, "nonempty", { auto_range: true }).slope;
    rugose.glcm(image, { levels: "count", n_levels: 8 }, (row) => row.features?.length);
    // @ts-expect-error
    rugose.boxcount_fit(counts, "nonempt");
    // @ts-expect-error
    rugose.boxcount(image, { foo: 1 });
    // @ts-expect-error
    rugose.dbc_fit(counts);
    throw new RugoseError("RUG_E_ARG", String(slope));`);
  const done = spawnSync("tsc", ["--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom",
    "--moduleResolution", "node", join(folder, "example.ts")], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  assert.equal(done.stdout, "");
});
