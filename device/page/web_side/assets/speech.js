// Reads the table aloud with the browser's own voice, in the page's language, if this phone wants it.
import { $, store } from "./dom.js";
import { page, words } from "./state.js";

export const canSpeak = () => "speechSynthesis" in window;
export const speaks = () => canSpeak() && store.get("speaks") === "yes";

/** Turns reading aloud on or off; the current state is read at once. */
export function setSpeaks(on) {
  store.set("speaks", on ? "yes" : "");
  readAloud.said = "";
  if (on) readAloud(); else if (canSpeak()) speechSynthesis.cancel();
}

/** Reads the current screen once; a newer text interrupts an older one. */
export function readAloud() {
  const text = page.table && words().spoken;
  if (!text || !speaks() || text === readAloud.said) return;
  readAloud.said = text;
  utter(text);
}

/** Says where all pieces are, in a live region and, if this phone reads aloud, with its voice. */
export function sayBoard() {
  const text = page.table && words().board;
  if (!text) return;
  $("whereabouts").textContent = text;
  if (speaks()) utter(text);
}

/** Offers the board in words; those of an earlier position are removed. */
export function drawWhere() {
  const text = words().board;
  $("where").hidden = !text;
  if ($("whereabouts").textContent !== text) $("whereabouts").textContent = "";
}

function utter(text) {
  const voice = new SpeechSynthesisUtterance(text);
  voice.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(voice);
}
