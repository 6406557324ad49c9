// This phone: pairing, who else is paired, language and colours.
import { $, h, put, store, t } from "./dom.js";
import { ask } from "./net.js";
import { LANGUAGES, lookAtMe, page, setLanguage, setTheme } from "./page.js";

export function showMore() {
  drawPairing();
  put($("settings"), h("h2", null, t("settings")),
    h("label", null, t("lang"), choose(Object.entries(LANGUAGES), document.documentElement.lang, async (language) => { store.set("lang", language); await setLanguage(language); showMore(); })),
    h("label", null, t("theme"), choose([["", t("theme_auto")], ["light", t("theme_light")], ["dark", t("theme_dark")]], store.get("theme"), (theme) => { store.set("theme", theme); setTheme(theme); })),
    h("p", null, t("keyboard")));
}

function choose(options, now, take) {
  return h("select", { onchange: (event) => take(event.target.value) }, options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
}

async function drawPairing() {
  await lookAtMe();
  if (page.view !== "more") return;
  if (!page.paired) { put($("pairing"), form()); return; }
  put($("pairing"), h("h2", null, t("pairing")), h("p", { class: "note good" }, t("paired")), h("h3", null, t("phones")), await phones());
}

function form() {
  const code = h("input", { name: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: 16, required: true, value: page.invited || "" });
  const name = h("input", { name: "name", maxlength: 24, autocomplete: "off", value: t("my_phone") });
  const said = h("p", { role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    try {
      const { key } = await ask("pair", { method: "POST", body: { code: code.value.trim().toUpperCase(), name: name.value } });
      store.set("key", key);
      page.invited = "";
      await drawPairing();
      page.connect();
    } catch (error) { said.textContent = error.message; }
  };
  return h("form", { onsubmit: send, class: "column" }, h("h2", null, t("pairing")), h("p", null, t("pair_how")),
    h("label", null, t("code"), code), h("label", null, t("phone_name"), name), h("button", { class: "main", type: "submit" }, t("pair")), said);
}

async function phones() {
  let found;
  try { found = (await ask("phones")).phones; } catch (error) { return h("p", { class: "note bad" }, error.message); }
  const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(document.documentElement.lang);
  return h("ul", { class: "games" }, found.map((phone) => h("li", { class: "row" }, h("span", null, h("b", null, phone.name), " ", phone.own ? "(" + t("this_one") + ") " : "", h("small", null, t("since", { date: day(phone.since) }))),
    h("button", { type: "button", onclick: async () => { try { await ask("phones/" + phone.id, { method: "DELETE" }); } catch { /* gone already */ } drawPairing(); }, "aria-label": t("unpair") + " " + phone.name }, t("unpair")))));
}
