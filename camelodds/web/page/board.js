// The track as a ring of buttons. What stands where is the server's to say; here it is drawn.

import { h, s } from "./dom.js";
import { colour, t } from "./words.js";

const WIDE = 100;
const HIGH = 118;
const SCALE = 1.22;
const LOWEST_SCALE = 0.92;

function camel(letter, crazy, right, x, y, scale, look) {
  return s("g", { transform: `translate(${x} ${y}) scale(${right ? scale : -scale} ${scale})` },
    crazy && s("path", { class: "crazy", d: look.camel.outline + look.camel.hat }),
    s("path", { class: "camel", d: look.camel.outline, fill: look.paints[letter].fill }));
}

// A stack from the bottom up. High ones go to and fro, so that every letter is read.
function stack(letters, crazies, right, look) {
  const high = letters.length > 3;
  const scale = high ? 0.8 : Math.max(LOWEST_SCALE, SCALE - 0.1 * Math.max(0, letters.length - 3));
  const tall = look.camel.high * scale;
  const floor = HIGH - 7;
  const step = Math.min(look.camel.step * scale, (floor - tall - (high ? 20 : 3)) / Math.max(1, letters.length - 1));
  const size = high ? 21 : Math.min(25, step + 6);
  const camels = s("g");
  const names = s("g", { class: "letters" });
  [...letters].forEach((letter, level) => {
    const crazy = crazies.includes(letter);
    const x = high ? (level % 2 ? 70 : 30) : right !== crazy ? 44 : 56;
    const y = floor - tall - level * step;
    camels.prepend(camel(letter, crazy, right !== crazy, x, y, scale, look));
    // Of a rider only what is above the camel below is seen: there its letter is.
    const middle = high ? 17 * scale : scale * (level ? Math.min(24.5, 15 + step / 2) : 24.5);
    names.append(s("text", { x, y: y + middle + 0.35 * size, "font-size": size, fill: look.paints[letter].ink }, letter));
  });
  return [camels, names];
}

function tileOf(tile) {
  const sign = tile.side > 0 ? "+1" : "−1";
  const owner = tile.owner && tile.owner.length > 7 ? `${tile.owner.slice(0, 6)}…` : tile.owner;
  return s("g", { class: tile.side > 0 ? "plus" : "minus" },
    s("rect", { x: 13, y: 36, width: 74, height: 66, rx: 12 }),
    s("text", { x: 50, y: owner ? 71 : 80, "font-size": 31 }, sign),
    owner && s("text", { x: 50, y: 94, "font-size": 17, class: "owner" }, owner));
}

function camera() {
  return s("g", { class: "camera", transform: "translate(50 66)" },
    s("path", { d: "M-26-14h12l5-8h18l5 8h12v34h-52z" }), s("circle", { cy: 3, r: 10 }));
}

function described(space, letters, tile, photographed) {
  const side = tile?.side > 0 ? "+1" : "−1";
  let what = letters ? t("bottom-up", { camels: [...letters].map(colour).join(", ") }) : t("empty");
  if (tile) what = tile.owner ? t("tile-of", { side, owner: tile.owner }) : t("tile", { side });
  return t("space", { n: space, what: photographed ? `${what}, ${t("camera")}` : what });
}

export function makeRing(root, edition, onSpace) {
  const { side, ring } = edition;
  root.className = `side-${side}`;
  const buttons = ring.map(({ column, row }, index) => {
    const space = index + 1;
    const button = h("button", { class: "space", "data-space": space, "data-key": `space-${space}`, tabindex: index ? "-1" : "0", onclick: () => onSpace(space) });
    button.style.gridArea = `${row + 1} / ${column + 1}`;
    if (space === 1) button.classList.add("start");
    return button;
  });
  // One stop for the tabulator; the arrows go round.
  const goTo = (index) => {
    for (const each of buttons) each.tabIndex = -1;
    buttons[index].tabIndex = 0;
  };
  buttons.forEach((button, index) => {
    button.addEventListener("focus", () => goTo(index));
    button.addEventListener("keydown", ({ key }) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      if (by) buttons[(index + by + buttons.length) % buttons.length].focus();
    });
  });
  const middle = h("div", { id: "middle" });
  middle.style.gridArea = `2 / 2 / ${side} / ${side}`;
  root.replaceChildren(...buttons, middle);
  return { buttons, middle, places: ring, shown: buttons.map(() => null) };
}

// shown : { stacks, tiles, camera, free, picked }; free: the spaces that may be tapped, or null for all
export function drawSpaces(ring, edition, look, { stacks, tiles, camera: photo, free, picked }) {
  ring.buttons.forEach((button, index) => {
    const space = index + 1;
    const letters = stacks[space] ?? "";
    const tile = tiles[space];
    const { right } = ring.places[index];
    button.classList.toggle("dim", Boolean(free && !free.has(space)));
    button.classList.toggle("free", Boolean(free?.has(space)));
    button.classList.toggle("picked", picked === space);
    const now = JSON.stringify([letters, tile ?? null, photo === space]);
    if (ring.shown[index] === now) return;
    const first = ring.shown[index] === null;
    ring.shown[index] = now;
    button.setAttribute("aria-label", described(space, letters, tile, photo === space));
    button.replaceChildren(s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
      photo === space && camera(),
      tile && tileOf(tile),
      letters && stack(letters, edition.crazy, right, look),
      s("text", { class: `number ${right ? "left" : "right"}`, x: right ? 8 : 92, y: 24 }, String(space))));
    button.classList.remove("changed");
    if (!first) requestAnimationFrame(() => button.classList.add("changed"));
  });
}

export function dieButton(sign, look, attributes, face) {
  const { fill, ink } = look.paints[sign[0]];
  const node = h("button", { ...attributes, class: `die${sign.endsWith("+") ? " round" : ""} ${attributes.class ?? ""}` }, face ?? sign);
  node.style.background = fill;
  node.style.color = ink;
  return node;
}
