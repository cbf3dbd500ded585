// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

// Images and points in the module's memory: pixels, which are copied once, and the structs that describe them.

import { OWN } from "./calls.js";
import { refuse, shown } from "./errors.js";
import { arrayOf } from "./marshal.js";
import described from "rugose-interface";

const DTYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"];

/** The dtype of an array, checked against the one that was asked for. */
function dtypeOf(values, asked, isImage) {
  if (isImage && asked === "bit" && values instanceof Uint8Array) return "bit";
  const found = values instanceof Uint8ClampedArray ? "u8" : DTYPES.find((dtype) => values instanceof arrayOf(dtype));
  if (!found) refuse(`${shown(values)} given; a typed array of numbers expected`);
  if (asked !== undefined && asked !== found) refuse(`dtype: ${shown(asked)} given with numbers of ${found}; both the same expected`);
  return found;
}

function checkShape(shape, least, most, what) {
  const isGood = Array.isArray(shape) && shape.length >= least && shape.length <= most &&
    shape.every((n) => Number.isInteger(n) && n >= 1 && n < 2 ** 32);
  if (!isGood) refuse(`shape: ${Array.isArray(shape) ? `[${shape}]` : shown(shape)} given; ${what} expected`);
}

function checkOptions(options, known) {
  Object.keys(options).forEach((name) => {
    if (!known.includes(name)) refuse(`'${name}' given; ${known.join(", ")} expected`);
  });
}

/** Members of a struct in memory, by their names in interface.js. */
function setMembers(calls, of, address, values) {
  const { members } = described.structs[of];
  for (const [name, value] of Object.entries(values)) {
    const member = members.find((one) => one.name === name);
    calls.marshal.put_member([], of, address, member, value, name);
  }
}

/** An object whose memory is freed with it. */
function owned(calls, of, blocks, more, visible) {
  const object = { ...visible };
  const own = { of, calls, address: blocks[0], ...more };
  own.free = () => {
    if (own.address !== 0 && !calls.machine.broken) calls.marshal.free_all(blocks);
    own.address = 0;
  };
  Object.defineProperty(object, OWN, { value: own });
  Object.defineProperty(object, "free", { value: own.free });
  Object.defineProperty(object, "data", { value: () => dataOf(own) });
  calls.registry.register(object, own);
  return object;
}

/** A view of the pixels where they lie, until the next call, which may move the memory. */
function dataOf(own) {
  if (own.address === 0) refuse("it was freed");
  return own.calls.marshal.numbers(own.kind, own.data, own.n);
}

/** Takes several blocks, or none. */
function takeBlocks(calls, what, ...sizes) {
  const blocks = [];
  try {
    sizes.forEach((n) => blocks.push(calls.marshal.allocate(n, what)));
  } catch (error) {
    calls.marshal.free_all(blocks);
    throw error;
  }
  return blocks;
}

/** Rows of bits begin at a byte. */
const itemsOf = (dtype, shape) =>
  shape.reduce((n, side, axis) => n * (dtype === "bit" && axis === shape.length - 1 ? Math.ceil(side / 8) : side), 1);

function stridesOf(shape, dtype, size) {
  const strides = [size];
  for (let axis = shape.length - 1; axis > 0; axis--) {
    const isBits = dtype === "bit" && axis === shape.length - 1;
    strides.unshift(isBits ? Math.ceil(shape[axis] / 8) : strides[0] * shape[axis]);
  }
  return strides;
}

/** rugose.image(): pixels of an image [ny, nx] or a volume [nz, ny, nx]. */
export function makeImage(calls, pixels, shape, options = {}) {
  checkOptions(options, ["dtype", "spacing", "spacing_unit"]);
  const dtype = dtypeOf(pixels, options.dtype, true);
  checkShape(shape, 2, 3, "[ny, nx] or [nz, ny, nx], each at least 1,");
  const n = itemsOf(dtype, shape);
  if (pixels.length !== n) refuse(`${pixels.length} pixels given; ${n} expected of shape [${shape}]${dtype === "bit" ? ", 8 in a byte" : ""}`);
  const unit = calls.marshal.encoder.encode(`${options.spacing_unit ?? ""}\0`);
  const { rug_image, rug_source } = described.structs;
  const blocks = takeBlocks(calls, `an image of ${shape.join(" x ")}`, rug_image.size, rug_source.size, unit.length, pixels.byteLength);
  const [image, source, text, data] = blocks;
  const kind = dtype === "bit" ? "u8" : dtype;
  calls.marshal.numbers(kind, data, n).set(pixels);
  calls.marshal.numbers("u8", text, unit.length).set(unit);
  calls.marshal.begin_struct("rug_image", image);
  calls.marshal.begin_struct("rug_source", source);
  const spacing = options.spacing ?? shape.map(() => 0);
  setMembers(calls, "rug_image", image, { data, dtype, ndim: shape.length, shape, spacing,
    stride: stridesOf(shape, dtype, pixels.BYTES_PER_ELEMENT) });
  if (options.spacing_unit) calls.marshal.put_address(image + calls.marshal.other("rug_image", "spacing_unit").at, text);
  calls.exports.rug_source_of_image(source, image);
  const n_pixels = shape.reduce((product, side) => product * side, 1);
  return owned(calls, "image", blocks, { image, source, data, kind, n, n_pixels },
    { dtype, shape: [...shape], spacing: [...spacing], spacing_unit: options.spacing_unit ?? null });
}

/** rugose.points(): coordinates [n, axes]. */
export function makePoints(calls, coordinates, shape, options = {}) {
  checkOptions(options, ["dtype"]);
  const dtype = dtypeOf(coordinates, options.dtype, false);
  if (!Array.isArray(shape) || shape.length !== 2 || !Number.isInteger(shape[0]) || shape[0] < 0 || !Number.isInteger(shape[1])) {
    refuse(`shape: ${shown(shape)} given; [points, axes] expected`);
  }
  if (coordinates.length !== shape[0] * shape[1]) refuse(`${coordinates.length} coordinates given; ${shape[0] * shape[1]} expected`);
  const { rug_points } = described.structs;
  const blocks = takeBlocks(calls, `${shape[0]} points`, rug_points.size, coordinates.byteLength);
  const [points, data] = blocks, size = coordinates.BYTES_PER_ELEMENT;
  calls.marshal.numbers(dtype, data, coordinates.length).set(coordinates);
  calls.marshal.begin_struct("rug_points", points);
  setMembers(calls, "rug_points", points, { data, dtype, n: shape[0], ndim: shape[1], stride: [size * shape[1], size] });
  return owned(calls, "points", blocks, { points, data, kind: dtype, n: coordinates.length }, { dtype, shape: [...shape] });
}
