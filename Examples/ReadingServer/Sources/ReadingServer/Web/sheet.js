// A page of the book: its picture, and over it the text to be selected and read aloud, links and marks.
import { h, place } from "./dom.js";
import { structure } from "./structure.js";
import { Words } from "./words.js";

/** @param actions `follow(link, element)` and `openMark(mark, element)` */
export function sheet(page, total, actions) {
  const scale = { width: `${page.width}px`, height: `${page.height}px` };
  const picture = h("img.print", {
    src: page.image, alt: "", width: page.width, height: page.height, draggable: false, "aria-hidden": "true",
  });
  const text = textLayer(page, actions);
  // Links of drawings are in no text.
  const links = page.links.filter(({ source }) => !text.querySelector(`[data-source="${source}"]`));
  const bookmark = page.marks.find((mark) => mark.kind === "bookmark");
  const element = h("article.sheet", {
    "aria-roledescription": "page", "aria-label": page.isReliable ? `Page ${page.number} of ${total}` : `Page ${page.index + 1} of the chapter`, style: scale,
    data: { chapter: page.chapter, index: page.index },
  },
  picture,
  h("div.found", { "aria-hidden": "true" }, page.found.map((rect) => place(h("span", {}), rect))),
  text,
  h("div.over", {},
    links.map((link) => place(h("a.over-link", { "aria-label": "Link", ...leading(link, actions) }), link.rect)),
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

/** The words of the page in the elements of its structure. */
function textLayer(page, actions) {
  const layer = h("div.text", { lang: page.structure.language || undefined });
  const words = new Words(page);
  layer.append(structure(page.structure.nodes, (text, element, origin) => words.fill(element, origin, text), (node) => {
    const link = page.links.find(({ source }) => source === node.source) ?? node;
    return { class: "over-link", draggable: "false", data: { source: node.source }, ...leading(link, actions) };
  }));
  words.fill(layer, [0, 0]);
  return layer;
}

/** What makes an element lead where a link does. */
const leading = (link, actions) => link.isExternal
  ? { href: link.href, target: "_blank", rel: "noopener noreferrer", title: link.href }
  : { href: "#", onclick: (event) => { event.preventDefault(); actions.follow(link, event.currentTarget); } };

/** The text of a page, a line feed between paragraphs. */
export const textOf = (page) => page.lines
  .map((line) => line.words.map((word) => word.text).join("") + (line.endsParagraph ? "\n" : "")).join("");
