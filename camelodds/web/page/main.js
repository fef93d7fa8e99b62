// The page's state and its taps. What the rules say, and what is so, is the server's to say.
import { $, h, refill } from "./dom.js";
import { drawSpaces, makeRing } from "./board.js";
import { drawAdvice } from "./advice.js";
import { drawEnd } from "./end.js";
import { chooseSpace, drawHappened, freeSpaces, resetChoice } from "./happened.js";
import { ask, follow, Refusal } from "./net.js";
import { drawOdds } from "./odds.js";
import { drawPlayers } from "./players.js";
import { beginSetup, drawSetup, setupBoard, setupSpace } from "./setup.js";
import { drawTable } from "./share.js";
import { colour, percent, t } from "./words.js";

const TABS = ["happened", "advice", "odds", "players", "table"];

export const look = await ask("editions");
export const state = {
  edition: null, key: null, table: null, position: null, me: null, tab: "happened", setup: null, mending: null, open: null,
  leg: null, race: null, advice: null, why: "", stale: true, linked: true, locked: false, result: null, draft: "",
};
let ring = null;
let stop = () => {};
let asking = new AbortController();

export const editionOf = (name) => look.editions.find((each) => each.name === name);
export const who = () => state.position?.game.to_move ?? null;

export function say(text, refused = false) {
  $("message").textContent = text;
  $("toast").classList.toggle("refused", refused);
  $("toast").hidden = !text;
  clearTimeout(say.timer);
  if (text) say.timer = setTimeout(() => say(""), refused ? 12_000 : 6_000);
}

export function failed(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Refusal)) {
    console.error(error);
    say(t("wrong"), true);
  } else if (error.status === 0) say(t("no-answer"), true);
  else if (error.status === 409) say(t("quicker"), true);
  else if (error.status === 401) say(t("no-table"), true);
  else say(error.message.split("\n")[0], true);
}

// One change at a time: until its answer is there, or refused, further taps do nothing.
export async function change(doing) {
  if (state.locked || !state.table) return false;
  state.locked = true;
  document.body.classList.add("locked");
  try {
    show(await ask("table/do", { key: state.key, body: { n: state.table.n, ...doing } }));
    return true;
  } catch (error) {
    failed(error);
    if (error.status === 409) show(await ask("table", { key: state.key }));
    return false;
  } finally {
    state.locked = false;
    document.body.classList.remove("locked");
  }
}

// Cards that this phone placed face down, by the event's number: nobody else needs to know.
export const secrets = () => JSON.parse(localStorage.getItem(`cards-${state.key?.slice(0, 8)}`) ?? "{}");

export function keepSecret(at, colourOf) {
  localStorage.setItem(`cards-${state.key.slice(0, 8)}`, JSON.stringify({ ...secrets(), [at]: colourOf }));
}

// The game as this phone knows it, with the colours of its own cards.
export function ownGame() {
  const { game } = state.position;
  const known = secrets();
  const found = { ...game, winner_cards: [...game.winner_cards], loser_cards: [...game.loser_cards] };
  for (const deck of ["winner", "loser"]) {
    const placed = state.table.events.map((event, at) => ({ ...event, at })).filter(({ action }) => action.startsWith(`${deck} `));
    const before = game[`${deck}_cards`].length - placed.length;
    placed.forEach(({ player, at }, index) => {
      const card = before + index;
      if (player === state.me && known[at] && !game[`${deck}_cards`][card][1]) found[`${deck}_cards`][card] = [player, known[at]];
    });
  }
  return found;
}

export function show(table) {
  if (state.table && table.n < state.table.n) return;
  const news = !state.table || table.n !== state.table.n;
  state.table = table;
  state.position = table.position;
  state.setup = null;
  setEdition(table.position.edition);
  if (news) {
    resetChoice();
    state.open = null;
    state.result = null;
    if (state.mending !== null && state.mending >= table.events.length) state.mending = null;
  }
  if (table.position.race_over && news) state.tab = "happened";
  draw();
  if (news) askOdds();
}

