// What happened: whose turn, six large buttons, and what else the rules allow. Also used to mend an earlier turn.
import { h, option } from "./dom.js";
import { dieButton } from "./board.js";
import { change, draw, failed, keepSecret, look, state, swatch, who } from "./main.js";
import { ask } from "./net.js";
import { act, colour, happening, t } from "./words.js";

const MAIN = ["ticket", "tile", "winner", "loser"];
const choice = { kind: null, die: null, roll: null, side: 1, player: null, legal: null, support: null };

export function resetChoice() {
  Object.assign(choice, { kind: null, die: null, roll: null, player: null, legal: null, support: null });
}

const player = () => choice.player ?? (state.mending !== null ? state.table.events[state.mending].player : who());
const names = () => choice.legal?.names ?? state.table.legal;
const rolls = () => choice.legal?.rolls ?? state.position.rolls;
const plain = () => names().filter((name) => !name.includes(" + support "));
const of = (kind) => plain().filter((name) => name.startsWith(`${kind} `));

async function askLegal(more = {}) {
  const body = { ...(state.mending !== null && { at: state.mending }), ...(player() && { player: player() }), ...more };
  return ask("table/legal", { key: state.key, body });
}

// Somebody acts out of turn, or another turn is mended.
export async function lookAt(name) {
  choice.player = name;
  try {
    choice.legal = await askLegal();
  } catch (error) {
    failed(error);
  }
  draw();
}

async function enter(action, roll = {}) {
  const at = state.mending;
  const doing = at === null ? { do: "play" } : { do: "mend", at };
  const owner = player();
  let said = action;
  const deck = /^(winner|loser) ([a-z])/.exec(action);
  if (deck && owner === state.me) said = action.replace(/ [a-z]/, " ?");
  const number = at ?? state.table.events.length;
  if (await change({ ...doing, action: said, ...(owner && { player: owner }), ...roll })) {
    if (deck && owner === state.me) keepSecret(number, deck[2]);
    state.mending = null;
    resetChoice();
    draw();
  }
}

// Whether a support die may follow is asked of the server, after the action and what it showed.
async function take(action, roll) {
  if (!state.edition.spicy) return enter(action, roll);
  const options = roll
    ? (await askLegal(roll).catch(() => ({ names: [] }))).names
    : names();
  const found = options.filter((name) => name.startsWith(`${action} + support `));
  if (!found.length) return enter(action, roll);
  Object.assign(choice, { support: found, action, roll });
  return draw();
}

// Tapping a space of the board while one is asked for.
export function chooseSpace(space) {
  const free = freeSpaces();
  if (!free) return false;
  if (!free.has(space)) return true;
  if (choice.kind === "tile") take(`tile ${choice.side > 0 ? "+" : "-"}${space}`);
  else take(`camera ${space}`);
  return true;
}

export function freeSpaces() {
  if (state.tab !== "happened" || !["tile", "camera"].includes(choice.kind)) return null;
  return new Set(of(choice.kind).map((name) => Math.abs(Number(name.split(" ")[1]))));
}

function choose(kind) {
  // A card of somebody else lies face down: one tap is all that is known.
  if (["winner", "loser"].includes(kind) && player() !== state.me) return take(`${kind} ?`);
  choice.kind = kind;
  return draw();
}

export function drawHappened() {
  const { position, table } = state;
  const mended = state.mending !== null && table.events[state.mending];
  const players = Object.keys(position.game.players);
  const parts = [];
  if (mended) parts.push(h("p", { class: "note" }, t("mending", { what: happening(mended) })));
  if (table.scored && !choice.kind && !mended) parts.push(scoring(table.scored));
  if (players.length) {
    parts.push(h("label", { class: "whose" }, h("span", {}, t("whose")),
      h("select", { "data-key": "whose", onchange: (event) => lookAt(event.target.value) }, players.map((name) => option(name, name, player())))));
  }
  parts.push(...(choice.support ? supporting() : choice.kind ? chosen() : six()));
  const last = table.events.at(-1);
  if (last && !choice.kind && !mended) parts.push(h("p", { class: "note", id: "last" }, happening(last)));
  if (!table.kept) parts.push(h("p", { class: "note" }, t("not-kept")));
  return parts;
}

function six() {
  const kinds = [["die", "die", rolls().length], ["ticket", "ticket", of("ticket").length], ["tile", "place-tile", of("tile").length],
    ["winner", "winner", of("winner").length], ["loser", "loser", of("loser").length]];
  const others = plain().filter((name) => ![...MAIN, "reveal"].includes(name.split(" ")[0]));
  return [h("div", { class: "six" },
    kinds.map(([kind, word, some]) => h("button", { class: "large", "data-key": kind, disabled: !some, onclick: () => choose(kind) }, t(word))),
    h("button", { class: "large", "data-key": "more", onclick: () => choose("more") }, t("more"))), state.mending !== null && cancel(), !others.length && ""];
}

