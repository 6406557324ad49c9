// Setup: the camera's picture with the tray's outline, a grid, measurements and advice.
import { $, decimal, h, has, percent, put, s, t } from "./dom.js";
import { ask, download } from "./net.js";
import { page } from "./state.js";
import { showCameras } from "./cameras.js";
import { pictured } from "./tray.js";

const EVERY_MS = 500;

/** Opens the view; returns a function that closes it. */
export function showCamera() {
  let open = true, stop = null;
  put($("steps"));
  async function look() {
    if (!open) return;
    if (!document.hidden) {
      stop = new AbortController();
      try {
        drawLive(await ask("live", { signal: stop.signal }));
        if (open && page.can.set_up_tray && $("keeper")?.firstChild === null) put($("keeper"), keeper());
      } catch (error) {
        if (!open) return;
        if (error.kind === "key" && $("keeper")) put($("keeper"));
        const text = error.kind === "key" ? t("live_pair") : error.kind === "none" ? t("no_picture") : error.message;
        put($("live"), h("figcaption", null, text, " ", error.kind === "key" ? h("a", { href: "#more" }, t("pair_here")) : null));
        put($("figures"));
        put($("advice"));
        if (error.kind === "key") return;
      }
    }
    setTimeout(look, EVERY_MS);
  }
  look();
  showCameras();
  showMisread();
  return () => { open = false; stop?.abort(); };
}

/** The steps, once it is known whether this box needs a tray. */
export function drawSteps() {
  const { set_up_tray } = page.can;
  if (set_up_tray === undefined || $("steps").firstChild) return;
  const names = set_up_tray ? ["step1", "step2", "step3", "step4", "step5", "step6"] : ["place1", "place2", "place3"];
  put($("steps"), h("h2", null, t("steps")), h("ol", null, names.map((name) => h("li", null, t(name)))), h("div", { class: "row", id: "keeper" }));
}

function drawLive(data) {
  const high = (100 * data.height) / data.width;
  const thirds = [1, 2].flatMap((part) => [
    s("line", { class: "grid", x1: (100 * part) / 3, x2: (100 * part) / 3, y1: 0, y2: high }),
    s("line", { class: "grid", x1: 0, x2: 100, y1: (high * part) / 3, y2: (high * part) / 3 })]);
  const edge = data.edge.length ? s("polygon", { class: "edge", points: data.edge.map(([x, y]) => `${100 * x},${high * y}`).join(" ") }) : null;
  const reason = data.reason ? t("r_" + data.reason, { dice: data.dice.length }) : t("read_as", { dice: data.dice.map((one) => one.value).sort().join("-") });
  put($("live"), pictured(data, [thirds, edge]), h("figcaption", null, reason));
  const known = data.figures;
  const advised = (change) => data.advice.some((one) => one.change === change);
  put($("figures"), known.blur_px === undefined ? null : [
    figure("sharpness", known.blur_px === null ? t("unknown") : t("blur_value", { value: decimal(known.blur_px, 1) }), advised("turn the lens")),
    figure("light", String(known.brightness), advised("more light")),
    figure("glare", percent(known.glare, 1), advised("less glare")),
    figure("tilt", known.tilt_deg === null ? t("unknown") : known.tilt_deg + "°", advised("less tilt"))]);
  const told = data.problem ? [h("p", { class: "note bad" }, t("no_tray"))] : data.advice.map((one) => h("p", { class: one.required ? "note bad" : "note" }, advice(one.change)));
  put($("advice"), told.length ? told : h("p", { class: "note good" }, t("fine")));
}

/** What to change, in words: about a tray, or about dice on any surface. */
export const advice = (change) => t((page.can.set_up_tray || !has("dice_" + change) ? "a_" : "dice_") + change);

/** A measurement with a word that says whether it is good enough. */
function figure(name, text, isBad) {
  return h("p", { class: "figure " + (isBad ? "bad" : "good") }, h("span", null, t(name)), h("b", null, text), h("span", null, t(isBad ? "not_good" : "good")));
}

/** The last step: the empty tray is measured and stored. */
function keeper() {
  const said = h("p", { role: "status" });
  const button = h("button", { type: "button", onclick: async () => {
    button.disabled = true;
    said.textContent = t("keeping");
    try {
      const answer = await ask("calibrate", { method: "POST", body: {} });
      said.textContent = answer.kept ? t("kept") : t(answer.problem ? "no_tray" : "a_empty the tray");
    } catch (error) { said.textContent = error.message; }
    button.disabled = false;
  } }, t("keep"));
  return [button, said];
}

async function showMisread() {
  let found;
  try { found = (await ask("misread")).misread; } catch { put($("misread")); return; }
  put($("misread"), h("h2", null, t("misread")), found.length
    ? [h("ul", { class: "plain" }, found.map((one) => h("li", null, t("misread_one", { read: (one.read || []).join("-"), expect: (one.expect || []).join("-") })))), h("button", { type: "button", onclick: () => download("misread.zip", "misread.zip") }, t("download"))]
    : h("p", null, t("misread_none")));
}
