/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How files come in: dropped anywhere, chosen, pasted, or as an example. */
"use strict";

rugose.drop = (function () {
  const { app, agenda, h } = rugose;
  const MOST = 5000; /* files of one folder */
  const byId = (id) => document.getElementById(id);

  let examples = []; /* ids of images that are examples */

  /* ---- Into the list ---- */

  /** Takes files in: [{file, name}]. Examples go as the first own files come. */
  function take(list) {
    const seen = list.filter(({ file, name }) => !/(^|\/)\.|(^|\/)(Thumbs\.db|desktop\.ini)$/.test(name) && file);
    if (!seen.length) return rugose.say("No files were found");
    agenda.add(seen.sort((a, b) => rugose.compareNaturally(a.name, b.name)));
    agenda.remove(examples);
    examples = [];
    return rugose.say(rugose.plural(seen.length, "file") + " opened");
  }

  const named = (file) => ({ file, name: file.webkitRelativePath || file.name });

  function example(i) {
    agenda.remove(examples);
    const file = rugose.examples[i].make();
    examples = agenda.add([{ file, name: file.name }]);
  }

  /* ---- Folders ----
   * A page from disk reads dropped folders by handles in Chromium, which refuses it entries there; other
   * browsers have entries alone. */

  const listOf = (reader) => new Promise((done, fail) => reader.readEntries(done, fail));
  const fileOf = (entry) => new Promise((done, fail) => entry.file(done, fail));

  async function* childrenOf(entry) {
    if (entry.values) return yield* entry.values();
    const reader = entry.createReader();
    for (let some = await listOf(reader); some.length; some = await listOf(reader)) yield* some;
    return undefined;
  }

  /* All files of what was dropped, as deep as they lie. */
  async function walk(entry, path, found) {
    if (found.length >= MOST) return;
    if (entry.isDirectory || entry.kind === "directory") {
      for await (const child of childrenOf(entry)) await walk(child, path + entry.name + "/", found);
      return;
    }
    found.push({ file: await (entry.getFile ? entry.getFile() : fileOf(entry)), name: path + entry.name });
  }

  async function dropped(transfer) {
    const items = [...transfer.items].filter((item) => item.kind === "file"), files = [...transfer.files];
    const entries = items.map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    if (!entries.some((entry) => entry && entry.isDirectory)) return take(files.map(named));
    const handleOf = (item, i) => (item.getAsFileSystemHandle ? item.getAsFileSystemHandle() : entries[i]);
    const handles = items.map(handleOf), found = [];
    try {
      for (const handle of await Promise.all(handles)) if (handle) await walk(handle, "", found);
    } catch (e) {
      return tell("The browser does not let this page read a dropped folder; use “Open a folder” instead.");
    }
    if (found.length >= MOST) tell("Only the first " + rugose.count(MOST) + " files of the folder were opened.");
    return take(found);
  }

  /* ---- Paste ---- */

  function pastedName(file, i) {
    return file.name && file.name !== "image.png" ? file.name : "pasted" + (i ? "_" + (i + 1) : "") + ".png";
  }

  async function paste() {
    try {
      const items = await navigator.clipboard.read(), list = [];
      for (const item of items) {
        const type = item.types.find((t) => t.startsWith("image/"));
        if (type) list.push({ file: new File([await item.getType(type)], "pasted.png", { type }), name: "pasted.png" });
      }
      if (list.length) take(list);
      else tell("There is no image on the clipboard. Copy one, then press “Paste” again.");
    } catch (e) {
      tell("The browser does not let this page read the clipboard; press Ctrl-V (on a Mac ⌘V) instead.");
    }
  }

  /* ---- The page ---- */

  let hide = 0;
  function tell(text) {
    clearTimeout(hide);
    byId("dropping").hidden = false;
    byId("dropping").classList.add("told");
    byId("dropping").firstElementChild.textContent = text;
    rugose.say(text);
    hide = setTimeout(() => { byId("dropping").hidden = true; }, 4000);
  }

  let depth = 0;
  function over(isOver) {
    clearTimeout(hide);
    byId("dropping").classList.remove("told");
    byId("dropping").firstElementChild.textContent = "Drop to measure";
    byId("dropping").hidden = !isOver;
  }

  function listen() {
    const hasFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
    addEventListener("dragenter", (event) => { if (hasFiles(event) && depth++ === 0) over(true); });
    addEventListener("dragleave", (event) => { if (hasFiles(event) && --depth <= 0) { depth = 0; over(false); } });
    addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener("drop", (event) => {
      depth = 0;
      over(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      dropped(event.dataTransfer);
    });
    addEventListener("paste", (event) => {
      const files = [...((event.clipboardData || {}).files || [])];
      if (files.length) take(files.map((file, i) => ({ file, name: pastedName(file, i) })));
    });
  }

  function chooser(button, input) {
    byId(button).addEventListener("click", () => byId(input).click());
    byId(input).addEventListener("change", () => {
      take([...byId(input).files].map(named));
      byId(input).value = "";
    });
  }

  /** Makes the page take files, and opens an example. */
  function start() {
    listen();
    chooser("open-files", "files");
    chooser("open-folder", "folder");
    byId("paste").addEventListener("click", paste);
    const select = byId("examples");
    select.append(h("option", { value: "" }, "Example …"),
      ...rugose.examples.map((e, i) => h("option", { value: i }, e.title)));
    select.addEventListener("change", () => {
      if (select.value !== "") example(Number(select.value));
      select.value = "";
    });
    example(0);
  }

  return { start, take, isExample: (id) => examples.includes(id) };
})();
