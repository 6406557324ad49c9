// Corrections: misread dice, or pieces that are elsewhere on the real board.
import { $, h, nameOf, put, t } from "./dom.js";
import { TOP, badge, die, drawBoard } from "./board.js";
import { ask } from "./net.js";
import { page } from "./state.js";

const COLUMNS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/** The correction in progress: {what, game, steps, …}; null while nothing is corrected. It applies to the game as it was then. */
let draft = null;

export const isSettingBoard = () => draft?.what === "board";

const mark = (game) => game && game.number + "." + game.steps;

/** The panel below the board; only for a paired phone. */
export function drawCorrect() {
  const { table } = page, game = table?.game, can = (page.paired && table?.corrects) || [];
  if (draft && (mark(game) !== draft.mark || !can.includes(draft.what))) draft = null;
  document.documentElement.dataset.putting = draft?.what || "";
  const marks = JSON.stringify([can, mark(game), table?.likely, draft, document.documentElement.lang]);
  if (marks === drawCorrect.marks) return;
  drawCorrect.marks = marks;
  const place = $("correct"), focused = place.contains(document.activeElement) && document.activeElement.dataset.focus;
  if (draft) put(place, draft.what === "dice" ? diceForm() : boardForm());
  else if (can.includes("board") || (can.length && table.game.position.roll)) put(place, offers(can));
  else put(place);
  if (focused) place.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

const button = (name, text, onclick, more) => h("button", { type: "button", onclick, "data-focus": "put" + name, ...more }, text);

function offers(can) {
  const { table } = page, roll = table.game.position.roll;
  return h("fieldset", null, h("legend", null, t("put_right")), h("div", { class: "row" },
    can.includes("dice") && roll ? table.likely.map((dice) => button("likely" + dice.join(""), t("really", { dice: dice.join("-") }), () => send("dice", { dice }))) : null,
    can.includes("dice") && roll ? button("dice", t("put_dice"), () => begin("dice", { dice: [...roll], at: 0 })) : null,
    can.includes("board") ? button("board", t("put_board"), beginBoard) : null), said());
}

const said = () => h("p", { role: "alert", class: "bad" }, problem);
let problem = "";

function begin(what, more) {
  const { game } = page.table;
  problem = "";
  draft = { what, mark: mark(game), game: game.number, steps: game.steps, ...more };
  page.draw();
}

function beginBoard() {
  const { markers, runners, turn, out } = page.table.game.position;
  begin("board", { markers: markers.map((own) => [...own]), runners: [...runners], turn, out, piece: turn });
}

function change(more) {
  Object.assign(draft, more);
  problem = "";
  page.draw();
}

async function send(path, body) {
  const { game } = page.table, mine = draft;
  const about = { game: draft?.game ?? game.number, steps: draft?.steps ?? game.steps };
  try {
    await ask(path, { method: "POST", body: { ...body, ...about } });
    problem = "";
    if (draft === mine) draft = null; // a form that was opened since then stays
  } catch (error) { problem = error.message; }
  drawCorrect.marks = "";
  page.draw();
}

const leave = () => { draft = null; problem = ""; page.draw(); };
const ends = (take, words = "take") => h("div", { class: "row" }, button("take", t(words), take, { class: "main" }), button("leave", t("leave"), leave));

/** Select a die, then its actual value. */
function diceForm() {
  const show = (at, value) => {
    const dice = draft.dice.map((one, index) => (index === at ? value : one));
    change({ dice, at: (at + 1) % 4 });
  };
  return h("fieldset", null, h("legend", null, t("put_dice_how")),
    h("div", { class: "row" }, draft.dice.map((value, at) => button("die" + at, die(value), () => change({ at }), { class: "face", "aria-pressed": String(at === draft.at), "aria-label": t("die_shows", { die: at + 1, value }) }))),
    h("div", { class: "row" }, [1, 2, 3, 4, 5, 6].map((value) => button("face" + value, die(value), () => show(draft.at, value), { class: "face small", "aria-label": t("it_shows", { value }) }))),
    ends(() => send("dice", { dice: draft.dice })), said());
}

const spaces = () => (draft.piece === -1 ? draft.runners : draft.markers[draft.piece]);

/** Puts the chosen piece onto a space, or removes it if it is already there. */
function place(column, space) {
  const now = spaces();
  now[column] = now[column] === space ? 0 : space;
  change({});
}

/** The board during a correction: a touch puts the chosen piece there. */
export function drawDraft() {
  const { game } = page.table;
  const owners = TOP.map((top, column) => { const owner = draft.markers.findIndex((own) => top && own[column] === top); return owner < 0 ? null : owner; });
  const picture = drawBoard({ ...draft, owners }, game.colours);
  picture.classList.add("setting");
  picture.addEventListener("click", (event) => {
    const { column, space } = event.target.dataset;
    if (column) place(Number(column), Number(space));
  });
  return picture;
}

export const draftMarks = () => (isSettingBoard() ? [draft.markers, draft.runners, draft.turn] : null);

function boardForm() {
  const { game } = page.table;
  const pieces = [...game.names.map((name, player) => [player, badge(game.colours[player]), nameOf(name)]), [-1, "", t("runners")]];
  const pick = ([piece, picture, name]) => button("piece" + piece, [picture, name], () => change({ piece }), { "aria-pressed": String(piece === draft.piece) });
  const column = (each) => h("label", null, String(each), h("select", { "data-focus": "putcolumn" + each, onchange: (event) => { spaces()[each] = Number(event.target.value); change({}); } },
    Array.from({ length: TOP[each] + 1 }, (_, space) => h("option", { value: space, selected: spaces()[each] === space }, space === 0 ? "–" : space === TOP[each] ? t("to_top") : String(space)))));
  return h("fieldset", null, h("legend", null, t("put_board_how")),
    h("div", { class: "row" }, pieces.map(pick)),
    h("div", { class: "columns" }, COLUMNS.map(column)),
    h("label", null, t("whose_turn"), h("select", { "data-focus": "putturn", onchange: (event) => change({ turn: Number(event.target.value) }) },
      game.names.map((name, player) => h("option", { value: player, selected: player === draft.turn, disabled: draft.out.includes(player) }, nameOf(name))))),
    ends(() => send("board", { markers: draft.markers, runners: draft.runners, turn: draft.turn, language: document.documentElement.lang }), "take_board"), said());
}
