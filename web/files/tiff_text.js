/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What programs write into a TIFF file's ImageDescription: ImageJ's "key=value" lines, and OME-XML (the 2016-06 schema,
 * first Image only). What is not understood counts as not said. */

const MICRONS = ["um", "micron", "microns", "micrometer", "micrometre", "\u00b5m", "\u03bcm", "\\u00b5m"];
const UNITS = new Map([
  ...MICRONS.map((name) => [name, ["um", 1]]), ["nm", ["nm", 1]], ["mm", ["mm", 1]], ["cm", ["mm", 10]],
  ["inch", ["mm", 25.4]], ["in", ["mm", 25.4]], ["m", ["m", 1]], ["\u00c5", ["nm", 0.1]], ["\u212b", ["nm", 0.1]],
]);
const POWERS = { m: 0, mm: -3, um: -6, nm: -9 };
const ORDERS = ["czt", "ctz", "zct", "ztc", "tcz", "tzc"];

function lowerAscii(text) {
  return text.replace(/[A-Z]/g, (c) => c.toLowerCase());
}

/** The house's name of a unit of length. @returns [name, what numbers are multiplied by], or null */
export function normaliseUnit(text) {
  return UNITS.get(lowerAscii(text)) ?? null;
}

/* A count of at least 1; 1 for what is none. */
function countOf(text) {
  const n = Number(/^\s*\+?(\d{1,10})/.exec(text ?? "")?.[1] ?? 1);
  return n >= 1 && n < 2 ** 31 ? n : 1;
}

