// The odds of the leg and of the race, camel by camel.
import { h } from "./dom.js";
import { look, state, swatch } from "./main.js";
import { colour, decimal, giveOrTake, percent, t } from "./words.js";

function cell(value, fill) {
  const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span"));
  bar.firstChild.style.width = `${100 * (value ?? 0)}%`;
  bar.firstChild.style.background = fill;
  return h("td", {}, h("span", { class: "share" }, value === undefined ? "·" : percent(value)), bar);
}

export function drawOdds() {
  const { leg, race, edition } = state;
  const order = leg ? leg.camels : [...edition.racing].map((camel) => ({ camel, places: [] }));
  const races = Object.fromEntries((race?.camels ?? []).map((row) => [row.camel, row]));
  const head = (text) => h("th", { scope: "col" }, text);
  return [h("table", { id: "odds", class: state.stale ? "stale" : "" },
    h("thead", {},
      h("tr", {}, h("td"), h("th", { colspan: 3, scope: "colgroup" }, t("this-leg")), h("th", { colspan: 2, scope: "colgroup" }, t("the-race"))),
      h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, t("camel"))), head(t("first")), head(t("second")), head(t("last")), head(t("wins")), head(t("last")))),
    h("tbody", {}, order.map(({ camel, places }) => {
      const { fill } = look.paints[camel];
      return h("tr", {}, h("th", { scope: "row" }, swatch(camel), h("span", { class: "name" }, colour(camel))),
        cell(places[0], fill), cell(places[1], fill), cell(places.at(-1), fill), cell(races[camel]?.wins, fill), cell(races[camel]?.loses, fill));
    }))),
  h("p", { class: "note" }, [leg && !state.position.race_over && t("race-ends", { chance: percent(leg.race_ends) }), race && t("legs-to-come", { legs: decimal(race.legs) }),
    race?.method === "simulation" && t("race-simulated", { error: giveOrTake(100 * race.error) })].filter(Boolean).join(" "))];
}
