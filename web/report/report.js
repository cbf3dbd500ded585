/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Makes the page from its data, in the order in which a reader asks. */
"use strict";

rugose.tables = [];

(function () {
  const { h, plural } = rugose;
  const main = document.getElementById("main"), list = document.getElementById("sections");

  function section(id, title, lead, ...content) {
    const heading = id + "-title";
    main.append(h("section", { id, "aria-labelledby": heading }, h("h2", { id: heading }, title),
      lead ? h("p", { class: "lead" }, lead) : null, ...content));
    list.append(h("li", {}, h("a", { href: "#" + id }, title)));
  }

  function summary(data) {
    const { head, images, rows } = data, n = (head.failures || []).length, ofRun = (head.warnings || []).length;
    const warned = images.filter((image) => image.rows.some((r) => (r.row.warnings || []).length)).length;
    const warnings = warned ? warned + " with warnings" : ofRun ? plural(ofRun, "warning") : "no warnings";
    return [
      images.length ? plural(images.length, "image") : null, plural(rows.length, "result"), n ? n + " failed" : "none failed",
      images.length ? warnings : null, head.seconds === undefined ? null : rugose.seconds(head.seconds),
      "version " + head.version,
    ].filter(Boolean).join(" · ");
  }

  /* Marks the section in view in the list of sections. */
  function follow() {
    const links = new Map([...list.querySelectorAll("a")].map((a) => [a.getAttribute("href").slice(1), a]));
    const seen = new IntersectionObserver((entries) => {
      for (const { target } of entries.filter((e) => e.isIntersecting)) {
        links.forEach((a) => a.removeAttribute("aria-current"));
        links.get(target.id).setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-20% 0px -70% 0px" });
    document.querySelectorAll("main > section").forEach((s) => seen.observe(s));
  }

  /* Nothing is left for later when the page is printed. */
  function print(cards) {
    addEventListener("beforeprint", () => {
      if (cards) cards.all();
      for (const details of document.querySelectorAll(".troubles details")) {
        details.fill();
        details.open = true;
      }
      rugose.tables.forEach((t) => t.all(true));
    });
    addEventListener("afterprint", () => rugose.tables.forEach((t) => t.all(false)));
  }

  function setTitle(data) {
    const command = data.head.command, n = data.images.length;
    const what = n === 1 ? data.images[0].short : n ? plural(n, "image") : plural(data.rows.length, "result");
    document.title = "rugose " + command + ": " + what;
    document.getElementById("title").textContent = command;
    document.getElementById("summary").textContent = summary(data);
  }

  /* The sections that only one command has. */
  function special(data, open) {
    if (data.head.command === "classify" && data.rows.length)
      section("classes", "Classes", null, rugose.classes.classes(data, open));
    const chart = data.head.command === "compress" ? rugose.classes.rateDistortion(data) : null;
    if (chart) section("rate", "Rate and distortion", null, chart);
  }

  function build(data) {
    const cards = data.images.some((image) => image.rows.length) ? rugose.cards.make(data) : null;
    const spread = rugose.spread.distributions(data), open = (image) => cards && cards.open(image);
    const show = (rows) => {
      if (cards) cards.show(rows);
      if (spread) spread.show(rows);
    };
    const results = rugose.sections.results(data, open, show);
    rugose.tables.push(results.table);
    setTitle(data);
    section("wrong", "What went wrong", null, rugose.sections.troubles(data, open));
    section("results", "Results", cards ? "Images and distributions below follow the order and the filter of this table." : null,
      results.element);
    special(data, open);
    if (cards) section("images", "Images", null, cards.element);
    if (spread) section("spread", "Distributions", "The orange line is the median.", spread.element);
    section("made", "How it was made", null, rugose.sections.made(data));
    section("columns", "Columns", null, rugose.sections.legend(data));
    show(data.rows);
    rugose.tables.forEach((table) => table.measure());
    follow();
    print(cards);
    document.body.dataset.state = "ready";
  }

  try {
    build(rugose.read(document));
  } catch (e) {
    main.append(h("p", { class: "notice", role: "alert" },
      "This page cannot be shown: its data are damaged or not whole (" + e.message + ")."));
    document.body.dataset.state = "failed";
    throw e;
  }
})();