/* The number that a text begins with, without its sign. */
function lengthOf(text) {
  const number = /^[ \t\r\n\v\f]*[+-]?((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(text ?? "");
  const value = Number(number?.[1] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

function plain() {
  return {
    writer: "plain", channels: 1, slices: 1, times: 1, order: "ZCT".split(""), hasOwnOrder: false,
    spacing: [0, 0, 0], unit: "",
  };
}

/* ---- ImageJ ---- */

function readOrder(out, value) {
  if (ORDERS.includes(lowerAscii(value)))
    out.order = value.toUpperCase().split("");
  else
    out.hasOwnOrder = true;
}

function parseImagej(text) {
  const out = { ...plain(), writer: "ImageJ", order: ["C", "Z", "T"] };
  let images = 1;
  const set = {
    images: (value) => { images = countOf(value); },
    channels: (value) => { out.channels = countOf(value); },
    slices: (value) => { out.slices = countOf(value); },
    frames: (value) => { out.times = countOf(value); },
    order: (value) => readOrder(out, value),
    spacing: (value) => { out.spacing[0] = lengthOf(value); },
    unit: (value) => { out.unit = value.slice(0, 15); },
  };
  for (const line of text.split("\n")) {
    const at = line.indexOf("="), key = line.slice(0, Math.max(0, at)).trim();
    if (at >= 0 && Object.hasOwn(set, key))
      set[key](line.slice(at + 1).trim());
  }
  if (out.channels === 1 && out.slices === 1 && out.times === 1)
    out.slices = images; /* a plain stack */
  return out;
}

/* ---- OME-XML ---- */

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" };

function plainText(text) {
  return text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (all, name) => {
    const code = name[0] !== "#" ? -1 : name[1] === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ENTITIES[name] ?? all;
  });
}

/* Comments and what else has no elements; the end of one; or its name, its attributes, and whether it is empty. */
const ELEMENT = [
  "<(?:!--[\\s\\S]*?-->", "!\\[CDATA\\[[\\s\\S]*?\\]\\]>", "\\?[\\s\\S]*?\\?>", "![^>]*>", "/([^\\s>]+)\\s*>",
  "([^\\s/>!?]+)((?:\\s+[^\\s=>]+\\s*=\\s*(?:\"[^\"]*\"|'[^']*'))*)\\s*(/?)>)",
].join("|");

/* The elements of a document in their order. @returns null where it is not well-formed */
function elementsOf(xml) {
  const pattern = new RegExp(ELEMENT, "y");
  const elements = [], open = [];
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", pattern.lastIndex)) {
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (match === null || (match[1] !== undefined && open.pop() !== match[1]))
      return null;
    if (match[2] === undefined)
      continue;
    const attributes = {};
    for (const [, name, , a, b] of match[3].matchAll(/([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g))
      attributes[name] = plainText(a ?? b);
    elements.push({ name: match[2].replace(/^[^:]*:/, ""), attributes });
    if (match[4] === "")
      open.push(match[2]);
  }
  return open.length === 0 ? elements : null;
}

/** The page of a slice, counted among all that the text describes; all from 0. */
export function pageOf(text, z, c, t) {
  let page = 0, step = 1;
  for (const axis of text.order) {
    page += step * (axis === "Z" ? z : axis === "C" ? c : t);
    step *= axis === "Z" ? text.slices : axis === "C" ? text.channels : text.times;
  }
  return page;
}

function indexOf(text) {
  const n = Number(/^\s*\+?(\d{1,10})/.exec(text ?? "")?.[1] ?? 0);
  return n < 2 ** 31 ? n : 0;
}

function readPixels(out, attributes) {
  out.order = (attributes.DimensionOrder ?? "XYCZT").slice(2).split("");
  out.isOrder = /^XY(?=.*Z)(?=.*C)(?=.*T).{3}$/.test(attributes.DimensionOrder ?? "XYCZT");
  out.channels = countOf(attributes.SizeC);
  out.slices = countOf(attributes.SizeZ);
  out.times = countOf(attributes.SizeT);
  out.spacing = ["Z", "Y", "X"].map((axis) => lengthOf(attributes[`PhysicalSize${axis}`]));
  out.units = ["Z", "Y", "X"].map((axis) => (attributes[`PhysicalSize${axis}Unit`] ?? "um").slice(0, 15));
}

/* Brings the three spacings to one unit, that of x. */
function unifyUnits(out) {
  const last = normaliseUnit(out.units[2]);
  if (last === null) {
    out.spacing = [0, 0, 0]; /* "pixel", "reference frame" */
    return;
  }
  out.spacing = out.spacing.map((value, i) => {
    const unit = normaliseUnit(out.units[i]), power = unit === null ? 0 : POWERS[unit[0]] - POWERS[last[0]];
    const factor = unit === null ? 0 : unit[1];
    return value * (power >= 0 ? factor * 10 ** power : factor / 10 ** -power);
  });
  out.unit = last[0];
}

/* @returns null where it is no OME-XML with pixels */
function parseOme(text) {
  const out = { ...plain(), writer: "OME-XML" }, elements = elementsOf(text);
  let nPixels = 0, nSamples = 1;
  for (const { name, attributes } of elements ?? []) {
    nPixels += name === "Pixels" ? 1 : 0;
    if (nPixels !== 1)
      continue;
    if (name === "Pixels")
      readPixels(out, attributes);
    else if (name === "TiffData") {
      const [page, z, c, t] = ["IFD", "FirstZ", "FirstC", "FirstT"].map((key) => indexOf(attributes[key]));
      out.hasOwnOrder ||= pageOf(out, z, Math.floor(c / nSamples), t) !== page;
    } else if (name === "Channel") {
      const n = countOf(attributes.SamplesPerPixel);
      if (n > 1 && out.channels % n === 0 && nSamples === 1) {
        nSamples = n; /* SizeC counts the colours of a page as channels */
        out.channels /= n;
      }
    }
  }
  if (nPixels === 0 || !out.isOrder)
    return null;
  unifyUnits(out);
  return out;
}

/** How the pages of a file are to be understood.
 *  @returns {{writer: "plain"|"ImageJ"|"OME-XML", channels, slices, times, order: fastest first, hasOwnOrder: pages are
 *           assigned in a way that `order` does not describe, spacing: [z, y, x], unit: "" = not said}} */
export function parseText(text) {
  if (text.startsWith("ImageJ="))
    return parseImagej(text);
  if (text.includes("<OME") || text.includes(":OME"))
    return parseOme(text) ?? { ...plain(), writer: "OME-XML", hasOwnOrder: true };
  return plain();
}
