// This phone: pairing, language and colours.
import { $, h, put, store, t } from "./dom.js";
import { LANGUAGES, setLanguage, setTheme } from "./appearance.js";
import { drawPairing, lookAtMe } from "./pairing.js";
import { ask, download } from "./net.js";
import { page } from "./state.js";
import { hasSounds, setSounds } from "./lively.js";
import { canSpeak, setSpeaks, speaks } from "./speech.js";

export function showMore() {
  drawPairing();
  lookAtMe();
  put($("settings"), h("h2", null, t("settings")),
    h("label", null, t("lang"), choose(Object.entries(LANGUAGES), document.documentElement.lang, async (language) => { store.set("lang", language); await setLanguage(language); showMore(); })),
    h("label", null, t("theme"), choose([["", t("theme_auto")], ["light", t("theme_light")], ["dark", t("theme_dark")]], store.get("theme"), (theme) => { store.set("theme", theme); setTheme(theme); })),
    h("label", { class: "row" }, h("input", { type: "checkbox", checked: hasSounds(), onchange: (event) => setSounds(event.target.checked) }), t("sounds")),
    canSpeak() ? h("label", { class: "row" }, h("input", { type: "checkbox", checked: speaks(), onchange: (event) => setSpeaks(event.target.checked) }), t("read_aloud")) : null,
    h("p", null, t("keyboard")));
  drawBackup("");
}

const chosen = h("input", { type: "file", accept: "application/json,.json", hidden: true, onchange: () => {
  const [file] = chosen.files;
  chosen.value = "";
  if (file) restore(file);
} });

/** Saving the games, names and settings as one file, and taking them over on this or another box. */
function drawBackup(said, tone = "") {
  put($("backup"), page.paired ? [page.can.report ? [h("h2", null, t("report")), h("p", null, t("report_what")), h("button", { type: "button", onclick: () => kept("report.zip", "cantstop-report.zip") }, t("report_save"))] : null,
    h("h2", null, t("backup")), h("p", null, t("backup_what")),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => kept("backup", "cantstop-" + new Date().toISOString().slice(0, 10) + ".json") }, t("backup_save")), h("button", { type: "button", onclick: () => chosen.click() }, t("backup_restore")), chosen),
    h("p", { role: "status", class: tone }, said)] : null);
}

async function kept(path, name) {
  try { await download(path, name); drawBackup(""); } catch (error) { drawBackup(error.message, "note bad"); }
}

async function restore(file) {
  try {
    const { games } = await ask("restore", { method: "POST", body: new Blob([file], { type: "application/json" }) });
    drawBackup(t("backup_asked", { games }), "note good");
  } catch (error) { drawBackup(error.message, "note bad"); }
}

function choose(options, now, take) {
  return h("select", { onchange: (event) => take(event.target.value) }, options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
}
