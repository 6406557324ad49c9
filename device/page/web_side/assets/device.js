// A picture of the box: its OLED's pixels and its four buttons, to be clicked or held.
import { $, h, put, t } from "./dom.js";
import { ask } from "./net.js";
import { page, words } from "./state.js";
import { press } from "./table.js";

const HOLD_MS = 700, LIT = [150, 205, 255, 255], DARK = [6, 9, 14, 255];

/** The states in which board, dice and actions show all that the OLED shows. */
const IN_PLAY = new Set(["Waiting", "WatchingTray", "Choosing", "ChoosingColumn", "Telling", "Deciding", "StopPending", "Busting", "Busted", "Stopped", "Thinking", "Moving", "RollingOn", "GameOver", "GameStory"]);

/** Draws every box on the page, and the OLED beside the board where it says more than the board. */
export function drawDevices() {
  for (const place of document.querySelectorAll("[data-device]")) {
    if (!place.firstChild) place.append(canvas(), ...["A", "B", "C", "STOP"].map(key));
    drawOled(place.querySelector("canvas"));
    for (const button of place.querySelectorAll("button")) label(button);
  }
  // A list or a question of the box is on its screen alone, which not every table has.
  const isShown = !IN_PLAY.has(page.table.state), isOwn = page.table.language === document.documentElement.lang;
  const list = page.paired ? words().list : [];
  $("screen").hidden = !isShown || !isOwn || list.length > 0;
  if (isShown && isOwn) drawOled($("screen"));
  const marks = JSON.stringify([words().oled, list, isShown, isOwn]);
  if (marks === drawDevices.marks) return;
  drawDevices.marks = marks;
  // A list to be tapped; otherwise, in another language than the box's, its words.
  const option = (text, line) => h("li", null, h("button", { type: "button", onclick: () => take(line), "data-focus": "line" + line }, text));
  put($("says"), list.length ? [h("h2", null, words().oled[0]), h("ul", { class: "games" }, list.map(option))]
    : isShown && !isOwn ? words().oled.map((line) => h("div", null, line)) : null);
}

async function take(line) {
  try { await ask("line", { method: "POST", body: { line, shown: page.table.list } }); } catch { /* the box shows another list, and so will this page */ }
}

const canvas = () => h("canvas", { width: 128, height: 64, role: "img" });

function drawOled(canvas) {
  const pixels = page.table.oled, text = words().oled;
  if (canvas.dataset.shown !== pixels) {
    canvas.dataset.shown = pixels;
    const pen = canvas.getContext("2d"), image = pen.createImageData(128, 64), bytes = atob(pixels);
    for (let index = 0; index < 128 * 64; index++) image.data.set((bytes.charCodeAt(index >> 3) >> (7 - (index & 7))) & 1 ? LIT : DARK, 4 * index);
    pen.putImageData(image, 0, 0);
  }
  canvas.setAttribute("aria-label", text.join(". "));
}

/** A button: a click is a short press; a long press is sent as soon as it is long enough. */
function key(button) {
  let timer = 0, wasLong = false;
  const end = () => clearTimeout(timer);
  const down = () => {
    wasLong = false;
    timer = setTimeout(() => { wasLong = true; press(button, true); }, HOLD_MS);
  };
  const click = () => { if (!wasLong) press(button); wasLong = false; };
  return h("button", { type: "button", "data-button": button, onpointerdown: down, onpointerup: end, onpointerleave: end, onpointercancel: end, oncontextmenu: (event) => event.preventDefault(), onclick: click },
    h("b", null, button), h("small"));
}

/** Labels a button with its current function. */
function label(button) {
  const { labels } = words(), name = button.dataset.button, hold = labels["hold " + name];
  const does = [labels[name], hold && t("hold_does", { does: hold })].filter(Boolean);
  button.disabled = !page.paired || !does.length;
  const text = does.join(" · ");
  if (button.lastChild.textContent !== text) button.lastChild.textContent = text;
}
