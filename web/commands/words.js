/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The command line that gives the same result. */

import { needed as neededToCompress } from "./cmd_compress.js";

const SAFE = /^[A-Za-z0-9_@%+=:,.\/-]+$/;

/** A word for a POSIX shell. */
export const quoted = (word) => (SAFE.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");

/* A name that begins with - would be an option. */
const asOperand = (name) => (name.startsWith("-") ? "./" + name : name);

/* What a command asks for that the page does without. */
const NEEDED = { compress: neededToCompress };

function wordsOf(name, value) {
  if (value === true) return ["--" + name];
  return String(value).startsWith("-") ? [`--${name}=${value}`] : ["--" + name, String(value)];
}

/** The words of a command line, quoted for a POSIX shell: "rugose boxcount --fit 4..64 cell.png". A label image is for
 *  one image, so that with labels each has a line of its own.
 *  @param options  {name: text, a list of texts, or true for a flag}; others are left out
 *  @param names    of the files
 *  @param others   {mask, labels}: anything with a name */
export function commandLine(command, options, names, others = {}) {
  if (others.labels && names.length > 1)
    return names.map((name) => commandLine(command, options, [name], others)).join("\n");
  const words = ["rugose", command], given = { ...NEEDED[command]?.(options), ...options };
  for (const name of ["mask", "labels"]) if (others[name]) given[name] = asOperand(others[name].name);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false || value === "") continue;
    for (const one of [value].flat()) words.push(...wordsOf(name, one));
  }
  return [...words, ...names.map(asOperand)].map(quoted).join(" ");
}
