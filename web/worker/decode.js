/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/** Lets the browser decode a picture: JPEG, WebP, GIF. The colours are those of the file: no profile is
 *  applied, and none is multiplied by its alpha. @return {width, height, rgba} */
export async function decode(bytes, mime) {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: mime }),
    { colorSpaceConversion: "none", premultiplyAlpha: "none", imageOrientation: "none" });
  const { width, height } = bitmap;
  try {
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return { width, height, rgba: context.getImageData(0, 0, width, height).data };
  } finally {
    bitmap.close();
  }
}
