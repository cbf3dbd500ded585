/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows of results, {cells: texts as in -f csv, row: members as in -f json}, and what is said of them. `data` is
 * {head: {command, parameters}, columns: [name, ...], rows}. */
"use strict";

/** Gives images names without the folders that they share. */
rugose.shortenNames = function (images) {
  const folders = images.map((image) => image.name.split("/").slice(0, -1));
  let n = images.length > 0 ? folders[0].length : 0;
  const isShared = (folder) => folder.slice(0, n).join("/") === folders[0].slice(0, n).join("/");
  for (const folder of folders) while (n > 0 && !isShared(folder)) n--;
  for (const image of images) image.short = image.name.split("/").slice(n).join("/") || image.name;
};

/** Warnings of all images, those with the same words but other numbers together:
 *  [{text, images: [{image, text}]}], the most frequent first. */
rugose.groupWarnings = function (data) {
  const groups = new Map(), seen = new Set();
  for (const { row, image } of data.rows) {
    for (const text of (row && row.warnings) || []) {
      const key = text.replace(/[-+]?\d+(\.\d+)?(e[-+]?\d+)?/g, "#");
      const place = (image ? image.name : "") + "\n" + text;
      if (seen.has(place)) continue;
      seen.add(place);
      if (!groups.has(key)) groups.set(key, { text, images: [] });
      groups.get(key).images.push({ image, text });
    }
  }
  return [...groups.values()].sort((a, b) => b.images.length - a.images.length);
};

/** Why a result is undefined or in doubt, in words; null where it is neither. */
rugose.reason = function (row) {
  const status = row && row.status;
  return status && status !== "ok" ? status : null;
};

/** The sides of a PNG in base64, from its head; null where it is none. */
rugose.pngSize = function (png) {
  if (!/^iVBORw0KGgo[A-Za-z0-9+/]{29}[A-Za-z0-9+/=]*$/.test(png)) return null;
  const bytes = [...atob(png.slice(0, 32))].map((c) => c.charCodeAt(0));
  const at = (i) => bytes.slice(i, i + 4).reduce((value, byte) => 256 * value + byte, 0);
  return { width: at(16), height: at(20) };
};

/** The first picture of an image that there is, of some kinds, as <img>, or null. A small one is enlarged to
 *  whole pixels. */
rugose.picture = function (image, kinds, attributes) {
  const found = image && kinds.map((kind) => image.pictures[kind]).find(Boolean), size = found && rugose.pngSize(found.png);
  if (!size) return null;
  const times = Math.max(1, Math.floor(256 / Math.max(size.width, size.height, 1)));
  return rugose.h("img", {
    src: "data:image/png;base64," + found.png, alt: image.short + ": " + (found.alt || "the image"), decoding: "async",
    width: size.width * times, height: size.height * times, class: times > 1 ? "coarse" : null, ...attributes,
  });
};

/** What a row is of, beside its image: "label 3, 45 degrees", or "". */
rugose.partOf = function (data, row) {
  const names = ["label", "distance", "angle", "points", "radius", "plane", "q", "slice", "size", "feature"];
  const varies = data.varies || (data.varies = names.filter((name) => {
    const c = data.columns.indexOf(name);
    return c >= 0 && data.rows.some((other) => other.cells[c] !== data.rows[0].cells[c]);
  }));
  return varies.map((name) => name + " " + rugose.short(row.cells[data.columns.indexOf(name)])).join(", ");
};

/** Which of two tables a command has written: "gray", "alpha", or null. */
rugose.variant = function (data) {
  const p = data.head.parameters || {};
  if (data.head.command === "boxcount") return p.gray ? "gray" : null;
  return data.head.command === "multifractal" && p.method === "alpha" ? "alpha" : null;
};

/** What a wrong prediction should have been. */
rugose.wrong = function (row) {
  return rugose.h("span", { class: "doubtful" }, "wrong: it is " + row.true);
};
