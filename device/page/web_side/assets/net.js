// The connection to the box: the table's events, with automatic reconnection, and single requests.
import { h, has, store, t } from "./dom.js";

export const key = () => store.get("key");
const headers = (more) => (key() ? { ...more, authorization: "Bearer " + key() } : { ...more });

/** Sends a request to the box, with fields or a file as its body; an error has `kind` and a text in the page's language. */
export async function ask(path, { method = "GET", body, blob = false, signal } = {}) {
  let response;
  try {
    const file = body instanceof Blob, more = body === undefined ? {} : { "content-type": file ? body.type : "application/json" };
    response = await fetch("/api/" + path, { method, signal, headers: headers(more), body: file || body === undefined ? body : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw fail("away");
  }
  if (response.ok) return blob ? response.blob() : response.json();
  let kind = "failed", text;
  try { ({ error: kind, text } = await response.json()); } catch { /* not the page's own answer */ }
  throw fail(kind, text);
}

/** Saves what a request answers as a file. */
export async function download(path, name) {
  const link = h("a", { href: URL.createObjectURL(await ask(path, { blob: true })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The box itself explains in the page's language why a board is impossible, and says which value of a form is. */
function fail(kind, text) {
  const error = new Error(t("e_" + kind, { why: text, what: has("colour_" + text) ? t("colour_" + text) : text }));
  error.kind = kind;
  return error;
}

const SILENCE_MS = 35000, FIRST_MS = 300, LONGEST_MS = 5000;

/** Listens to the table forever: `tell("table", data)`, `tell("away")`, `tell("lost")`. */
export function listen(tell) {
  let stop = null, wait = FIRST_MS, timer = 0, silence = 0;

  async function connect() {
    clearTimeout(timer);
    stop?.abort();
    const mine = stop = new AbortController();
    const heard = () => { clearTimeout(silence); silence = setTimeout(() => mine.abort(), SILENCE_MS); };
    heard();
    try {
      const response = await fetch("/api/events", { headers: headers(), signal: mine.signal, cache: "no-store" });
      if (!response.ok) {
        let kind = "lost";
        try { kind = (await response.json()).error; } catch { /* not the page's own answer */ }
        tell(kind === "key" ? "key" : kind === "away" ? "away" : "lost");
      } else {
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          heard();
          wait = FIRST_MS;
          text += value;
          const events = text.split("\n\n");
          text = events.pop();
          for (const event of events) {
            const name = /^event: (.*)$/m.exec(event)?.[1], data = /^data: (.*)$/m.exec(event)?.[1];
            if (name === "table") tell("table", JSON.parse(data));
            else if (name === "away") tell("away");
          }
        }
        tell("lost");
      }
    } catch { if (stop === mine) tell("lost"); }
    if (stop !== mine) return;
    clearTimeout(silence);
    timer = setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_MS);
  }

  const now = () => { wait = FIRST_MS; connect(); };
  addEventListener("online", now);
  // A browser keeps a page that was left, including its connection, and opens only six connections to a box.
  addEventListener("pagehide", () => { clearTimeout(timer); clearTimeout(silence); stop?.abort(); stop = null; });
  addEventListener("pageshow", (event) => { if (event.persisted) now(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && document.documentElement.dataset.line !== "up") now(); });
  connect();
  return now;
}
