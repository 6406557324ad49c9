// A photograph of the dice, which counts as a roll like the camera's picture of them.
import { $, h, put, t } from "./dom.js";
import { ask } from "./net.js";
import { page } from "./state.js";
import { pictured } from "./tray.js";

const LONGEST_PX = 1600, QUALITY = 0.9;
/** The photograph and its answer: `read` is what the box read, `problem` why it could not, null while neither is known. */
let photo = null, isReading = false;

const camera = h("input", { type: "file", accept: "image/*", capture: "environment", hidden: true, onchange: () => {
  const [file] = camera.files;
  camera.value = ""; // the same file may be chosen again
  if (file) begin(file);
} });

const mayPhotograph = () => page.can.photograph && page.paired && page.table?.wants_dice > 0;

/** The button, and the photograph that did not count with the reason. Redrawn only after a change. */
export function drawPhoto() {
  const may = mayPhotograph();
  if (!may && !isReading) photo = null;
  const isMain = !page.can.camera || !page.table?.camera;
  const marks = JSON.stringify([may, isReading, isMain, photo?.number, document.documentElement.lang]);
  if (marks === drawPhoto.marks) return;
  drawPhoto.marks = marks;
  $(isMain ? "actions" : "players").after($("byhand")); // beside a working camera it is rarely needed
  put($("photo"), may ? [h("button", { type: "button", class: isMain ? "main" : "", disabled: isReading, onclick: () => camera.click() }, t("photograph")), camera,
    h("p", { role: "status" }, isReading ? t("photo_reading") : ""), photo && !isReading ? result() : null] : null);
}

function result() {
  const { read, problem } = photo;
  if (!read) return h("p", { role: "alert", class: "note bad" }, problem);
  const why = read.same ? t("photo_same", { dice: read.dice.map((one) => one.value).sort().join("-") }) : t("photo_refused", { why: t("r_" + read.reason, { dice: read.dice.length }) });
  const close = () => { photo = null; page.draw(); };
  return [h("figure", null, pictured(read), h("figcaption", { role: "alert" }, why)),
    h("div", { class: "row" }, read.same ? h("button", { type: "button", class: "main", onclick: () => send("again") }, t("photo_again")) : null,
      h("button", { type: "button", onclick: close }, t("leave")))];
}

let photos = 0;

async function begin(file) {
  photo = { picture: reduced(file) };
  await send("once");
}

async function send(how) {
  const mine = photo;
  isReading = true;
  page.draw();
  try {
    const read = await ask("photograph/" + how, { method: "POST", body: await mine.picture });
    photo = read.counts ? null : { ...mine, read, problem: "", number: ++photos };
  } catch (error) { photo = { ...mine, read: null, problem: error.message, number: ++photos }; }
  isReading = false;
  page.draw();
  if (photo) $("photo").scrollIntoView({ block: "nearest" });
}

/** The picture upright and no larger than needed, without place and time; the file itself where the browser cannot do that. */
async function reduced(file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height));
    const canvas = h("canvas", { width: Math.round(scale * bitmap.width), height: Math.round(scale * bitmap.height) });
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob || file), "image/jpeg", QUALITY));
  } catch { return file; }
}