function setEdition(name) {
  if (state.edition?.name === name) return;
  state.edition = editionOf(name);
  ring = makeRing($("ring"), state.edition, onSpace);
}

function onSpace(space) {
  if (state.setup) return setupSpace(space);
  if (chooseSpace(space)) return undefined;
  state.open = state.open === space ? null : space;
  return draw();
}

export function draw() {
  const { setup, position } = state;
  if (setup) setEdition(setup.edition);
  const shown = setup ? setupBoard() : {
    stacks: Object.fromEntries(position.stacks.map((each) => [each.space, each.camels])),
    tiles: Object.fromEntries(position.tiles.map((tile) => [tile.space, tile])),
    camera: position.game.photographer?.[1], free: freeSpaces(), picked: state.open,
  };
  drawSpaces(ring, state.edition, look, shown);
  refill(ring.middle, setup ? [] : middle(shown.stacks));
  $("undo").disabled = !state.table?.can_undo || Boolean(setup);
  $("redo").disabled = !state.table?.can_redo || Boolean(setup);
  $("tabs").hidden = Boolean(setup);
  for (const tab of TABS) {
    $(`tab-${tab}`).setAttribute("aria-selected", String(!setup && state.tab === tab));
    $(`tab-${tab}`).tabIndex = state.tab === tab ? 0 : -1;
  }
  $("panel").setAttribute("aria-labelledby", setup ? "title" : `tab-${state.tab}`);
  const views = { happened: position?.race_over ? drawEnd : drawHappened, advice: drawAdvice, odds: drawOdds, players: drawPlayers, table: drawTable };
  document.body.dataset.events = state.table ? String(state.table.events.length) : '';
  refill($("panel"), setup ? drawSetup() : views[state.tab]());
}

function middle(stacks) {
  const { position, open } = state;
  if (open && stacks[open]) {
    return [h("h2", { class: "small" }, t("stack", { n: open })),
      h("ol", { class: "opened" }, [...stacks[open]].reverse().map((letter) => h("li", {}, swatch(letter), colour(letter)))),
      h("button", { "data-key": "close", onclick: () => onSpace(open) }, t("close"))];
  }
  const last = state.table.events.at(-1);
  if (position.race_over) {
    const [first] = position.ranking;
    return [h("p", { class: "big" }, t("race-over", { first: colour(first), last: colour(position.ranking.at(-1)) }))];
  }
  return [h("p", { class: "small" }, `${t("leg", { n: state.table.legs.at(-1) })} · ${t("reveals", { n: position.reveals })}`),
    h("div", { class: "pips", role: "img", "aria-label": position.dice.map(colour).join(", ") }, position.dice.map((sign) => swatch(sign[0], sign))),
    h("p", { class: "big" }, who() ? t("turn", { name: who() }) : ""),
    !last && h("p", { class: "small" }, t("begun"))];
}

export function swatch(letter, text = letter) {
  const { fill, ink } = look.paints[letter];
  const node = h("span", { class: `chip${/[A-Z]/.test(letter) ? " crazy" : ""}`, "aria-hidden": "true" }, text);
  node.style.background = fill;
  node.style.color = ink;
  return node;
}

export async function askOdds() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const { position } = state;
  state.stale = true;
  const { game } = position;
  const body = { game: { ...(game.rules ? { rules: game.rules } : { edition: position.edition }), board: game.board.replaceAll(/@[^ ]+/g, "") } };
  const into = async (name, promise) => {
    try {
      state[name] = await promise;
    } catch (error) {
      if (error.name === "AbortError") return;
      state[name] = null;
      state.why = error.message;
    }
    if (signal.aborted) return;
    if (name === "leg") {
      state.stale = false;
      const [best] = state.leg?.camels ?? [];
      if (best) $("news").textContent = t("new-odds", { camel: colour(best.camel), chance: percent(best.places[0]) });
    }
    if (!state.setup && ["advice", "odds"].includes(state.tab)) draw();
  };
  await into("leg", ask("leg", { body, signal }));
  if (signal.aborted) return;
  into("race", ask("race", { body, signal }));
  const player = state.me ?? who();
  state.advice = null;
  if (player && !position.leg_over) into("advice", ask("actions", { body: { game: ownGame(), player }, signal }));
}

