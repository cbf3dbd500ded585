/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measures a prepared image with a command, as `rugose COMMAND` does: the same cells, members of JSON,
 * read line and warnings. A command is
 *
 *   {name, options: a table of options.js, columns(options, others, job): [name],
 *    check(options, others, rugose): {mode, and more, before, instead of describe() in options.js, job: what it made
 *    of the options, for columns() and the run}; throws UsageError,
 *    measure(run), measurePoints(run), extra(rugose, image, options, others)}
 *
 * and its run
 *
 *   {rugose, command, job, values, given: Set, image, mask, labels, planes, inside, range: inside of the mask,
 *    columns, extra: {}, read: what stands behind "read NAME: ", notes: [lines about masks and labels],
 *    warn(text), add(row), row(): with the members that every row has} */

import { boxcount } from "./cmd_boxcount.js";
import { compress } from "./cmd_compress.js";
import { haralick } from "./cmd_haralick.js";
import { lacunarity } from "./cmd_lacunarity.js";
import { lbp } from "./cmd_lbp.js";
import { multifractal } from "./cmd_multifractal.js";
import { sayMask } from "./doubts.js";
import { MASKS, READING, UsageError, describe, parseForeground, readOptions } from "./options.js";
import { NONZERO, countTwin, maskPixels, prepare, rangeOf, zeroNodata } from "./prepare.js";
import { layTwin } from "./place.js";
import { imageRow, pointsRow } from "./record.js";
import { makeRow } from "./tables.js";

export { UsageError, prepare };

/** Commands by their names. */
export const COMMANDS = { boxcount, multifractal, lacunarity, lbp, haralick, compress };

/* ---- Options ---- */

const tableOf = (command) => [...command.options, ...READING, ...(command.takesMasks ? MASKS : [])];

/* Options with the names of the files that go with the image. */
function withNames(command, given, others) {
  const named = { ...given };
  if (command.takesMasks && others.mask && !named.mask) named.mask = others.mask.name;
  if (others.labels && !named.labels) named.labels = others.labels.name;
  return named;
}

function parseBound(name, text) {
  const rule = parseForeground("above=" + text);
  if (!rule) throw new UsageError(`--${name}: a number expected`);
  return [rule.value];
}

function parseValues(text) {
  const words = text.split(",");
  if (words.length > 64) throw new UsageError("--mask-value: more than 64 values");
  const rules = words.map((word) => parseForeground("label=" + word));
  if (rules.includes(null)) throw new UsageError("--mask-value: numbers expected, such as 1 or 1,2");
  return rules.map((rule) => rule.value);
}

/* What is inside of the mask. */
function readInside({ values, given }, hasMask) {
  const names = ["mask-value", "mask-above", "mask-below"].filter((name) => given.has(name));
  if (names.length === 0) return NONZERO;
  if (names.length > 1) throw new UsageError("only one of --mask-value, --mask-above and --mask-below can be given");
  if (!hasMask)
    throw new UsageError("--mask-value, --mask-above and --mask-below need a mask: --mask FILE, or a column 'mask' " +
      "in a list");
  const [name] = names, text = values[name];
  if (name === "mask-value") return { kind: "values", values: parseValues(text) };
  return { kind: name.slice("mask-".length), values: parseBound(name, text) };
}

/* @return {options, inside, parameters, columns, job} */
function readGiven(rugose, command, given, others) {
  const options = readOptions(tableOf(command), withNames(command, given, others));
  for (const name of ["mask", "labels"])
    if (options.given.has(name) && !others[name])
      throw new UsageError(`--${name}: the file ${options.values[name]} is not there`);
  if (options.given.has("ignore-geometry") && !others.mask && !others.labels)
    throw new UsageError("--ignore-geometry needs a mask or labels, whose geometry could be compared");
  const inside = readInside(options, Boolean(others.mask)), found = command.check(options, others, rugose);
  const columns = command.columns(options, others, found.job);
  return { options, inside, parameters: describe(options, found), columns, job: found.job };
}

/** The parameters of -f json, without measuring anything. Throws UsageError.
 *  @param others  {mask, labels}: anything with a name */
