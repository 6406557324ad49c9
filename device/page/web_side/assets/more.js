// This phone: pairing, language and colours.
import { $, h, put, store, t } from "./dom.js";
import { LANGUAGES, setLanguage, setTheme } from "./appearance.js";
import { drawPairing, lookAtMe } from "./pairing.js";
import { drawKeeping } from "./keeping.js";
import { drawWifi } from "./wifi.js";
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
  drawKeeping();
  drawWifi();
}

function choose(options, now, take) {
  return h("select", { onchange: (event) => take(event.target.value) }, options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
}
