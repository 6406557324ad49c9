// The table and the box: board, choices, players, buttons, the OLED's own pixels, the last throw.
import { $, h, nameOf, put, s, t } from "./dom.js";
import { TOP, badge, boardInWords, die, drawBoard } from "./board.js";
import { draftMarks, drawDraft, isSettingBoard } from "./correct.js";
import { ask } from "./net.js";
import { page } from "./state.js";

const HOLD_MS = 700;
let selected = "", holding = false, thrown = "";

const space = (column, at) => (at === TOP[column] ? t("to_top") : String(at));
const moves = (play) => play.map((move) => t("step", { column: move.column, space: space(move.column, move.space) })).join(", ");

export async function press(button, long = false) {
  try { await ask("press", { method: "POST", body: { button, long } }); } catch (error) { complain(error); }
}

async function roll() {
  try { await ask("roll", { method: "POST", body: {} }); } catch (error) { complain(error); }
}

function complain(error) {
  $("line").textContent = error.message;
  $("line").classList.add("bad");
}

/** Presses what a key of a keyboard stands for; tells whether it stands for anything. */
export function pressKey(name) {
  const button = { a: "A", b: "B", c: "C", s: "STOP" }[name.toLowerCase()];
  if (button && name.length === 1) press(button, name === name.toUpperCase());
  else if (name === "t" && page.can.throw) roll();
  else return false;
  return true;
}

