// What is read and entered beside the board: actions, odds, players, finish cards.

import { $, h, refill, chip, option } from "./dom.js";

const FEW = 5;

// What is chosen for the next finish card outlives the drawing of an answer that comes in between.
const picks = { winner: { who: null, what: "" }, loser: { who: null, what: "" } };

// No more digits than are known, and no minus before a nought.
export function pounds(value, error = 0) {
  const digits = Math.abs(value).toFixed(error >= 0.095 ? 1 : 2);
  return Number(digits) === 0 ? digits : `${value < 0 ? "−" : "+"}${digits}`;
}

// An error with two digits of it, however small.
export function giveOrTake(error) {
  return error === 0 ? "0" : String(Number(error.toPrecision(2)));
}

function percent(value) {
  if (value === undefined) return "·";
  if (value > 0 && value < 0.005) return "<1";
  if (value < 1 && value > 0.995) return ">99";
  return String(Math.round(100 * value));
}

function cell(value, colour) {
  const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span"));
  bar.firstChild.style.width = `${100 * (value ?? 0)}%`;
  bar.firstChild.style.background = colour;
  return h("td", {}, h("span", { class: "share" }, percent(value), value === undefined ? "" : h("small", {}, "%")), bar);
}

export function drawOdds(state, look) {
  const { leg, race, edition } = state;
  const order = leg ? leg.camels : [...edition.racing].map((camel) => ({ camel, places: [] }));
  const races = Object.fromEntries((race?.camels ?? []).map((row) => [row.camel, row]));
  refill($("chances"), order.map(({ camel, places }) => {
    const { fill, name } = look.paints[camel];
    return h("tr", {}, h("th", { scope: "row" }, chip(camel, look.paints), h("span", { class: "name" }, name)),
      cell(places[0], fill), cell(places[1], fill), cell(places.at(-1), fill),
      cell(races[camel]?.wins, fill), cell(races[camel]?.loses, fill));
  }));
  const ends = leg && state.view && !state.view.race_over ? `The race ends in this leg: ${percent(leg.race_ends)} %. ` : "";
  const how = !race ? "" : race.method === "table" ? `Legs to come: ${race.legs.toFixed(1)}.`
    : `Legs to come: ${race.legs.toFixed(1)}. The race is simulated: its chances are right to ± ${giveOrTake(100 * race.error)} points of percent. ${race.note}`;
  $("method").textContent = ends + how;
  $("odds").classList.toggle("stale", state.staleLeg);
  if (leg && !state.staleLeg) {
    const [first] = leg.camels;
    $("news").textContent = `New odds: ${look.paints[first.camel].name} first with ${percent(first.places[0])} percent.`;
  }
}

function camelOf(row) {
  const words = row.action.split(" ");
  return ["ticket", "winner", "loser"].includes(words[0]) ? words[1][0] : null;
}

export function drawActions(state, look, on) {
  const all = state.actions?.actions ?? [];
  const idle = all.filter((row) => row.kind === "tile" && row.p_gain === 0 && Math.abs(row.ev) < 0.005);
  const rows = all.filter((row) => !idle.includes(row));
  const shown = state.all ? rows : rows.slice(0, FEW);
  $("actions").classList.toggle("stale", state.staleActions);
  if (!rows.length) {
    refill($("rows"), h("li", { class: "none" }, state.why ?? ""));
  } else {
    refill($("rows"), shown.map((row, index) => {
      const camel = camelOf(row);
      const reveal = row.kind === "reveal";
      return h("li", { class: index ? "" : "best", "data-action": row.action, "data-ev": row.ev },
        h("span", { class: `ev ${row.ev > 0 ? "gain" : "loss"}` }, h("span", { class: "hidden" }, "worth "), pounds(row.ev, row.simulated ? row.error : 0), row.simulated && h("small", { class: "error" }, `±${giveOrTake(row.error)}`)),
        h("strong", {}, camel && chip(camel, look.paints), row.label),
        h("p", {}, row.why),
        row.kind !== "support" && h("button", {
          "data-key": `do-${row.action}`, "aria-label": reveal ? "Reveal a die: to the dice" : `${row.label}: do it`, disabled: state.locked,
          onclick: () => (reveal ? on.toDice() : on.act(row.action)),
        }, reveal ? "Dice" : "Do it"));
    }));
  }
  if (idle.length && state.all) $("rows").append(h("li", { class: "none" }, `${idle.length} tiles on which nothing lands: 0.00.`));
  const simulated = all.some((row) => row.simulated);
  $("simulated").textContent = [state.actions?.note, simulated && "Rows with ± are simulated, one standard error; exact once `camelodds race-table build` has made the table."].filter(Boolean).join(" ");
  $("more").hidden = rows.length <= FEW;
  $("more").textContent = state.all ? "Show the best only" : `Show all ${rows.length}`;
}

function stepper(label, value, change, key) {
  return h("span", { class: "stepper", role: "group", "aria-label": `${label}: ${value}` },
    h("button", { "data-key": `${key}-less`, "aria-label": `${label}: one less`, disabled: value <= 0, onclick: () => change(-1) }, "−"),
    h("span", { class: "count" }, label.endsWith("money") ? `£${value}` : String(value)),
    h("button", { "data-key": `${key}-more`, "aria-label": `${label}: one more`, onclick: () => change(1) }, "+"));
}

