// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Runs the program and its twin of the page over the same files, and compares what they say.
//
//   RUGOSE      the program; default build/release/cli/rugose
//   RUGOSE_WEB  the folder of rugose.js; default build/web
//   RUGOSE_DATA the folder of the files; default tests/data

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { webcrypto } from "node:crypto";
import { FileError, read } from "../../web/files/read.js";
import { prepare, run } from "../../web/commands/run.js";
import { toCsv, toJson } from "../../web/commands/tables.js";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = resolve(process.env.RUGOSE || join(ROOT, "build/release/cli/rugose"));
const MODULE = resolve(process.env.RUGOSE_WEB || join(ROOT, "build/web"), "rugose.js");

/** The folder tests/data; names of files are relative to it. */
export const DATA = resolve(process.env.RUGOSE_DATA || join(ROOT, "tests/data"));

globalThis.crypto ??= webcrypto; // Node 18 has it behind an option

/** The module. */
export const rugose = await (await import(pathToFileURL(MODULE))).load({ threads: 1 });

/** Names of all files of tests/data with one of the endings, in their order. */
export function filesOf(...endings) {
  return readdirSync(DATA, { recursive: true })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && statSync(join(DATA, name)).isFile()).sort();
}

const ready = new Map();

/** A prepared image or points: of a file of tests/data or a path, once for all tests. */
export async function inputOf(name, how = {}) {
  const key = name + JSON.stringify(how);
  if (!ready.has(key)) {
    const bytes = new Uint8Array(readFileSync(resolve(DATA, name)));
    ready.set(key, prepare(rugose, await read(name, bytes, how), bytes));
  }
  return ready.get(key);
}

/** A mask or label image, of which the indices of a palette count. */
export async function twinOf(name, how) {
  const image = await inputOf(name, how);
  return image.facts.channel === -1 ? inputOf(name, { ...how, indices: true }) : image;
}

/** Runs the program in tests/data. @return {out, lines: those on stderr} */
export function program(...words) {
  const done = spawnSync(PROGRAM, words, { cwd: DATA, encoding: "utf8", maxBuffer: 2 ** 28 });
  assert.equal(done.error, undefined);
  return { out: done.stdout, lines: done.stderr.split("\n").filter(Boolean) };
}

/** The words of options. */
export const wordsOf = (given) => Object.entries(given).flatMap(([name, value]) => [value].flat().flatMap((one) =>
  (one === true ? [`--${name}`] : /^(-|$)/.test(one) ? [`--${name}=${one}`] : [`--${name}`, one])));

const withoutEngine = (text) =>
  text.replace(/"(slices_)?engine": "[^"]*"/g, '"engine": "-"').replace(/,cpu(-\w+)?(?=,)/g, ",-");

const isNear = (a, b, most) => Math.abs(a - b) <= most * Math.abs(b);

/* A line of JSON, or of CSV with these columns, with the numbers of another where they are as near as they may be. */
function nearLine(own, other, columns, near) {
  const [, name, a] = /^ *"(\w+)": (-?[\d.e+-]+),?$/.exec(own) || [], [, b] = /: (-?[\d.e+-]+),?$/.exec(other) || [];
  if (name) return near[name] && isNear(a, b, near[name]) ? other : own;
  const [cells, others] = [own, other].map((line) => line.split(","));
  const most = cells.map((cell, i) => near[columns[i]]);
  return cells.map((cell, i) => (most[i] && isNear(cell, others[i], most[i]) ? others[i] : cell)).join(",");
}

/* The first line that differs says more than both texts. */
function assertSame(own, expected, what, near = {}) {
  const [a, b] = [own, expected].map((text) => withoutEngine(text).split("\n")), columns = b[0].split(",");
  a.forEach((line, i) => {
    if (line !== b[i] && b[i] !== undefined) a[i] = nearLine(line, b[i], columns, near);
  });
  const at = b.findIndex((line, i) => line !== a[i]);
  const where = `${what}, line ${at + 1}`;
  if (at >= 0) assert.equal(a.slice(at - 3, at + 1).join("\n"), b.slice(at - 3, at + 1).join("\n"), where);
  assert.equal(a.length, b.length, what);
}

/* Those that are read in a browser: which these are, other tests say. */
async function readable(names, how) {
  const read = await Promise.all(names.map((name) => inputOf(name, how).then(() => name, (error) => {
    if (!(error instanceof FileError)) throw error;
  })));
  return read.filter(Boolean);
}

/** Measures files with both and compares tables, read lines and failures.
 *  @param all     names of files; those that are not read in a browser are left out
 *  @param given   options
 *  @param others  {mask, labels}: names of files
 *  @param how     {read: options of web/files, tables: (text) => text to compare,
 *                  near: {member: how far it may be off, as a share of it}}
 *  @return the results */
export async function compare(command, all, given = {}, others = {}, how = {}) {
  const names = await readable(all, how.read);
  const results = [], lines = [], failures = [], twins = {};
  for (const [what, name] of Object.entries(others)) twins[what] = await twinOf(name, how.read);
  for (const name of names) {
    try {
      const result = await run(rugose, await inputOf(name, how.read), command, given, twins);
      results.push(result);
      lines.push(...result.notes, `read ${name}: ${result.read}`);
    } catch (error) {
      failures.push(`rugose: ${name}: ${error.message}`);
    }
  }
  const words = [command, ...wordsOf({ ...given, ...others }), ...names], json = program(...words, "-f", "json");
  const said = json.lines.filter((line) => /^(read|mask) /.test(line));
  const usage = json.lines.map((line) => /^rugose: (.*); see 'rugose help/.exec(line)).find(Boolean);
  const failed = usage ? names.map((name) => `rugose: ${name}: ${usage[1]}`)
    : json.lines.filter((line) => names.some((name) => line.startsWith(`rugose: ${name}: `)));
  const same = how.tables || ((text) => text), what = words.slice(0, 8).join(" ");
  assert.deepEqual(failures, failed, what);
  if (!failures.length) assert.deepEqual(lines, said, what);
  if (!results.length) return results;
  assertSame(same(toJson(results)), same(json.out), `${what} -f json`, how.near);
  assertSame(same(toCsv(results)), same(program(...words, "-f", "csv", "-q").out), `${what} -f csv`, how.near);
  return results;
}
