// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the rugose authors

/** Thrown by every call that fails: status is the name of C's status, such as "RUG_E_ARG"; the message says what was
 *  given, what was expected and what to do. */
export class RugoseError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "RugoseError";
    this.status = status;
  }
}

/** Refuses an argument. */
export const refuse = (message) => {
  throw new RugoseError("RUG_E_ARG", message);
};

/** A value as it stands in a message, cut where it is long. */
export function shown(value) {
  if (value === null) return "null";
  if (typeof value === "object") return Array.isArray(value) || ArrayBuffer.isView(value) ? "an array" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
