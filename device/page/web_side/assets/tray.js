// The tray: the camera's picture, the dice with their values once they are read, and rolling by a click.
import { $, h, put, s, t } from "./dom.js";
import { ask } from "./net.js";
import { mayThrow, roll } from "./table.js";
import { page } from "./state.js";

const ROLLING_MS = 120, RESTING_MS = 2000;
let shown = "", timer = 0, isAsking = false;

/** A picture with each die's outline and value. */
export function pictured(data, overlay) {
  const wide = 100, high = (100 * data.height) / data.width;
  const dice = data.dice.map((one) => {
    const [x0, y0, x1, y1] = one.box;
    return [s("rect", { class: one.refused ? "seen refused" : one.confidence >= 0.9 ? "seen" : "seen doubt", x: x0 * wide, y: y0 * high, width: (x1 - x0) * wide, height: (y1 - y0) * high }),
      s("text", { class: "seenvalue", x: x1 * wide + 0.6, y: y0 * high + 3 }, String(one.value))];
  });
  const values = data.dice.map((one) => one.value).sort().join("-");
  return h("span", { class: "pic" }, h("img", { src: "data:image/jpeg;base64," + data.jpeg, alt: values ? t("read_as", { dice: values }) : t("tray"), width: data.width, height: data.height }),
    s("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, overlay || null, dice));
}

/** The number of the visible roll, which changes once the box has read another one. */
const throwNow = () => {
  const game = page.table.game;
  return [game?.number, game?.steps, game?.position.roll, page.table.roll_off?.dice, document.documentElement.lang].join();
};

/** The last roll, to settle an argument. */
export async function drawThrow() {
  const now = throwNow();
  if (now === shown) return;
  shown = now;
  try {
    const data = await ask("throw");
    put($("throw"), pictured(data), h("figcaption", null, t("read_as", { dice: data.values.join("-") })));
  } catch (error) {
    shown = error.kind === "none" ? shown : "";
    put($("throw"), h("figcaption", null, error.kind === "none" ? t("no_throw") : error.message));
  }
}

/** The simulated tray, while it is in view: updated often while dice roll, and rarely while they lie still. */
export function watchTray() {
  const tray = $("tray");
  tray.onclick = () => { if (mayThrow()) { roll(); look(); } };
  timer = setTimeout(look, 0);
  return () => { clearTimeout(timer); timer = 0; };
}

async function look() {
  clearTimeout(timer);
  if (isAsking || page.view !== "table") return;
  isAsking = true;
  let next = RESTING_MS;
  try {
    if (page.can.tray && page.paired && page.table) {
      const data = await ask("tray");
      put($("tray"), pictured(data), h("small", null, mayThrow() ? t("click_tray") : t("tray")));
      if (data.moves) next = ROLLING_MS;
    }
  } catch { /* the box is away: the head of the page says so */ }
  isAsking = false;
  if (page.view === "table") timer = setTimeout(look, next);
}

/** Updates at once after an event. */
export const lookNow = () => { if (timer) look(); };
