/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How a picture is stored turned or mirrored, by EXIF (CIPA DC-008). */

import { viewOf } from "./bytes.js";

const ORIENTATION = 274, SHORT = 3;

/** Where the first directory of EXIF states an orientation.
 *  @returns {{at, isLittle}} of two bytes, or null */
export function findOrientation(bytes) {
  const view = viewOf(bytes), isLittle = bytes[0] === 0x49;
  const at = bytes.length >= 8 ? view.getUint32(4, isLittle) : bytes.length;
  if (at + 2 > bytes.length)
    return null;
  const end = Math.min(bytes.length - 12, at + 2 + 12 * (view.getUint16(at, isLittle) - 1));
  for (let entry = at + 2; entry <= end; entry += 12)
    if (view.getUint16(entry, isLittle) === ORIENTATION && view.getUint16(entry + 2, isLittle) === SHORT)
      return { at: entry + 8, isLittle };
  return null;
}

/** The orientation that is stated, 1 to 8; 1: none. */
export function exifOrientation(bytes) {
  const found = findOrientation(bytes), value = found === null ? 1 : viewOf(bytes).getUint16(found.at, found.isLittle);
  return value >= 1 && value <= 8 ? value : 1;
}
