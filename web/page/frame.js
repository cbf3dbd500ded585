/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The frame of the page: tabs and their panels, the head of the image, progress, and keys. The image and its
 * histogram are made by rugose.view.make(element, app) and rugose.histogram.make(element, app). */
"use strict";

(function () {
  const { app, agenda, engine, h } = rugose;
  const { state } = app;
  const SLOW_MS = 300; /* of work before it is announced */
  const byId = (id) => document.getElementById(id);

  /* ---- Tabs ---- */

  const parts = new Map(); /* name of a panel -> {element, body, notice, shown} once it was opened */
  const tabId = (name) => "tab-" + name;

  function choose(name, isFocused) {
    app.set({ command: name });
    if (isFocused) byId(tabId(name)).focus();
  }

  function onTabKey(event) {
    const names = rugose.panels.map((p) => p.name), at = names.indexOf(state.command);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(names[(to + names.length) % names.length], true);
  }

  function makeTabs() {
    byId("tabs").append(...rugose.panels.map(({ name, title }) => h("button", {
      type: "button", role: "tab", id: tabId(name), "aria-controls": "panel", onclick: () => choose(name),
      onkeydown: onTabKey,
    }, title)));
  }

  function markTab() {
    for (const p of rugose.panels) {
      const isChosen = p.name === state.command, tab = byId(tabId(p.name));
      tab.setAttribute("aria-selected", String(isChosen));
      tab.setAttribute("tabindex", isChosen ? 0 : -1);
      if (isChosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    byId("panel").setAttribute("aria-labelledby", tabId(state.command));
  }

  /* ---- Panels ---- */

  function partOf(panel) {
    if (!parts.has(panel.name)) {
      const body = h("div", { class: "panel-body", "data-name": panel.name }), notice = h("div");
      const element = h("div", {}, h("p", { class: "lead" }, panel.lead), notice, body);
      const part = { element, body, notice, shown: null, part: null };
      parts.set(panel.name, part);
      byId("panel").append(element);
      part.part = panel.make(body, app);
    }
    return parts.get(panel.name);
  }

  function say(part, text, ...more) {
    part.notice.replaceChildren(...(text ? [h("p", { class: "notice" }, text, ...more)] : []));
    part.body.hidden = Boolean(text);
  }

  /* Why the panel cannot be shown, or null. */
  function obstacle(panel, facts) {
    if (!facts) return "Open an image, or choose an example.";
    if (facts.kind === "failed") return facts.name + ": " + facts.message;
    const why = facts.kind === null ? true : agenda.accepts(panel, facts);
    return why === true ? null : why;
  }

  /* Shows what is known of the current image in the current panel.
   *  @param latest  a result of options that have
   *  changed since: it is shown as long as there is no other, so that numbers follow what is dragged */
  function show(latest) {
    const panel = app.panel(state.command), facts = app.find(state.current);
    if (!panel) return;
    const part = partOf(panel), why = obstacle(panel, facts), entry = facts && !why ? agenda.known(facts, panel) : null;
    parts.forEach((other) => { other.element.hidden = other !== part; });
    say(part, why);
    if (why) return;
    if (entry && entry.message !== undefined) {
      if (part.part.fail) part.part.fail(entry.message);
      else say(part, entry.message);
      part.shown = null;
    } else if (entry && part.shown !== entry.result) {
      part.shown = entry.result;
      part.part.show(entry.result, facts);
    }
    if (!entry && latest && latest.rows) {
      part.shown = latest;
      part.part.show(latest, facts, true);
    }
    if (part.part.busy) part.part.busy(!entry);
  }

  /* ---- The head of the image ---- */

  const sizeOf = (n) => (n < 1e6 ? rugose.show(n / 1e3, 3) + " kB" : rugose.show(n / 1e6, 3) + " MB");

  function describe(facts) {
    const size = sizeOf(facts.n_bytes);
    if (facts.kind === "points") return rugose.plural(facts.n_points, "point") + " in " + facts.n_axes + "D · " + size;
    const { min, max } = facts.range || {}, steps = (facts.spacing || []).filter((s) => s > 0);
    const range = min === undefined || min === null ? null : "values " + rugose.show(min) + " to " + rugose.show(max);
    const lengths = steps.map((s) => rugose.show(s, 4)).join(" × ") + " " + (facts.spacing_unit || "");
    const spacing = steps.length ? "spacing " + lengths : null;
    return [rugose.texts.image(facts), range, spacing, size].filter(Boolean).join(" · ");
  }

  /* A choice among other images of the same shape. */
  function companion(name, title, facts) {
    const goes = (o) => o.id !== facts.id && o.kind === "image" && String(o.shape) === String(facts.shape);
    const list = facts.kind === "image" ? state.images.filter(goes) : [];
    if (!list.length) return null;
    const change = () => app.set({ [name]: select.value === "" ? null : Number(select.value) });
    const select = h("select", { id: "choose-" + name, onchange: change }, h("option", { value: "" }, "none"),
      list.map((o) => h("option", { value: o.id, selected: o.id === state[name] }, o.name)));
    return h("label", { class: "field" }, title, select);
  }

  const setReading = (...pairs) => app.set({ options: pairs.map(([name, value]) => ["reading", name, value]) });

  /* Which channel of a file is read, or the luma of all. */
  function channelField(read, now) {
    const names = [["", "luma (grey)"], ...Array.from({ length: read.channels }, (_, i) => [String(i), String(i)])];
    const select = h("select", { id: "channel", onchange: () => setReading(["channel", select.value]) },
      names.map(([value, title]) => h("option", { value, selected: value === (now.channel || "") }, title)));
    return h("label", { class: "field" }, "Channel", select);
  }

  /* Which page of a file is read, or all of them; pages of a file of four axes are volumes themselves. */
  function pageFields({ read, shape }, now) {
    const isVolume = now.volume === true || read.page < 0, areVolumes = shape.length > 2 && !isVolume;
    const page = h("input", { type: "number", id: "page", min: 0, max: read.pages - 1,
      value: now.page || Math.max(0, read.page), disabled: isVolume, onchange: () => setReading(["page", page.value]) });
    const volume = h("input", { type: "checkbox", id: "volume", checked: isVolume,
      onchange: () => setReading(["page", volume.checked ? "" : "0"], ["volume", volume.checked]) });
    const title = (areVolumes ? "Volume" : "Page") + ", 0 to " + (read.pages - 1);
    return [h("label", { class: "field" }, title, page),
      areVolumes ? null : h("label", { class: "field" }, volume, "all pages as a volume")];
  }

  /* How a file with several pages or channels is read. */
  function readingFields(facts) {
    const now = state.options.reading || {}, { read } = facts;
    return [read.channels > 1 && !read.equal_channels ? channelField(read, now) : null,
      ...(read.pages > 1 || now.volume === true ? pageFields(facts, now) : [])];
  }

  /* A file whose channels are no colours is read by one of them: its failure says how many there are. */
  function channelOfFailed({ kind, message }) {
    const [, last] = (kind === "failed" && /--channel 0\.\.(\d+)/.exec(message)) || [];
    return last === undefined ? null : channelField({ channels: Number(last) + 1 }, state.options.reading || {});
  }

  /* The way back for a file that has no such page or channel. */
  function readAsUsual(facts) {
    if (facts.kind !== "failed" || !Object.values(state.options.reading || {}).some(Boolean)) return null;
    return h("button", { type: "button", id: "read-as-usual",
      onclick: () => setReading(["page", ""], ["volume", false], ["channel", ""]) }, "Read as usual");
  }

  /* Controls of the image; one that has the focus keeps it, or gives it to the name of the image. */
  function fill(list) {
    const box = byId("image-read"), active = document.activeElement, isInside = box.contains(active);
    box.replaceChildren(...list.filter(Boolean));
    if (!isInside) return;
    const same = active.id ? byId(active.id) : box.querySelector(active.tagName);
    if (same) same.focus();
    if (document.activeElement !== same) byId("image-title").focus();
  }

  let wasOpen = false, shownId = null;
  function head() {
    const facts = app.find(state.current), known = app.current();
    if (facts && facts.kind === null && facts.id === shownId) return;
    shownId = known ? known.id : null;
    byId("image-title").closest("section").classList.toggle("nothing", !known);
    byId("image-title").textContent = facts ? facts.name : "No image yet";
    const failed = facts && facts.kind === "failed" ? "It could not be read." : "";
    byId("image-facts").textContent = known ? describe(known) : failed;
    fill([...(known && known.read ? readingFields(known) : []), ...(facts ? remedies(facts) : []),
      known ? companionFields(known) : null]);
    document.title = (facts ? facts.name + " · " : "") + "rugose: how rough is an image?";
  }

  /* The choice of labels and mask, folded. */
  function companionFields(known) {
    const takes = (app.panel(state.command) || {}).takes || ["labels", "mask"];
    const has = (name, title) => (takes.includes(name) ? companion(name, title, known) : null);
    const fields = [has("labels", "Labels"), has("mask", "Mask")].filter(Boolean);
    if (!fields.length) return null;
    wasOpen = (byId("companions") || { open: wasOpen }).open;
    const open = wasOpen || state.labels !== null || state.mask !== null;
    return h("details", { id: "companions", open }, h("summary", {}, "Labels and mask"),
      h("div", { class: "controls" }, fields));
  }

  /* What can be done about a file that cannot be read, and with any. */
  const remedies = (facts) => [channelOfFailed(facts), readAsUsual(facts), ...buttons(facts)];

  function buttons({ id, name }) {
    const remove = h("button", { type: "button", id: "remove", onclick: () => agenda.remove([id]) }, "Remove");
    const save = () => rugose.save(name, engine.file(id), "application/octet-stream");
    const example = h("button", { type: "button", onclick: save }, "Save the example");
    return rugose.drop.isExample(id) ? [remove, example] : [remove];
  }

  /* ---- Busy ---- */

  let slow = 0, of = { i: 0, n: 0 };
  async function busy(isBusy) {
    clearTimeout(slow);
    if (document.body.dataset.state === "failed") return;
    if (isBusy) {
      document.body.dataset.state = "busy";
      slow = setTimeout(() => { byId("working").hidden = false; }, SLOW_MS);
      return;
    }
    byId("working").hidden = true;
    byId("progress").removeAttribute("value");
    byId("working-text").textContent = "Measuring …";
    of = { i: 0, n: 0 };
    about();
    if (engine.failure) {
      cannot(engine.failure);
      return;
    }
    await rugose.results.settle();
    if (!agenda.isBusy()) document.body.dataset.state = "ready";
  }

  /* Progress through all images, with that of the one being measured. */
  function progress(share) {
    byId("progress").value = of.n ? (of.i + share) / of.n : share;
  }

  function showShare(i, n) {
    of = { i, n };
    byId("working-text").textContent = "Measuring " + rugose.count(i + 1) + " of " + rugose.count(n) + " …";
    progress(0);
  }

  function stopped() {
    const part = parts.get(state.command);
    const again = h("button", { type: "button", onclick: () => agenda.refresh() }, "Measure again");
    const facts = app.find(state.current) || { kind: null };
    if (part && !agenda.known(facts, app.panel(state.command))) say(part, "Stopped. ", again);
    if (document.activeElement === byId("stop")) byId("panel").focus();
    rugose.say("Stopped");
  }

  function about() {
    if (!engine.about) return;
    const { version, threads } = engine.about;
    byId("about").textContent = "One file: it opens from disk and needs no network. Measured by rugose " + version +
      ", " + (threads > 1 ? "with " + rugose.plural(threads, "thread") : "on one thread") + ".";
  }

  /* ---- Undo ---- */

  function history() {
    byId("undo").disabled = !app.canUndo();
    byId("redo").disabled = !app.canRedo();
  }

  const TEXTS = "textarea, input:not([type=range], [type=checkbox], [type=radio])"; /* have an undo of their own */

  function onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isText = event.target.matches && event.target.matches(TEXTS);
    const key = event.key.toLowerCase();
    if (isText || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) app.redo();
    else app.undo();
  }

  /* ---- Start ---- */

  /* A result, or why there is none, is read out once no other follows it. */
  function tellResult() {
    const panel = app.panel(state.command), facts = app.find(state.current), why = panel && obstacle(panel, facts);
    const entry = panel && !why ? agenda.known(facts, panel) : null;
    const headline = byId("panel").querySelector("[data-name='" + state.command + "'] .headline");
    const text = why || (entry && (entry.message || (headline && headline.textContent)));
    if (text && !agenda.isBusy()) rugose.say(text);
  }

  function listen() {
    for (const event of ["current", "command", "images"]) app.on(event, head);
    app.on("options", ({ live }) => live || head());
    app.on("command", markTab);
    for (const event of ["current", "command", "options"]) app.on(event, () => show());
    for (const event of ["result", "failure"])
      app.on(event, (id, name, found) => { if (id === state.current && name === state.command) show(found); });
    app.on("busy", busy);
    app.on("busy", (isBusy) => isBusy || tellResult());
    app.on("share", showShare);
    app.on("stopped", stopped);
    app.on("history", history);
    engine.onprogress = progress;
    byId("stop").addEventListener("click", agenda.stop);
    byId("undo").addEventListener("click", app.undo);
    byId("redo").addEventListener("click", app.redo);
    addEventListener("keydown", onKey);
  }

  function start() {
    if (rugose.panels.length && !app.panel(state.command)) state.command = rugose.panels[0].name;
    makeTabs();
    for (const name of ["view", "histogram"]) rugose[name].make(byId(name), app);
    listen();
    markTab();
    show();
    head();
    rugose.results.start();
    rugose.drop.start();
  }

  function cannot(why) {
    byId("main").prepend(h("p", { class: "notice", role: "alert" }, "This page does not work in this browser (" + why +
      "). It needs Chrome, Edge, Firefox or Safari of the last two years."));
    document.body.dataset.state = "failed";
  }

  try {
    start();
  } catch (e) {
    cannot(e.message);
    throw e;
  }
})();
