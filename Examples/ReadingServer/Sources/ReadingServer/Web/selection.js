// What the reader has selected, as places in the book.
import { h, icon, iconButton, toast } from "./dom.js";

export const colors = ["yellow", "green", "blue", "pink"];

/** The words of a selection with the places where it starts and ends; nothing when it is empty. */
export function selected(root) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  const words = [...root.querySelectorAll(".word")].filter((word) => range.intersectsNode(word));
  while (words.length && offsetIn(words[0], range.startContainer, range.startOffset, 0) >= words[0].textContent.length) words.shift();
  while (words.length && offsetIn(words.at(-1), range.endContainer, range.endOffset, Infinity) === 0) words.pop();
  // Spaces at both ends are not meant.
  while (words.length && !words[0].textContent.trim()) words.shift();
  while (words.length && !words.at(-1).textContent.trim()) words.pop();
  if (!words.length) return undefined;
  const [first, last] = [words[0], words.at(-1)];
  const from = offsetIn(first, range.startContainer, range.startOffset, 0);
  const to = Math.min(offsetIn(last, range.endContainer, range.endOffset, Infinity), last.textContent.length);
  return {
    start: placeIn(first, from, false), end: placeIn(last, to, true), text: textBetween(words, from, to),
    rect: range.getBoundingClientRect(),
  };
}

function offsetIn(word, container, offset, otherwise) {
  if (container === word) return offset === 0 ? 0 : word.textContent.length;
  return container.parentNode === word ? offset : otherwise;
}

/** The place before a character of a word. Where units and characters of the book differ, as with soft hyphens, the whole word counts. */
function placeIn(word, offset, isEnd) {
  const { start, end } = word.dataset;
  const [node, from] = start.split(":");
  const [endNode, to] = end.split(":");
  if (isEnd && offset === word.textContent.length) return end;
  if (!isEnd && offset === 0) return start;
  if (node === endNode && to - from === word.textContent.length) return `${node}:${Number(from) + offset}`;
  return isEnd ? end : start;
}

function textBetween(words, from, to) {
  let text = "";
  words.forEach((word, index) => {
    const block = word.closest(".block");
    if (index && words[index - 1].closest(".block") !== block) text = text.trimEnd() + "\n";
    text += word.textContent.slice(index ? 0 : from, index === words.length - 1 ? to : undefined);
  });
  return text.trim();
}

/** Puts a small box near something, inside the window. */
export function putNear(box, rect) {
  document.body.append(box);
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(8, rect.left + rect.width / 2 - width / 2), innerWidth - width - 8);
  const above = rect.top - height - 10;
  Object.assign(box.style, { left: `${left}px`, top: `${above > 8 ? above : Math.min(rect.bottom + 10, innerHeight - height - 8)}px` });
}

/** The bar that comes up over a selection.
 *  @param actions `highlight(selection, color, note)` */
export class SelectionBar {
  #root;
  #actions;
  #bar;
  #timer;

  constructor(root, actions, signal) {
    this.#root = root;
    this.#actions = actions;
    document.addEventListener("selectionchange", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#update(), 180);
    }, { signal });
    // From a selection that was made by keys the bar is the next thing.
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || event.shiftKey || !this.#bar || this.#bar.contains(document.activeElement)) return;
      event.preventDefault();
      this.#bar.querySelector("button").focus();
    }, { signal });
    document.addEventListener("copy", (event) => {
      const found = selected(root);
      if (!found) return;
      event.clipboardData.setData("text/plain", found.text);
      event.preventDefault();
    }, { signal });
    signal.addEventListener("abort", () => this.hide());
  }

  hide() {
    this.#bar?.remove();
    this.#bar = undefined;
  }

  #update() {
    if (this.#bar?.contains(document.activeElement)) return;
    const found = selected(this.#root);
    this.hide();
    if (!found) return;
    const act = (color, note) => {
      this.hide();
      getSelection().removeAllRanges();
      this.#actions.highlight(found, color, note);
    };
    this.#bar = h("div.bar", { role: "toolbar", "aria-label": "Selection" },
      ...colors.map((color) => h(`button.dot.${color}`, {
        type: "button", "aria-label": `Highlight ${color}`, title: `Highlight ${color}`, onclick: () => act(color, false),
        onpointerdown: (event) => event.preventDefault(),
      })),
      iconButton("marks", "Highlight and write a note", () => act("yellow", true)),
      iconButton("copy", "Copy", async () => {
        await navigator.clipboard?.writeText(found.text).catch(() => toast("The text could not be copied."));
        this.hide();
      }));
    putNear(this.#bar, found.rect);
  }
}

/** A highlight's own box: its colour, a note, a way to remove it.
 *  @param actions `change(id, values)`, `keep(id, values)` of a page that is being left, and `remove(id)` */
export function markBox(mark, rect, actions, writes) {
  const note = h("textarea", { rows: 3, placeholder: "Write a note", "aria-label": "Note" });
  note.value = mark.note;
  const box = h("div.mark-box", { role: "dialog", "aria-label": "Highlight" },
    h("div.dots", { role: "radiogroup", "aria-label": "Colour" }, ...colors.map((color) => h(`button.dot.${color}`, {
      type: "button", role: "radio", "aria-checked": String(mark.color === color), "aria-label": color,
      onclick: () => { close(); actions.change(mark.id, { color, note: note.value }); },
    })), h("button.icon-button.remove", { type: "button", "aria-label": "Remove", title: "Remove", onclick: () => { close(false); actions.remove(mark.id); } }, icon("trash"))),
    note);
  let kept = mark.note;
  const leaving = [[document, "visibilitychange"], [window, "pagehide"]];
  // A tab that is out of sight may be thrown away without a word.
  function keep(event) {
    if (event.type !== "pagehide" && document.visibilityState !== "hidden" || note.value === kept) return;
    kept = note.value;
    actions.keep(mark.id, { note: kept });
  }
  function close(saves = true) {
    document.removeEventListener("pointerdown", outside, true);
    for (const [target, type] of leaving) target.removeEventListener(type, keep);
    box.remove();
    if (saves && (note.value !== mark.note || kept !== mark.note)) actions.change(mark.id, { note: note.value });
  }
  function outside(event) { if (!box.contains(event.target)) close(); }
  box.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Enter" && (event.ctrlKey || event.metaKey)) close();
  });
  document.addEventListener("pointerdown", outside, true);
  for (const [target, type] of leaving) target.addEventListener(type, keep);
  putNear(box, rect);
  (writes ? note : box.querySelector("button")).focus();
}
