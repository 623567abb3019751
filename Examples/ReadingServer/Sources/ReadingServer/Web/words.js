// Transparent words right over those of a page's picture, to be selected and read aloud.
import { h, place } from "./dom.js";
import { union } from "./structure.js";

const canvas = document.createElement("canvas").getContext("2d");
const letters = "serif";

/**
 * The words of a page. Each has its place, and so is a block of its own, which screen readers would pause at: to them lines and words are
 * nothing but the text of the element that they are in.
 */
export class Words {
  #page;
  /** By line, the words that are in no element yet. */
  #left;

  constructor(page) {
    this.#page = page;
    this.#left = page.lines.map((line) => line.words.map((word) => ({ word, place: numbers(word.start) })));
  }

  /** Puts the words between two places into an element whose corner is at `origin`; all that are left where there are no places.
   *  @returns whether there are any */
  fill(element, origin, { start, end } = {}) {
    const [from, to] = start ? [numbers(start), numbers(end)] : [];
    const isMeant = ({ place }) => !from || isBefore(place, to) && !isBefore(place, from);
    let isFilled = false;
    this.#left.forEach((words, index) => {
      const taken = words.filter(isMeant);
      if (!taken.length) return;
      this.#left[index] = words.filter((each) => !isMeant(each));
      element.append(this.#line(index, taken.map(({ word }) => word), origin));
      isFilled = true;
    });
    return isFilled;
  }

  /** Some words of a line. */
  #line(index, words, origin) {
    const { lines, chapter, index: page } = this.#page;
    const [line, before, after] = [lines[index], lines[index - 1], lines[index + 1]];
    const [x, y, width, height] = words.length === line.words.length ? line.rect : union(words.map((word) => word.rect));
    // The gap to the next line belongs to both, so that a selection does not jump while the pointer crosses it.
    let [start, end] = [0, 0];
    if (line.isVertical) {
      // Lines follow each other from right to left, or from left to right.
      const [left, right] = !after || after.rect[0] < x ? [after, before] : [before, after];
      start = gap(left && x - (left.rect[0] + left.rect[2]), width);
      end = gap(right && right.rect[0] - (x + width), width);
    } else {
      start = gap(before && y - (before.rect[1] + before.rect[3]), height);
      end = gap(after && after.rect[1] - (y + height), height);
    }
    const box = h(line.isVertical ? "span.line.vertical" : "span.line", {
      role: "presentation", dir: line.isRightToLeft ? "rtl" : "ltr", data: { line: `${chapter}.${page}.${index}` },
    });
    const [left, top] = [x - origin[0], y - origin[1]];
    place(box, line.isVertical ? [left - start, top, width + start + end, height] : [left, top - start, width, height + start + end]);
    for (const word of words) box.append(wordOver(word, line.isVertical, [x, y], start, end));
    return box;
  }
}

function wordOver(word, isVertical, [x, y], start, end) {
  const span = h("span.word", { role: "presentation", data: { start: word.start, end: word.end } }, word.text);
  const [left, top, wide, high] = word.rect;
  const size = isVertical ? wide : high;
  const length = isVertical ? high : wide;
  const font = Math.max(1, size * 0.8);
  canvas.font = `${font}px ${letters}`;
  const natural = isVertical ? font * [...word.text].length : canvas.measureText(word.text).width;
  const factor = natural > 0 && length > 0 ? length / natural : 1;
  Object.assign(span.style, {
    left: `${left - x}px`, top: `${top - y}px`, fontSize: `${font}px`, lineHeight: `${size}px`,
    transform: factor === 1 ? "" : isVertical ? `scaleY(${factor})` : `scaleX(${factor})`,
  });
  if (isVertical) {
    Object.assign(span.style, { left: "0", paddingLeft: `${start + left - x}px`, paddingRight: `${end}px` });
  } else {
    Object.assign(span.style, { top: "0", paddingTop: `${start + top - y}px`, paddingBottom: `${end}px` });
  }
  return span;
}

const gap = (space, height) => space > 0 && space < height * 1.5 ? space / 2 : 0;

/** The numbers of a place, `chapter/node:offset`. */
const numbers = (place) => place.split(/[/:]/).map(Number);

function isBefore(one, other) {
  const part = one.findIndex((number, index) => number !== other[index]);
  return part >= 0 && one[part] < other[part];
}
