// Creates elements without markup, so that foreign text cannot become markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (id) => document.getElementById(id);
export const put = (element, ...children) => { element.replaceChildren(); fill(element, null, children); return element; };

let words = {};
export const setWords = (given) => { words = given; };
const hasMouse = matchMedia("(pointer: fine)").matches;
/** A text in the page's language; replaces {name} by its value. With a mouse, one clicks; otherwise one taps. */
export function t(key, values) {
  const text = (hasMouse && words[key + "_mouse"]) || (words[key] ?? key);
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "") : text;
}
/** A number with the given decimals, as the page's language writes it. */
export const decimal = (value, digits, more) => value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits, ...more });
export const percent = (share, digits) => decimal(share, digits, { style: "percent" });
export const has = (key) => key in words;
export const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);
/** A player's name; colours are translated. */
export const nameOf = (name) => capital(has("colour_" + name) ? t("colour_" + name) : name);

export const store = {
  get(key) { try { return localStorage.getItem("cantstop." + key) || ""; } catch { return this.kept[key] || ""; } },
  set(key, value) { this.kept[key] = value; try { localStorage.setItem("cantstop." + key, value); } catch { /* private window: until it is closed */ } },
  kept: {},
};
