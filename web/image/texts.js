/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sentences that several panels say. */
"use strict";

rugose.texts = (function () {
  const { h, show, count } = rugose;

  /** The first row of what the open panel has found for an image, or null. */
  function firstRow(app, facts) {
    const result = facts && app.result(facts.id, app.state.command);
    return (result && result.rows[0] && result.rows[0].row) || null;
  }

  /** "1411 × 1411 pixels, 8-bit whole numbers": what an image is. */
  function image(facts) {
    const types = { bit: "one bit each", u: "-bit whole numbers", i: "-bit signed whole numbers",
      f: "-bit real numbers" };
    const [, kind, bits] = /^([a-z]+?)(\d*)$/.exec(facts.dtype || "") || [];
    const type = kind === "bit" ? types.bit : types[kind] ? bits + types[kind] : facts.dtype;
    if (facts.kind === "points") return rugose.plural(facts.read.points || 0, "point");
    return facts.shape.map(count).join(" × ") + (facts.shape.length > 2 ? " voxels" : " pixels") +
      (type ? ", " + type : "");
  }

  /** What a warning recommends, as a button that does it, or null. */
  function remedy(text) {
    const [, rule] = /--foreground (\S+) takes the dark pixels/.exec(text) || [];
    return rule ? [" ", h("button", { type: "button", class: "link", "data-name": "take-dark",
      onclick: () => rugose.app.set({ option: ["*", "foreground", rule] }) }, "Take the dark pixels")] : null;
  }

  /** The status and the warnings that stand beside a number, as a list; null where nothing is in doubt. */
  function notes(result, row) {
    const reason = rugose.reason(row), said = reason && rugose.words.status(reason);
    const list = [...new Set([...(row && row.warnings) || [], ...(result.warnings || [])])];
    if (said && !(reason === "doubtful" &&
      list.some((text) => text.startsWith("the fit")))) list.unshift(said[0].toUpperCase() + said.slice(1) + ".");
    return list.length ? h("ul", { class: "notes" }, list.map((text) => h("li", {}, text, remedy(text)))) : null;
  }

  const times = (factor) => show(factor, factor < 10 ? 2 : 3) + " times";

  /** A dimension in words.
   *  @param found  what multiplies: "boxes are needed to cover the foreground"
   *  @param known  [[dimension, what has it], ...], such as [1, "a line"] */
  function dimension(value, found, known) {
    if (value === null || value === undefined) return [];
    const begin = (what, i) => (i ? what + " " : what[0].toUpperCase() + what.slice(1) + " would give ");
    const others = known.map(([d, what], i) => begin(what, i) + show(Math.pow(2, d), 3));
    return ["Each time the boxes get half as wide, ", h("strong", {}, times(Math.pow(2, value)) + " as many"),
      " " + found + ". ", others.length ? others.join(", ") + "." : ""];
  }

  return { firstRow, image, notes, remedy, dimension };
})();
