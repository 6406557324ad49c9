// Pairing of this phone, and the list of paired phones.
import { $, h, put, store, t } from "./dom.js";
import { drawKeeping } from "./keeping.js";
import { ask, key } from "./net.js";
import { drawWifi } from "./wifi.js";
import { page } from "./state.js";

/** Checks whether this phone is still paired. */
export async function lookAtMe() {
  try {
    setPaired((await ask("me")).paired);
  } catch { /* the box is away: it is asked again when it is back */ }
  page.draw();
}

/** Stores whether this phone is paired, and shows it where that is being shown. */
export function setPaired(paired) {
  const changes = page.paired !== paired;
  page.paired = paired;
  document.documentElement.dataset.paired = paired;
  if (!paired && key()) store.set("key", "");
  if (page.view !== "more") return;
  if (changes) drawPairing();
  drawKeeping(); // what the box can do is known by now, too
  drawWifi();
}

export async function drawPairing() {
  if (!page.paired) {
    if (page.table) put($("pairing"), form()); // before the box has been heard, what the form asks for is unknown
    return;
  }
  const [list, others] = await phones();
  const invites = others ? h("p", null, t("code_for_others", { code: others })) : null;
  if (page.paired) put($("pairing"), h("h2", null, t("pairing")), h("p", { class: "note good" }, t("paired")), invites, h("h3", null, t("phones")), list);
}

async function pair(code, name) {
  const { key } = await ask("pair", { method: "POST", body: { code: code.trim().toUpperCase(), name } });
  store.set("key", key);
  page.invited = "";
}

/** Pairs this phone by the code of a link; an invalid code stays in the form, with an error message. */
export async function pairByLink(code) {
  page.invited = code;
  try { await pair(code, t("my_phone")); } catch (error) {
    page.refused = error.message;
    location.hash = "#more";
  }
}

function form() {
  const code = h("input", { name: "code", autocomplete: "one-time-code", inputmode: "numeric", maxlength: 16, required: page.can.shows_code !== false, value: page.invited || "" });
  const name = h("input", { name: "name", maxlength: 24, autocomplete: "off", value: t("my_phone") });
  const said = h("p", { role: "alert" }, page.refused || "");
  page.refused = "";
  const send = async (event) => {
    event.preventDefault();
    try {
      await pair(code.value, name.value);
      await lookAtMe();
      page.connect();
      location.hash = "#table";
    } catch (error) { said.textContent = error.message; }
  };
  return h("form", { onsubmit: send, class: "column" }, h("h2", null, t("pairing")), h("p", null, t(page.can.shows_code === false ? "pair_first_phone" : "pair_how")),
    h("label", null, t("code"), code), h("label", null, t("phone_name"), name), h("button", { class: "main", type: "submit" }, t("pair")), said);
}

async function phones() {
  let found, code;
  try { ({ phones: found, code } = await ask("phones")); } catch (error) { return [h("p", { class: "note bad" }, error.message), ""]; }
  const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(document.documentElement.lang);
  return [h("ul", { class: "games" }, found.map((phone) => h("li", { class: "row" }, h("span", null, h("b", null, phone.name), " ", phone.own ? "(" + t("this_one") + ") " : "", h("small", null, t("since", { date: day(phone.since) }))),
    h("button", { type: "button", onclick: async () => { try { await ask("phones/" + phone.id, { method: "DELETE" }); } catch { /* gone already */ } await lookAtMe(); drawPairing(); }, "aria-label": t("unpair") + " " + phone.name }, t("unpair"))))), code];
}
