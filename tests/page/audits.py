# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
"""What every page is looked at for: contrast, names, headings. Scripts for Browser.run()."""

# Lowest contrast of the texts that can be seen, with where it is. Colours of a text are laid over those
# behind it, as far as one hides all.
CONTRAST = r"""
const parse = (text) => {
  const list = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number), scale = text.startsWith("color(") ? 255 : 1;
  return [list[0] * scale, list[1] * scale, list[2] * scale, list.length > 3 ? list[3] : 1];
};
const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c[3] > 0) layers.push(c);
    if (c[3] === 1) break;
  }
  return layers.reverse().reduce((below, c) => over(c, below), [255, 255, 255, 1]);
};
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
let worst = { ratio: 99, n: 0 };
const see = (element, colour, text) => {
  const back = behind(element), r = ratio(over(parse(colour), back), back);
  worst.n++;
  if (r < worst.ratio) Object.assign(worst, { ratio: r, text: text.slice(0, 40), colour, back: back.join(" ") });
};
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const text = walk.currentNode.data.trim(), element = walk.currentNode.parentElement;
  const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  if (!text || !isSeen || element.closest("script, style, title, .unseen")) continue;
  const style = getComputedStyle(element);
  see(element, element instanceof SVGElement ? style.fill : style.color, text);
}
for (const input of document.querySelectorAll("input[placeholder]"))
  see(input, getComputedStyle(input, "::placeholder").color, input.placeholder);
return worst;
"""

# Elements that a screen reader could not name, and tables and pictures without their words.
UNNAMED = r"""
const named = (e) => (e.getAttribute("aria-label") || e.textContent || "").trim() || (e.labels && e.labels.length);
const all = (selector) => [...document.querySelectorAll(selector)];
const nameless = all("button, a, select, input, [role]").filter((e) => !named(e) && e.getAttribute("role") !== "status");
const wordless = [...all("img:not([alt]), th:not([scope])"), ...all("table").filter((table) => !table.caption)];
return [...nameless, ...wordless].map((e) => e.outerHTML.slice(0, 80));
"""

# Levels of headings in their order, and ids that stand more than once.
OUTLINE = r"""
const headings = [...document.querySelectorAll("h1, h2, h3, h4")].filter((e) => e.checkVisibility());
const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
return { levels: headings.map((h) => Number(h.tagName[1])), twice: ids.filter((id, i) => ids.indexOf(id) !== i) };
"""
