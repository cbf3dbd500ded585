/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose compress`: an image as a fractal code, decoded again to say how good it is. */

import { lacksData, sayRead } from "./doubts.js";
import { formatReal, formatShort } from "./number.js";
import { UsageError, checkMode } from "./options.js";
import { reals } from "./tables.js";

/* Ways of coding, as bits: see cli/compress/cmd_compress.h. */
const LOSSY = 1, LOSSLESS = 2, VERSION_1 = 4, TRANSFORMS = 8, GRIDS = 16;
const AIMED = LOSSY | VERSION_1 | TRANSFORMS, FIRST = VERSION_1 | TRANSFORMS | GRIDS, LATEST = LOSSY | LOSSLESS;

/* Why an option of another way is refused. */
const REASONS = {
  [LOSSY]: "can only be used with --stream-version 1, --residual off, or --partition fixed or overlap; streams " +
    "of version 3 have --effort",
  [LOSSLESS]: "cannot be used with --lossless, which keeps every pixel as it is",
  [VERSION_1]: "needs version 3 of the stream; leave out --stream-version 1",
  [TRANSFORMS]: "cannot be used with --residual off, a code of transforms alone",
  [GRIDS]: "can only be used with --partition quadtree",
};

/* Here one value is aimed at; the program takes several. */
const table = [
  { name: "output", kind: "text", value: "FILE.rfi", fallback: "{}.rfi" },
  { name: "quality", kind: "real", value: "Q", min: 1, max: 100, modes: AIMED },
  { name: "bpp", kind: "real", value: "B", max: 1000, isAbove0: true, unit: "of bits per pixel", modes: AIMED },
  { name: "psnr", kind: "real", value: "DB", min: 1, max: 200, unit: "of dB", modes: AIMED },
  { name: "effort", kind: "int", value: "N", min: 1, max: 9, fallback: 0, modes: LOSSY },
  { name: "tune", kind: "choice", choices: "ssim|psnr", modes: LOSSY },
  { name: "chroma", kind: "choice", choices: "444|420", modes: LOSSY },
  { name: "chroma-quality", kind: "real", value: "Q", min: 1, max: 100, modes: LOSSY },
  { name: "lossless", kind: "flag", modes: LATEST },
  { name: "progressive", kind: "flag", modes: LOSSY },
  { name: "tile", kind: "int", value: "N", min: 256, max: 65536, fallback: 0, modes: LATEST },
  { name: "strip", kind: "flag", modes: LATEST },
  { name: "no-alpha", kind: "flag", modes: LATEST },
  { name: "partition", kind: "choice", choices: "quadtree|fixed|overlap" },
  { name: "range-size", kind: "int", value: "N", min: 2, max: 32, fallback: 0 },
  { name: "domain-step", kind: "int", value: "S", min: 1, max: 1024, fallback: 0, modes: FIRST },
  { name: "residual", kind: "choice", choices: "on|off", modes: AIMED },
  { name: "search", kind: "choice", choices: "exhaustive|fast", modes: FIRST },
  { name: "scale-max", kind: "real", value: "S", min: 1e-6, max: 1, modes: FIRST },
  { name: "shadow-limit", kind: "real", value: "V", min: 0, max: 1073709056.25, unit: "of squared grey levels" },
  { name: "domain-wrap", kind: "flag" },
  { name: "stream-version", kind: "choice", choices: "1|3" },
  { name: "channel", kind: "int", value: "N", min: 0, max: 65535 },
].map((o) => ({ ...o, isUnlisted: true }));

const columns = ["image", "shape", "planes", "output", "bytes", "bpp", "ratio", "input_bytes", "psnr", "ssim",
  "seconds", "status"];

/* ---- The command line ---- */

function chooseTarget({ values, given }, opts) {
  const targets = ["quality", "bpp", "psnr"].filter((name) => given.has(name));
  if (targets.length > 1) throw new UsageError("only one of --quality, --bpp and --psnr can be used");
  if (targets.length === 0) return;
  Object.assign(opts, { target: targets[0], target_value: values[targets[0]] });
}

function wayOf({ values, given }) {
  if (values.partition !== "quadtree") return GRIDS;
  if (values.lossless) return LOSSLESS;
  if (given.has("residual") && values.residual === "off") return TRANSFORMS;
  return given.has("stream-version") && values["stream-version"] === "1" ? VERSION_1 : LOSSY;
}

/* Options that go with one way of dividing only. */
function checkQuadtree({ values, given }) {
  if (given.has("range-size"))
    throw new UsageError("--range-size can only be used with --partition fixed or overlap; a quadtree chooses the " +
      "sizes of its ranges itself");
  if (given.has("domain-step") && values["domain-step"] % 4 !== 0)
    throw new UsageError("--domain-step: a multiple of 4 expected with --partition quadtree");
  if (given.has("shadow-limit"))
    throw new UsageError("--shadow-limit can only be used with --partition fixed or overlap; a quadtree weighs what " +
      "a domain costs itself");
  if (given.has("domain-wrap"))
    throw new UsageError("--domain-wrap can only be used with --partition fixed or overlap; the domains of a " +
      "quadtree lie inside the image");
}

function checkGrids({ values, given }, partition) {
  if (partition === "overlap" && given.has("range-size") && values["range-size"] % 2 !== 0)
    throw new UsageError("--range-size: an even number expected with --partition overlap");
  if (given.has("search") && values.search === "fast")
    throw new UsageError("--search fast can only be used with --partition quadtree; the others try every domain");
  if (["quality", "bpp", "psnr"].some((name) => given.has(name)))
    throw new UsageError("--quality, --bpp and --psnr can only be used with --partition quadtree; the size of the " +
      "others follows from --range-size and --domain-step");
}

/* The version of a stream follows from how it is coded; one that cannot hold it is refused. */
function checkVersion({ values, given }, way) {
  const version = given.has("stream-version") ? values["stream-version"] : null;
  if (version === "1" && values.lossless)
    throw new UsageError("--lossless needs version 3 of the stream; leave out --stream-version 1");
  if (version === "1" && values["domain-wrap"])
    throw new UsageError("--domain-wrap needs version 2 of the stream; leave out --stream-version 1");
  if (version === "3" && way & (TRANSFORMS | GRIDS))
    throw new UsageError("--stream-version 3 can only be used with a quadtree that has a residual; leave out " +
      "--partition and --residual off");
}

function checkColours({ values, given }) {
  if (values.channel >= 0 && (given.has("chroma") || given.has("chroma-quality")))
    throw new UsageError("--chroma and --chroma-quality cannot be used with --channel, which takes a grey image");
  if (values.tile % 64 !== 0) throw new UsageError("--tile: a multiple of 64 expected");
}

/* A stream has a name of its own; that of a value is filled in where it stands. */
function checkName({ output }, opts, way) {
  for (const target of ["quality", "bpp", "psnr"]) {
    if (!output.includes(`{${target}}`)) continue;
    const stands = `--output: '{${target}}' stands for a value that is aimed at; `;
    if (way & LOSSLESS) throw new UsageError(stands + "with --lossless there is none");
    if (way & GRIDS) throw new UsageError(stands + "with --partition fixed or overlap there is none");
    if (target !== opts.target) throw new UsageError(stands + `here '{${opts.target}}' does`);
  }
  if (!/\.rfi$/i.test(output)) throw new UsageError("--output: a name that ends in .rfi expected");
}

/* The parameters. Streams of the page are always those of --strip and --no-alpha. */
function describe({ output }, opts, way) {
  const isQuadtree = opts.partition === "quadtree", hasTarget = Boolean(way & AIMED), isLossy = way === LOSSY;
  const isLatest = Boolean(way & LATEST), notLatest = opts.domain_wrap ? 2 : 1;
  return {
    output, partition: opts.partition, target: hasTarget ? opts.target : null,
    target_value: hasTarget ? opts.target_value : null, range_size: opts.range_size,
    domain_step: isLatest ? null : opts.domain_step, residual: isQuadtree && !opts.without_residual,
    search: isLatest ? null : opts.search, scale_max: isLatest ? null : opts.scale_max || 1,
    shadow_limit: opts.shadow_limit, domain_wrap: opts.domain_wrap === 1,
    effort: isLossy ? opts.effort || 5 : null, tune: isLossy ? opts.tune : null, chroma: isLossy ? opts.chroma : null,
    chroma_quality: opts.chroma_quality || null, lossless: opts.lossless === 1, progressive: opts.progressive === 1,
    tile: isLatest && opts.tile ? opts.tile : null, stream_version: isLatest ? 3 : notLatest,
    orientation: isLatest ? "apply" : "keep", profile: !isLatest, spacing: !isLatest, alpha: !isLatest,
  };
}

/** What the program must be told so that it codes as the page does: pixels alone, without alpha. */
export function needed(given) {
  const isEarlier = (given.partition || "quadtree") !== "quadtree" || given.residual === "off" ||
    given["stream-version"] === "1";
  return { output: "{}.rfi", ...(isEarlier ? {} : { strip: true, "no-alpha": true }) };
}

/* The options of version 3, for the library. */
function latest({ values }, way) {
  return {
    version: way === VERSION_1 ? 1 : 0, effort: values.effort, tune: values.tune, chroma: values.chroma,
    chroma_quality: values["chroma-quality"], lossless: values.lossless ? 1 : 0,
    progressive: values.progressive ? 1 : 0, tile: values.tile,
  };
}

function check(options, others, rugose) {
  const { values, given } = options, way = wayOf(options);
  const opts = {
    partition: values.partition, target: "quality", target_value: 50, range_size: values["range-size"],
    domain_step: values["domain-step"], without_residual: given.has("residual") && values.residual === "off" ? 1 : 0,
    search: given.has("search") ? values.search : "auto", scale_max: values["scale-max"],
    shadow_limit: values["shadow-limit"], domain_wrap: values["domain-wrap"] ? 1 : 0, ...latest(options, way),
  };
  chooseTarget(options, opts);
  if (opts.partition === "quadtree") checkQuadtree(options);
  else checkGrids(options, opts.partition);
  checkVersion(options, way);
  checkMode(options, way, REASONS[way]);
  checkColours(options);
  rugose.ifs_check_options(opts);
  checkName(values, opts, way);
  if (values.volume) throw new UsageError("--volume: pictures are done one by one; --page all takes every page");
  const more = { channel: values.channel >= 0 ? values.channel : "colours" };
  return { mode: 1, more, before: describe(values, opts, way), job: opts };
}

/* ---- What is said ---- */

function formatPlan(opts) {
  if (opts.partition !== "quadtree") return opts.partition + (opts.domain_wrap ? ", domains wrap around" : "");
  const whole = `quadtree${opts.without_residual ? " without residual" : ""}`;
  const aim = opts.lossless ? ["lossless"] : [whole, `${opts.target} ${formatShort(opts.target_value)}`];
  if (opts.effort) aim.push(`effort ${opts.effort}`);
  if (opts.tune === "psnr") aim.push("tuned for psnr");
  if (opts.chroma === "420") aim.push("chroma 420");
  if (opts.chroma_quality) aim.push(`chroma quality ${formatShort(opts.chroma_quality)}`);
  if (opts.progressive) aim.push("progressive");
  return aim.join(", ");
}

/* "ok", or what the numbers need as an explanation. */
function statusOf(coded) {
  const { nBytes, rawBytes, fileBytes, quality } = coded, all = [];
  if (!(quality.mse > 0)) all.push("equal");
  if (nBytes > rawBytes) all.push("larger than the pixels");
  if (fileBytes > 0 && nBytes > fileBytes) all.push("larger than the file");
  if (quality.status !== "ok") all.push(quality.status);
  return all.join("; ") || "ok";
}

function warnOfSize(run, { nBytes, rawBytes, fileBytes }) {
  if (nBytes > rawBytes) run.warn(`the stream of ${nBytes} bytes is larger than the pixels, ${rawBytes} bytes`);
  else if (fileBytes > 0 && nBytes > fileBytes)
    run.warn(`the stream of ${nBytes} bytes is larger than the file, ${fileBytes} bytes`);
}

/* ---- Measuring ---- */

/** A stream as pixels.
 *  @param how  {scale: times as large as the image that was coded,
 *              first: [row, column], shape: [rows, columns] of it, of a part that is wanted alone}
 *  @return {data: [planes][rows][columns], dtype, planes, shape: [rows, columns]} */
export function decode(rugose, stream, how = {}) {
  const { scale = 1, pixelsMax = 0, first = [0, 0], shape = [0, 0] } = how;
  const region = { crop_y: first[0], crop_x: first[1], crop_ny: shape[0], crop_nx: shape[1] };
  const picture = rugose.ifs_decompress(stream, { scale, pixels_max: pixelsMax, ...region });
  const { pixels, dtype, n_planes: planes, ny, nx } = picture;
  return { data: pixels, dtype, planes, shape: [ny, nx] };
}

/* Decodes what was coded; after a warning also where more pixels are than a stream of its size is trusted with. */
function decodeCoded(run, stream, planes) {
  try {
    return decode(run.rugose, stream);
  } catch (error) {
    if (error.status !== "RUG_E_ARG") throw error;
    const [ny, nx] = planes[0].shape, pixelsMax = planes.length * ny * nx;
    run.warn(`the stream of ${stream.length} bytes is so small for its pixels that decompress and compare need ` +
      `--max-pixels ${pixelsMax} or more`);
    return decode(run.rugose, stream, { pixelsMax });
  }
}

/* How far the decoded picture is from the image. */
function compare(run, planes, { data, dtype, shape }) {
  const size = shape[0] * shape[1], images = [];
  try {
    for (let at = 0; at < data.length; at += size)
      images.push(run.rugose.image(data.subarray(at, at + size), shape, { dtype }));
    return run.rugose.quality(planes, images);
  } finally {
    for (const image of images) image.free();
  }
}

/* The name of the stream of an image: {} is the image's without folders and ending, {dir} its folder, {quality},
 * {bpp} or {psnr} the value that is aimed at. */
function outputName(asked, name, { target, target_value: value }) {
  const slash = name.lastIndexOf("/"), base = name.slice(slash + 1), dot = base.lastIndexOf(".");
  const folder = slash < 0 ? "." : name.slice(0, slash) || "/", short = dot > 0 ? base.slice(0, dot) : base;
  const words = { "{}": short, "{dir}": folder, [`{${target}}`]: formatReal(value) };
  return asked.replace(/\{[a-z]*\}/g, (word) => words[word] ?? word);
}

const ARRAYS = {
  u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array,
  u64: BigUint64Array, i64: BigInt64Array,
};

/* The pixels as the file has them: integers beside some without data are floats in memory. */
function storedPixels(rugose, image) {
  const { facts, dtype, shape, kept } = image, Integers = ARRAYS[facts.dtype];
  if (dtype === facts.dtype || !Integers || !lacksData(image)) return image.pixels;
  return kept.get("stored", () => {
    const number = facts.dtype.endsWith("64") ? BigInt : Number;
    const stored = Integers.from(image.pixels.data(), (v) => number(Number.isNaN(v) ? facts.nodata : v));
    return rugose.image(stored, shape, { dtype: facts.dtype });
  });
}

/* The range of all colours. */
function rangeOf({ rugose, image }, planes) {
  const [{ dtype, shape: [ny, nx] }] = planes;
  return image.kept.get("range of planes", () => {
    const all = planes.map((plane) => plane.data()), values = new all[0].constructor(all.length * ny * nx);
    all.forEach((plane, i) => values.set(plane, i * ny * nx));
    const pixels = rugose.image(values, [all.length * ny, nx], { dtype });
    try {
      return rugose.image_measure_range(pixels);
    } finally {
      pixels.free();
    }
  });
}

function addRow(run, coded) {
  const { n, nBytes, rawBytes, fileBytes, quality } = coded, { image, values } = run, [ny, nx] = image.shape;
  run.add(reals({
    ...run.row(), planes: n, output: outputName(values.output, image.name, run.job), bytes: nBytes,
    bpp: 8 * nBytes / (ny * nx), ratio: rawBytes / nBytes, input_bytes: fileBytes, psnr: quality.psnr,
    ssim: quality.ssim, seconds: coded.seconds, status: statusOf(coded),
  }));
}

/* The planes of the original, in the form of decode(). */
function joined(planes, shape) {
  const [first] = planes, n = shape[0] * shape[1], data = new (first.data().constructor)(planes.length * n);
  planes.forEach((plane, k) => data.set(plane.data(), k * n));
  return { data, dtype: first.dtype, planes: planes.length, shape };
}

/* A grey image has no planes of colour. */
function leaveColours(run) {
  const { chroma, chroma_quality: quality } = run.job;
  if (chroma !== "444" || quality > 0) run.warn("the image is grey: --chroma and --chroma-quality have no effect");
  return { ...run.job, chroma: "444", chroma_quality: 0 };
}

function measure(run) {
  const { rugose, image } = run, { shape } = image;
  if (shape.length !== 2)
    throw new UsageError(`a volume of ${shape.join("x")} pixels; an image expected: save its slices as images`);
  const planes = (run.planes || [image]).map((plane) => storedPixels(rugose, plane));
  if (run.planes || planes[0] !== image.pixels) run.range = rangeOf(run, planes);
  sayRead(run, formatPlan(run.job), { keepsNodata: true, keepsColours: planes.length > 1 });
  const opts = planes.length === 1 ? leaveColours(run) : run.job;
  const start = performance.now(), stream = rugose.ifs_compress(planes, opts).bytes;
  const seconds = (performance.now() - start) / 1000;
  const decoded = decodeCoded(run, stream, planes), quality = compare(run, planes, decoded);
  const rawBytes = decoded.data.byteLength, nBytes = stream.length, fileBytes = image.nBytes;
  const coded = { n: planes.length, nBytes, rawBytes, fileBytes, quality, seconds };
  warnOfSize(run, coded);
  addRow(run, coded);
  Object.assign(run.extra, { stream, decoded, original: joined(planes, shape), quality });
}

/** The command. */
export const compress = { name: "compress", options: table, check, columns: () => columns, measure };
