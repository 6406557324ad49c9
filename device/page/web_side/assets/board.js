// The board: eleven columns, centred as on the stop sign of the real one.
import { COLOURS } from "./colours.js";
import { h, s, t, nameOf } from "./dom.js";

export const TOP = [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const W = 36, H = 27, MARGIN = 12, ROWS = 13;
const WIDTH = 11 * W + 2 * MARGIN, HEIGHT = ROWS * H + 2 * MARGIN + 16;

const PATHS = {
  square: "M-.85-.85H.85V.85H-.85z",
  triangle: "M0-1.05L1 .8H-1z",
  diamond: "M0-1.15L1.05 0 0 1.15-1.05 0z",
  cross: "M-.4-1H.4V-.4H1V.4H.4V1H-.4V.4H-1V-.4H-.4z",
  hexagon: "M-.55-.95H.55L1.1 0 .55 .95H-.55L-1.1 0z",
};

/** A player's marker. */
export function marker(colour, x = 0, y = 0, size = 10) {
  const { rgb, shape } = COLOURS[colour];
  const place = { class: "marker", "--c": rgb, transform: `translate(${x} ${y}) scale(${size})` };
  return shape === "circle" ? s("circle", { ...place, r: 1 }) : s("path", { ...place, d: PATHS[shape] });
}

export const badge = (colour) => s("svg", { viewBox: "-13 -13 26 26", class: "badge", "aria-hidden": "true" }, marker(colour, 0, 0, 10));

/** A runner: the neutral piece. */
export function runner(x, y, size, extra = "") {
  return s("path", { class: "runner " + extra, transform: `translate(${x} ${y}) scale(${size})`, d: "M0-1.1a.5.5 0 0 1 .3.9L.75 1H-.75L-.3-.2A.5.5 0 0 1 0-1.1z" });
}

export const runnerBadge = () => s("svg", { viewBox: "-13 -13 26 26", class: "badge", "aria-hidden": "true" }, runner(0, 0, 10));

const left = (column) => MARGIN + (column - 2) * W;
const top = (column, space) => MARGIN + (ROWS - (ROWS - TOP[column]) / 2 - space) * H;

/** The middle of a space, in the board's own units. */
export const middle = (column, space) => [left(column) + W / 2, top(column, space) + H / 2];
export const SPACE = H;

/** The places of pieces within a space, by the number of pieces: [x, y, size]. */
function places(count) {
  if (count === 1) return [[0, 0, 9]];
  if (count === 2) return [[-8, 0, 7], [8, 0, 7]];
  if (count <= 5) return [[-9, -6, 5.6], [9, -6, 5.6], [-9, 6, 5.6], [9, 6, 5.6], [0, 0, 5.6]];
  return Array.from({ length: count }, (_, at) => [at % 3 * 11 - 11, Math.floor(at / 3) * 12 - 6, 4.6]);
}

/**
 * Draws a position.
 * @param position {markers, runners, turn, owners}
 * @param colours of the players
 * @param ghosts what a choice would do: [{column, space}]
 * @param moves what was just moved: [{column, start, to}], shown as an arrow from the old space to the new one
 */
export function drawBoard(position, colours, ghosts = [], moves = []) {
  const cut = 92, w = WIDTH, g = HEIGHT;
  const parts = [s("path", { class: "sign", d: `M${cut} 2H${w - cut}L${w - 2} ${cut}V${g - cut}L${w - cut} ${g - 2}H${cut}L2 ${g - cut}V${cut}z` })];
  const own = position.markers[position.turn] || [];
  for (let column = 2; column <= 12; column++) {
    const owner = position.owners[column];
    const ghost = ghosts.find((one) => one.column === column);
    for (let space = 1; space <= TOP[column]; space++) {
      const x = left(column), y = top(column, space), cx = x + W / 2, cy = y + H / 2;
      const at = position.runners[column] === space;
      const isGhost = ghost && ghost.space === space;
      let kind = "space", of = null;
      if (owner !== null) [kind, of] = ["space won", owner];
      else if (position.runners[column] && space > (own[column] || 0) && space <= position.runners[column]) [kind, of] = ["space way", position.turn];
      if (space === TOP[column]) kind += " top";
      parts.push(s("rect", { class: kind, "--c": of === null ? "" : COLOURS[colours[of]].rgb, "data-column": column, "data-space": space, x: x + 1.5, y: y + 1.5, width: W - 3, height: H - 3, rx: 5 }));
      if (space === TOP[column]) parts.push(s("text", { class: "number", x: cx, y: cy + 5 }, String(column)));
      if (at) parts.push(s("rect", { class: "here", x: x + 2, y: y + 2, width: W - 4, height: H - 4, rx: 5 }));
      if (isGhost) parts.push(s("rect", { class: "ghost", x: x + 2, y: y + 2, width: W - 4, height: H - 4, rx: 5 }));
      const standing = position.markers.map((spaces, player) => [player, spaces[column]]).filter(([, one]) => one === space);
      const pieces = standing.map(([player]) => (px, py, size) => s("g", { "data-piece": `${player}-${column}` }, marker(colours[player], px, py, size)));
      if (at) pieces.push((px, py, size) => s("g", { "data-piece": `runner-${column}` }, runner(px, py, size * 1.1, isGhost || !ghost ? "" : "leaving")));
      else if (isGhost) pieces.push((px, py, size) => runner(px, py, size * 1.1, "coming"));
      places(pieces.length).slice(0, pieces.length).forEach(([dx, dy, size], index) => parts.push(pieces[index](cx + dx, cy + dy, size)));
    }
    parts.push(s("text", { class: "foot", x: left(column) + W / 2, y: top(column, 0) + 12 }, String(column)));
  }
  for (const move of moves.filter((one) => one.to)) parts.push(...arrow(move));
  return s("svg", { viewBox: `0 0 ${w} ${g}`, role: "img", "aria-label": t("board"), class: "boardsvg" }, parts);
}

/** An arrow beside a column, from where a piece came (below the column if from nowhere on it) to its new space. */
function arrow({ column, start, to }) {
  const x = left(column) + W - 5, y0 = top(column, start) + H / 2, y1 = top(column, to) + H / 2;
  const d = `M${x} ${y0}V${y1}M${x - 4} ${y1 + (y1 < y0 ? 6 : -6)}L${x} ${y1}L${x + 4} ${y1 + (y1 < y0 ? 6 : -6)}`;
  return [s("path", { class: "arrow halo", d }), s("path", { class: "arrow", d })];
}

/** The board in words for screen readers: one line for each column with a piece. */
export function boardInWords(position, names) {
  const lines = [];
  for (let column = 2; column <= 12; column++) {
    const parts = position.markers.map((spaces, player) => [player, spaces[column]]).filter(([, space]) => space)
      .map(([player, space]) => space === TOP[column] ? t("w_won", { player: nameOf(names[player]) }) : t("w_marker", { player: nameOf(names[player]), space }));
    if (position.runners[column]) parts.push(t("w_runner", { space: position.runners[column] }));
    if (parts.length) lines.push(h("li", null, t("w_column", { column, spaces: TOP[column] }) + " " + parts.join("; ")));
  }
  return h("ul", { class: "sr", "aria-label": t("board_words") }, lines.length ? lines : h("li", null, t("w_empty")));
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
/** A die. */
export function die(value) {
  return s("svg", { viewBox: "0 0 30 30", class: "die", role: "img", "aria-label": String(value) },
    s("rect", { x: 1, y: 1, width: 28, height: 28, rx: 6 }),
    (PIPS[value] || []).map((at) => s("circle", { cx: 8 + 7 * (at % 3), cy: 8 + 7 * Math.floor(at / 3), r: 2.7 })));
}
