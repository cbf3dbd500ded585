/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Elements and texts. Every string goes in as text: nothing here, or above, reads markup. */
"use strict";

const rugose = {};

/** Makes an element: h("p", {class: "lead", title: t, onclick: f}, "text", child, [more]). Attributes
 *  that are null or false are left out; children that are null are, too. */
rugose.h = function (name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
};

/** A name that may break behind its underscores. */
rugose.breakable = function (name) {
  return name.split("_").flatMap((part, i) => (i ? ["_", rugose.h("wbr"), part] : [part]));
};

/** A number that is written in full, with six digits as the program's text tables have them. */
rugose.short = function (text) {
  if (/^-?\d+$/.test(text)) return text;
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) return String(text);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e12))
    return value.toExponential(size < 1e-4 ? 2 : 5).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(6))).replace(/^-0$/, "0");
};

/** A number of the data (null: undefined) for people. */
rugose.show = function (value, digits = 6) {
  if (value === null || value === undefined) return "undefined";
  if (Number.isInteger(value)) return rugose.count(value);
  return rugose.short(String(Number(Number(value).toPrecision(digits))));
};

/** A whole number with narrow spaces between thousands. */
rugose.count = function (n) {
  return Math.abs(n) < 10000 ? String(n) : String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
};

/** "1 image", "12 images". */
rugose.plural = function (n, one) {
  return rugose.count(n) + "\u00a0" + one + (n === 1 ? "" : "s");
};

/** A value and its standard error: both with the digits that the error leaves sense in. An error that
 *  only rounding makes is shown as 0. */
rugose.plusMinus = function (value, error) {
  if (value === null || value === undefined) return "undefined";
  if (error === null || error === undefined) return rugose.show(value);
  if (error < 1e-9 * Math.abs(value)) return rugose.show(value) + "\u00a0±\u00a00";
  const places = Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return value.toFixed(places) + "\u00a0±\u00a0" + error.toFixed(places);
};

/** Seconds for people. */
rugose.seconds = function (s) {
  if (s < 0.0995) return Math.max(1, Math.round(s * 1000)) + "\u00a0ms";
  if (s < 60) return Number(s.toPrecision(2)) + "\u00a0s";
  const m = Math.round(s / 60);
  return m < 120 ? m + "\u00a0min" : Math.floor(m / 60) + "\u00a0h " + (m % 60) + "\u00a0min";
};

/** A field of CSV as the program writes it (RFC 4180): quoted where it must be, an empty text as "",
 *  and an apostrophe before what a spreadsheet would take for a formula. */
rugose.csvField = function (text) {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  const safe = /^[=+\-@\t\r\n]/.test(text) && !isNumber ? "'" + text : text;
  return text === "" || /[",\r\n]/.test(text) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
};

/** A table of CSV: names, then a line for each list of cells. */
rugose.csv = function (columns, rows) {
  return [columns, ...rows].map((cells) => cells.map(rugose.csvField).join(",") + "\n").join("");
};

/** Says a sentence to a screen reader. */
rugose.say = function (text) {
  document.getElementById("said").textContent = text;
};

/** Puts a text on the clipboard, also where a page from disk has none of its own. */
rugose.copy = async function (text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (e) {
    const area = rugose.h("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
};

/** A button that copies what `text` returns or promises, and says so. */
rugose.copyButton = function (label, text) {
  const button = rugose.h("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    const done = await rugose.copy(await text());
    button.textContent = done ? "Copied" : "Not copied: the browser refused";
    rugose.say(button.textContent);
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
};

/** Saves a file. */
rugose.save = function (name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  rugose.h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

/** A button that saves what `text` returns or promises as a file. */
rugose.saveButton = function (label, name, text, type = "text/csv;charset=utf-8") {
  return rugose.h("button", { type: "button", onclick: async () => rugose.save(name, await text(), type) }, label);
};

/** What opens on demand, and is made then, or when the page is printed: details.fill(). */
rugose.details = function (title, make, attributes) {
  const details = rugose.h("details", { ...attributes, ontoggle: () => details.open && details.fill() }, rugose.h("summary", {}, title));
  details.fill = () => {
    if (details.children.length === 1) details.append(make());
  };
  return details;
};

/** Facts in two columns: [[name, text], ...]; those whose text is null are left out. */
rugose.facts = function (pairs) {
  const h = rugose.h;
  return h("dl", { class: "facts" }, pairs.filter((p) => p[1] !== null && p[1] !== undefined)
    .map(([name, text]) => [h("dt", {}, rugose.breakable(name)), h("dd", {}, text)]));
};