export function drawPlayers(state, look, on) {
  const { view } = state;
  const players = Object.entries(view?.game.players ?? {});
  refill($("whose"), players.map(([name]) => option(name, name, view.game.to_move)));
  $("whose").disabled = !players.length;
  refill($("seats"), players.map(([name, player]) => seat(name, player, state, look, on)));
  refill($("decks"), view && players.length ? ["winner", "loser"].map((deck) => deckOf(deck, state, look, on)) : []);
}

function seat(name, player, { view }, look, on) {
  const tickets = Object.entries(view.tickets).flatMap(([colour, values]) => [...new Set(values)].map((value) => colour + value));
  const spoken = (ticket) => `${look.paints[ticket[0]].name} ${ticket.slice(1)}`;
  return h("fieldset", { class: view.game.to_move === name ? "seat moves" : "seat" },
    h("legend", { class: "hidden" }, name),
    h("input", { class: "who", value: name, "aria-label": `Name of ${name}`, "data-key": `name-${name}`, maxlength: 20, spellcheck: "false", autocomplete: "off", onchange: (event) => on.rename(name, event.target.value.trim()) }),
    stepper(`${name}'s money`, player.money, (by) => on.player(name, ({ money }) => ({ money: money + by })), `money-${name}`),
    h("button", { class: "icon", "data-key": `gone-${name}`, "aria-label": `Remove ${name}`, title: "Remove", onclick: () => on.leave(name) }, "×"),
    h("div", { class: "holds" },
      player.tickets.map((ticket, index) => h("button", {
        class: "ticket", "data-key": `ticket-${name}-${index}`, "aria-label": `${name}'s ${spoken(ticket)}: give back`,
        onclick: () => on.player(name, ({ tickets }) => ({ tickets: without(tickets, index) })),
      }, chip(ticket, look.paints))),
      h("select", { "aria-label": `A ticket for ${name}`, "data-key": `take-${name}`, onchange: ({ target: { value } }) => on.player(name, (holds) => ({ tickets: [...holds.tickets, value] })) },
        option("", "+ ticket", ""), tickets.map((ticket) => option(ticket, spoken(ticket), ""))),
      h("span", { class: "pyramids" }, h("span", { class: "mark", "aria-hidden": "true" }, "△"),
        stepper(`${name}'s pyramid tickets`, player.pyramid, (by) => on.player(name, ({ pyramid }) => ({ pyramid: pyramid + by })), `pyramid-${name}`))));
}

const without = (list, index) => list.filter((_, at) => at !== index);

function deckOf(deck, { view, edition }, look, on) {
  const field = `${deck}_cards`;
  const cards = view.game[field];
  const names = Object.keys(view.game.players);
  const said = (colour) => (colour ? look.paints[colour].name : "face down");
  const pick = picks[deck];
  if (!names.includes(pick.who)) pick.who = view.game.to_move ?? names[0];
  const who = h("select", { "aria-label": `Who placed a ${deck} card`, "data-key": `${deck}-who`, onchange: () => { pick.who = who.value; } },
    names.map((name) => option(name, name, pick.who)));
  const what = h("select", { "aria-label": `Colour of the ${deck} card`, "data-key": `${deck}-what`, onchange: () => { pick.what = what.value; } },
    option("", "face down", pick.what), [...edition.racing].map((colour) => option(colour, said(colour), pick.what)));
  return h("div", { class: "deck", role: "group", "aria-label": `${deck} cards` },
    h("h3", {}, deck === "winner" ? "Bets on the winner" : "Bets on the loser"),
    h("div", { class: "holds" }, cards.map(([name, colour], index) => (colour ? null : turnUp(deck, name, index, look, edition, on)) ?? h("button", {
      class: "ticket", "data-key": `${deck}-${index}`, "aria-label": `${deck} card ${index + 1}, ${name}, ${said(colour)}: take back`,
      onclick: () => on.game((game) => ({ [field]: without(game[field], index) })),
    }, colour ? chip(colour, look.paints) : h("span", { class: "chip down", "aria-hidden": "true" }, "?"), name)),
    who, what,
    h("button", { "data-key": `${deck}-add`, "aria-label": `Add to the ${deck} cards`, onclick: () => on.game((game) => ({ [field]: [...game[field], [pick.who, pick.what || null]] })) }, "Add")));
}

// A card that lies face down is turned up in its place: the order of the cards is what they pay by.
function turnUp(deck, name, index, look, edition, on) {
  const field = `${deck}_cards`;
  const card = h("select", {
    class: "ticket", "data-key": `${deck}-${index}`, "aria-label": `${deck} card ${index + 1}, ${name}, face down: turn it up`,
    onchange: () => on.game((game) => ({
      [field]: card.value === "back" ? without(game[field], index) : game[field].map((each, at) => (at === index ? [name, card.value] : each)),
    })),
  }, option("", `? ${name}`, ""), [...edition.racing].map((colour) => option(colour, `${look.paints[colour].name}, ${name}`, "")), option("back", "take back", ""));
  return card;
}
