// What comes up at the side: contents, search, marks, settings, keys.
import { api } from "./api.js";
import { announce, h, icon, iconButton, toast } from "./dom.js";
import { settingsPanel } from "./settings.js";

export class Panels {
  #reader;
  #open;
  #box;
  #opener;
  #search;
  #phrase = "";

  constructor(reader) { this.#reader = reader; }

  get isOpen() { return this.#open !== undefined; }

  toggle(name) {
    if (this.#open === name) return this.close();
    const opener = this.#open ? this.#opener : document.activeElement;
    this.close(false);
    this.#opener = opener;
    this.#open = name;
    const titles = { contents: "Contents", search: "Search", marks: "Marks", settings: "Appearance", help: "Keys" };
    const body = h("div.panel-body", {});
    this.#box = h(`div.panel.${name}`, { role: "dialog", "aria-label": titles[name] },
      h("div.panel-head", {}, h("h2", {}, titles[name]), iconButton("close", "Close", () => this.close(), "Escape")), body);
    this.#reader.element.append(this.#box);
    this.#reader.element.querySelector(`[data-panel=${name}]`)?.setAttribute("aria-expanded", "true");
    this[`_${name}`](body);
    if (!this.#box.contains(document.activeElement)) (body.querySelector("[aria-current]") ?? body.querySelector("input, button, a") ?? this.#box.querySelector("button")).focus();
  }

  close(returns = true) {
    if (!this.#open) return;
    this.#reader.element.querySelector(`[data-panel=${this.#open}]`)?.setAttribute("aria-expanded", "false");
    this.#search?.abort();
    this.#box.remove();
    this.#open = this.#box = undefined;
    this.#reader.spread.style.translate = "";
    if (returns) (this.#opener?.isConnected ? this.#opener : this.#reader.stage).focus();
  }

  /** Leaves the page free in small windows once something has been chosen, with the reader in its text. */
  #chosen() {
    if (innerWidth >= 900) return;
    this.close(false);
    this.#reader.stage.focus();
    this.#reader.clear();
  }

  /** The marks have changed. */
  refresh() { if (this.#open === "marks") this._marks(this.#box.querySelector(".panel-body")); }

  _contents(body) {
    const { contents } = this.#reader.info;
    if (!contents.length) return body.append(h("p.empty", {}, "This book has no table of contents."));
    const here = this.#reader.pages[0]?.chapter ?? 0;
    let current;
    contents.forEach((entry, index) => { if (entry.chapter !== undefined && entry.chapter <= here && (current === undefined || entry.chapter >= contents[current].chapter)) current = contents.findIndex((each) => each.chapter === entry.chapter); });
    body.append(h("ol.entries", {}, contents.map((entry, index) => h("li", { style: { paddingInlineStart: `${Math.min(entry.level, 5) * 18}px` } },
      entry.chapter !== undefined ? h("button", {
        type: "button", "aria-current": index === current ? "true" : undefined, dir: "auto",
        onclick: () => { this.#reader.follow({ href: entry.href }); this.#chosen(); },
      }, entry.title) : entry.href ? h("span.heading.dead", { dir: "auto", title: "The book has no such part." }, entry.title,
        h("span.unseen", {}, " (the book has no such part)"))
        : h("span.heading", { dir: "auto" }, entry.title)))));
    requestAnimationFrame(() => body.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
  }

  _search(body) {
    const input = h("input", { type: "search", placeholder: "Search in this book", "aria-label": "Search in this book", value: this.#phrase });
    const status = h("p.status", { role: "status" });
    const list = h("ol.results", {});
    const form = h("form", { role: "search", onsubmit: (event) => { event.preventDefault(); this.#run(input.value, list, status); } }, input);
    let timer;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#run(input.value, list, status), 300);
    });
    body.append(form, status, list);
    if (this.#phrase) this.#run(this.#phrase, list, status);
    input.focus();
    input.select();
  }

  async #run(phrase, list, status) {
    this.#search?.abort();
    this.#phrase = phrase;
    list.replaceChildren();
    status.textContent = "";
    if (!phrase.trim()) return;
    const search = this.#search = new AbortController();
    status.textContent = "Searching …";
    let title;
    try {
      await api.search(this.#reader.id, phrase, this.#reader.style, search.signal, (result) => {
        if (result.count !== undefined) {
          status.textContent = result.count === 0 ? "Nothing found." : `${result.count}${result.isCut ? " or more" : ""} found`;
          return;
        }
        if (result.title !== title) {
          title = result.title;
          if (title) list.append(h("li.group", { dir: "auto" }, title));
        }
        list.append(h("li", {}, h("button", {
          type: "button",
          onclick: (event) => {
            list.querySelector("[aria-current]")?.removeAttribute("aria-current");
            event.currentTarget.setAttribute("aria-current", "true");
            this.#reader.jump({ at: result.start, from: result.start, to: result.end });
            this.#chosen();
          },
        }, h("span", { dir: "auto" }, before(result.before), h("mark", {}, result.match), after(result.after)),
        result.number ? h("span.number", { "aria-label": `page ${result.number}` }, String(result.number)) : undefined)));
      });
    } catch (error) {
      if (error.name !== "AbortError") status.textContent = error.message;
    }
  }

  async _marks(body) {
    const marks = await api.marks(this.#reader.id);
    if (!marks.length) return body.replaceChildren(h("p.empty", {}, "Nothing is marked yet. Select some words to highlight them, or press b for a bookmark."));
    body.replaceChildren(h("ol.marks", {}, marks.map((mark) => h("li", {},
      h("button.go", {
        type: "button",
        onclick: () => { this.#reader.jump({ at: mark.start }, mark.id); this.#chosen(); },
      }, h(`span.tag.${mark.kind === "bookmark" ? "ribbon-tag" : mark.color}`, {}), h("span.words", { dir: "auto" }, mark.kind === "bookmark" ? `Bookmark: ${mark.text} …` : mark.text),
      mark.note ? h("span.note", { dir: "auto" }, mark.note) : undefined),
      iconButton("trash", "Remove", () => this.#reader.removeMark(mark.id))))));
    // The list has come after the panel.
    if (!body.contains(document.activeElement)) body.querySelector("button")?.focus();
  }

  _settings(body) { body.append(settingsPanel(this.#reader.settings, () => this.#reader.restyle())); }

  _help(body) {
    const keys = [["← →", "Turn the page"], ["Space", "Next page; with Shift the one before"], ["Home End", "Start and end of the book"],
      ["t", "Contents"], ["/", "Search"], ["m", "Marks"], ["b", "Bookmark"], ["Shift ← → ↑ ↓", "Select words and lines; Tab leads to what can be done with them"], ["s", "Appearance"], ["+ −", "Larger, smaller text"], ["Esc", "Close; back to the shelf"]];
    body.append(h("dl.keys", {}, keys.flatMap(([key, words]) => [h("dt", {}, ...key.split(" ").map((each) => h("kbd", {}, each))), h("dd", {}, words)])));
  }
}

// Words that the context cuts in two are left out, in scripts that have spaces between words.
const cut = 38;
const before = (text) => text.length < cut ? text : `… ${text.replace(/^\S{1,14}\s+/, "")}`;
const after = (text) => text.length < cut ? text : `${text.replace(/\s+\S{1,14}$/, "")} …`;
