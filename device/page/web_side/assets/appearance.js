// The page's language and colours.
import { setWords, t } from "./dom.js";
import { page } from "./state.js";

export const LANGUAGES = { en: "English", nl: "Nederlands", de: "Deutsch", fr: "Français" };

export async function setLanguage(language) {
  const response = await fetch("/assets/words." + language + ".json");
  setWords(await response.json());
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
  page.draw();
}

export function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