export function drawTable() {
  const { table } = page, game = table.game;
  const ids = table.choices.map((choice) => choice.button + choice.pairing).join();
  if (ids !== drawTable.ids) { drawTable.ids = ids; selected = ""; }
  // Redrawn only where something else is to be seen, so that nobody's focus and no screen reader's place is lost.
  const marks = JSON.stringify([game, table.choices, table.dice, table.roll_off, table.odds, selected, page.paired, draftMarks(), document.documentElement.lang]);
  if (marks === drawTable.marks) return;
  drawTable.marks = marks;
  const focused = document.activeElement?.dataset?.focus;
  const chosen = table.choices.find((choice) => choice.button === selected);
  const position = game ? game.position : { markers: [], runners: Array(13).fill(0), turn: 0, owners: Array(13).fill(null) };
  if (isSettingBoard()) put($("board"), drawDraft());
  else put($("board"), drawBoard(position, game?.colours || [], chosen ? chosen.plays.flat() : []), boardInWords(position, game?.names || []));
  const dice = table.dice || (game && game.position.roll) || table.roll_off?.dice || [];
  put($("dice"), dice.map(die));
  put($("choices"), table.choices.map(choice));
  put($("odds"), odds(table.odds));
  put($("stops"), stops(game, table));
  put($("players"), game ? game.names.map((name, player) => seat(game, name, player)) : null);
  if (focused) document.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

function choice(one) {
  const what = one.plays.length ? one.plays.map(moves).join(" " + t("or") + " ") : t("not_possible");
  const sums = page.table.state === "ChoosingColumn" ? String(one.plays[0][0].column) : one.pairing.join("+");
  const look = () => { selected = selected === one.button ? "" : one.button; drawTable(); };
  return h("div", { class: "choice" },
    h("button", { type: "button", "aria-pressed": String(selected === one.button), disabled: !one.plays.length, onclick: look, "data-focus": "look" + one.button },
      h("kbd", null, one.button), " ", h("b", null, sums), " ", h("i", null, what)),
    page.paired && one.plays.length ? h("button", { type: "button", class: selected === one.button ? "main" : "", onclick: () => press(one.button), "data-focus": "take" + one.button, "aria-label": t("choose") + " " + sums }, t("choose")) : null);
}

function stops(game, table) {
  if (!game || !["Telling", "Deciding", "Busting"].includes(table.state)) return null;
  if (table.state === "Busting") return h("p", { class: "note bad" }, t("bust_nothing"));
  if (!game.may_stop) return h("p", { class: "note" }, t("no_stop"));
  const where = game.stop_moves.map((move) => t("step", { column: move.column, space: space(move.column, move.space) })).join(", ");
  return h("p", { class: game.stop_wins ? "note good" : "note" }, game.stop_wins ? t("stop_wins") + " " : "", t("stop_does", { moves: where }));
}

function odds(given) {
  if (!given) return null;
  const percent = (chance) => (100 * chance).toFixed(chance < 0.1 ? 1 : 0);
  return h("p", { class: "note" }, t("odds_bust", { percent: percent(given.bust) }), " · ", t("odds_stake", { spaces: given.stake }), given.top ? " · " + t("odds_top", { percent: percent(given.top) }) : "");
}

function seat(game, name, player) {
  const won = game.position.owners.map((owner, column) => (owner === player ? column : 0)).filter(Boolean);
  return h("li", { class: player === game.actor ? "turn" : "" }, badge(game.colours[player]), h("span", null, nameOf(name)),
    h("small", null, t("won_of", { won: won.length, all: game.columns_to_win }) + (won.length ? ": " + won.join(" ") : "")));
}

/** The four buttons; only for a phone that is paired, and of them those that do something now. */
export function drawKeys() {
  const marks = [page.paired, page.can.throw, holding, page.table?.takes, document.documentElement.lang].join();
  if (marks === drawKeys.marks) return;
  drawKeys.marks = marks;
  const focused = document.activeElement?.dataset?.button, within = document.activeElement?.closest("[data-keys]");
  for (const place of document.querySelectorAll("[data-keys]")) put(place, page.paired ? keys() : h("a", { class: "button all", href: "#more" }, t("pair_first")));
  if (focused) within?.querySelector(`[data-button="${focused}"]`)?.focus({ preventScroll: true });
}

function keys() {
  const takes = page.table?.takes || [];
  const buttons = ["A", "B", "C", "STOP"].map((button) => {
    if (!takes.includes(holding ? "hold " + button : button)) return h("span");
    let timer = 0, wasLong = false;
    const down = () => { wasLong = false; if (takes.includes("hold " + button)) timer = setTimeout(() => { wasLong = true; press(button, true); }, HOLD_MS); };
    const up = () => clearTimeout(timer);
    const click = () => {
      if (wasLong) { wasLong = false; return; }
      press(button, holding);
      if (holding) { holding = false; drawKeys(); }
    };
    return h("button", { type: "button", class: button === "STOP" ? "stop" : "", onpointerdown: down, onpointerup: up, onpointerleave: up, onpointercancel: up, oncontextmenu: (event) => event.preventDefault(), onclick: click, "data-button": button }, button);
  });
  const hold = h("button", { type: "button", class: page.can.throw ? "wide" : "all", "aria-pressed": String(holding), onclick: () => { holding = !holding; drawKeys(); } }, t("hold"));
  return [...buttons, hold, page.can.throw ? h("button", { type: "button", class: "wide main", onclick: roll, "data-button": "throw" }, t("throw")) : null];
}

/** The OLED's own pixels. */
export function drawOled() {
  const { pixels, text } = page.table.oled;
  const canvas = $("oled"), pen = canvas.getContext("2d"), image = pen.createImageData(128, 64);
  const bytes = atob(pixels);
  for (let index = 0; index < 128 * 64; index++) {
    const lit = (bytes.charCodeAt(index >> 3) >> (7 - (index & 7))) & 1;
    image.data.set(lit ? [150, 205, 255, 255] : [6, 9, 14, 255], 4 * index);
  }
  pen.putImageData(image, 0, 0);
  canvas.setAttribute("aria-label", text.join(". "));
}

/** A picture with each die's box and value drawn in. */
export function pictured(data, overlay) {
  const wide = 100, high = (100 * data.height) / data.width;
  const dice = data.dice.map((one) => {
    const [x0, y0, x1, y1] = one.box;
    return [s("rect", { class: one.confidence >= 0.9 ? "seen" : "seen doubt", x: x0 * wide, y: y0 * high, width: (x1 - x0) * wide, height: (y1 - y0) * high }),
      s("text", { class: "seenvalue", x: x1 * wide + 0.6, y: y0 * high + 3 }, String(one.value))];
  });
  return h("div", { class: "pic" }, h("img", { src: "data:image/jpeg;base64," + data.jpeg, alt: t("read_as", { dice: data.dice.map((one) => one.value).sort().join("-") }), width: data.width, height: data.height }),
    s("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, overlay || null, dice));
}

/** The last throw, to settle an argument. */
export async function drawThrow() {
  const game = page.table.game;
  const mark = [game?.number, game?.steps, game?.position.roll, page.table.roll_off?.dice, document.documentElement.lang].join();
  if (mark === thrown) return;
  thrown = mark;
  try {
    const data = await ask("throw");
    put($("throw"), pictured(data), h("figcaption", null, t("read_as", { dice: data.values.join("-") })));
  } catch (error) {
    thrown = error.kind === "none" ? thrown : "";
    put($("throw"), h("figcaption", null, error.kind === "none" ? t("no_throw") : error.message));
  }
}
