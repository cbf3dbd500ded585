/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Red, green and blue of an image whose luma is measured, for what keeps colours. */

import { read } from "../files/read.js";
import { prepare } from "../commands/run.js";
import { decode } from "./decode.js";

/** Whether a command codes an image in its colours. */
export function keepsColours(command, { facts }, options) {
  return command === "compress" && facts.channel === -1 && facts.channels === 3 && options.channel === undefined;
}

/** The three colours of an image, each as prepare() gives it.
 *  @param source  {name, file: its bytes, options: with which it was read} */
export async function colours(rugose, { name, file, options }) {
  const planes = [];
  try {
    for (const channel of ["0", "1", "2"])
      planes.push(await prepare(rugose, await read(name, file, { ...options, channel, decode }), file));
  } catch (error) {
    for (const plane of planes) plane.free();
    throw error;
  }
  return planes;
}
