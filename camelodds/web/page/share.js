// The table itself: its code and link, the position as text, files, a new game, the language.
import { h, option, s } from "./dom.js";
import { failed, newGame, openTable, say, state } from "./main.js";
import { ask } from "./net.js";
import { editSetup } from "./setup.js";
import { language, LANGUAGES, t } from "./words.js";

let invited = null;

function code() {
  if (invited?.key !== state.key) {
    const { key } = state;
    invited = { key };
    ask("table/invitation", { key }).then((found) => {
      invited = { key, ...found };
      document.getElementById("code")?.replaceWith(picture());
    }, failed);
  }
  return picture();
}

function picture() {
  if (!invited.code) return h("div", { id: "code" });
  const size = invited.code.length;
  const path = invited.code.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return h("div", { id: "code" }, s("svg", { viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: "img", "aria-label": t("invite") },
    s("rect", { x: -4, y: -4, width: size + 8, height: size + 8, fill: "#fff" }), s("path", { d: path, fill: "#000" })));
}

export function drawTable() {
  const text = h("textarea", { id: "text", rows: 3, "aria-label": t("as-text"), spellcheck: "false", autocapitalize: "off", value: state.position.text });
  const file = h("input", { type: "file", id: "file", class: "hidden", tabindex: "-1", "aria-label": t("open-file"), onchange: async () => openTable({ lines: await file.files[0].text() }) });
  const button = (key, word, onclick) => h("button", { class: "wide", "data-key": key, onclick }, word);
  return [h("p", {}, t("invite")), code(), button("link", t("link"), () => copy(invited.link ?? location.href)),
    button("home", t("take-home"), takeHome), button("open", t("open-file"), () => file.click()), file,
    button("edit", t("edit"), editSetup), button("new", t("set-up"), () => newGame()),
    h("h2", {}, t("as-text")), text, button("use", t("use-text"), () => openTable({ text: text.value, edition: state.edition.name })),
    h("label", { class: "whose" }, h("span", {}, "Language"), h("select", { "data-key": "language", onchange: (event) => {
      localStorage.setItem("language", event.target.value);
      location.reload();
    } }, Object.entries(LANGUAGES).map(([name, words]) => option(name, words.language, language))))];
}

export async function takeHome() {
  try {
    const lines = await ask("table/file", { key: state.key });
    const link = h("a", { href: URL.createObjectURL(new Blob([lines], { type: "application/jsonl" })), download: "camel-up.jsonl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    failed(error);
  }
}

async function copy(text) {
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
  say(t("copied"));
}
