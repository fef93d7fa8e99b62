// Elements made and exchanged; focus stays on the control with the same data-key.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (id) => document.getElementById(id);

export function refill(node, ...children) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset.key;
  node.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!active) return;
  const again = key && [...node.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (again && !again.disabled) again.focus({ preventScroll: true });
  else if (key) (node.closest("[tabindex]") ?? node.querySelector("button:not(:disabled)"))?.focus({ preventScroll: true });
}

export function option(value, text, chosen) {
  const node = h("option", { value }, text);
  node.selected = value === chosen;
  return node;
}

export function chip(letter, paints, extra = "") {
  const { fill: colour, ink } = paints[letter[0]];
  const node = h("span", { class: `chip${/[A-Z]/.test(letter) ? " crazy" : ""}`, "aria-hidden": "true" }, letter + extra);
  node.style.background = colour;
  node.style.color = ink;
  return node;
}
