/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the page is about: its images, the one that is shown, the options of each panel, and how to go back.
 * Everything is kept in memory, nothing is stored.
 *
 *   app.state     {images: [facts], current: id or null, command: name of a panel, options: {panel: {name: value}},
 *                  labels, mask: id or null, slice, axis: of volumes}
 *   app.set(change, {live})    change: {current}, {command}, {labels}, {mask}, {slice}, {axis}, or
 *                  {option: [panel, name, value]}, {options: [[panel, name, value], ...]}; panel "*": every panel
 *                  whose option has a value. live: while something is dragged, so that all of it is one step for undo
 *   app.on(event, fn)          "images", "current", "command", "options" (change), "view" (slice, axis), "history",
 *                  "result" (id, panel, result), "failure" (id, panel, message), "busy" (isBusy), "share" (i, n)
 *
 * facts: what engine.facts() gives; before an image is read {id, name, n_bytes, kind: null}, and where it
 * cannot be read kind "failed" with `message`. */
"use strict";

rugose.panels = [];

rugose.app = (function () {
  const MOST_STEPS = 200;
  const STEPS = ["option", "options", "labels", "mask"]; /* changes that can be undone */

  const state = {
    images: [], current: null, command: "boxcount", options: {}, labels: null, mask: null, slice: null, axis: 0,
  };
  const listeners = new Map(), past = [], future = [];
  let dragged = null; /* what is being dragged, as text */

  function on(event, fn) {
    if (!listeners.has(event)) listeners.set(event, []);
    listeners.get(event).push(fn);
  }

  function emit(event, ...values) {
    for (const fn of listeners.get(event) || []) fn(...values);
  }

  /* ---- Options ---- */

  const panel = (name) => rugose.panels.find((p) => p.name === name) || null;

  /** The options of a panel with its defaults. */
  function optionsOf(name) {
    return { ...(panel(name) || {}).options, ...state.options[name] };
  }

  /* Changes of options, each with the panel that it is for. */
  function spread({ option, options }) {
    const list = option ? [option] : options || [];
    const has = (p, key) => optionsOf(p.name)[key] !== undefined && optionsOf(p.name)[key] !== null;
    return list.flatMap(([name, key, value]) => (name === "*" ? rugose.panels.filter((p) => has(p, key))
      .map((p) => [p.name, key, value]) : [[name, key, value]]));
  }

  /* ---- Steps back and forth ---- */

  const copy = () => ({ command: state.command, current: state.current, labels: state.labels, mask: state.mask,
    options: JSON.parse(JSON.stringify(state.options)) });

  function remember(change, live) {
    if (!STEPS.some((name) => name in change)) return;
    const target = JSON.stringify(change.option ? change.option.slice(0, 2) : Object.keys(change));
    if (dragged !== target) {
      past.push(copy());
      if (past.length > MOST_STEPS) past.shift();
      future.length = 0;
    }
    dragged = live ? target : null;
    emit("history");
  }

  function go(from, to, word) {
    if (!from.length) return;
    to.push(copy());
    const { current, ...rest } = from.pop();
    dragged = null;
    Object.assign(state, rest);
    if (find(current)) state.current = current;
    for (const id of ["labels", "mask"]) if (!find(state[id])) state[id] = null;
    emit("command");
    emit("current");
    emit("options", {});
    emit("history");
    rugose.say(word);
  }

  /* ---- Changes ---- */

  const find = (id) => state.images.find((image) => image.id === id) || null;

  function differs(change) {
    const options = spread(change);
    if (options.length) return options.some(([name, key, value]) => optionsOf(name)[key] !== value);
    return Object.keys(change).some((name) => change[name] !== state[name]);
  }

  function eventOf(change) {
    if ("current" in change) return "current";
    if ("command" in change) return "command";
    return "slice" in change || "axis" in change ? "view" : "options";
  }

  function set(change, { live = false } = {}) {
    if (!differs(change)) {
      if (!live && dragged) dragged = null;
      return emit("settled");
    }
    remember(change, live);
    for (const [name, key, value] of spread(change))
      state.options[name] = { ...state.options[name], [key]: value };
    for (const name of ["current", "command", "labels", "mask", "slice", "axis"])
      if (name in change) state[name] = change[name];
    if ("current" in change) state.slice = null;
    return emit(eventOf(change), { ...change, live });
  }

  return {
    state, on, emit, set, find, panel, optionsOf,
    undo: () => go(past, future, "Undone"),
    redo: () => go(future, past, "Redone"),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,

    /** The facts of the current image, or null where none has been read. */
    current() {
      const facts = find(state.current);
      return facts && facts.kind && facts.kind !== "failed" ? facts : null;
    },

    /** The latest result of a panel for an image, or null; agenda.js knows it. */
    result: () => null,
  };
})();
