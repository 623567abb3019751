// The shelf: all books with their covers.
import { api } from "./api.js";
import { announce, h, icon, toast } from "./dom.js";

export async function showShelf(root, open) {
  document.title = "Library";
  document.documentElement.dataset.view = "shelf";
  const grid = h("ul.books", { "aria-label": "Books" });
  const filter = h("input", {
    type: "search", placeholder: "Find a book", "aria-label": "Find a book by title or author", oninput: () => list(),
  });
  const file = h("input", {
    type: "file", multiple: true, hidden: true, accept: ".epub,.fb2,.zip,.fbz,.mobi,.azw,.azw3,.prc,.md,.markdown,.html,.htm,.xhtml,.xht,.txt", "aria-label": "Books to add",
    onchange: () => add([...file.files]),
  });
  const count = h("p.count", {});
  const main = h("main.shelf", {
    ondragover: (event) => { event.preventDefault(); main.classList.add("drop"); },
    ondragleave: () => main.classList.remove("drop"),
    ondrop: (event) => { event.preventDefault(); main.classList.remove("drop"); add([...event.dataTransfer.files]); },
  });
  let books = [];

  function list() {
    const wanted = filter.value.trim().toLocaleLowerCase();
    const shown = books.filter((book) => [book.title, ...book.authors].some((text) => text.toLocaleLowerCase().includes(wanted)));
    grid.replaceChildren(...shown.map((book) => h("li", {}, card(book, open))));
    count.textContent = `${books.length} ${books.length === 1 ? "book" : "books"}`;
    if (wanted) announce(`${shown.length} found`);
    const last = wanted ? undefined : books.filter((book) => book.lastRead && !book.problem).sort((a, b) => b.lastRead - a.lastRead)[0];
    main.replaceChildren(
      h("header.shelf-head", {},
        h("div", {}, h("h1", {}, "Library"), count),
        h("div.tools", {}, filter, file,
          h("button.primary", { type: "button", onclick: () => file.click() }, icon("add"), "Add a book"))),
      ...(last ? [resume(last, open)] : []),
      books.length ? grid : h("p.empty", {}, "There are no books here yet. Add one, or drop files onto this page."));
    if (document.activeElement === document.body && wanted) filter.focus();
  }

  async function add(files) {
    for (const each of files) {
      toast(`Adding ${each.name} …`);
      try {
        const book = await api.upload(each);
        toast(`“${book.title}” is on the shelf.`);
      } catch (error) {
        toast(`${each.name}: ${error.message}`);
      }
    }
    file.value = "";
    books = await api.books();
    list();
  }

  root.replaceChildren(main);
  main.append(h("p.empty", {}, "Looking at the shelf …"));
  books = await api.books();
  list();
}

const percent = (progress) => progress === undefined ? "" : progress >= 0.995 ? "Finished" : `${Math.max(1, Math.round(progress * 100))} %`;

function card(book, open) {
  const cover = coverOf(book);
  const words = [h("span.title", { lang: book.language || undefined, dir: "auto" }, book.title)];
  if (book.authors.length) words.push(h("span.author", { dir: "auto" }, book.authors.join(", ")));
  if (book.problem) words.push(h("span.problem-line", {}, book.problem));
  else if (book.progress !== undefined) {
    words.push(h("span.progress", { role: "img", "aria-label": `Read: ${percent(book.progress)}` },
      h("span", { style: { width: `${Math.min(100, book.progress * 100)}%` } })));
  }
  if (book.problem) return h("div.card.broken", {}, cover, ...words);
  return h("a.card", { href: `/read/${book.id}`, onclick: (event) => follow(event, book.id, open) }, cover, ...words);
}

function resume(book, open) {
  return h("a.resume", { href: `/read/${book.id}`, onclick: (event) => follow(event, book.id, open) },
    coverOf(book),
    h("span.resume-words", {},
      h("span.eyebrow", {}, "Continue reading"),
      h("span.title", { lang: book.language || undefined, dir: "auto" }, book.title),
      h("span.author", { dir: "auto" }, book.authors.join(", ")),
      h("span.progress", { "aria-hidden": "true" }, h("span", { style: { width: `${Math.min(100, book.progress * 100)}%` } })),
      h("span.count", {}, percent(book.progress))));
}

function follow(event, id, open) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  open(id);
}

/** The book's own cover, or one drawn from its title: cloth in a colour of its own, a frame, and its name. */
function coverOf(book) {
  if (book.cover) return h("span.cover", {}, h("img", { src: book.cover, alt: "", loading: "lazy", decoding: "async" }));
  let hash = 7;
  for (const letter of book.title) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  const long = [...book.title].length;
  return h("span.cover.drawn", { "aria-hidden": "true", data: { size: long > 40 ? "small" : long > 18 ? "middle" : "large" } },
    h("span.cloth", { style: { "backgroundColor": `hsl(${hash % 360} ${22 + hash % 16}% ${28 + (hash >> 8) % 12}%)` } },
      h("span.frame", {},
        h("span.name", { lang: book.language || undefined, dir: "auto" }, book.title),
        h("span.rule", {}),
        h("span.by", { dir: "auto" }, book.authors[0] ?? ""))));
}
