// The table: board, moves, available actions, players.
import { $, decimal, h, has, nameOf, put, s, t } from "./dom.js";
import { TOP, badge, boardInWords, die, drawBoard, runnerBadge } from "./board.js";
import { coach, coachMarks } from "./coach.js";
import { enliven } from "./lively.js";
import { draftMarks, drawDraft, isSettingBoard } from "./correct.js";
import { ask } from "./net.js";
import { page, words } from "./state.js";

const BUTTONS = ["A", "B", "C", "STOP"];
let selected = "";

const step = (move) => t(move.space === TOP[move.column] ? "step_top" : "step", move);
const space = (column, to) => (to === TOP[column] ? t("to_top") : String(to));
const moves = (play) => play.map(step).join(", ");

export async function press(button, long = false) {
  try { await ask("press", { method: "POST", body: { button, long } }); } catch (error) { complain(error); }
}

export async function roll() {
  try { await ask("roll", { method: "POST", body: {} }); } catch (error) { complain(error); }
}

function complain(error) {
  $("line").textContent = error.message;
  $("line").classList.add("bad");
}

/** Whether the box waits for the simulated tray's dice: not during a choice, nor while they roll. */
export const mayThrow = () => page.can.throw && page.paired && page.table?.wants_dice > 0 && page.table.tray?.view !== "rolling";

/** Presses the button for a key of the keyboard; returns whether there is one. */
export function pressKey(name) {
  const button = { a: "A", b: "B", c: "C", s: "STOP" }[name.toLowerCase()];
  if (button && name.length === 1) press(button, name === name.toUpperCase());
  else if (name === "t" && mayThrow()) roll();
  else return false;
  return true;
}

/** The choice that was touched, if one was: its effect is shown. */
const picked = () => selected && page.table.choices.find((one) => one.button === selected);

export function drawTable() {
  const { table } = page, game = table.game;
  const ids = table.choices.map((choice) => choice.button + choice.pairing).join();
  if (ids !== drawTable.ids) { drawTable.ids = ids; selected = ""; }
  // Redrawn only after a change, so that the focus and a screen reader's position are not lost.
  const marks = JSON.stringify([game, table.choices, table.moves, table.opponent, words().labels, words().story, table.dice, table.roll_off, table.odds, mayThrow(), coachMarks(), selected, page.paired, draftMarks(), document.documentElement.lang]);
  if (marks === drawTable.marks) return;
  drawTable.marks = marks;
  const focused = document.activeElement?.dataset?.focus;
  const chosen = picked();
  const position = game ? game.position : { markers: [], runners: Array(13).fill(0), turn: 0, owners: Array(13).fill(null) };
  const own = position.markers[position.turn] || [];
  const travels = table.moves.map((move) => ({ ...move, start: move.from || (move.player === null && own[move.column]) || 0 }));
  if (isSettingBoard()) put($("board"), drawDraft());
  else put($("board"), drawBoard(position, game?.colours || [], chosen ? chosen.plays.flat() : [], travels), boardInWords(position, game?.names || []));
  $("board").onclick = isSettingBoard() ? null : ({ target }) => takeColumn(Number(target.dataset.column));
  const dice = table.dice || (game && game.position.roll) || table.roll_off?.dice || [];
  put($("dice"), dice.map(die));
  markPairs(chosen);
  const onto = table.moves.filter((move) => move.to || move.player !== null);
  put($("moves"), onto.map((move) => moved(move, game)), onto.length < table.moves.length ? h("li", null, runnerBadge(), t("runners_off")) : null, next(table));
  put($("actions"), page.paired ? [table.choices.map(choice), buttons(table)] : [table.choices.map(choice), h("a", { class: "button", href: "#more" }, t("pair_first"))]);
  put($("odds"), table.opponent ? opponent(table.opponent) : [odds(table.odds), coach(table), story()]);
  put($("stops"), stops(game, table));
  put($("players"), table.roll_off ? rollers(table.roll_off) : game ? game.names.map((name, player) => seat(game, name, player)) : null);
  if (focused) document.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
  enliven(table, dice, travels);
}

/** Who is next, at the end of a turn. */
function next({ state, game }) {
  if (!["Busted", "Stopped"].includes(state) || game.names.length === 1) return null;
  const player = game.position.turn;
  return h("li", null, badge(game.colours[player]), t("next_rolls", { player: nameOf(game.names[player]) }));
}

/** Colours the two pairs of dice of a choice; none without one. */
function markPairs(one) {
  const dice = [...$("dice").children], values = dice.map((each) => Number(each.getAttribute("aria-label")));
  const sum = (a, b) => values[a] + values[b];
  const [low, high] = one ? one.pairing : [], first = [1, 2, 3].find((other) => {
    const [third, fourth] = [1, 2, 3].filter((each) => each !== other);
    return [sum(0, other), sum(third, fourth)].sort((a, b) => a - b).join() === [low, high].join();
  });
  dice.forEach((each, at) => {
    each.classList.toggle("pair", Boolean(first) && (at === 0 || at === first));
    each.classList.toggle("other", Boolean(first) && at !== 0 && at !== first);
  });
}

/** Chooses the pairing that moves a touched column; if several do, shows them in turn. */
function takeColumn(column) {
  const able = page.table.choices.filter((one) => one.plays.flat().some((move) => move.column === column));
  if (!able.length) return;
  if (able.length === 1 && page.paired) { press(able[0].button); return; }
  selected = able[(able.findIndex((one) => one.button === selected) + 1) % able.length].button;
  drawTable();
}

