// The end: who has won, luck and skill as a picture, the course of the chances, the game to take home.
import { h, s } from "./dom.js";
import { draw, failed, look, state } from "./main.js";
import { ask } from "./net.js";
import { decks } from "./players.js";
import { scoring } from "./happened.js";
import { takeHome } from "./share.js";
import { colour, percent, pounds, t } from "./words.js";

export function drawEnd() {
  const { final } = state.position;
  const parts = [h("h2", {}, t("final"))];
  if (final && Object.keys(final).length) {
    const sorted = Object.entries(final).sort((one, other) => other[1] - one[1]);
    const best = sorted.filter(([, money]) => money === sorted[0][1]).map(([name]) => name);
    parts.push(h("p", { class: "big" }, t("wins-game", { names: best.join(", ") })),
      h("ol", { id: "final" }, sorted.map(([name, money]) => h("li", {}, h("strong", {}, name), ` £${money}`))));
  } else parts.push(h("p", { class: "note" }, t("cards-first")), ...decks());
  if (state.position.scoring) parts.push(scoring(state.position.scoring));
  parts.push(state.result ? pictures() : h("button", { class: "wide main", "data-key": "result", onclick: ask_ }, t("show")),
    h("button", { class: "wide", "data-key": "home", onclick: takeHome }, t("take-home")));
  return parts;
}

async function ask_() {
  try {
    state.result = await ask("table/result", { key: state.key });
  } catch (error) {
    failed(error);
  }
  draw();
}

function pictures() {
  const { balances, race } = state.result;
  return h("div", { id: "pictures" }, h("h2", {}, t("luck-skill")), h("table", { class: "balance" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, t("players"))), h("th", { scope: "col" }, t("luck")), h("th", { scope: "col" }, t("skill")))),
    h("tbody", {}, Object.entries(balances).map(([name, { luck, skill }]) => h("tr", {}, h("th", { scope: "row" }, name), bar(luck, balances), bar(skill, balances))))),
  h("h2", {}, t("course")), course(race));
}

function bar(value, balances) {
  const most = Math.max(3, ...Object.values(balances).flatMap(({ luck, skill }) => [Math.abs(luck), Math.abs(skill)]));
  const wide = 50 * Math.abs(value) / most;
  return h("td", {}, s("svg", { viewBox: "0 0 100 12", "aria-hidden": "true", class: "diverging" },
    s("rect", { x: value < 0 ? 50 - wide : 50, y: 1, width: wide, height: 10, class: value < 0 ? "lost" : "won" }), s("path", { d: "M50 0v12", class: "axis" })), pounds(value));
}

// From 0 to 1, each camel a line in its colour, named at its end.
function course(race) {
  const across = (at) => 6 + 264 * at / Math.max(1, race.length - 1);
  const down = (chance) => 110 - 100 * chance;
  const camels = [...state.edition.racing];
  return s("svg", { viewBox: "0 0 300 120", role: "img", class: "course", "aria-label": camels.map((camel, index) => `${colour(camel)} ${percent(race.at(-1)[index])}`).join(", ") },
    [0, 0.5, 1].map((chance) => s("path", { class: "grid", d: `M6 ${down(chance)}H270` })),
    camels.map((camel, index) => s("path", { class: "under", d: race.map((row, at) => `${at ? "L" : "M"}${across(at).toFixed(1)} ${down(row[index]).toFixed(1)}`).join("") })),
    camels.map((camel, index) => s("path", { class: "line", stroke: look.paints[camel].fill, d: race.map((row, at) => `${at ? "L" : "M"}${across(at).toFixed(1)} ${down(row[index]).toFixed(1)}`).join("") })),
    camels.map((camel, index) => s("text", { x: 276 + 8 * (race.at(-1)[index] < 0.5 ? index % 3 : 0), y: down(race.at(-1)[index]) + 3 }, camel)));
}
