// Past games: a list, and each of them step by step on the board, as a plot and as text.
import { $, decimal, h, has, nameOf, put, s, t } from "./dom.js";
import { COLOURS } from "./colours.js";
import { badge, boardInWords, die, drawBoard } from "./board.js";
import { ask } from "./net.js";

const STEP_MS = 900, AGAIN_MS = 5000;

/** Opens the view; returns a function that closes it. */
export function showGames() {
  const state = { timer: 0, open: true };
  put($("game"));
  list(state).then(() => figures(state));
  return () => { state.open = false; clearInterval(state.timer); };
}

async function list(state) {
  let found = null;
  while (!found) {
    try { found = (await ask("games")).games; } catch (error) {
      if (!state.open) return;
      put($("gamelist"), h("p", { class: "note bad" }, error.message));
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    if (!state.open) return;
  }
  put($("gamelist"), h("h2", null, t("games")), found.length ? h("ul", { class: "games" }, found.reverse().map((game) => h("li", null,
    h("button", { type: "button", onclick: () => open(state, game.number) },
      h("b", null, String(game.number)), " ", game.names.map(nameOf).join(", "), " · ",
      game.winner ? t("finished", { player: nameOf(game.winner) }) : t("unfinished"), " ",
      h("small", null, new Date(game.begun).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })))))) : h("p", null, t("no_games")));
}