const cancel = () => h("button", { class: "wide", "data-key": "cancel", onclick: () => {
  if (!choice.kind) state.mending = null;
  resetChoice();
  draw();
} }, t(choice.kind ? "back" : "cancel"));

function chosen() {
  const { kind } = choice;
  const views = { die: dice, ticket: tickets, tile: tiles, winner: cards, loser: cards, more: others, camera: cameras };
  return [...views[kind](), cancel()];
}

function dice() {
  const roll = rolls().find((each) => each.die === choice.die);
  if (!roll) {
    return [h("h2", {}, t("which-die")), h("div", { class: "dice" }, rolls().map(({ die }) => dieButton(die, look, {
      "data-key": `die-${die}`, "aria-label": colour(die), onclick: () => {
        choice.die = die;
        draw();
      },
    })))];
  }
  return [h("h2", {}, t("shows", { die: colour(roll.die) })),
    h("div", { class: "dice numbers" }, roll.shows.map(({ die, number }) => dieButton({ white: "W", black: "K" }[die] ?? die, look, {
      "data-key": `shows-${die}-${number}`, "aria-label": `${colour({ white: "W", black: "K" }[die] ?? die)} ${number}`, onclick: () => take("reveal", { die, number }),
    }, String(number))))];
}

const rows = (found, face) => h("div", { class: "choices" }, found.map((name) => h("button", { class: "large", "data-key": name, "aria-label": act(name), onclick: () => take(name) }, face(name))));

const tickets = () => [h("h2", {}, t("which-ticket")), rows(of("ticket"), (name) => swatch(name[7], name.slice(7)))];

function tiles() {
  const spaces = [...freeSpaces()].sort((one, other) => one - other);
  return [h("h2", {}, t("which-tile")),
    h("div", { class: "pair" }, [[1, "+1", "plus"], [-1, "−1", "minus"]].map(([side, text, kind]) => h("button", {
      class: `large side ${kind}`, "data-key": `side${side}`, "aria-pressed": String(choice.side === side), "aria-label": t("tile", { side: text }), onclick: () => {
        choice.side = side;
        draw();
      },
    }, text))),
    h("div", { class: "choices narrow" }, spaces.map((space) => h("button", { "data-key": `on-${space}`, "aria-label": act(`tile ${choice.side > 0 ? "+" : "-"}${space}`), onclick: () => chooseSpace(space) }, String(space))))];
}

const cards = () => [h("h2", {}, t("which-colour")),
  rows(of(choice.kind), (name) => (name.endsWith("?") ? t("face-down") : swatch(name.at(-1)))), player() === state.me && h("p", { class: "note" }, t("secret"))];

const cameras = () => [h("h2", {}, t("kind.camera")), rows(of("camera"), (name) => name.split(" ")[1])];

// All that the six buttons have no place for: camera, position tiles, partners, and cards whose colour all saw.
function others() {
  const found = plain().filter((name) => !["reveal", "ticket", "tile", "camera"].includes(name.split(" ")[0]) && !name.endsWith("?"));
  const groups = {};
  for (const name of found) (groups[name.split(" ")[0]] ??= []).push(name);
  return [h("h2", {}, t("which-other")),
    of("camera").length > 0 && h("button", { class: "wide", "data-key": "camera", onclick: () => {
      choice.kind = "camera";
      draw();
    } }, t("kind.camera")),
    Object.entries(groups).map(([kind, each]) => h("section", {}, h("h3", {}, t(`kind.${kind}`)), h("div", { class: "list" },
      each.map((name) => h("button", { class: "wide", "data-key": name, onclick: () => take(name) }, act(name))))))];
}

function supporting() {
  return [h("h2", {}, t("support-step")), h("div", { class: "choices" },
    h("button", { class: "large", "data-key": "no-support", onclick: () => enter(choice.action, choice.roll ?? {}) }, t("none")),
    choice.support.map((name) => h("button", { class: "large", "data-key": name, "aria-label": colour(`${name.at(-1)}+`), onclick: () => enter(name, choice.roll ?? {}) }, swatch(name.at(-1), `${name.at(-1)}+`)))), cancel()];
}

export function itemText(what) {
  const place = /^position (\d) on (\w+)$/.exec(what);
  if (place) return t("position-item", { place: place[1], ticket: place[2] });
  if (what.startsWith("copy of ")) return t("copy-of", { name: what.slice(8) });
  return what === "pyramid" ? t("pyramid") : `${colour(what[0])} ${what.slice(1)}`;
}

// The leg's scoring, thing by thing, to be checked against the coins.
export function scoring(scored) {
  return h("details", { class: "scored", open: true }, h("summary", {}, t("scored")), Object.entries(scored).map(([name, items]) => h("p", {},
    h("strong", {}, `${name} ${signed(items.reduce((sum, item) => sum + item.pays, 0))}`), items.length ? ` = ${items.map((item) => `${itemText(item.what)} ${signed(item.pays)}`).join(", ")}` : "")));
}

const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);
