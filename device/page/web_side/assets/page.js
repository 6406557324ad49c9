// The page: receives the table's events, and shows the current view and the texts around it.
import { $, nameOf, put, store, t } from "./dom.js";
import { badge } from "./board.js";
import { LANGUAGES, setLanguage, setTheme } from "./appearance.js";
import { key, listen } from "./net.js";
import { page, words } from "./state.js";
import { drawTable, pressKey } from "./table.js";
import { drawDevices } from "./device.js";
import { hasSounds, setSounds } from "./lively.js";
import { drawWhere, readAloud, sayBoard } from "./speech.js";
import { drawPad, typeDice } from "./pad.js";
import { drawPhoto } from "./photo.js";
import { drawThrow, lookNow, watchTray } from "./tray.js";
import { drawCorrect } from "./correct.js";
import { advice, drawSteps, showCamera } from "./camera.js";
import { drawSeats } from "./seats.js";
import { showGames } from "./games.js";
import { showMore } from "./more.js";
import { drawPairing, lookAtMe, pairByLink, setPaired } from "./pairing.js";

const VIEWS = ["table", "box", "camera", "games", "more"];

/** Whose turn it is: the name and colour. */
function turn({ game, roll_off }) {
  const player = roll_off ? roll_off.contenders[roll_off.dice.length] : game?.actor, seats = roll_off || game;
  return seats ? { name: seats.names[player], colour: seats.colours[player] } : { name: "" };
}

/** Why nothing is shown, or nothing new. */
const broken = (line) => t({ connecting: "connecting", key: "e_key", away: "away" }[line] || "lost");

function drawHead() {
  const { table, line } = page, { name, colour } = table ? turn(table) : {};
  put($("badge"), colour ? badge(colour) : null);
  const text = table ? t("s_" + table.state, { player: nameOf(name) }) : broken(line);
  if ($("said").textContent !== text) $("said").textContent = text;
  // For screen readers: what was rolled and what can be chosen. While dice roll, what was said last stays.
  const more = table ? words().spoken || $("more-said").textContent : "";
  if ($("more-said").textContent !== more) $("more-said").textContent = more;
  let below = "";
  if (table && line !== "up") below = broken(line);
  else if (table?.tray) {
    below = t("v_" + table.tray.view);
    if (table.tray.why && !table.hint) below += " " + t("r_" + table.tray.why, { dice: table.tray.dice });
  }
  if (table && line === "up" && table.hint) below += " " + advice(table.hint);
  if ($("line").textContent !== below) $("line").textContent = below;
  $("line").classList.toggle("bad", line !== "up" || ["unreadable", "no camera", "camera moved"].includes(table?.tray?.view));
  document.documentElement.dataset.line = line;
  document.documentElement.dataset.state = table?.state || "";
  document.title = table ? text + " · " + t("box") : "Can't Stop";
}

function draw() {
  drawHead();
  if (!page.table) return;
  $("desk").hidden = !(page.can.tray && page.paired);
  if (page.view === "table") { drawCorrect(); drawSeats(); drawTable(); drawPad(); drawPhoto(); lookNow(); }
  if (page.view === "box") drawThrow();
  if (page.view === "camera") drawSteps();
  drawDevices();
  drawWhere();
  readAloud();
}

function show() {
  const view = VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "table";
  page.leave?.();
  page.leave = null;
  page.view = view;
  document.documentElement.dataset.view = view;
  for (const each of VIEWS) $(each).hidden = each !== view;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#" + view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const open = { table: watchTray, camera: showCamera, games: showGames, more: showMore }[view];
  if (open) page.leave = open() || null;
  draw();
}

function heard(what, data) {
  const before = page.line;
  page.line = what === "table" ? "up" : what;
  if (what === "table") {
    const isFirst = !page.table;
    page.table = data;
    page.can = data.can;
    if (isFirst && page.view === "more") drawPairing();
    document.documentElement.dataset.serial = data.serial;
    if (before !== "up") lookAtMe().then(askForCamera);
    if (!store.get("lang") && !(own in LANGUAGES) && data.language !== document.documentElement.lang) setLanguage(data.language);
  }
  if (what === "key") setPaired(false);
  draw();
}

/** A game on a computer that does not know its camera begins with that question. */
function askForCamera() {
  if (page.can.choose && page.paired) location.hash = "#camera";
}

addEventListener("hashchange", () => { show(); $("main").focus({ preventScroll: true }); scrollTo(0, 0); });
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest("input,select,textarea,pre")) return;
  if (event.key === "m") { setSounds(!hasSounds()); return; }
  if (event.key === "w") { sayBoard(); return; }
  if (!page.paired) return;
  if (typeDice(event.key) || pressKey(event.key)) event.preventDefault();
});

page.draw = draw;
$("where").onclick = sayBoard;
setTheme(store.get("theme"));
const own = (navigator.language || "en").slice(0, 2);
// A link with the code, as in the OLED's QR code: it pairs this phone, and the code is removed from the URL at once.
const invited = /^\/P\/(\w{1,16})$/.exec(location.pathname)?.[1];
if (invited) history.replaceState(null, "", "/#table");
await setLanguage(store.get("lang") || (own in LANGUAGES ? own : "en"));
if (invited && !key()) await pairByLink(invited);
show();
page.connect = listen(heard);