/** Statistics of dice and players. Luck and nerve take time and are requested until they are ready. */
async function figures(state) {
  const place = h("div", { class: "column" });
  $("gamelist").append(place);
  while (state.open) {
    let found;
    try { found = await ask("figures"); } catch { found = null; }
    if (!state.open || (found && !found.players.length)) return;
    if (!found) { await new Promise((resolve) => setTimeout(resolve, AGAIN_MS)); continue; }
    put(place, h("h2", null, t("figures")), people(found), fairness(found));
    if (!found.working) return;
    place.append(h("p", { role: "status" }, t("working")));
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

const signed = (number) => (number < 0 ? "−" : "+") + decimal(Math.abs(number), 1);
const word = (kind, what) => (has(kind + what) ? t(kind + what) : what);

function people({ players, people: more }) {
  if (!more) return h("ul", { class: "plain" }, players.map((one) => h("li", null, t("with", { what: nameOf(one.name), more: t("wins_of", one) }))));
  const row = (one) => h("tr", null, h("th", { scope: "row" }, one.level ? word("level_", one.level) : nameOf(one.name), one.alone ? " (" + t("f_alone") + ")" : ""),
    h("td", null, one.alone ? "–" : one.wins + "/" + one.games), h("td", null, one.turns ? word("luck_", one.luck_word) + " (" + signed(one.gained) + ")" : "–"),
    h("td", null, word("nerve_", one.nerve_word), one.decisions ? " (" + signed(-one.given) + ")" : ""));
  return [h("table", null, h("thead", null, h("tr", null, ["player", "won", "luck", "nerve"].map((each) => h("th", { scope: "col" }, t("f_" + each))))),
    h("tbody", null, more.players.map(row))), h("p", { class: "soft" }, t("f_means", { games: more.games }))];
}

function fairness({ dice }) {
  if (!dice) return null;
  const most = Math.max(1, ...dice.counts), all = dice.counts.reduce((sum, one) => sum + one, 0);
  const percent = (share) => decimal(100 * share, share < 0.01 ? 2 : share < 0.1 ? 1 : 0);
  return [h("p", null, t("faces", { all })),
    h("div", { class: "faces" }, dice.counts.map((count, index) => [die(index + 1),
      h("meter", { min: 0, max: most, value: count, "aria-label": t("face", { face: index + 1, count }) }), h("span", null, String(count))])),
    h("p", { class: dice.odd ? "note bad" : "note good" }, t(dice.odd === null ? "fair_few" : dice.odd ? "fair_odd" : "fair_even", { percent: percent(dice.p ?? 0) }))];
}

function told(game, step) {
  const [pairing, columns] = step.text.split(": ");
  const what = columns ? t("with", { what: pairing, more: columns }) : pairing;
  return t("k_" + step.kind, { player: nameOf(game.names[step.player]), dice: what, what });
}

async function open(state, number) {
  clearInterval(state.timer);
  let game;
  try { game = await ask("games/" + number); } catch (error) { put($("game"), h("p", { class: "note bad" }, error.message)); return; }
  let at = game.steps.length - 1;
  const board = h("div", { class: "board" }), words = h("div"), said = h("p", { role: "status" }), dice = h("div", { class: "dice" });
  const plot = h("div"), slider = h("input", { type: "range", min: 0, max: game.steps.length - 1, value: at, "aria-label": t("position_of", { step: at, all: game.steps.length - 1 }) });
  const play = h("button", { type: "button" }, t("play"));
  const draw = () => {
    const step = game.steps[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", t("position_of", { step: at, all: game.steps.length - 1 }));
    put(board, drawBoard(step.board, game.colours));
    put(words, boardInWords(step.board, game.names));
    put(said, badge(game.colours[step.player]), " ", told(game, step));
    put(dice, (step.board.roll || []).map(die));
    put(plot, course(game, at));
  };
  const go = (to) => { at = Math.max(0, Math.min(game.steps.length - 1, to)); draw(); };
  const pause = () => { clearInterval(state.timer); state.timer = 0; play.textContent = t("play"); };
  slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
  play.addEventListener("click", () => {
    if (state.timer) { pause(); return; }
    if (at === game.steps.length - 1) at = -1;
    play.textContent = t("pause");
    const next = () => { go(at + 1); if (at === game.steps.length - 1) pause(); };
    state.timer = setInterval(next, STEP_MS);
    next();
  });
  const arrow = (sign, label, to) => h("button", { type: "button", "aria-label": t(label), "data-step": label, onclick: () => { pause(); go(to()); } }, sign);
  const text = h("pre", { tabindex: 0, "aria-label": t("transcript") }, game.transcript);
  const copy = h("button", { type: "button", onclick: () => copyText(text, copy) }, t("copy"));
  put($("game"), h("h2", { tabindex: -1 }, t("game", { number }) + (game.winner === null ? "" : " · " + t("finished", { player: nameOf(game.names[game.winner]) }))),
    board, words, said, dice,
    h("div", { class: "row" }, arrow("|◀", "first", () => 0), arrow("◀", "previous", () => at - 1), play, arrow("▶", "next", () => at + 1), arrow("▶|", "last", () => game.steps.length - 1), slider),
    h("h3", null, t("course")), plot, h("h3", null, t("transcript")), h("div", { class: "row" }, copy), text);
  draw();
  $("game").querySelector("h2").focus();
}

/** Copies without the clipboard API, which browsers restrict to secure pages and thus disable over plain http. */
async function copyText(text, button) {
  try { await navigator.clipboard.writeText(text.textContent); } catch {
    getSelection().selectAllChildren(text);
    document.execCommand("copy");
  }
  button.textContent = t("copied");
}

/** The progress of each player, step by step. */
function course(game, at) {
  const wide = 360, high = 150, left = 26, bottom = 130;
  const sums = game.names.map((_, player) => game.steps.map((step) => step.board.markers[player].reduce((sum, one) => sum + one, 0)));
  const most = Math.max(10, ...sums.flat()), last = Math.max(1, game.steps.length - 1);
  const x = (step) => left + ((wide - left - 18) * step) / last, y = (sum) => bottom - ((bottom - 10) * sum) / most;
  return s("svg", { viewBox: `0 0 ${wide} ${high}`, class: "plot", role: "img", "aria-label": t("course_words") },
    s("line", { class: "axis", x1: left, x2: wide - 8, y1: bottom, y2: bottom }), s("line", { class: "axis", x1: left, x2: left, y1: 8, y2: bottom }),
    s("text", { x: 2, y: y(most) + 8 }, String(most)), s("text", { x: 2, y: bottom }, "0"), s("text", { x: wide - 30, y: bottom + 14 }, String(last)),
    s("line", { class: "now", x1: x(at), x2: x(at), y1: 8, y2: bottom }),
    sums.map((line, player) => [
      s("polyline", { "--c": COLOURS[game.colours[player]].rgb, points: line.map((sum, step) => `${x(step).toFixed(1)},${y(sum).toFixed(1)}`).join(" ") }),
      s("g", { transform: `translate(${x(last) + 8} ${y(line[last])}) scale(.45)` }, badge(game.colours[player]).firstChild)]));
}
