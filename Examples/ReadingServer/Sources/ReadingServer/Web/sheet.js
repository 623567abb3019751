// A page of the book: its picture, and over it the text to be selected and read aloud, links and marks.
import { h, place } from "./dom.js";

const canvas = document.createElement("canvas").getContext("2d");
const letters = "serif";

/** @param actions `follow(link, element)` and `openMark(mark, element)` */
export function sheet(page, total, actions) {
  const scale = { width: `${page.width}px`, height: `${page.height}px` };
  const picture = h("img.print", {
    src: page.image, alt: "", width: page.width, height: page.height, draggable: false, "aria-hidden": "true",
  });
  const bookmark = page.marks.find((mark) => mark.kind === "bookmark");
  const element = h("article.sheet", {
    "aria-roledescription": "page", "aria-label": page.isReliable ? `Page ${page.number} of ${total}` : `Page ${page.index + 1} of the chapter`, style: scale,
    data: { chapter: page.chapter, index: page.index },
  },
  picture,
  h("div.found", { "aria-hidden": "true" }, page.found.map((rect) => place(h("span", {}), rect))),
  textLayer(page),
  h("div.over", {},
    page.links.map((link) => linkOver(link, page, actions)),
    page.pictures.filter(({ rect }) => rect[2] <= 40 && rect[3] <= 40).map((picture) => place(h("button.over-link", {
      type: "button", "aria-label": "Note", onclick: (event) => actions.follow({ source: picture.source }, event.currentTarget),
    }), picture.rect)),
    page.marks.flatMap((mark) => mark.rects.map((rect, index) => place(h("button.mark", {
      type: "button", tabIndex: index ? -1 : 0, data: { mark: mark.id },
      "aria-label": mark.note ? `Highlight with a note: ${mark.note}` : "Highlight", title: mark.note || undefined,
      onclick: (event) => actions.openMark(mark, event.currentTarget),
    }), rect)))),
  bookmark ? h("span.ribbon", { "aria-label": "Bookmarked", role: "img" }) : undefined);
  return { element, ready: picture.decode().catch(() => {}), cancel: () => picture.removeAttribute("src") };
}

/**
 * Transparent words right over those of the picture, in paragraphs. Each word has its place, and so is a block of its own, which
 * screen readers would pause at: to them lines and words are nothing but their paragraph's text.
 */
function textLayer(page) {
  const layer = h("div.text", {});
  let paragraph;
  page.lines.forEach((line, index) => {
    if (!line.words.length) return;
    if (!paragraph) {
      paragraph = h("p", { lang: line.language || undefined, dir: line.isRightToLeft ? "rtl" : "ltr" });
      layer.append(paragraph);
    }
    paragraph.append(lineOver(line, page.lines[index - 1], page.lines[index + 1]));
    if (line.endsParagraph) paragraph = undefined;
  });
  return layer;
}

function lineOver(line, before, after) {
  const [x, y, width, height] = line.rect;
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
  const box = h(line.isVertical ? "span.line.vertical" : "span.line", { role: "presentation" });
  place(box, line.isVertical ? [x - start, y, width + start + end, height] : [x, y - start, width, height + start + end]);
  for (const word of line.words) {
    const span = h("span.word", { role: "presentation", data: { start: word.start, end: word.end } }, word.text);
    const [left, top, wide, high] = word.rect;
    const size = line.isVertical ? wide : high;
    const length = line.isVertical ? high : wide;
    const font = Math.max(1, size * 0.8);
    canvas.font = `${font}px ${letters}`;
    const natural = line.isVertical ? font * [...word.text].length : canvas.measureText(word.text).width;
    const factor = natural > 0 && length > 0 ? length / natural : 1;
    Object.assign(span.style, {
      left: `${left - x}px`, top: `${top - y}px`, fontSize: `${font}px`, lineHeight: `${size}px`,
      transform: factor === 1 ? "" : line.isVertical ? `scaleY(${factor})` : `scaleX(${factor})`,
    });
    if (line.isVertical) {
      Object.assign(span.style, { left: "0", paddingLeft: `${start + left - x}px`, paddingRight: `${end}px` });
    } else {
      Object.assign(span.style, { top: "0", paddingTop: `${start + top - y}px`, paddingBottom: `${end}px` });
    }
    box.append(span);
  }
  return box;
}

const gap = (space, height) => space > 0 && space < height * 1.5 ? space / 2 : 0;

function linkOver(link, page, actions) {
  const label = page.lines.flatMap((line) => line.words).filter((word) => covers(link.rect, word.rect))
    .map((word) => word.text).join("").trim() || "Link";
  const properties = link.isExternal
    ? { href: link.href, target: "_blank", rel: "noopener noreferrer", title: link.href }
    : { href: "#", onclick: (event) => { event.preventDefault(); actions.follow(link, event.currentTarget); } };
  return place(h("a.over-link", { "aria-label": label, ...properties }), link.rect);
}

function covers([x, y, width, height], [left, top, wide, high]) {
  const [middle, centre] = [left + wide / 2, top + high / 2];
  return middle >= x && middle <= x + width && centre >= y && centre <= y + height;
}

/** The text of a page, a line feed between paragraphs. */
export const textOf = (page) => page.lines
  .map((line) => line.words.map((word) => word.text).join("") + (line.endsParagraph ? "\n" : "")).join("");
