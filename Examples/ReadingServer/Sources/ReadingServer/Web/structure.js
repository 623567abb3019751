// What is on a page, as elements that screen readers know: headings, lists, tables, pictures, links.
import { h, place } from "./dom.js";

/** Elements of their own for roles of the library's (`StructureNode.Role`); all others are `span`s and `div`s. */
const tags = {
  section: "section", paragraph: "p", blockquote: "blockquote", code: "code", listitem: "li", figure: "figure", "doc-footnote": "aside",
  link: "a", "doc-noteref": "a",
};
/** Roles that HTML has no element for, or one whose looks would be in the way. */
const roles = new Set([
  "table", "rowgroup", "row", "cell", "columnheader", "rowheader", "caption", "list", "listitem", "img", "math", "doc-noteref", "doc-pagebreak",
  "doc-footnote",
]);
const inLines = new Set(["span", "q", "code", "link", "doc-noteref", "doc-pagebreak", "marker", "term", "ruby", "rb", "rt", "math", "img"]);

/**
 * The elements of a page's nodes.
 *
 * @param fill `fill(text, element, origin)` puts the words of a text node into an element whose corner is at `origin`
 * @param link `link(node)` gives the properties of a link's element
 */
export function structure(nodes, fill, link) {
  function add(nodes, parent, origin, isSeen) {
    for (const node of nodes) {
      if (node.role !== "text") parent.append(element(node, origin, isSeen));
      else if (!isSeen || !fill(node, parent, origin)) parent.append(h("span.unseen", {}, node.text));
    }
  }
  function element(node, origin, isSeen) {
    const made = h(tagOf(node), {
      role: roles.has(node.role) ? node.role : undefined, lang: node.language, "aria-label": labelOf(node),
      "aria-colspan": node.columnSpan && String(node.columnSpan), "aria-rowspan": node.rowSpan && String(node.rowSpan),
      ...tags[node.role] === "a" ? link(node) : {},
    });
    if (!inLines.has(node.role)) made.classList.add("block");
    // Places in it are from its own corner.
    const box = tags[node.role] === "a" || node.role === "img" ? union(node.rectangles) : undefined;
    if (box) place(made, [box[0] - origin[0], box[1] - origin[1], box[2], box[3]]).classList.add("placed");
    // What a picture shows as text is told by its alternative.
    if (node.role !== "img") add(node.children ?? [], made, box ?? origin, isSeen && node.role !== "rt");
    return made;
  }
  const fragment = document.createDocumentFragment();
  add(nodes, fragment, [0, 0], true);
  return fragment;
}

function tagOf(node) {
  if (node.role === "heading") return `h${Math.min(6, node.level)}`;
  if (node.role === "list") return node.isOrdered ? "ol" : "ul";
  return tags[node.role] ?? (inLines.has(node.role) ? "span" : "div");
}

function labelOf(node) {
  switch (node.role) {
    case "img": return node.alternative ?? "Picture";
    case "math": return node.alternative;
    case "doc-pagebreak": return `Page ${node.label}`;
    default: return undefined;
  }
}

/** The rectangle around some. */
export function union(rects) {
  if (!rects?.length) return undefined;
  const [left, top] = [0, 1].map((side) => Math.min(...rects.map((rect) => rect[side])));
  const [right, bottom] = [0, 1].map((side) => Math.max(...rects.map((rect) => rect[side] + rect[side + 2])));
  return [left, top, right - left, bottom - top];
}
