// Setting up a game, at its start or in its middle, in few taps. Names are kept on this phone.
import { h, option } from "./dom.js";
import { dieButton } from "./board.js";
import { change, draw, editionOf, look, openTable, state, swatch } from "./main.js";
import { colour, t } from "./words.js";

const kept = () => JSON.parse(localStorage.getItem("names") ?? "null") ?? ["Ana", "Ben", "Cem"];

export function beginSetup(edition, text = "") {
  const names = kept().slice(0, editionOf(edition).most_players);
  state.setup = { edition, names, stacks: {}, text, holder: names[0], mover: names[0], dice: [], held: blank(names, edition), placed: false, old: state.table };
}

const blank = (names, edition) => Object.fromEntries(names.map((name) => [name, { money: editionOf(edition).money, tickets: [], pyramid: 0 }]));

// The position that stands, to be changed: coins, tickets and dice as they are.
export function editSetup() {
  const { game, stacks, dice, edition } = state.position;
  const names = Object.keys(game.players);
  const inside = new Set(dice);
  state.setup = {
    edition, names, stacks: Object.fromEntries(stacks.map((each) => [each.space, each.camels])), text: "", holder: game.to_move ?? names[0], mover: game.to_move ?? names[0],
    dice: state.edition.dice.filter((sign) => !inside.has(sign) && !sign.endsWith("+")),
    held: Object.fromEntries(names.map((name) => [name, structuredClone(game.players[name])])), placed: true, old: state.table, game,
  };
  draw();
}

const order = () => [...editionOf(state.setup.edition).racing, ...editionOf(state.setup.edition).crazy];
const placed = () => Object.values(state.setup.stacks).join("");
const next = () => state.setup.picked ?? order().find((letter) => !placed().includes(letter)) ?? null;

export const setupBoard = () => ({ stacks: state.setup.stacks, tiles: {}, camera: null, free: null, picked: null });

export function setupSpace(space) {
  const { setup } = state;
  const camel = next();
  if (!camel) return;
  for (const each of Object.keys(setup.stacks)) {
    setup.stacks[each] = setup.stacks[each].replace(camel, "");
    if (!setup.stacks[each]) delete setup.stacks[each];
  }
  setup.stacks[space] = (setup.stacks[space] ?? "") + camel;
  setup.picked = null;
  setup.placed = !next();
  draw();
}

export function drawSetup() {
  const { setup } = state;
  const edition = editionOf(setup.edition);
  return [h("h1", { class: "hidden", id: "title" }, t("set-up")), setup.old && h("button", { class: "wide", "data-key": "cancel", onclick: () => {
    state.setup = null;
    draw();
  } }, t("cancel")), ...(setup.placed ? holding(setup, edition) : placing(setup, edition))];
}

function placing(setup, edition) {
  const camel = next();
  const crazy = edition.crazy.includes(camel);
  const spaces = crazy ? [1, 2, 3].map((number) => edition.track + 1 - number) : [1, 2, 3];
  return [
    h("p", { id: "ask" }, t("place", { camel: colour(camel) })),
    h("div", { class: "dice" }, spaces.map((space, index) => dieButton(camel, look, { "data-key": `rolled-${index + 1}`, "aria-label": `${colour(camel)} ${index + 1}`, onclick: () => setupSpace(space) }, String(index + 1)))),
    h("div", { class: "dice tight" }, order().map((letter) => dieButton(letter, look, {
      class: placed().includes(letter) ? "out" : "", "data-key": `pick-${letter}`, "aria-pressed": String(letter === camel), "aria-label": colour(letter), onclick: () => {
        setup.picked = letter;
        draw();
      },
    }))),
    !placed() && h("button", { class: "wide", "data-key": "example", onclick: () => {
      const { racing, crazy: mad, track } = edition;
      setup.stacks = { 1: racing.slice(0, 2), 2: racing[2], 3: racing.slice(3), ...(mad && { [track - 2]: mad[1], [track - 1]: mad[0] }) };
      setup.placed = true;
      draw();
    } }, t("example")),
    h("label", { class: "whose" }, h("span", {}, t("edition")), h("select", { id: "edition", "data-key": "edition", onchange: (event) => {
      beginSetup(event.target.value);
      draw();
    } }, look.editions.map(({ name, title, official }) => option(name, official ? title : t("unofficial", { title }), setup.edition)))),
    nameField(setup),
    h("label", { class: "stacked" }, t("as-text"), h("textarea", { id: "text", rows: 2, value: setup.text, spellcheck: "false", autocapitalize: "off", oninput: (event) => { setup.text = event.target.value; } })),
    h("button", { class: "wide", "data-key": "use", onclick: () => openTable({ edition: setup.edition, text: setup.text.trim() }) }, t("use-text")),
    fileField(),
  ];
}

function fileField() {
  const file = h("input", { type: "file", id: "file", class: "hidden", tabindex: "-1", "aria-label": t("open-file"), onchange: async () => openTable({ lines: await file.files[0].text() }) });
  return [file, h("button", { class: "wide", "data-key": "open", onclick: () => file.click() }, t("open-file"))];
}

