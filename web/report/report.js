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
    main.append(h("section", { id, "aria-labelledby": heading }, h("h2", { id: heading }, title), lead ? h("p", { class: "lead" }, lead) : null, ...content));
    list.append(h("li", {}, h("a", { href: "#" + id }, title)));
  }

  function summary(data) {
    const failures = (data.head.failures || []).length, warned = data.images.filter((i) => i.rows.some((r) => (r.row.warnings || []).length)).length;
    const parts = [];
    if (data.images.length) parts.push(plural(data.images.length, "image"));
    parts.push(plural(data.rows.length, "result"), failures ? failures + " failed" : "none failed");
    if (data.images.length) parts.push(warned ? warned + " with warnings" : (data.head.warnings || []).length ? plural(data.head.warnings.length, "warning") : "no warnings");
    if (data.head.seconds !== undefined) parts.push(rugose.seconds(data.head.seconds));
    parts.push("version " + data.head.version);
    return parts.join(" \u00b7 ");
  }

  /* Marks the section in view in the list of sections. */
  function follow() {
    const links = new Map([...list.querySelectorAll("a")].map((a) => [a.getAttribute("href").slice(1), a]));
    const seen = new IntersectionObserver((entries) => {
      for (const e of entries) if (e.isIntersecting) {
        links.forEach((a) => a.removeAttribute("aria-current"));
        links.get(e.target.id).setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-20% 0px -70% 0px" });
    document.querySelectorAll("main > section").forEach((s) => seen.observe(s));
  }

  /* Nothing is left for later when the page is printed. */
  function print(cards) {
    addEventListener("beforeprint", () => {
      if (cards) cards.all();
      document.querySelectorAll(".troubles details").forEach((d) => { d.fill(); d.open = true; });
      rugose.tables.forEach((t) => t.all(true));
    });
    addEventListener("afterprint", () => rugose.tables.forEach((t) => t.all(false)));
  }

  function build(data) {
    const command = data.head.command, title = "rugose " + command;
    document.title = title + ": " + (data.images.length === 1 ? data.images[0].short : plural(data.images.length || data.rows.length, data.images.length ? "image" : "result"));
    document.getElementById("title").textContent = command;
    document.getElementById("summary").textContent = summary(data);
    const hasCards = data.images.some((image) => image.rows.length), cards = hasCards ? rugose.cards.make(data) : null;
    const open = (image) => cards && cards.open(image);
    const spread = rugose.spread.distributions(data);
    section("wrong", "What went wrong", null, rugose.sections.troubles(data, open));
    const results = rugose.sections.results(data, open, (rows) => { if (cards) cards.show(rows); if (spread) spread.show(rows); });
    rugose.tables.push(results.table);
    section("results", "Results", hasCards ? "Images and distributions below follow the order and the filter of this table." : null, results.element);
    if (command === "classify" && data.rows.length) section("classes", "Classes", null, rugose.spread.classes(data, open));
    if (command === "compress") {
      const chart = rugose.spread.rateDistortion(data);
      if (chart) section("rate", "Rate and distortion", null, chart);
    }
    if (cards) section("images", "Images", null, cards.element);
    if (spread) section("spread", "Distributions", "The orange line is the median.", spread.element);
    section("made", "How it was made", null, rugose.sections.made(data));
    section("columns", "Columns", null, rugose.sections.legend(data));
    if (cards) cards.show(data.rows);
    if (spread) spread.show(data.rows);
    rugose.tables.forEach((t) => t.measure());
    follow();
    print(cards);
    document.body.dataset.state = "ready";
  }

  try {
    build(rugose.read(document));
  } catch (e) {
    main.append(h("p", { class: "notice", role: "alert" }, "This page cannot be shown: its data are damaged or not whole (" + e.message + ")."));
    document.body.dataset.state = "failed";
    throw e;
  }
})();
