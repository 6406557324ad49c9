// Which camera looks at the dice: a picture of each, to be tapped. Only a game on a computer has the choice.
import { $, h, put, t } from "./dom.js";
import { ask } from "./net.js";
import { page } from "./state.js";

let isLooking = false;

/** The question while no camera is chosen, otherwise a button that asks it. */
export function showCameras() {
  if (!page.can.cameras || !page.paired || isLooking) put($("cameras"));
  else if (page.can.choose) look();
  else put($("cameras"), h("button", { type: "button", onclick: look }, t("other_cameras")));
}

async function look() {
  isLooking = true;
  put($("cameras"), h("p", { role: "status" }, t("cameras_looking")));
  try {
    const found = (await ask("cameras")).cameras;
    put($("cameras"), h("h2", null, t(found.length ? "which_camera" : "cameras_none")), h("ul", { class: "games" }, found.map((one) => h("li", null, h("button", { type: "button", onclick: () => choose(one) },
      h("img", { src: "data:image/jpeg;base64," + one.jpeg, alt: "", width: one.width, height: one.height }), h("span", null, one.name))))));
  } catch (error) { put($("cameras"), h("p", { role: "alert", class: "note bad" }, error.message)); }
  isLooking = false;
}

async function choose(one) {
  try {
    await ask("camera", { method: "POST", body: { source: one.source } });
    page.can = { ...page.can, choose: false };
    showCameras();
  } catch (error) { put($("cameras"), h("p", { role: "alert", class: "note bad" }, error.message)); }
}
