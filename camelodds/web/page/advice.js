// My advice: what every action is worth to whoever sits here, best first.
import { h } from "./dom.js";
import { change, draw, state, swatch, who } from "./main.js";
import { act, giveOrTake, percent, pounds, t } from "./words.js";

const FEW = 6;
const shown = { kind: "", all: false };

export function why(row) {
  const [kind] = row.action.split(" ");
  const values = { chance: percent(row.p_gain), best: row.best };
  if (kind === "reveal") return t("why.reveal");
  if (kind === "tile") return row.p_gain ? t("why.lands", values) : t("why.never");
  if (kind === "camera") return row.p_gain ? t("why.photo", values) : t("why.never");
  if (kind === "partner") return t("why.copy", values);
  if (!row.p_gain) return t("why.lost");
  return t(["winner", "loser"].includes(kind) ? "why.card" : "why.ticket", values);
}

export function drawAdvice() {
  const rows = state.advice?.actions ?? [];
  const player = state.advice?.player ?? state.me ?? who();
  const parts = [h("h2", {}, player ? t("for", { name: player }) : t("advice"))];
  if (!rows.length) return [...parts, h("p", { class: "note" }, state.stale ? "…" : state.why || "…")];
  const kinds = [...new Set(rows.map((row) => row.kind))];
  if (!kinds.includes(shown.kind)) shown.kind = "";
  parts.push(h("div", { class: "filter", role: "group", "aria-label": t("advice") }, ["", ...kinds].map((kind) => h("button", {
    "data-key": `kind-${kind}`, "aria-pressed": String(shown.kind === kind), onclick: () => {
      shown.kind = kind;
      draw();
    },
  }, kind ? t(`kind.${kind}`) : t("all")))));
  const wanted = rows.filter((row) => !shown.kind || row.kind === shown.kind);
  const idle = wanted.filter((row) => row.kind === "tile" && !row.p_gain && Math.abs(row.ev) < 0.005);
  const good = wanted.filter((row) => !idle.includes(row));
  const few = shown.all ? good : good.slice(0, FEW);
  parts.push(h("ol", { id: "rows", class: state.stale ? "stale" : "" }, few.map((row, index) => item(row, index, player)),
    idle.length > 0 && h("li", { class: "none" }, `${t("idle", { n: idle.length })}: ${pounds(0)}`)));
  if (good.length > few.length) {
    parts.push(h("button", { class: "wide", "data-key": "all-rows", onclick: () => {
      shown.all = true;
      draw();
    } }, t("all-rows", { n: good.length - few.length })));
  }
  if (state.advice.note) parts.push(h("p", { class: "note" }, t("own-unknown")));
  if (rows.some((row) => row.simulated)) parts.push(h("p", { class: "note" }, t("simulated")));
  return parts;
}

function item(row, index, player) {
  const [kind, what] = row.action.split(" ");
  const camel = ["ticket", "winner", "loser"].includes(kind) ? what[0] : null;
  const can = player === who() && row.kind !== "reveal" && row.kind !== "support" && !["winner", "loser"].includes(kind);
  return h("li", { class: index ? "" : "best", "data-action": row.action, "data-ev": row.ev },
    h("span", { class: `ev ${row.ev > 0 ? "gain" : "loss"}` }, h("span", { class: "hidden" }, `${t("worth")} `), pounds(row.ev, row.simulated ? row.error : 0),
      row.simulated && h("small", { class: "error" }, `±${giveOrTake(row.error)}`)),
    h("strong", {}, camel && swatch(camel), act(row.action)),
    h("p", {}, why(row)),
    can && h("button", { "data-key": `do-${row.action}`, "aria-label": `${act(row.action)}: ${t("do-it")}`, onclick: () => change({ do: "play", action: row.action, player }) }, t("do-it")));
}
