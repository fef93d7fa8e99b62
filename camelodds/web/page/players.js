// Who holds what, the finish cards, and what was done: any turn of it can be mended.
import { h, option } from "./dom.js";
import { change, draw, goTo, state, swatch, takeSeat } from "./main.js";
import { lookAt } from "./happened.js";
import { colour, happening, t } from "./words.js";

export function drawPlayers() {
  const { game } = state.position;
  return [
    h("ul", { class: "seats" }, Object.entries(game.players).map(([name, player]) => seat(name, player))),
    state.me && h("button", { class: "wide", "data-key": "look-on", onclick: () => takeSeat(null) }, t("look-on")),
    ...decks(), log(),
  ];
}

function seat(name, player) {
  const covers = Object.entries(player.positions ?? {}).map(([place, ticket]) => t("position-item", { place, ticket }));
  const partner = state.position.game.partners.find((pair) => pair.includes(name));
  return h("li", { class: state.position.game.to_move === name ? "seat moves" : "seat" },
    h("strong", {}, name), h("span", { class: "coins" }, `£${player.money}`),
    h("span", { class: "holds" }, player.tickets.map((ticket) => h("span", {}, swatch(ticket[0], ticket), h("span", { class: "hidden" }, `${colour(ticket[0])} ${ticket.slice(1)}`))),
      player.pyramid > 0 && h("span", {}, `△ ${player.pyramid}`), covers.join(", "), partner && t("act.partner", { name: partner.find((each) => each !== name) })),
    h("button", { "data-key": `seat-${name}`, "aria-pressed": String(state.me === name), onclick: () => takeSeat(name) }, state.me === name ? t("mine") : t("seat", { name })));
}

export function decks() {
  return ["winner", "loser"].map((deck) => {
    const cards = state.position.game[`${deck}_cards`];
    return h("section", { class: "deck" }, h("h2", {}, t(`${deck}-cards`)), cards.length ? h("div", { class: "holds" }, cards.map(([name, shown], index) => (shown
      ? h("span", { class: "card" }, swatch(shown), name, h("span", { class: "hidden" }, t("card", { n: index + 1, name, colour: colour(shown) })))
      : turnUp(deck, name, index)))) : h("p", { class: "note" }, t("no-cards")));
  });
}

// A card is turned up in its place: the order of the cards is what they pay by.
function turnUp(deck, name, index) {
  const select = h("select", { "data-key": `${deck}-${index}`, "aria-label": t("turn-up", { n: index + 1, name }), onchange: () => change({ do: "turn", deck, card: index, colour: select.value }) },
    option("", `? ${name}`, ""), [...state.edition.racing].map((letter) => option(letter, `${colour(letter)}, ${name}`, null)));
  return select;
}

function log() {
  const { events } = state.table;
  return h("details", { class: "log" }, h("summary", {}, `${t("log")} (${events.length})`), h("ol", { reversed: true }, events.map((event, at) => h("li", {},
    h("span", {}, happening(event)),
    h("button", { "data-key": `mend-${at}`, "aria-label": `${t("mend")}: ${happening(event)}`, onclick: () => {
      state.mending = at;
      goTo("happened");
      lookAt(event.player);
    } }, t("mend")),
    h("button", { "data-key": `drop-${at}`, "aria-label": `${t("drop")}: ${happening(event)}`, onclick: () => change({ do: "drop", at }).then(draw) }, t("drop")))).reverse()));
}
