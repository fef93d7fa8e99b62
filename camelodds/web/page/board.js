// The track as a ring of buttons, and the middle: dice, camels to place, tiles.

import { h, s, refill, option } from "./dom.js";

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
  const high = letters.length > 4;
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

function described(space, letters, tile, look, photographed) {
  const camels = letters ? `${[...letters].map((letter) => look.paints[letter].name).join(", ")}, bottom to top` : "empty";
  const what = tile ? `tile ${tile.side > 0 ? "plus 1" : "minus 1"}${tile.owner ? ` of ${tile.owner}` : ""}` : camels;
  return `Space ${space}: ${what}${photographed ? ", the camera" : ""}`;
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

export function drawSpaces(ring, state, look) {
  const { edition, view, draft } = state;
  const stacks = Object.fromEntries(view ? view.stacks.map((each) => [each.space, each.camels]) : Object.entries(draft));
  const tiles = Object.fromEntries((view?.tiles ?? []).map((tile) => [tile.space, tile]));
  const photo = view?.game.photographer?.[1];
  const free = state.mode === "tiles" && view ? new Set(view.tile_spaces[state.owner] ?? view.tile_spaces[""]) : null;
  ring.buttons.forEach((button, index) => {
    const space = index + 1;
    const letters = stacks[space] ?? "";
    const tile = tiles[space];
    const { right } = ring.places[index];
    button.classList.toggle("dim", Boolean(free && !free.has(space) && !tile));
    button.classList.toggle("picked", state.mode === "camels" && Boolean(state.chosen) && letters.includes(state.chosen));
    const now = JSON.stringify([letters, tile ?? null, photo === space]);
    if (ring.shown[index] === now) return;
    const first = ring.shown[index] === null;
    ring.shown[index] = now;
    button.setAttribute("aria-label", described(space, letters, tile, look, photo === space));
    button.replaceChildren(s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
      photo === space && camera(),
      tile && tileOf(tile),
      letters && stack(letters, edition.crazy, right, look),
      s("text", { class: `number ${right ? "left" : "right"}`, x: right ? 8 : 92, y: 24 }, String(space))));
    button.classList.remove("changed");
    if (!first) requestAnimationFrame(() => button.classList.add("changed"));
  });
}

function dieName(sign, look) {
  return `${look.paints[sign[0]].name}${sign.endsWith("+") ? " support" : ""}`;
}

function die(sign, look, attributes, face) {
  const { fill, ink } = look.paints[sign[0]];
  const round = sign.endsWith("+") ? " round" : "";
  const node = h("button", { ...attributes, class: `die${round} ${attributes.class ?? ""}` }, face ?? sign);
  node.style.background = fill;
  node.style.color = ink;
  return node;
}

export function drawMiddle(ring, state, look, on) {
  const middle = { reveal: revealing, camels: placing, tiles: tiling, dice: sorting }[state.mode];
  refill(ring.middle, middle(state, look, on));
}

function revealing(state, look, on) {
  const { view, chosen } = state;
  if (view.race_over) return [crossed(state, look), h("p", { class: "big" }, view.stands), finalMoney(view)];
  if (view.leg_over) {
    return [h("p", { class: "big" }, view.stands), h("button", { class: "main", "data-key": "next-leg", onclick: on.nextLeg }, "Next leg")];
  }
  const roll = view.rolls.find((each) => each.die === chosen);
  if (roll) return numbers(roll, look, on);
  const inside = new Set(view.dice);
  const signs = state.edition.dice.filter((sign) => !sign.endsWith("+") || inside.has(sign));
  return [
    h("p", { class: "small" }, view.stands),
    h("div", { class: "dice" }, signs.map((sign) => {
      const out = !inside.has(sign);
      const label = out ? `The ${dieName(sign, look)} die is out` : `Reveal the ${dieName(sign, look)} die`;
      return die(sign, look, { "data-key": `die-${sign}`, "aria-label": label, disabled: out, onclick: () => on.choose(sign) });
    })),
  ];
}

function crossed({ view, edition }, look) {
  return h("div", { class: "crossed", role: "img", "aria-label": `Over the line: ${[...view.crossed].map((letter) => look.paints[letter].name).join(", ")}, bottom to top` },
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, stack(view.crossed, edition.crazy, true, look)));
}