function choice(one) {
  const what = one.plays.length ? one.plays.map(moves).join(" " + t("or") + " ") : t("not_possible");
  const sums = page.table.state === "ChoosingColumn" ? String(one.plays[0][0].column) : one.pairing.join("+");
  const look = () => { selected = selected === one.button ? "" : one.button; drawTable(); };
  return h("div", { class: "choice", onpointerenter: () => markPairs(one), onfocusin: () => markPairs(one), onpointerleave: () => markPairs(picked()), onfocusout: () => markPairs(picked()) },
    h("button", { type: "button", "aria-pressed": String(one.plays.length > 0 && selected === one.button), disabled: !one.plays.length, onclick: look, "data-focus": "look" + one.button },
      h("b", null, sums), " ", h("i", null, what), h("kbd", null, one.button)),
    page.paired && one.plays.length ? h("button", { type: "button", class: selected === one.button ? "main" : "", onclick: () => press(one.button), "data-focus": "take" + one.button, "aria-label": t("choose") + " " + sums }, t("choose")) : null);
}

function stops(game, table) {
  if (!game || !["Telling", "Deciding", "Busting"].includes(table.state)) return null;
  if (table.state === "Busting") return h("p", { class: "note bad" }, t("bust_nothing"));
  if (!game.may_stop) return h("p", { class: "note" }, t("no_stop"));
  const where = game.stop_moves.map(step).join(", ");
  return h("p", { class: game.stop_wins ? "note good" : "note" }, game.stop_wins ? t("stop_wins") + " " : "", t("stop_does", { moves: where }));
}

function odds(given) {
  if (!given) return null;
  const percent = (chance) => decimal(100 * chance, chance < 0.1 ? 1 : 0);
  return h("p", { class: "note" }, t("odds_bust", { percent: percent(given.bust) }), " · ", t("odds_stake", { spaces: given.stake }), given.win ? " · " + t("odds_win", { percent: percent(given.win) }) : "");
}

/** The story of the game, while the box shows it. */
const story = () => words().story && h("dl", null, words().story.map(([title, text]) => [h("dt", null, title), h("dd", null, text)]));

export const levelName = (level) => (has("level_" + level) ? t("level_" + level) : level);

/** What an opponent takes, whether it stops, and why. */
function opponent({ level, pairing, stops, why, loss, stake }) {
  const player = levelName(level);
  if (!why) return null;
  const reason = t("o_" + (why === "risk" && stake === 1 ? "risk_1" : why), { percent: Math.round(100 * loss), spaces: stake });
  return h("p", { class: "note" }, pairing ? t("k_play", { player, what: pairing.join("+") }) + ". " : "",
    t("with", { what: t(stops ? "k_stop" : "o_rolls", { player }), more: reason }));
}

function seat(game, name, player) {
  const won = game.position.owners.map((owner, column) => (owner === player ? column : 0)).filter(Boolean);
  const of = t("won_of", { won: won.length, all: game.columns_to_win });
  return h("li", { class: player === game.actor ? "turn" : "" }, badge(game.colours[player]), h("span", null, nameOf(name)),
    game.levels[player] ? h("small", null, levelName(game.levels[player])) : null,
    h("small", null, won.length ? t("with", { what: of, more: won.join(" ") }) : of),
    game.position.out.includes(player) ? h("small", null, t("left")) : null,
    game.wins.length > 1 ? h("small", { class: "wins" }, t("games_won", { wins: game.wins[player] })) : null);
}

/** The players of the roll-off, each with the die rolled so far. */
function rollers({ names, colours, contenders, dice }) {
  return contenders.map((player, at) => h("li", { class: at === dice.length ? "turn" : "" }, badge(colours[player]), h("span", null, nameOf(names[player])), at < dice.length ? die(dice[at]) : null));
}

/** A move on the real board: a piece, its old and its new space. */
function moved(move, game) {
  const from = move.from ? String(move.from) : t("beside_board"), to = move.to ? space(move.column, move.to) : t("beside_board");
  return h("li", null, move.player === null ? runnerBadge() : badge(game.colours[move.player]),
    h("b", null, String(move.column)), h("span", null, t("from_to", { from, to })));
}

/** The buttons' current functions in the OLED's own words, after the dice of a simulated tray, if needed. */
function buttons(table) {
  const choosing = new Set([...table.choices.map((one) => one.button), ...(words().list.length ? ["A", "B", "C"] : [])]);
  const made = [], wins = Boolean(table.game?.stop_wins) && "STOP" in words().labels;
  if (mayThrow()) made.push(h("button", { type: "button", class: wins ? "" : "main", onclick: roll, "data-focus": "throw" }, t("throw")));
  for (const button of BUTTONS.filter((one) => words().labels[one] && !choosing.has(one))) {
    made.push(h("button", { type: "button", class: wins && button === "STOP" ? "main" : "", onclick: () => press(button), "data-focus": "press" + button }, words().labels[button], h("kbd", null, button)));
  }
  // Holding B would open this page, and the page corrects dice itself, with fewer touches than the box.
  const needless = ["B", ...(table.corrects.includes("dice") ? ["A"] : [])];
  for (const button of BUTTONS.filter((one) => words().labels["hold " + one] && !needless.includes(one))) {
    made.push(h("button", { type: "button", class: "hold", onclick: () => press(button, true), "data-focus": "hold" + button }, words().labels["hold " + button], h("kbd", null, t("hold_key", { button }))));
  }
  return made;
}
