// The table lives: dice tumble, pieces climb, a bust collapses, a column and a game are won. The page shows the result
// already; this only leads the eye to it. So nothing waits for it, and any key or touch ends it.
import { SPACE, TOP, middle, runner } from "./board.js";
import { COLOURS } from "./colours.js";
import { $, h, s, store } from "./dom.js";

const STEP_MS = 170, DIE_MS = 700, FALL_MS = 900;
/** Above this mean time of a frame the phone is too slow for motion. */
const SLOW_MS = 60, FRAMES = 12;

const running = new Set();
let last = null, audio = null, isSlow = false;

const isStill = () => isSlow || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
export const hasSounds = () => store.get("sounds") !== "off";
export const setSounds = (on) => store.set("sounds", on ? "" : "off");

/** Ends all motion at once: what is shown is the result. */
function skip() { for (const one of running) one.finish(); }
for (const input of ["pointerdown", "keydown"]) addEventListener(input, skip, { capture: true, passive: true });

function move(element, frames, options, ended) {
  if (!element) return;
  const one = element.animate(frames, { fill: ended ? "both" : "backwards", easing: "ease-out", ...options });
  running.add(one);
  one.onfinish = one.oncancel = () => { running.delete(one); ended?.(); };
}

/** Plays a tone that slides from one frequency to another, if sounds are on and this page was touched before. */
function tone(from, to, delay_ms, long_ms, type = "triangle") {
  if (!hasSounds() || !navigator.userActivation?.hasBeenActive || !window.AudioContext) return;
  audio ||= new AudioContext();
  const at = audio.currentTime + delay_ms / 1000, until = at + long_ms / 1000;
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, until);
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, until);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(until);
}

/** Shows what has happened since the last drawing. */
export function enliven({ state, game }, dice, moves) {
  const number = game?.number;
  const now = { state, number, steps: game?.steps, owners: game?.position.owners, dice: dice.join(), moves: JSON.stringify(moves) };
  const was = last;
  last = now;
  if (!was || was.number !== number || isStill()) return;
  if (now.dice && now.dice !== was.dice) tumble();
  if (state === "Busted" && was.state !== "Busted") collapse(moves);
  else if (now.moves !== was.moves && state !== "PutBack") moves.forEach(climb);
  now.owners?.forEach((owner, column) => { if (owner !== null && was.owners?.[column] === null) conquer(column); });
  if (state === "GameOver" && was.state !== "GameOver") celebrate(game);
  if (running.size) watch();
}

function tumble() {
  [...$("dice").children].forEach((die, at) => {
    const turn = (at % 2 ? 1 : -1) * (400 + 90 * at), delay = 70 * at;
    move(die, [
      { transform: `translate(${-40 + 30 * at}px,-5rem) rotate(${turn}deg) scale(.7)`, opacity: 0 },
      { transform: `translate(${6 * at}px,0) rotate(${turn / 5}deg)`, opacity: 1, offset: 0.55, easing: "ease-in-out" },
      { transform: "translate(0,-.6rem) rotate(0)", offset: 0.75 },
      { transform: "none" },
    ], { duration: DIE_MS, delay });
    for (const bounce of [0.55, 1]) tone(260 + 40 * at, 120, delay + bounce * DIE_MS, 60);
  });
}

const piece = (column, player) => document.querySelector(`#board [data-piece="${player ?? "runner"}-${column}"]`);

/** Lets a piece climb to its space, space by space; one that is brought in comes from its player's marker. */
function climb({ column, player, start, to }) {
  const count = to - start;
  if (!to || count <= 0) return;
  const frames = Array.from({ length: count + 1 }, (_, done) => ({ transform: `translateY(${(count - done) * SPACE}px)`, easing: "cubic-bezier(.3,1.7,.6,1)" }));
  move(piece(column, player), frames, { duration: STEP_MS * count });
  for (let done = 1; done <= count; done++) tone(330 * 2 ** (done / 8), 330 * 2 ** (done / 8), STEP_MS * done, 90);
}

/** Lets copies of the runners fall off the board: they are no longer on it. */
function collapse(moves) {
  const board = document.querySelector("#board svg");
  for (const { column, from } of moves.filter((one) => one.player === null)) {
    const copy = board.appendChild(s("g", null, runner(...middle(column, from), 10))), away = (column - 7) * 14;
    move(copy, [{ transform: "none" }, { transform: `translate(${away / 4}px,-14px) rotate(20deg)`, offset: 0.25 }, { transform: `translate(${away}px,420px) rotate(${away * 6}deg)` }],
      { duration: FALL_MS, delay: 60 * (column % 3), easing: "cubic-bezier(.5,0,.9,.6)" }, () => copy.remove());
  }
  move(board, [{ transform: "none" }, { transform: "translateX(-6px)" }, { transform: "translateX(5px)" }, { transform: "none" }], { duration: 260 });
  tone(320, 70, 0, 600, "sawtooth");
}

/** Lights a won column from below. */
function conquer(column) {
  for (let space = 1; space <= TOP[column]; space++) {
    move(document.querySelector(`#board rect[data-column="${column}"][data-space="${space}"]`), [{ opacity: 0.1 }, { opacity: 1 }], { duration: 300, delay: 50 * space });
  }
  [1, 1.25, 1.5].forEach((pitch, at) => tone(523 * pitch, 523 * pitch, 50 * TOP[column] + 110 * at, 160));
}

function celebrate(game) {
  const colours = [COLOURS[game.colours[game.winner]].rgb, "#fff", "#e9b93f"];
  const sky = document.body.appendChild(h("div", { class: "confetti", "aria-hidden": "true" }));
  const fall = Array.from({ length: 70 }, (_, at) => sky.appendChild(h("i", { "--c": colours[at % 3], "--x": `${Math.random() * 100}vw` })));
  fall.forEach((one, at) => move(one, [{ transform: "translateY(0)" }, { transform: `translate(${Math.random() * 20 - 10}vw,110vh) rotate(${360 + Math.random() * 720}deg)` }],
    { duration: 2200 + Math.random() * 1600, delay: Math.random() * 700 }, () => { one.remove(); if (!sky.children.length) sky.remove(); }));
  move($("status"), [{ transform: "scale(.8)" }, { transform: "scale(1.12)" }, { transform: "none" }], { duration: 700 });
  [1, 1.25, 1.5, 2, 1.5, 2].forEach((pitch, at) => tone(523 * pitch, 523 * pitch, 300 + 150 * at, 240));
}

/** Measures the first frames of a motion; a phone that is too slow gets none from then on. */
function watch() {
  const begun = performance.now();
  let frames = 0;
  const count = () => {
    if (!running.size) return;
    if (++frames < FRAMES) { requestAnimationFrame(count); return; }
    const mean = (performance.now() - begun) / frames;
    document.documentElement.dataset.frame = mean.toFixed(1);
    if (mean > SLOW_MS) { isSlow = true; skip(); }
  };
  requestAnimationFrame(count);
}