export function goTo(tab) {
  if (tab !== state.tab) history.pushState(null, "", `#t/${state.key}/${tab}`);
  state.tab = tab;
  say("");
  draw();
}

export async function openTable(body) {
  try {
    const { key, table } = await ask("tables", { body });
    state.table = null;
    state.me = null;
    history.pushState(null, "", `#t/${key}`);
    sit(key);
    show(table);
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export function takeSeat(name) {
  state.me = name;
  localStorage.setItem(`seat-${state.key.slice(0, 8)}`, name ?? "");
  askOdds();
  draw();
}

function sit(key) {
  stop();
  state.key = key;
  state.me = localStorage.getItem(`seat-${key.slice(0, 8)}`) || null;
  stop = follow(key, show, (linked) => {
    if (linked === "gone") {
      say(t("no-table"), true);
      if (!state.table && !state.setup) newGame();
    } else if (linked !== state.linked) {
      state.linked = linked;
      say(linked ? "" : t("no-answer"), !linked);
    }
    $("offline").hidden = linked === true;
  });
}

export function newGame(edition = state.edition?.name ?? "second", text = "") {
  beginSetup(edition, text);
  draw();
}

// A link is a table, "#t/KEY/TAB", or a position, "#EDITION/TEXT", with signs that survive in addresses.
async function loadAddress() {
  let hash = location.hash.slice(1);
  let damaged = false;
  try {
    hash = decodeURIComponent(hash);
  } catch {
    damaged = true;
  }
  const [head, ...rest] = hash.split("/");
  if (head === "t" && rest[0]) {
    state.tab = TABS.includes(rest[1]) ? rest[1] : "happened";
    if (rest[0] !== state.key || !state.table) {
      state.table = null;
      state.setup = null;
      sit(rest[0]);
      try {
        show(await ask("table", { key: rest[0] }));
      } catch (error) {
        failed(error);
        if (error.status === 401) newGame();
      }
    } else draw();
    return;
  }
  const text = rest.join("/").replaceAll("~", " | ").replaceAll(".", " ").replaceAll("*", "#").trim();
  const edition = editionOf(head) ? head : "second";
  if (!damaged && text && await openTable({ edition, text: text.includes("|") ? text : `${text} | A | B | C | to_move A` })) return;
  newGame(edition, text);
  if (damaged) say(t("damaged"), true);
  else if (head && !editionOf(head)) say(t("damaged"), true);
}

function listen() {
  for (const tab of TABS) {
    $(`tab-${tab}`).textContent = t(tab);
    $(`tab-${tab}`).addEventListener("click", () => goTo(tab));
    $(`tab-${tab}`).addEventListener("keydown", ({ key }) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!by) return;
      goTo(TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]);
      $(`tab-${state.tab}`).focus();
    });
  }
  for (const [id, word] of [["undo", "undo"], ["redo", "redo"], ["toast-undo", "undo"]]) {
    $(id).setAttribute("aria-label", t(word));
    $(id).addEventListener("click", () => {
      say("");
      change({ do: word });
    });
  }
  $("skip").textContent = t("skip");
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("panel").focus();
  });
  $("board").setAttribute("aria-label", t("board"));
  $("tabs").setAttribute("aria-label", t("views"));
  addEventListener("popstate", () => loadAddress());
  addEventListener("hashchange", () => loadAddress());
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea, select") || !["z", "y"].includes(event.key.toLowerCase())) return;
    event.preventDefault();
    (event.key.toLowerCase() === "y" || event.shiftKey ? $("redo") : $("undo")).click();
  });
}

listen();
await loadAddress();
document.documentElement.dataset.ready = "yes";
