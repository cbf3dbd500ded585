/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

const AS_STORED = { colorSpaceConversion: "none", premultiplyAlpha: "none" };

/* Not all browsers know a picture that is not turned. */
async function bitmapOf(blob) {
  try {
    return await createImageBitmap(blob, { ...AS_STORED, imageOrientation: "none" });
  } catch (e) {
    if (!(e instanceof TypeError)) throw e;
    return createImageBitmap(blob, AS_STORED);
  }
}

/** Lets the browser decode a picture: JPEG, WebP, GIF. The colours are those of the file: no profile is
 *  applied, and none is multiplied by its alpha. @return {width, height, rgba} */
export async function decode(bytes, mime) {
  const bitmap = await bitmapOf(new Blob([bytes], { type: mime }));
  const { width, height } = bitmap;
  try {
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return { width, height, rgba: context.getImageData(0, 0, width, height).data };
  } finally {
    bitmap.close();
  }
}
