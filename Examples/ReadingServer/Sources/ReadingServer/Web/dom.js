// Small helpers to make elements.

/** Makes an element: `h("button.primary", { title: "x", onclick }, "text", child)`. */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "style") Object.assign(element.style, value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

const paths = {
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  contents: "M4 6h16M4 12h10M4 18h13",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.3 15.3L20 20",
  letters: "M3 18L8 6l5 12M4.8 14h6.4M14.5 18l3-7.5 3 7.5M15.5 15.6h4",
  marks: "M5 19l1-4L15.5 5.5a2 2 0 0 1 3 3L9 18zM13.5 7.5l3 3",
  bookmark: "M7 4h10v16l-5-4-5 4z",
  close: "M6 6l12 12M18 6L6 18",
  add: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  copy: "M9 9h10v11H9zM5 15V4h10",
  help: "M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.5",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick, key) {
  return h("button.icon-button", {
    type: "button", "aria-label": label, title: key ? `${label} (${key})` : label, "aria-keyshortcuts": key, onclick,
  }, icon(name));
}

/** Tells a screen reader. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}

let timer;
/** Shows one line for a while. */
export function toast(text) {
  const box = document.getElementById("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { box.hidden = true; }, 6000);
}

export function place(element, [x, y, width, height]) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  return element;
}

export const prefersStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
