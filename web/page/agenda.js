/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is measured when: the current image with the current panel at once, all others with it behind, as long
 * as they are not too many to be measured unasked. */
"use strict";

rugose.agenda = (function () {
  const { app, engine } = rugose;
  const { state } = app;
  const UNASKED = 50;   /* images that are measured without being asked for */
  const QUIET_MS = 250; /* after the last change, before other images follow it */

  const results = new Map(); /* id -> Map of panel -> {key, result, message, isBare} */
  let isWanted = false, isStopped = false, pause = null, round = 0, nBusy = 0;

  /* ---- Options as the command takes them ---- */

  /* Those that are not empty, as texts. */
  function full(options) {
    const pairs = Object.entries(options).filter(([, v]) => v !== null && v !== undefined && v !== false && v !== "");
    return Object.fromEntries(pairs.map(([key, v]) => [key, v === true ? true : String(v)]));
  }

  /** How files are read: page, channel, volume, kept as the options of a panel "reading". */
  const reading = () => full(state.options.reading || {});

  /** Options as the command takes them; for an image without those that only the other kind can have. */
  function given(name, facts) {
    const only = (facts && (app.panel(name) || {}).only) || {};
    const goes = ([key]) => !only[key] || only[key] === facts.kind;
    return { ...Object.fromEntries(Object.entries(full(app.optionsOf(name))).filter(goes)), ...reading() };
  }

  /* Images that go with an image; both belong to the images of their shape. */
  function others(facts, panel) {
    const goes = (id) => {
      const other = id === null ? null : app.find(id);
      return other && other.id !== facts.id && other.kind === "image" && facts.kind === "image" &&
        String(other.shape) === String(facts.shape) ? other.id : null;
    };
    const taken = (name) => ((panel.takes || ["labels", "mask"]).includes(name) ? goes(state[name]) : null);
    return { labels: taken("labels"), mask: taken("mask") };
  }

  const keyOf = (facts, panel) => JSON.stringify([given(panel.name, facts), others(facts, panel)]);
  const accepts = (panel, facts) => (panel.accepts ? panel.accepts(facts) : true);
  const isRead = (facts) => facts.kind !== null && facts.kind !== "failed";

  /* ---- Results ---- */

  function keep(id, name, entry) {
    if (!app.find(id)) return;
    if (!results.has(id)) results.set(id, new Map());
    results.get(id).set(name, entry);
    if (entry.message === undefined) app.emit("result", id, name, entry.result);
    else app.emit("failure", id, name, entry.message);
  }

  const entryOf = (id, name) => (results.get(id) || new Map()).get(name) || null;

  /** What is known of an image with the options of now: {result}, {message}, or null. */
  function known(facts, panel) {
    if (facts.kind === "failed") return { message: facts.message };
    const entry = isRead(facts) ? entryOf(facts.id, panel.name) : null;
    return entry && entry.key === keyOf(facts, panel) ? entry : null;
  }

  /* ---- Reading and measuring ---- */

  async function read(facts, o) {
    try {
      Object.assign(facts, await engine.facts(facts.id, o), { message: null });
    } catch (e) {
      if (e.name === "Stopped") throw e;
      Object.assign(facts, { kind: "failed", message: e.message });
    }
    app.emit("images");
  }

  const underWay = new Map(); /* what is measured, as text -> a promise, false where something newer comes before it */
  const workOf = (facts, panel) => facts.id + " " + panel.name + " " + keyOf(facts, panel);

  /* @return false where something newer has come before it */
  async function measureOnce(facts, panel, o) {
    const key = keyOf(facts, panel), options = given(panel.name, facts);
    try {
      const result = await engine.measure(facts.id, panel.command, options, { ...others(facts, panel), ...o });
      if (result) keep(facts.id, panel.name, { key, result, isBare: Boolean(o.isBare) });
      return Boolean(result);
    } catch (e) {
      if (e.name === "Stopped") throw e;
      keep(facts.id, panel.name, { key, message: e.message });
      return true;
    }
  }

  function measure(facts, panel, o) {
    const work = workOf(facts, panel);
    if (!underWay.has(work) || (underWay.get(work).isBare && !o.isBare)) {
      const promise = measureOnce(facts, panel, o).finally(() => {
        if (underWay.get(work) === promise) underWay.delete(work);
      });
      promise.isBare = Boolean(o.isBare);
      underWay.set(work, promise);
    }
    return underWay.get(work);
  }

  /* Says whether anything is being done. */
  async function busy(work) {
    if (nBusy++ === 0) app.emit("busy", true);
    try {
      await work();
    } catch (e) {
      if (e.name !== "Stopped") throw e;
    } finally {
      if (--nBusy === 0) app.emit("busy", false);
    }
  }

  let offered = null; /* the image that is shown because it came in, not because it was chosen */

  /* Shows the next of what came in, where one cannot be read. */
  function offer(failed) {
    const next = state.images.slice(state.images.indexOf(failed) + 1).find((facts) => facts.kind === null);
    offered = next ? next.id : null;
    if (next) app.set({ current: next.id });
  }

  async function currentOne() {
    const facts = app.find(state.current), panel = app.panel(state.command);
    if (!facts) return undefined;
    if (facts.kind === null) {
      await read(facts, { rank: 3 });
      if (facts.id === state.current) app.emit("current", { isRead: true });
    }
    if (facts.kind === "failed" && facts.id === offered) return offer(facts);
    if (facts.kind === "failed" || !panel || accepts(panel, facts) !== true) return undefined;
    const entry = known(facts, panel);
    return !entry || entry.isBare ? measure(facts, panel, { key: "live", rank: 2 }) : undefined;
  }

  const isOpenFor = (panel) => (facts) => facts.kind === null ||
    (isRead(facts) && accepts(panel, facts) === true && !known(facts, panel));

  /** How many images wait to be measured until someone asks for it: where there are many, or it was stopped. */
  function waiting() {
    const panel = app.panel(state.command), isUnasked = isStopped || (state.images.length > UNASKED && !isWanted);
    return panel && isUnasked ? state.images.filter(isOpenFor(panel)).length : 0;
  }

  const isCompanion = (facts) => facts.id === state.labels || facts.id === state.mask;

  /* All other images, one after the other, until something changes. */
  async function rest() {
    const mine = round, panel = app.panel(state.command);
    if (!panel || waiting()) return;
    for (const [i, facts] of state.images.entries()) {
      if (mine !== round) return;
      if (!isOpenFor(panel)(facts)) continue;
      app.emit("share", i, state.images.length);
      if (facts.kind === null) await read(facts, { rank: 0 });
      const isDue = mine === round && facts.id !== state.current && !isCompanion(facts) && isOpenFor(panel)(facts);
      if (isDue) await measure(facts, panel, { rank: 0, isBare: true });
    }
  }

  /* All images are read anew once they are to be read in another way. */
  let wayRead = "{}";
  function rereadAll() {
    const wanted = JSON.stringify(reading());
    if (wanted === wayRead) return;
    wayRead = wanted;
    for (const facts of state.images) {
      engine.reread(facts.id, reading());
      facts.kind = null;
    }
    app.emit("images");
  }

  /* Waits a little; false where something has changed meanwhile. */
  function quiet() {
    return new Promise((done) => {
      const end = (isOver) => {
        clearTimeout(timer);
        pause = null;
        done(isOver);
      };
      const timer = setTimeout(end, QUIET_MS, true);
      pause = { end };
    });
  }

  const isUnderWay = () => {
    const facts = app.find(state.current), panel = app.panel(state.command);
    return Boolean(facts && panel && underWay.has(workOf(facts, panel)));
  };

  /* Begins anew with what is wanted now. */
  function refresh({ live = false } = {}) {
    round++;
    isStopped = false;
    if (!live && !isUnderWay()) engine.giveUp();
    if (pause) pause.end(false);
    busy(currentOne);
    if (!live && state.images.length > 1) busy(async () => { if (await quiet()) await rest(); });
  }

  app.result = (id, name) => (entryOf(id, name) || {}).result || null;
  app.on("current", ({ isRead: again } = {}) => again || refresh());
  app.on("command", () => { isWanted = false; refresh(); });
  app.on("settled", () => refresh());
  app.on("options", rereadAll);
  app.on("options", (change) => { isWanted = isWanted && !change.live; refresh(change); });

  return {
    known, accepts, given, others, refresh, waiting, isCompanion,
    isBusy: () => nBusy > 0,

    /** Says that something is being done, until the promise of `work` is kept: during(work). */
    during: busy,

    /** Takes files in, [{file, name}], and shows the first that can be read. */
    add(list) {
      const images = list.map(({ file, name }) => ({
        id: engine.add(file, name, reading()), name, n_bytes: file.size, kind: null,
      }));
      state.images.push(...images);
      offered = images[0].id;
      app.emit("images");
      app.set({ current: offered });
      return images.map(({ id }) => id);
    },

    /** Takes images away. */
    remove(ids) {
      state.images = state.images.filter((image) => !ids.includes(image.id));
      for (const id of ids) {
        results.delete(id);
        engine.close(id);
      }
      for (const name of ["labels", "mask"]) if (ids.includes(state[name])) state[name] = null;
      app.emit("images");
      if (ids.includes(state.current)) app.set({ current: state.images.length ? state.images[0].id : null });
      else app.emit("options", {});
    },

    /** Measures all images with the current panel. */
    all() {
      isWanted = true;
      refresh();
    },

    /** Stops; what is open then waits until someone asks for it. */
    stop() {
      round++;
      isStopped = true;
      if (pause) pause.end(false);
      engine.stop();
      app.emit("stopped");
    },
  };
})();
