// The state of the page: the position, undo and redo, what a tap does. What the rules say is asked of the server.

import { $, h, option, refill } from "./dom.js";
import { drawMiddle, drawSpaces, makeRing } from "./board.js";
import { drawActions, drawOdds, drawPlayers } from "./panels.js";

const MODES = { reveal: "Reveal", camels: "Camels", tiles: "Tiles", dice: "Dice" };
const MOST_UNDO = 200;

const look = await (await fetch("api/editions")).json();
const state = {
  edition: null, view: null, draft: {}, names: ["you"], mode: "camels", chosen: null, side: 1, owner: "",
  locked: false, leg: null, race: null, actions: null, why: "", all: false, staleLeg: false, staleActions: false, undo: [], redo: [],
};
let ring = null;
let turn = Promise.resolve();
let asking = new AbortController();

class Refusal extends Error {}

async function ask(path, body, signal) {
  let response;
  try {
    response = await fetch(`api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is it still running?");
  }
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error);
  return answer;
}

// Links: the edition, a slash and the text, with signs that survive in addresses.
function linkOf(edition, text) {
  return `#${edition}/${text.replaceAll(" | ", "~").replaceAll(" ", ".").replaceAll("#", "*")}`;
}

function ofLink(hash) {
  let plain = hash;
  let broken = "";
  try {
    plain = decodeURIComponent(hash);
  } catch {
    broken = "The link is damaged: a percent sign in it stands for nothing. Mend the text below, or begin anew.";
  }
  const [, edition, text] = /^#?([^/]*)\/?(.*)$/s.exec(plain);
  return { edition, text: text.replaceAll("~", " | ").replaceAll(".", " ").replaceAll("*", "#").trim(), broken };
}

function stacksText(stacks) {
  const places = { 0: "back", [state.edition.track + 1]: "finish" };
  return Object.entries(stacks).filter(([, camels]) => camels).map(([space, camels]) => `${places[space] ?? space}:${camels}`).join(" ");
}

function boardText({ stacks, tiles, dice, full }) {
  const signs = tiles.map((tile) => `${tile.side > 0 ? "+" : "-"}${tile.space}${tile.owner ? `@${tile.owner}` : ""}`);
  return [stacksText(stacks), ...signs, ...(full ? [] : ["/", ...(dice.length ? dice : ["-"])])].join(" ");
}

// The parts of the board as it is shown, to be changed and written again.
function parts() {
  const { stacks, tiles, dice, full } = state.view;
  return { stacks: Object.fromEntries(stacks.map((each) => [each.space, each.camels])), tiles, dice, full };
}

// The stacks of a text in which camels are still missing, or null.
function draftOf(text, edition) {
  const tokens = text.split(/[\s,]+/).filter(Boolean).map((token) => /^([0-9]{1,2}):([A-Za-z]+)$/.exec(token));
  if (tokens.includes(null)) return null;
  const letters = tokens.flatMap(([, , camels]) => [...camels]);
  const camels = edition.racing + edition.crazy;
  const fine = letters.every((letter) => camels.includes(letter)) && new Set(letters).size === letters.length
    && letters.length < camels.length && tokens.every(([, space]) => space >= 1 && space <= edition.track);
  return fine ? Object.fromEntries(tokens.map(([, space, stack]) => [Number(space), stack])) : null;
}

function hint() {
  if (!state.view) return "";
  if (state.view.race_over || state.view.leg_over) return "";
  const mover = state.view.game.to_move;
  return { reveal: `${mover ? `To move: ${mover}. ` : ""}Tap the die that came out.`, camels: "Tap a camel, then its space: it goes on top.", tiles: "", dice: "Which dice are still in the pyramid?" }[state.mode];
}

// Without a text, what a tap does.
function say(text, refused = false) {
  // What follows the first line of a refusal points into the text with a caret.
  $("message").textContent = text.split("\n")[0] || hint();
  $("message").classList.toggle("refused", refused);
}

// What is done once is done once: until the next position is drawn, or refused, a second tap does nothing.
function once(work) {
  if (state.locked) return undefined;
  state.locked = true;
  return change(work).finally(() => {
    state.locked = false;
    drawActions(state, look, taps);
  });
}

// Changes follow each other, however fast the taps come.
function change(work) {
  turn = turn.then(work).catch((error) => {
    if (!(error instanceof Refusal)) console.error(error);
    say(error instanceof Refusal ? error.message : "Something went wrong on this page.", true);
  });
  return turn;
}

function remember() {
  state.undo.push({ edition: state.edition, view: state.view, draft: state.draft });
  if (state.undo.length > MOST_UNDO) state.undo.shift();
  state.redo = [];
}

function setEdition(edition) {
  if (state.edition === edition) return;
  state.edition = edition;
  ring = makeRing($("ring"), edition, onSpace);
  $("edition").value = edition.name;
}

function show({ edition, view, draft }) {
  setEdition(edition);
  state.view = view;
  state.draft = draft;
  state.chosen = null;
  if (!view) {
    state.mode = "camels";
    state.chosen = nextCamel();
  } else {
    const names = Object.keys(view.game.players);
    if (names.length) state.names = names;
    if (!names.includes(state.owner)) state.owner = view.game.to_move ?? names[0] ?? "";
  }
  const text = view ? view.text : stacksText(draft);
  history.replaceState(null, "", linkOf(edition.name, text));
  $("text").value = text;
  draw();
  askOdds();
}

function draw() {
  drawSpaces(ring, state, look);
  drawMiddle(ring, state, look, taps);
  refill($("modes"), Object.entries(MODES).map(([mode, name]) => h("button", {
    "data-key": mode, "aria-pressed": String(state.mode === mode), disabled: !state.view && mode !== "camels", onclick: () => setMode(mode),
  }, name)));
  $("undo").disabled = !state.undo.length;
  $("redo").disabled = !state.redo.length;
  drawPlayers(state, look, taps);
  drawOdds(state, look);
  drawActions(state, look, taps);
}

function setMode(mode) {
  state.mode = mode;
  state.chosen = null;
  if (mode === "tiles") state.owner = state.view.game.to_move ?? state.owner;
  say("");
  draw();
}

function nextCamel() {
  const placed = Object.values(state.draft).join("");
  return [...state.edition.racing, ...state.edition.crazy].find((letter) => !placed.includes(letter)) ?? null;
}

function update(answer) {
  remember();
  show({ edition: look.editions.find((each) => each.name === answer.edition), view: answer, draft: null });
  say(answer.said);
}

// The position with other parts of the game or the board: make gives them, for the game and board of its turn.
const edit = (make) => change(async () => {
  const { game } = state.view;
  const board = parts();
  const changes = make(game, board);
  if (changes) update(await ask("position", { game: { ...game, ...changes.game, board: boardText({ ...board, ...changes.board }) } }));
});

async function askOdds() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const { view } = state;
  if (!view) {
    Object.assign(state, { locked: false, leg: null, race: null, actions: null, why: "Place the camels: tap a space for each one.", staleLeg: false, staleActions: false });
    drawOdds(state, look);
    drawActions(state, look, taps);
    return;
  }
  state.staleLeg = state.staleActions = true;
  $("odds").classList.add("stale");
  $("actions").classList.add("stale");
  // Whose the tiles are does not matter to the odds.
  const bare = view.game.board.replaceAll(/@[^\s,/|:=@?+#]+/g, "");
  const board = { game: { ...(view.game.rules ? { rules: view.game.rules } : { edition: view.edition }), board: bare } };
  const wanted = { leg: ask("leg", board, signal) };
  const names = Object.keys(view.game.players);
  const because = view.leg_over ? view.stands : !names.length ? "Add a player to see what to do." : null;
  const arrived = async (name, promise, draws) => {
    try {
      state[name] = await promise;
    } catch (error) {
      if (error.name === "AbortError") return;
      state[name] = null;
      if (name === "actions") state.why = error.message;
      else say(error.message, true);
    }
    if (!signal.aborted) draws();
  };
  arrived("leg", wanted.leg, () => { state.staleLeg = false; drawOdds(state, look); });
  wanted.leg.catch(() => {}).then(() => {
    if (signal.aborted) return;
    arrived("race", ask("race", board, signal), () => drawOdds(state, look));
    if (because) {
      Object.assign(state, { actions: null, why: because, staleActions: false });
      drawActions(state, look, taps);
    } else {
      arrived("actions", ask("actions", { game: view.game, player: view.game.to_move ?? names[0] }, signal), () => { state.staleActions = false; drawActions(state, look, taps); });
    }
  });
}

// Where a camel goes: on top of the space, off the one where it was.
function onSpace(space) {
  if (state.mode === "camels") return placeCamel(space);
  if (state.mode === "tiles") return placeTile(space);
  return say(`${ring.buttons[space - 1].getAttribute("aria-label")}.`);
}

function placeCamel(space) {
  const camel = state.chosen;
  if (camel) {
    return arrange((stacks) => {
      for (const each of Object.keys(stacks)) stacks[each] = stacks[each].replace(camel, "");
      stacks[space] = (stacks[space] ?? "") + camel;
    });
  }
  const stacks = state.view ? parts().stacks : state.draft;
  return taps.choose(stacks[space]?.at(-1) ?? null);
}

// The stacks rearranged, all camels placed or not.
function arrange(rearrange) {
  if (state.view) return edit((_, { stacks }) => (rearrange(stacks), { board: { stacks } }));
  // Taps may come faster than a drawing: the next one places the next camel.
  const stacks = { ...state.draft };
  rearrange(stacks);
  const kept = Object.fromEntries(Object.entries(stacks).filter(([, camels]) => camels));
  if (Object.values(kept).join("").length === (state.edition.racing + state.edition.crazy).length) {
    return change(() => begin(stacksText(kept)));
  }
  remember();
  show({ edition: state.edition, view: null, draft: kept });
  return say(`Now ${look.paints[state.chosen].name}: tap its space. It goes on top.`);
}

async function begin(board) {
  const { name, money } = state.edition;
  const players = state.names.map((each) => `| ${each} money=${money}`).join(" ");
  const answer = await ask("position", { edition: name, text: `${board} ${players} | to_move ${state.names[0]}` });
  state.mode = "reveal";
  update(answer);
}

function placeTile(space) {
  const { side, owner } = state;
  return edit((_, { tiles }) => {
    const others = tiles.filter((tile) => tile.space !== space);
    if (others.length < tiles.length) return { board: { tiles: others } };
    const moved = others.filter((tile) => !owner || tile.owner !== owner);
    return { board: { tiles: [...moved, { space, side, owner: owner || null }] } };
  });
}

function swap(from, to) {
  const last = from.pop();
  if (!last) return;
  to.push({ edition: state.edition, view: state.view, draft: state.draft });
  if (!last.view) state.mode = "camels";
  show(last);
  say("");
}

function renamed(game, old, name) {
  const now = (each) => (each === old ? name : each);
  return {
    players: Object.fromEntries(Object.entries(game.players).map(([each, player]) => [now(each), player])),
    winner_cards: game.winner_cards.map(([who, colour]) => [now(who), colour]),
    loser_cards: game.loser_cards.map(([who, colour]) => [now(who), colour]),
    partners: game.partners.map((pair) => pair.map(now)),
    photographer: game.photographer && [now(game.photographer[0]), game.photographer[1]],
    to_move: now(game.to_move),
  };
}

const taps = {
  choose(sign) {
    state.chosen = sign;
    draw();
  },
  roll: (die, number) => once(async () => {
    update(await ask("roll", { game: state.view.game, die, number }));
  }),
  nextLeg: () => once(async () => update(await ask("next-leg", { game: state.view.game }))),
  act: (action) => once(async () => update(await ask("act", { game: state.view.game, action }))),
  example() {
    const { racing, crazy, track } = state.edition;
    arrange((stacks) => {
      Object.assign(stacks, { 1: racing.slice(0, 2), 2: racing[2], 3: racing.slice(3) });
      if (crazy) Object.assign(stacks, { [track - 2]: crazy[1], [track - 1]: crazy[0] });
    });
  },
  async shift(by) {
    const camel = state.chosen;
    await arrange((stacks) => {
      const space = Object.keys(stacks).find((each) => stacks[each].includes(camel));
      const letters = [...stacks[space]];
      const level = letters.indexOf(camel);
      const to = Math.min(Math.max(level + by, 0), letters.length - 1);
      [letters[level], letters[to]] = [letters[to], letters[level]];
      stacks[space] = letters.join("");
    });
    taps.choose(camel);
  },
  side(side) {
    state.side = side;
    draw();
  },
  owner(owner) {
    state.owner = owner;
    draw();
  },
  sort: (sign) => edit((_, { dice }) => ({
    board: { full: false, dice: dice.includes(sign) ? dice.filter((each) => each !== sign) : [...dice, sign] },
  })),
  allIn: () => edit(() => ({ board: { full: true } })),
  toDice() {
    setMode("reveal");
    $("ring").scrollIntoView({ block: "nearest" });
    document.querySelector("#middle button:not(:disabled)")?.focus({ preventScroll: true });
  },
  player: (name, make) => edit(({ players }) => ({ game: { players: { ...players, [name]: { ...players[name], ...make(players[name]) } } } })),
  game: (make) => edit((game) => ({ game: make(game) })),
  async rename(old, name) {
    if (name === old) return;
    await edit((game, { tiles }) => {
      if (name in game.players) throw new Refusal(`There is a player ${name} already.`);
      return { game: renamed(game, old, name), board: { tiles: tiles.map((tile) => (tile.owner === old ? { ...tile, owner: name } : tile)) } };
    });
    drawPlayers(state, look, taps);
  },
  leave: (name) => edit((game, { tiles }) => {
    const { [name]: gone, ...players } = game.players;
    const names = Object.keys(game.players);
    const next = names[(names.indexOf(name) + 1) % names.length];
    const stays = ([who]) => who !== name;
    return {
      game: {
        players,
        winner_cards: game.winner_cards.filter(stays),
        loser_cards: game.loser_cards.filter(stays),
        partners: game.partners.filter((pair) => !pair.includes(name)),
        photographer: game.photographer?.[0] === name ? null : game.photographer,
        to_move: game.to_move !== name ? game.to_move : next === name ? null : next,
      },
      board: { tiles: tiles.map((tile) => (tile.owner === name ? { ...tile, owner: null } : tile)) },
    };
  }),
};

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers keep the clipboard from pages without https, such as this one on a phone.
    const field = h("textarea", { value: text, class: "hidden" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  say(`${what} copied.`);
}

const load = (edition, text) => change(async () => {
  const known = look.editions.find((each) => each.name === (edition || "second"));
  if (!known) throw new Refusal(`No edition is called ${edition}.`);
  const draft = draftOf(text, known);
  if (draft) {
    if (state.edition) remember();
    show({ edition: known, view: null, draft });
    say(`Tap the space of ${look.paints[state.chosen].name}. Camels go on top of those already there.`);
    return;
  }
  const answer = await ask("position", { edition: known.name, text });
  state.mode = "reveal";
  if (state.edition) update(answer);
  else show({ edition: known, view: answer, draft: null });
  say("");
});

function listen() {
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("actions").scrollIntoView();
    ($("rows").querySelector("button") ?? $("whose")).focus();
  });
  refill($("edition"), look.editions.map(({ name, title, official }) => option(name, official ? title : `${title} (unofficial)`, "second")));
  $("edition").addEventListener("change", (event) => load(event.target.value, ""));
  $("undo").addEventListener("click", () => change(async () => swap(state.undo, state.redo)));
  $("redo").addEventListener("click", () => change(async () => swap(state.redo, state.undo)));
  $("whose").addEventListener("change", (event) => edit(() => ({ game: { to_move: event.target.value } })));
  $("more").addEventListener("click", () => {
    state.all = !state.all;
    drawActions(state, look, taps);
  });
  $("newcomer").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = $("name").value.trim();
    if (!name) return;
    if (!state.view) {
      say("Place the camels first.", true);
      return;
    }
    edit(({ players, to_move: first }) => {
      if (name in players) throw new Refusal(`There is a player ${name} already.`);
      $("name").value = "";
      return { game: { players: { ...players, [name]: { money: state.edition.money } }, to_move: first ?? name } };
    });
  });
  $("use").addEventListener("click", () => load(state.edition.name, $("text").value.trim()));
  $("copy-text").addEventListener("click", () => copy(state.view ? state.view.text : stacksText(state.draft), "Text"));
  $("copy-link").addEventListener("click", () => copy(location.href, "Link"));
  $("anew").addEventListener("click", () => load(state.edition.name, ""));
  addEventListener("hashchange", () => loadAddress());
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (!(event.ctrlKey || event.metaKey) || typing || !["z", "y"].includes(event.key.toLowerCase())) return;
    event.preventDefault();
    (event.key.toLowerCase() === "y" || event.shiftKey ? $("redo") : $("undo")).click();
  });
}

async function loadAddress() {
  const { edition, text, broken } = ofLink(location.hash);
  if (broken) say(broken, true);
  else await load(edition, text);
  // A wrong link leaves a page that can be used, says what is wrong with it, and keeps the text to be mended.
  if (!state.edition) {
    const said = $("message").textContent;
    await load(look.editions.some((each) => each.name === edition) ? edition : "second", "");
    $("text").value = text;
    say(said, true);
  }
}

listen();
await loadAddress();
document.documentElement.dataset.ready = "yes";
