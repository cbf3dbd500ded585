/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The data of a page, as the program writes them into it:
 *
 *   {program, version, command, parameters, command_line: [word, ...],
 *    columns: [name, ...],            as in -f csv
 *    entries: [{cells: [text, ...],   as in -f csv, not quoted
 *               row: {...},           as in -f json, but for moments
 *               as_before: [name, ...]},    members that are those of the row before
 *              {picture: {image, kind, alt, png}}, ...],    png in base64; kind: overlay, original, decoded
 *    inputs: their number, failures: [line, ...], warnings: [line, ...] of no image, seconds, engine, ...}
 *
 * Rows and pictures with the same image belong together. */
"use strict";

/** Reads the page's data: {head, columns, rows, images}. A row is {cells, row, index, image}, an image
 *  {name, short, rows, pictures: {kind: {...}}, index}. */
rugose.read = function (document) {
  const head = JSON.parse(document.getElementById("rugose-data").textContent);
  const images = new Map(), rows = [];
  const imageOf = (name) => {
    if (!images.has(name)) images.set(name, { name, rows: [], pictures: {}, index: images.size });
    return images.get(name);
  };
  for (const entry of head.entries || []) {
    if (entry.picture) imageOf(entry.picture.image).pictures[entry.picture.kind] = entry.picture;
    if (!entry.cells) continue;
    for (const name of entry.as_before || []) entry.row[name] = rows[rows.length - 1].row[name];
    const row = { cells: entry.cells, row: entry.row, index: rows.length, image: null };
    if (entry.row && entry.row.image !== undefined) {
      row.image = imageOf(entry.row.image);
      row.image.rows.push(row);
    }
    rows.push(row);
  }
  const list = [...images.values()];
  rugose.shortenNames(list);
  return { head, columns: head.columns || [], rows, images: list };
};

/** A link to the card of an image. */
rugose.link = function (image, open, attributes) {
  const go = (event) => {
    event.preventDefault();
    open(image);
  };
  return rugose.h("a", { href: "#image-" + image.index, onclick: go, ...attributes }, image.short);
};
