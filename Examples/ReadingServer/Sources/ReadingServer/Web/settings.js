// How pages are to look: the panel, and what is asked of the server.
import { api } from "./api.js";
import { h } from "./dom.js";

/** The colours in use: the reader's choice, or the system's. */
export const themeOf = (settings) => settings.theme !== "auto" ? settings.theme
  : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

export function applyTheme(settings) {
  document.documentElement.dataset.theme = themeOf(settings);
}

/** The part of a question to the server that says how pages are set. */
export function styleOf(settings, width, height) {
  return {
    width, height, scale: Math.min(4, Math.max(1, Math.round(devicePixelRatio * 100) / 100)), theme: themeOf(settings),
    fontSize: settings.fontSize, font: settings.font, lineHeight: settings.lineHeight, margin: settings.margin,
    letterSpacing: settings.letterSpacing, paragraphSpacing: settings.paragraphSpacing,
    paragraphIndent: settings.paragraphIndent, ruby: settings.ruby, legibility: settings.legibility,
    justify: settings.justify, hyphenate: settings.hyphenate, style: settings.style, notes: settings.notes,
    publisherStyles: settings.publisherStyles,
  };
}

const sizes = [12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 28, 32, 38, 46];
export function nextSize(size, step) {
  const index = sizes.findIndex((each) => each >= size);
  return sizes[Math.min(sizes.length - 1, Math.max(0, (index < 0 ? sizes.length - 1 : index) + step))];
}

/** @param changed called with the settings after each change. */
export function settingsPanel(settings, changed) {
  let saving;
  function set(values) {
    Object.assign(settings, values);
    for (const key of Object.keys(values)) if (values[key] === undefined) delete settings[key];
    applyTheme(settings);
    changed();
    draw();
    clearTimeout(saving);
    saving = setTimeout(() => api.saveSettings(settings), 250);
  }

  /** One of a few: a row of radio buttons. */
  function choice(label, name, options, values = options.map(([value]) => value)) {
    return h("fieldset.choice", {}, h("legend", {}, label), h("div.segments", {},
      ...options.map(([, text, extra], index) => {
        const id = `set-${name}-${index}`;
        return h("span", {}, h("input", {
          type: "radio", name, id, checked: (settings[name] ?? null) === values[index],
          onchange: () => set({ [name]: values[index] ?? undefined }),
        }), h(`label${extra ? "." + extra : ""}`, { for: id }, text));
      })));
  }

  const box = h("div.settings", {});
  function draw() {
    const focused = document.activeElement?.id;
    box.replaceChildren(
      h("fieldset.choice", {}, h("legend", {}, "Size"), h("div.stepper", {},
        h("button", { type: "button", id: "size-down", "aria-label": "Smaller text", onclick: () => set({ fontSize: nextSize(settings.fontSize, -1) }) }, h("span.small-a", {}, "A")),
        h("output", { "aria-live": "polite" }, `${settings.fontSize}`),
        h("button", { type: "button", id: "size-up", "aria-label": "Larger text", onclick: () => set({ fontSize: nextSize(settings.fontSize, 1) }) }, h("span.large-a", {}, "A")))),
      choice("Theme", "theme", [["auto", "Auto"], ["light", "Light", "swatch-light"], ["sepia", "Sepia", "swatch-sepia"], ["dark", "Dark", "swatch-dark"]]),
      choice("Typeface", "font", [["book", "Book’s"], ["serif", "Serif"], ["sans", "Sans"], ["kai", "Kai"]]),
      choice("Margins", "margin", [[24, "Narrow"], [48, "Middle"], [80, "Wide"]]),
      choice("Lines", "lineHeight", [[null, "Book’s"], [1.3, "Close"], [1.5, "Open"], [1.8, "Airy"]]),
      choice("Letters", "letterSpacing", [[null, "Book’s"], [0.05, "Loose"], [0.1, "Wide"]]),
      choice("Paragraphs", "paragraphSpacing", [[null, "Book’s"], [0, "Close"], [0.5, "Apart"], [1, "Far apart"]]),
      choice("Indents", "paragraphIndent", [[null, "Book’s"], [0, "None"], [1, "1 em"], [2, "2 em"]]),
      choice("Legibility", "legibility", [["standard", "Standard"], ["dyslexia", "Dyslexia"]]),
      choice("Ruby", "ruby", [[true, "Shown"], [false, "Hidden"]]),
      choice("Justify", "justify", [["auto", "Auto"], ["on", "On"], ["off", "Off"]]),
      choice("Hyphens", "hyphenate", [["auto", "Auto"], ["on", "On"], ["off", "Off"]]),
      choice("Style", "style", [["book", "Book"], ["house", "House"]]),
      choice("Notes", "notes", [["book", "In place"], ["foot", "At the foot"]]),
      choice("Pages", "spread", [["auto", "Two if wide"], ["off", "One"]]));
    if (focused) box.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }
  draw();
  return box;
}
