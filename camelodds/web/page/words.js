// Words and numbers in the language of the browser, or the one that was chosen on this phone.
import de from "./de.js";
import en from "./en.js";
import fr from "./fr.js";
import it from "./it.js";
import pt from "./pt.js";

export const LANGUAGES = { en, de, pt, it, fr };
const kept = localStorage.getItem("language");
const wanted = [kept, ...navigator.languages].map((each) => (each ?? "").slice(0, 2));
export const language = wanted.find((each) => each in LANGUAGES) ?? "en";
const words = LANGUAGES[language];
const plural = new Intl.PluralRules(language);
document.documentElement.lang = language;

export function t(key, values = {}) {
  const found = words[key] ?? key;
  const text = typeof found === "string" ? found : found[plural.select(values.n)] ?? found.other;
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const colour = (sign) => (sign.endsWith("+") ? t("support", { die: t(`camel.${sign[0]}`) }) : t(`camel.${sign}`));

// No more digits than are known, and no minus before a nought.
export function pounds(value, error = 0) {
  const digits = error >= 0.095 ? 1 : 2;
  const rounded = Number(value.toFixed(digits)) || 0;
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" }).format(rounded);
}

// An error with two digits of it, however small.
export const giveOrTake = (error) => new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }).format(error);

export function percent(value) {
  const whole = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  if (value > 0 && value < 0.005) return `<${whole.format(0.01)}`;
  if (value < 1 && value > 0.995) return `>${whole.format(0.99)}`;
  return whole.format(value);
}

export const decimal = (value) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

// A name of an action in words, such as "Take red 5" for "ticket r5".
export function act(name) {
  if (name === "reveal + support") return t("act.any");
  const [plain, support] = name.split(" + support ");
  if (support) return t("act.support", { act: act(plain), colour: colour(support) });
  const [kind, ...rest] = plain.split(" ");
  const [item] = rest;
  if (kind === "reveal") return t("act.reveal");
  if (kind === "ticket") return t("act.ticket", { colour: colour(item[0]), value: item.slice(1) });
  if (kind === "tile") return t("act.tile", { side: item[0] === "+" ? "+1" : "−1", space: item.slice(1) });
  if (kind === "winner" || kind === "loser") return t(`act.${kind}`, { colour: item === "?" ? "?" : colour(item) });
  if (kind === "camera") return t("act.camera", { space: item });
  if (kind === "partner") return t("act.partner", { name: item });
  return t("act.position", { place: item, ticket: rest[2] === "bottom" ? t("act.bottom", { colour: colour(rest[3]) }) : `${colour(rest[2][0])} ${rest[2].slice(1)}` });
}

export function happening({ player, action, die, number }) {
  const name = player ?? "";
  if (!die) return t("said.other", { name, act: act(action) });
  const shown = { white: "W", black: "K" }[die] ?? die;
  const support = action.split(" + support ")[1];
  return t("said.reveal", { name, die: colour(shown), n: number }) + (support ? ` + ${colour(`${support}+`)}` : "");
}
