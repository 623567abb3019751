// A selection made by the keyboard: from word to word and from line to line, as the text runs.
import { announce } from "./dom.js";

export class SelectionByKeys {
  #root;
  /** The word that the selection began with, and the one it has come to. */
  #anchor;
  #focus;

  constructor(root) { this.#root = root; }

  /** Moves the end of the selection by an arrow, Home or End pressed with Shift.
   *  @returns whether the key is one of these, and there is text */
  press(key) {
    if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return false;
    const words = [...this.#root.querySelectorAll(".word")].filter((word) => word.textContent.trim());
    if (!words.length) return false;
    if (getSelection().isCollapsed || !words.includes(this.#anchor) || !words.includes(this.#focus)) {
      this.#anchor = this.#focus = this.#start(words);
      // The first press takes the first word.
      if (!/^(Home|End)$/.test(key)) return this.#select(words);
    }
    this.#focus = this.#next(words, key) ?? this.#focus;
    return this.#select(words);
  }

  /** The word that a selection begins with: of the one there is, or else the first in sight. */
  #start(words) {
    const selection = getSelection();
    const within = selection.rangeCount && this.#root.contains(selection.anchorNode) ? selection.anchorNode.parentElement.closest(".word") : undefined;
    return words.includes(within) ? within : words[0];
  }

  #next(words, key) {
    if (key === "Home") return words[0];
    if (key === "End") return words.at(-1);
    const line = this.#focus.closest(".line");
    const isVertical = line.classList.contains("vertical");
    const isRightToLeft = line.dir === "rtl";
    const along = isVertical ? { ArrowDown: 1, ArrowUp: -1 } : isRightToLeft ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowRight: 1, ArrowLeft: -1 };
    const step = along[key];
    if (step) return words[words.indexOf(this.#focus) + step];
    // Lines stand below each other, or beside each other in vertical text.
    const across = isVertical ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowDown: 1, ArrowUp: -1 };
    const lineOf = (word) => word.closest(".line").dataset.line;
    const lines = [...new Set(words.map(lineOf))];
    const next = lines[lines.indexOf(lineOf(this.#focus)) + across[key]];
    if (!next) return across[key] > 0 ? words.at(-1) : words[0];
    const at = middle(this.#focus, isVertical);
    return words.filter((word) => lineOf(word) === next)
      .reduce((best, word) => Math.abs(middle(word, isVertical) - at) < Math.abs(middle(best, isVertical) - at) ? word : best);
  }

  #select(words) {
    const isBackward = words.indexOf(this.#focus) < words.indexOf(this.#anchor);
    const [from, to] = [this.#anchor.firstChild, this.#focus.firstChild];
    getSelection().setBaseAndExtent(from, isBackward ? from.length : 0, to, isBackward ? 0 : to.length);
    announce(this.#focus.textContent);
    return true;
  }
}

function middle(word, isVertical) {
  const { x, y, width, height } = word.getBoundingClientRect();
  return isVertical ? y + height / 2 : x + width / 2;
}