export function parametersOf(name, given, others = {}, rugose = null) {
  return readGiven(rugose, commandOf(name), given, others).parameters;
}

function commandOf(name) {
  if (!Object.hasOwn(COMMANDS, name))
    throw new UsageError(`'${name}' is no command of the page; ${Object.keys(COMMANDS).join(", ")} expected`);
  return COMMANDS[name];
}

/* ---- Runs ---- */

/* Options that a set of points has no use for. */
function checkPoints(command, { values }, others) {
  if (!command.measurePoints) throw new UsageError(`${command.name} takes images, and these are points`);
  if (values.page !== null || values.volume || values.channel >= 0)
    throw new UsageError("points have no pages, channels or levels; leave out --page, --volume, --channel and --level");
  if (values.nodata !== null) throw new UsageError("points are all data; leave out --nodata");
  if (others.mask) throw new UsageError("points take no mask");
}

function makeRun(rugose, command, image, given, others) {
  const { options, inside, columns, job } = given;
  const mask = (command.takesMasks && others.mask) || null, { labels = null, planes = null } = others;
  const run = { rugose, command, job, values: options.values, given: options.given, image, mask, labels, planes };
  const rows = [], warnings = [...image.warnings];
  Object.assign(run, { inside, columns, rows, warnings, notes: [], extra: {}, read: "", engine: null });
  run.warn = (text) => warnings.push(text.startsWith(image.name + ": ") ? text.slice(image.name.length + 2) : text);
  run.row = () => (image.kind === "points" ? pointsRow(run) : imageRow(run));
  run.add = (row) => rows.push(row);
  return run;
}

/* A mask or label image on the grid of the image. */
function layOne({ rugose, image, values }, twin, what) {
  if (twin.kind !== "image") throw new UsageError(`the ${what} ${twin.name} is a set of points; an image expected`);
  return values["ignore-geometry"] ? twin : layTwin(rugose, image, twin, what);
}

function measureImage(run) {
  const { rugose, command, image, inside } = run;
  if (run.values.resolution > 0)
    throw new UsageError("is no mesh (PLY, STL, OBJ), which alone has a resolution and an inside; leave out " +
      "--resolution and --solid");
  if (run.mask) {
    run.mask = layOne(run, run.mask, "mask");
    sayMask(run, countTwin(run.mask, inside));
    run.maskPixels = maskPixels(rugose, run.mask, inside);
  }
  if (run.labels) run.labels = layOne(run, zeroNodata(rugose, run.labels), "label image");
  run.range = rangeOf(rugose, image, run.mask, inside);
  return command.measure(run);
}

/* Names the file in the text about a pixel that is no label. */
function nameLabels(error, labels) {
  const begin = "label image: ";
  if (labels && error.message && error.message.startsWith(begin))
    error.message = `label image ${labels.name}: ${error.message.slice(begin.length)}`;
  return error;
}

/** Measures an image.
 *  @param image    of prepare()
 *  @param name     of the command
 *  @param given    its options by their long names: texts as on the command line, true for flags
 *  @param others   {mask, labels}: further images of prepare(), whose names are --mask and --labels;
 *                  planes: red, green and blue of an image in colour, for commands that keep colours
 *  @return {command, version, parameters, columns, rows: [{cells, row}], read, notes, warnings, engine, extra};
 *          throws UsageError, RugoseError */
export async function run(rugose, image, name, given = {}, others = {}) {
  const command = commandOf(name), read = readGiven(rugose, command, given, others), before = rugose.onwarn;
  if (image.kind === "points") checkPoints(command, read.options, others);
  const r = makeRun(rugose, command, image, read, others);
  rugose.onwarn = r.warn;
  try {
    await (image.kind === "points" ? command.measurePoints(r) : measureImage(r));
  } catch (error) {
    throw nameLabels(error, others.labels);
  } finally {
    rugose.onwarn = before;
  }
  for (const row of r.rows) row.warnings = r.warnings;
  return {
    command: name, version: rugose.version, parameters: read.parameters, columns: read.columns,
    rows: r.rows.map((row) => makeRow(row, read.columns)), read: r.read, notes: r.notes, warnings: r.warnings,
    engine: r.engine, extra: r.extra,
  };
}
