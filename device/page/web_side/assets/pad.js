// Real dice entered by hand: tapped on a pad while a roll is awaited, or typed as digits, also to correct the last roll.
import { $, h, put, t } from "./dom.js";
import { die } from "./board.js";
import { ask } from "./net.js";
import { page } from "./state.js";

const FACES = [1, 2, 3, 4, 5, 6];
/** The dice entered so far, the state of the game that they are for, and why the last ones were refused. */
let entered = [], about = "", problem = "";

/** Whether dice can be entered: real ones, on a paired phone, during a game's turn or a test roll. */
const mayEnter = () => page.can.photograph && page.paired && page.view === "table" && !document.documentElement.dataset.putting;
/** The number of dice awaited; none while a stop is pending, when only the camera's roll would count. */
function awaited() {
  const { table } = page, counts = table?.wants_dice === 1 || !table?.game || table.corrects.includes("dice");
  return (mayEnter() && counts && table?.wants_dice) || 0;
}
/** The number of dice to enter: those awaited, or four that correct the last roll. */
const needed = () => awaited() || (mayEnter() && page.table?.corrects.includes("dice") && page.table.game.position.roll ? 4 : 0);

/** Takes a key of the keyboard; returns whether it was one for dice. Any other key drops the digits typed so far. */
export function typeDice(name) {
  if (/^[1-6]$/.test(name) && needed()) enter(Number(name));
  else if (name === "Backspace" && entered.length) takeBack();
  else {
    if (entered.length) { entered = []; drawPad(); }
    return false;
  }
  return true;
}

function enter(value) {
  problem = "";
  entered = [...entered, value];
  if (entered.length >= needed()) send();
  drawPad();
}

function takeBack() {
  entered = entered.slice(0, -1);
  drawPad();
}

async function send() {
  const { game } = page.table, dice = entered;
  entered = [];
  try {
    await ask("dice", { method: "POST", body: { dice, game: game?.number ?? 0, steps: game?.steps ?? 0 } });
  } catch (error) { problem = error.message; }
  drawPad();
}

/** The pad, the dice entered so far, and a refusal. Redrawn only after a change. */
export function drawPad() {
  const { table } = page, isAwaited = awaited() > 0;
  const now = JSON.stringify([table?.game?.number, table?.game?.steps, table?.roll_off, needed()]);
  if (now !== about) { about = now; entered = []; problem = ""; }
  const marks = JSON.stringify([isAwaited, entered, problem, document.documentElement.lang]);
  if (marks === drawPad.marks) return;
  drawPad.marks = marks;
  const focused = $("pad").contains(document.activeElement) && document.activeElement.dataset.focus;
  const face = (value) => h("button", { type: "button", class: "face small", onclick: () => enter(value), "data-focus": "pad" + value, "aria-label": t("it_shows", { value }) }, die(value));
  const pad = isAwaited ? h("div", { class: "pad", role: "group", "aria-label": t("pad") }, FACES.map(face)) : null;
  const so_far = h("div", { class: "row" }, entered.map(die), h("button", { type: "button", onclick: takeBack, "data-focus": "padback" }, t("pad_back")));
  put($("pad"), isAwaited ? h("p", { class: "soft" }, t("pad")) : null, pad, entered.length ? so_far : null, problem ? h("p", { role: "alert", class: "note bad" }, problem) : null);
  if (focused) $("pad").querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}
