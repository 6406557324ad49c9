// The box's Wi-Fi, for paired phones: the networks in range, and a form to join one.
import { $, h, put, t } from "./dom.js";
import { ask } from "./net.js";
import { page } from "./state.js";

export function drawWifi(said = "", tone = "") {
  put($("wifi"), page.paired && page.can.wifi ? [h("h2", null, t("wifi")), h("p", null, t("wifi_what")),
    h("button", { type: "button", onclick: look }, t("wifi_look")), h("p", { role: "status", class: tone }, said)] : null);
}

async function look() {
  drawWifi(t("wifi_looking"));
  try {
    const { networks } = await ask("wifi");
    drawWifi();
    $("wifi").append(form(networks));
  } catch (error) { drawWifi(error.message, "note bad"); }
}

function form(networks) {
  const name = h("input", { name: "name", maxlength: 32, required: true, autocomplete: "off", autocapitalize: "none", list: "networks" });
  const password = h("input", { name: "password", type: "password", minlength: 8, maxlength: 63, autocomplete: "off" });
  const said = h("p", { role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    try {
      await ask("wifi", { method: "POST", body: { name: name.value, password: password.value } });
      drawWifi(t("wifi_asked"), "note good");
    } catch (error) { said.textContent = error.message; }
  };
  return h("form", { onsubmit: send, class: "column" }, h("datalist", { id: "networks" }, networks.map((value) => h("option", { value }))),
    h("label", null, t("wifi_name"), name), h("label", null, t("wifi_password"), password), h("button", { class: "main", type: "submit" }, t("wifi_join")), said);
}
