// The form for a new game: names, colours, opponents, rules and who begins. The referee checks it and begins the game.
import { $, h, nameOf, put, t } from "./dom.js";
import { COLOURS } from "./colours.js";
import { badge } from "./board.js";
import { levelName } from "./table.js";
import { ask } from "./net.js";
import { page } from "./state.js";

/** The form's contents {seats: [{name, colour, level}], columns, fast, same, begins}; null while it is closed. */
let form = null, problem = "";
/** The state in which the form was closed, so that it stays closed there. */
let closed = "";

export function drawSeats() {
  const { table } = page, offer = page.paired && table?.seats, isAsked = ["NewGame", "EnteringName"].includes(table?.state);
  if (closed && closed !== table.state) closed = "";
  if (!offer) form = null;
  else if (isAsked && !form && !closed) form = filled(offer);
  const marks = JSON.stringify([Boolean(offer), form, problem, table?.state, offer?.names, document.documentElement.lang]);
  if (marks === drawSeats.marks) return;
  drawSeats.marks = marks;
  const place = $("seats"), focused = place.contains(document.activeElement) && document.activeElement.dataset.focus;
  if (form) put(place, drawForm(offer));
  else put(place, offer ? button("new", t("seats_new"), open) : null);
  if (focused) place.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

const button = (name, text, onclick, more) => h("button", { type: "button", onclick, "data-focus": "seat" + name, ...more }, text);

/** The last game's players and rules, or two players without names. */
function filled({ last, starts, markers, fewest_columns }) {
  if (!last) return { seats: ["yellow", "orange"].map((colour) => ({ name: "", colour, level: "" })), columns: fewest_columns, fast: "", same: "", begins: 0 };
  const seats = last.colours.map((colour, at) => ({ colour, level: last.levels[at], name: last.names[at] === colour ? "" : last.names[at] }));
  const one = (of) => of.find((each) => each && last.variants.includes(each)) || "";
  return { seats, columns: last.columns_to_win, fast: one(starts), same: one(markers), begins: last.names.indexOf(last.begins) };
}

function open() {
  form = filled(page.table.seats);
  problem = "";
  page.draw();
  $("seats").scrollIntoView({ block: "start" });
}

function change(more) {
  form = { ...form, ...more };
  problem = "";
  page.draw();
}

const seated = (at, more) => change({ seats: form.seats.map((seat, index) => (index === at ? { ...seat, ...more } : seat)) });

/** A colour that another seat has goes to that seat in exchange. */
function paint(at, colour) {
  const before = form.seats[at].colour;
  change({ seats: form.seats.map((seat, index) => (index === at ? { ...seat, colour } : seat.colour === colour ? { ...seat, colour: before } : seat)) });
}

function setPlayers(count, { most_columns }) {
  const free = Object.keys(COLOURS).filter((colour) => form.seats.every((seat) => seat.colour !== colour));
  const seats = Array.from({ length: count }, (_, at) => form.seats[at] || { name: "", colour: free.shift(), level: "" });
  change({ seats, columns: Math.min(form.columns, most_columns[count]), begins: form.begins < count ? form.begins : 0 });
}

async function send() {
  const { seats, columns, fast, same, begins } = form;
  const body = { names: seats.map((seat) => seat.name), colours: seats.map((seat) => seat.colour), levels: seats.map((seat) => seat.level),
    columns_to_win: columns, variants: [fast, same].filter(Boolean), begins: seats.length > 1 ? begins : 0 };
  try {
    await ask("seats", { method: "POST", body });
    form = null;
    closed = page.table.state;
  } catch (error) { problem = error.message; }
  page.draw();
}

function close() {
  form = null;
  closed = page.table.state;
  page.draw();
}

const select = (name, label, options, now, take) => h("label", null, label, h("select", { "data-focus": "seat" + name, onchange: (event) => take(event.target.value) },
  options.map(([value, text]) => h("option", { value, selected: value === now }, text))));

function drawForm(offer) {
  const { seats } = form, count = seats.length, named = (of) => of.map((each) => [each, t("seats_" + (each || "normal"))]);
  const fewest = offer.fewest_columns, columns = Array.from({ length: offer.most_columns[count] - fewest + 1 }, (_, at) => [fewest + at, String(fewest + at)]);
  const called = (seat) => (seat.level ? levelName(seat.level) : nameOf(seat.name || seat.colour));
  const enter = (event) => { event.preventDefault(); send(); };
  return h("form", { onsubmit: enter, autocomplete: "off" }, h("fieldset", null, h("legend", null, t("seats")),
    h("div", { class: "row", role: "group", "aria-label": t("seats_players") }, Object.keys(offer.most_columns).map(Number).map((each) => button("count" + each, String(each), () => setPlayers(each, offer), { "aria-pressed": String(each === count), "aria-label": t("seats_players") + " " + each }))),
    seats.map((seat, at) => seatFields(seat, at, offer.levels, offer.longest)),
    h("datalist", { id: "names" }, offer.names.map((name) => h("option", { value: name }))),
    count > 1 ? select("begins", t("seats_begins"), [...seats.map((seat, at) => [at, called(seat)]), [count, t("seats_dice")]], form.begins, (at) => change({ begins: Number(at) })) : null,
    h("details", { open: form.isOpen, ontoggle: (event) => { form.isOpen = event.target.open; } }, h("summary", null, t("seats_rules")), h("div", { class: "seat" },
      select("columns", t("seats_columns"), columns, form.columns, (number) => change({ columns: Number(number) })),
      select("fast", t("seats_fast"), named(offer.starts), form.fast, (fast) => change({ fast })),
      select("same", t("seats_same"), named(offer.markers), form.same, (same) => change({ same })))),
    h("div", { class: "row" }, h("button", { type: "submit", class: "main", "data-focus": "seatstart" }, t("seats_start")), button("leave", t("leave"), close)),
    h("p", { role: "alert", class: "bad" }, problem)));
}

function seatFields({ name, colour, level }, at, levels, longest) {
  const typed = (event) => {  // not drawn again, so that the keyboard stays
    form.seats[at].name = event.target.value;
    const option = $("seats").querySelector("[data-focus=seatbegins]")?.options[at];
    if (option) option.textContent = nameOf(event.target.value || colour);
  };
  const next = (event) => {  // the keyboard's Next goes to the next name; only the button begins the game
    if (event.key !== "Enter") return;
    event.preventDefault();
    const inputs = [...$("seats").querySelectorAll("input")];
    (inputs[inputs.indexOf(event.target) + 1] || $("seats").querySelector("[type=submit]")).focus();
  };
  const label = t("seats_name", { colour: t("colour_" + colour) });
  return h("div", { class: "seat" }, badge(colour),
    h("select", { "data-focus": "seatcolour" + at, "aria-label": t("seats_colour") + " " + (at + 1), onchange: (event) => paint(at, event.target.value) }, Object.keys(COLOURS).map((each) => h("option", { value: each, selected: each === colour }, nameOf(each)))),
    level ? null : h("input", { "data-focus": "seatname" + at, "aria-label": label, placeholder: nameOf(colour), list: "names", value: name, maxlength: longest, autocapitalize: "words", enterkeyhint: "next", oninput: typed, onkeydown: next }),
    h("select", { "data-focus": "seatlevel" + at, "aria-label": t("seats_who") + " " + (at + 1), onchange: (event) => seated(at, { level: event.target.value }) },
      [["", t("seats_person")], ...levels.map((key) => [key, levelName(key)])].map(([value, text]) => h("option", { value, selected: value === level }, text))));
}