function finalMoney(view) {
  const sorted = Object.entries(view.final ?? {}).sort((one, other) => other[1] - one[1]);
  return h("p", { class: "small" }, sorted.map(([name, money]) => `${name} £${money}`).join(", "));
}

function numbers(roll, look, on) {
  return [
    h("p", { class: "small" }, `The ${dieName(roll.die, look)} die shows`),
    grouped(roll.shows).map(([shown, shows]) => h("div", { class: "dice" }, shows.map(({ number }) => {
      const name = roll.die === "#" ? `${shown} ` : `${dieName(roll.die, look)} `;
      const sign = roll.die === "#" ? { white: "W", black: "K" }[shown] : roll.die;
      return die(sign, look, { class: "number", "data-key": `shows-${shown}-${number}`, "aria-label": `${name}${number}`, onclick: () => on.roll(shown, number) }, String(number));
    }))),
    h("button", { class: "back", "data-key": "back", onclick: () => on.choose(null) }, "Back"),
  ];
}

function grouped(shows) {
  const rows = {};
  for (const show of shows) (rows[show.die] ??= []).push(show);
  return Object.entries(rows);
}

function placing(state, look, on) {
  const { edition, draft, chosen } = state;
  const letters = [...edition.racing, ...edition.crazy];
  const placed = draft ? Object.values(draft).join("") : letters.join("");
  const left = letters.filter((letter) => !placed.includes(letter)).length;
  const foot = draft && !placed
    ? h("button", { class: "back", "data-key": "example", onclick: on.example }, "Example")
    : h("div", { class: "pair" },
      h("button", { "data-key": "lower", disabled: !chosen || !placed.includes(chosen), onclick: () => on.shift(-1) }, "Lower"),
      h("button", { "data-key": "higher", disabled: !chosen || !placed.includes(chosen), onclick: () => on.shift(1) }, "Higher"));
  return [
    h("p", { class: "small" }, left ? `${left} to place` : chosen ? "Now tap a space" : "Tap a camel"),
    h("div", { class: "dice tight" }, letters.map((letter) => die(letter, look, {
      class: `${letter === chosen ? "chosen" : ""} ${placed.includes(letter) ? "placed" : ""}`,
      "data-key": `camel-${letter}`, "aria-pressed": String(letter === chosen),
      "aria-label": `${look.paints[letter].name} camel`, onclick: () => on.choose(letter === chosen ? null : letter),
    }))),
    foot,
  ];
}

function tiling(state, look, on) {
  const names = Object.keys(state.view.game.players);
  const sides = [[1, "+1", "plus"], [-1, "−1", "minus"]];
  return [
    h("p", { class: "small" }, "Tap a space; tap a tile to take it off"),
    h("div", { class: "pair" }, sides.map(([side, text, kind]) => h("button", {
      class: `side ${kind} ${state.side === side ? "chosen" : ""}`, "data-key": `side-${side}`,
      "aria-pressed": String(state.side === side), "aria-label": side > 0 ? "Tile plus 1" : "Tile minus 1", onclick: () => on.side(side),
    }, text))),
    h("label", { class: "of" }, "of ", h("select", { "data-key": "owner", "aria-label": "Owner of the tile", onchange: (event) => on.owner(event.target.value) },
      option("", "nobody", state.owner), names.map((name) => option(name, name, state.owner)))),
  ];
}

function sorting(state, look, on) {
  const { view, edition } = state;
  const inside = new Set(view.dice);
  return [
    h("p", { class: "small" }, "Tap a die: in or out"),
    h("div", { class: "dice tight" }, edition.dice.map((sign) => die(sign, look, {
      class: inside.has(sign) ? "" : "out", "data-key": `sort-${sign}`, "aria-pressed": String(inside.has(sign)),
      "aria-label": `${dieName(sign, look)} die in the pyramid`, onclick: () => on.sort(sign),
    }))),
    h("button", { class: "back", "data-key": "all-in", disabled: view.full, onclick: () => on.allIn() }, "All in"),
  ];
}
