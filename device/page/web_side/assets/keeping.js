// What a paired phone keeps of the box: a backup of games, names and settings, and a report.
import { $, h, put, t } from "./dom.js";
import { ask, download } from "./net.js";
import { page } from "./state.js";

const chosen = h("input", { type: "file", accept: "application/json,.json", hidden: true, onchange: () => {
  const [file] = chosen.files;
  chosen.value = "";
  if (file) restore(file);
} });

/** Saving the games, names and settings as one file, and taking them over on this or another box. */
export function drawKeeping(said = "", tone = "") {
  put($("keeping"), page.paired ? [page.can.report ? [h("h2", null, t("report")), h("p", null, t("report_what")), h("button", { type: "button", onclick: () => kept("report.zip", "cantstop-report.zip") }, t("report_save"))] : null,
    h("h2", null, t("backup")), h("p", null, t("backup_what")),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => kept("backup", "cantstop-" + new Date().toISOString().slice(0, 10) + ".json") }, t("backup_save")), h("button", { type: "button", onclick: () => chosen.click() }, t("backup_restore")), chosen),
    h("p", { role: "status", class: tone }, said)] : null);
}

async function kept(path, name) {
  try { await download(path, name); drawKeeping(); } catch (error) { drawKeeping(error.message, "note bad"); }
}

async function restore(file) {
  try {
    const { games } = await ask("restore", { method: "POST", body: new Blob([file], { type: "application/json" }) });
    drawKeeping(t("backup_asked", { games }), "note good");
  } catch (error) { drawKeeping(error.message, "note bad"); }
}
