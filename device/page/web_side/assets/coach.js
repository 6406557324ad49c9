// The coach: after one tap, what the strongest opponent would do, and what it thinks of each choice.
import { decimal, h, t } from "./dom.js";
import { ask } from "./net.js";
import { page } from "./state.js";
import { levelName } from "./table.js";

/** The last position asked about, with the answer or the reason for its failure, once it has come. */
let asked = {};

export const coachMarks = () => [page.table.coach, asked];

/** The button, and then the answer until the position changes. */
export function coach({ game, coach: may }) {
  if (!may || !page.paired) return null;
  const about = game.number + "/" + game.steps, { choices, problem } = asked.about === about ? asked : {};
  return h("div", { role: "status" }, choices ? told(choices, game.names.length > 1) : h("button", { type: "button", disabled: asked.about === about && !problem, onclick: () => find(about), "data-focus": "coach" }, t("coach")),
    problem ? h("p", { class: "note bad" }, problem) : null);
}

async function find(about) {
  asked = { about };
  page.draw();
  try { asked = { about, ...await ask("coach") }; } catch (error) { asked = { about, problem: error.message }; }
  page.draw();
}

function told(choices, chances) {
  const player = levelName("strongest"), best = choices.find((one) => one.best);
  const worth = (value) => (chances ? t("odds_win", { percent: decimal(100 * value, 0) }) : t("coach_turns", { turns: decimal(value, 1) }));
  const several = (pairing) => choices.filter(({ play: [other] }) => other.join() === pairing.join()).length > 1;
  const name = ({ play: [pairing, columns] }) => (several(pairing) ? t("with", { what: pairing.join("+"), more: columns.join(", ") }) : pairing.join("+"));
  const does = t(best.stops ? "k_stop" : "o_rolls", { player });
  const rows = best.play
    ? choices.map((one) => name(one) + " · " + worth(one.stops ? one.stop : one.roll))
    : [...(best.stop === null ? [] : [t("coach_stop", { what: worth(best.stop) })]), t("coach_roll", { what: worth(best.roll) })];
  return [h("p", { class: "note good" }, best.play ? t("with", { what: t("k_play", { player, what: name(best) }), more: does }) : does),
    h("ul", { class: "plain" }, rows.map((row) => h("li", null, row)))];
}