function nameField(setup) {
  return h("label", { class: "stacked" }, t("who-plays"), h("input", { id: "names", "data-key": "names", value: setup.names.join(" "), title: t("names-hint"), autocomplete: "off", spellcheck: "false", onchange: (event) => {
    const names = [...new Set(event.target.value.split(/[\s,]+/).filter(Boolean))];
    if (!names.length) return;
    localStorage.setItem("names", JSON.stringify(names));
    const held = blank(names, setup.edition);
    for (const name of names) if (setup.held[name]) held[name] = setup.held[name];
    Object.assign(setup, { names, held, holder: names[0], mover: names[0] });
    draw();
  } }));
}

// Who holds what: a name, then what is theirs. A die that is out brings its pyramid ticket.
function holding(setup, edition) {
  const mine = setup.held[setup.holder];
  const out = Object.values(setup.held).flatMap((each) => each.tickets);
  const top = (letter) => {
    const left = [...edition.tickets];
    for (const ticket of out) if (ticket[0] === letter) left.splice(left.indexOf(Number(ticket.slice(1))), 1);
    return left[0];
  };
  const dice = edition.dice.filter((sign) => !sign.endsWith("+"));
  const redraw = (work) => () => {
    work();
    draw();
  };
  return [
    h("button", { class: "wide main", "data-key": "start", onclick: start }, t("start")),
    h("div", { class: "filter", role: "group", "aria-label": t("holder") }, setup.names.map((name) => h("button", { "data-key": `holder-${name}`, "aria-pressed": String(name === setup.holder), onclick: redraw(() => { setup.holder = name; }) }, name))),
    h("h2", {}, t("dice-out")),
    h("div", { class: "dice tight" }, dice.map((sign) => dieButton(sign, look, { class: setup.dice.includes(sign) ? "out" : "", "data-key": `out-${sign}`, "aria-pressed": String(setup.dice.includes(sign)), "aria-label": colour(sign), onclick: redraw(() => {
      if (setup.dice.includes(sign)) {
        setup.dice = setup.dice.filter((each) => each !== sign);
        const holder = [setup.holder, ...setup.names].find((name) => setup.held[name].pyramid > 0);
        if (holder) setup.held[holder].pyramid -= 1;
      } else {
        setup.dice.push(sign);
        mine.pyramid += 1;
      }
    }) }))),
    h("h2", {}, t("tickets-out")),
    h("div", { class: "choices" }, [...edition.racing].filter(top).map((letter) => h("button", { class: "large", "data-key": `held-${letter}`, "aria-label": `${colour(letter)} ${top(letter)}`, onclick: redraw(() => mine.tickets.push(letter + top(letter))) }, swatch(letter, letter + top(letter))))),
    h("ul", { class: "seats" }, setup.names.map((name) => h("li", { class: "seat" }, h("strong", {}, name), stepper(t("money-of", { name }), setup.held[name], "money"),
      h("span", { class: "holds" }, setup.held[name].tickets.map((ticket, index) => h("button", { "data-key": `give-${name}-${index}`, "aria-label": `${name}, ${colour(ticket[0])} ${ticket.slice(1)}: ${t("drop")}`, onclick: redraw(() => setup.held[name].tickets.splice(index, 1)) }, swatch(ticket[0], ticket))),
        setup.held[name].pyramid > 0 && `△ ${setup.held[name].pyramid}`)))),
    h("label", { class: "whose" }, h("span", {}, t("begin-with")), h("select", { "data-key": "mover", onchange: (event) => { setup.mover = event.target.value; } }, setup.names.map((name) => option(name, name, setup.mover)))),
    nameField(setup),
  ];
}

function stepper(label, held, field) {
  const by = (step) => () => {
    held[field] = Math.max(0, held[field] + step);
    draw();
  };
  return h("span", { class: "stepper", role: "group", "aria-label": label }, h("button", { "data-key": `${label}-less`, "aria-label": t("less", { what: label }), onclick: by(-1) }, "−"),
    h("span", { class: "count" }, `£${held[field]}`), h("button", { "data-key": `${label}-more`, "aria-label": t("plus", { what: label }), onclick: by(1) }, "+"));
}

async function start() {
  const { setup } = state;
  const edition = editionOf(setup.edition);
  localStorage.setItem("names", JSON.stringify(setup.names));
  const stacks = Object.entries(setup.stacks).map(([space, camels]) => `${space}:${camels}`).join(" ");
  const tiles = (setup.game ? state.position.tiles : []).map((tile) => `${tile.side > 0 ? "+" : "-"}${tile.space}${tile.owner ? `@${tile.owner}` : ""}`).join(" ");
  const support = setup.game ? state.position.dice.filter((sign) => sign.endsWith("+")) : [];
  const inside = [...edition.dice.filter((sign) => !sign.endsWith("+") && !setup.dice.includes(sign)), ...support];
  const board = [stacks, tiles, ...(setup.dice.length ? ["/", ...(inside.length ? inside : ["-"])] : [])].filter(Boolean).join(" ");
  const game = { ...(setup.game ?? { edition: setup.edition }), board, players: setup.held, to_move: setup.mover };
  if (!setup.game) {
    await openTable({ game });
    return;
  }
  state.setup = null;
  if (!await change({ do: "start", game })) {
    state.setup = setup;
    draw();
  }
}
