// A book that is read: turns pages, follows links, keeps the place.
import { api } from "./api.js";
import { announce, h, icon, iconButton, prefersStill, toast } from "./dom.js";
import { Panels } from "./panels.js";
import { SelectionByKeys } from "./keys.js";
import { markBox, putNear, SelectionBar } from "./selection.js";
import { nextSize, applyTheme, styleOf } from "./settings.js";
import { sheet, textOf } from "./sheet.js";

/** Seconds a page takes, as this reader reads. */
const pace = {
  get seconds() { return Number(localStorage.getItem("pace")) || 60; },
  add(seconds) { if (seconds > 4 && seconds < 240) localStorage.setItem("pace", String(Math.round(this.seconds * 0.85 + seconds * 0.15))); },
};

const numbers = (first, last, total) => `${first === last ? `Page ${first}` : `Pages ${first}–${last}`}${total === undefined ? "" : ` of ${total}`}`;

export class Reader {
  pages = [];
  #leave;
  #end = new AbortController();
  #cache = new Map();
  /** What stays in sight when the size changes. */
  #anchor;
  #turns = 0;
  #queue = Promise.resolve();
  /** Presses that have not been followed yet. */
  #waiting = 0;
  /** The pages that presses have led to, as long as they are not shown. */
  #reached;
  #shown = 0;
  #placeTimer;
  #note;
  /** The sheets that are to be shown as soon as their pictures are here. */
  #coming = [];
  /** Pictures of the neighbours by address. */
  #ahead = new Map();

  constructor(root, id, settings, leave) {
    this.root = root;
    this.id = id;
    this.settings = settings;
    this.#leave = leave;
    this.panels = new Panels(this);
  }

  close() {
    this.panels.close(false);
    this.#note?.remove();
    this.#end.abort();
    for (const each of this.#coming) each?.cancel();
    for (const picture of this.#ahead.values()) picture.removeAttribute("src");
  }

  // MARK: Opening

  async open(at) {
    this.info = await api.book(this.id);
    const { book } = this.info;
    document.title = book.title;
    document.documentElement.dataset.view = "reader";
    this.#build(book);
    this.#measure();
    const place = at ?? this.info.place;
    await this.#show(place ? { at: place } : { chapter: 0, index: 0 }, { saves: false });
    this.#anchor = place ?? this.pages[0]?.start;
    history.replaceState({}, "", `/read/${this.id}?at=${encodeURIComponent(this.#anchor)}`);
    this.#count();
    this.stage.focus();
  }

  #build(book) {
    const signal = this.#end.signal;
    const panel = (name, label, sign, key) => {
      const button = iconButton(sign, label, () => this.panels.toggle(name), key);
      button.dataset.panel = name;
      button.setAttribute("aria-expanded", "false");
      return button;
    };
    this.chapterName = h("span.chapter", { dir: "auto" });
    this.bookmarkButton = iconButton("bookmark", "Bookmark", () => this.toggleBookmark(), "b");
    this.slider = h("input", {
      type: "range", min: "1", max: "1", value: "1", "aria-label": "Page",
      oninput: () => { this.count.textContent = `Page ${this.slider.value} of ${this.slider.max}`; },
      onchange: () => this.jump({ number: Number(this.slider.value) }),
    });
    this.count = h("span.count", {});
    this.left = h("span.left", {});
    this.spread = h("div.spread", {});
    this.stage = h("main.stage", { tabIndex: -1, "aria-label": book.title }, this.spread);
    const side = (name, label, forward) => h(`button.turn.${name}`, {
      type: "button", "aria-label": label, onclick: () => this.turn(forward),
    }, icon(name === "left" ? "back" : "next"));
    const back = this.info.isRightToLeft;
    this.element = h("div.reader", {},
      h("header.top", {},
        iconButton("back", "To the shelf", () => this.#leave()),
        h("div.names", {}, h("span.book", { lang: book.language || undefined, dir: "auto" }, book.title), this.chapterName),
        h("nav.tools", { "aria-label": "Book" },
          panel("contents", "Contents", "contents", "t"), panel("search", "Search", "search", "/"),
          panel("marks", "Marks", "marks", "m"), this.bookmarkButton, panel("settings", "Appearance", "letters", "s"),
          panel("help", "Keys", "help", "?"))),
      side("left", back ? "Next page" : "Previous page", back), this.stage, side("right", back ? "Previous page" : "Next page", !back),
      h("footer.bottom", {}, this.count, this.slider, this.left));
    this.slider.dir = back ? "rtl" : "ltr";
    this.root.replaceChildren(this.element);
    new SelectionBar(this.spread, { highlight: (found, color, writes) => this.highlight(found, color, writes) }, signal);
    this.hand = new SelectionByKeys(this.spread);
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    let timer;
    addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.restyle(), 200);
    }, { signal });
    this.spread.addEventListener("click", (event) => {
      const mark = this.#markAt(event.clientX, event.clientY);
      if (mark && !event.target.closest("a, button")) this.openMark(...mark);
    }, { signal });
    this.#touch(signal);
  }

  // MARK: Sizes

  /** How large pages are, and whether two stand beside each other. */
  #measure() {
    const { clientWidth, clientHeight } = this.stage;
    const wide = clientWidth > 760;
    const height = clientHeight - (wide ? 28 : 0);
    this.isSpread = this.settings.spread === "auto" && clientWidth >= 1000 && clientWidth > clientHeight * 1.25;
    const room = wide ? clientWidth - 32 : clientWidth;
    const width = this.isSpread ? Math.min(room / 2, height * 0.82, 720) : Math.min(room, wide ? Math.min(height * 0.9, 760) : room);
    const even = (length) => Math.max(160, Math.floor(length / 4) * 4);
    this.style = styleOf(this.settings, wide ? even(width) : Math.floor(width), wide ? even(height) : Math.floor(height));
    this.element.dataset.wide = wide;
  }

  /** Shows the same place under other settings or in another window. */
  async restyle() {
    const old = JSON.stringify(this.style) + this.isSpread;
    this.#measure();
    if (old === JSON.stringify(this.style) + this.isSpread) return;
    this.#cache.clear();
    await this.#show({ at: this.#anchor }, { saves: false });
  }

  changeSize(step) {
    this.settings.fontSize = nextSize(this.settings.fontSize, step);
    api.saveSettings(this.settings);
    announce(`Text size ${this.settings.fontSize}`);
    this.restyle();
  }

  // MARK: Pages

  /** What stands before the reader at once: two pages that face each other, or one in the middle; nothing past the book's ends. */
  #view(target) {
    const key = JSON.stringify(target);
    let view = this.#cache.get(key);
    if (!view) {
      const signal = this.#end.signal;
      view = this.isSpread ? api.spread(this.id, target, this.style, signal)
        : api.page(this.id, target, this.style, signal).then((page) => page && { left: { page, x: 0 }, isCentered: true });
      view = view.then((found) => found && this.#arranged(found));
      view.catch(() => this.#cache.delete(key));
      this.#cache.set(key, view);
      if (this.#cache.size > 24) this.#cache.delete(this.#cache.keys().next().value);
    }
    return view;
  }

  /** The sides in reading order; an empty one is undefined. */
  #arranged({ left, right, isCentered }) {
    const sides = this.info.isRightToLeft ? [right, left] : [left, right];
    const only = left && right ? undefined : (left ?? right);
    // Beside a cover of fixed design there is no paper.
    if (isCentered || only && this.info.isFixedLayout && (only.page.isFirst || only.page.isLast)) return { sides: [{ ...only, x: 0 }], pages: [only.page] };
    return { sides, pages: sides.flatMap((side) => side ? [side.page] : []) };
  }

  async #show(target, { saves = true, forward, mark } = {}) {
    const turn = ++this.#turns;
    this.#reached = undefined;
    this.element.classList.add("loading");
    // What was on its way here before is not wanted any more.
    for (const each of this.#coming) each?.cancel();
    this.#coming = [];
    try {
      const view = await this.#view(target);
      if (turn !== this.#turns) return false;
      if (!view) return false;
      const actions = { follow: (link, element) => this.follow(link, element), openMark: (mark, element) => this.openMark(mark, element) };
      const sheets = view.sides.map((side) => side && sheet(side.page, side.page.total, actions));
      this.#coming = sheets;
      await Promise.all(sheets.map((each) => each?.ready));
      if (turn !== this.#turns) return false;
      this.#coming = [];
      this.pages = view.pages;
      this.#put(sheets, view.sides, forward, mark);
      this.#anchor = target.at ?? this.pages[0].start;
      if (saves) this.#keep();
      return true;
    } catch (error) {
      if (error.name !== "AbortError") toast(error.message);
      return false;
    } finally {
      if (turn === this.#turns) {
        this.element.classList.remove("loading");
        this.#reached = undefined;
      }
    }
  }

  #put(sheets, sides, forward, mark) {
    this.#note?.remove();
    const size = { width: `${this.style.width}px`, height: `${this.style.height}px` };
    const elements = sheets.map((each) => each?.element ?? h("div.sheet.blank", { style: size, "aria-hidden": "true" }));
    // Pages of fixed design meet at the fold: each goes over the margin of the other, and gives up its own there.
    sides.forEach((side, index) => {
      const isRight = elements.length > 1 && (index === 1) !== this.info.isRightToLeft;
      const shift = side ? side.x - (isRight ? this.style.width : 0) : 0;
      if (shift) Object.assign(elements[index].style, { transform: `translateX(${shift}px)`, clipPath: shift > 0 ? `inset(0 ${shift}px 0 0)` : `inset(0 0 0 ${-shift}px)` });
    });
    this.spread.className = `spread${elements.length > 1 ? " two" : ""}${this.info.isRightToLeft ? " rtl" : ""}`;
    this.spread.replaceChildren(...elements);
    if (forward !== undefined && !prefersStill()) {
      const to = forward !== this.info.isRightToLeft ? 1 : -1;
      this.spread.animate([{ opacity: 0.25, transform: `translateX(${to * 14}px)` }, { opacity: 1, transform: "none" }], { duration: 170, easing: "ease-out" });
    }
    for (const each of mark ? this.spread.querySelectorAll(`.mark[data-mark="${mark}"]`) : []) each.classList.add("sought");
    this.#uncover();
    if (forward !== undefined) this.clear();
    const now = performance.now();
    if (this.#shown) pace.add((now - this.#shown) / 1000 / sheets.length);
    this.#shown = now;
    this.#tell();
    announce(`${this.count.textContent}. ${this.pages.map(textOf).join("\n")}`);
    // The neighbours, once this page is in sight.
    requestIdleCallback?.(() => this.#prefetch(), { timeout: 400 });
  }

  /** In small windows the bars make room for the page; who gets to them by keyboard or screen reader sees them again. */
  clear() {
    if (this.element.dataset.wide === "false") this.element.classList.add("bare");
  }

  /** Moves the pages aside where a panel would cover what was looked for. */
  #uncover() {
    const found = this.spread.querySelector(".found span, .mark.sought");
    const panel = this.element.querySelector(".panel");
    this.spread.style.translate = "";
    if (!found || !panel || this.element.dataset.wide === "false") return;
    const hidden = found.getBoundingClientRect().right + 24 - panel.getBoundingClientRect().left;
    if (hidden > 0) this.spread.style.translate = `${-hidden}px`;
  }

  async #prefetch() {
    const [first, last] = [this.pages[0], this.pages.at(-1)];
    const turn = this.#turns;
    const wanted = new Map();
    for (const target of [{ after: `${last.chapter}.${last.index}` }, { before: `${first.chapter}.${first.index}` }]) {
      const view = await this.#view(target).catch(() => undefined);
      for (const { image } of view?.pages ?? []) wanted.set(image, this.#ahead.get(image));
    }
    if (turn !== this.#turns) return;
    // Neighbours of pages left behind need not be drawn.
    for (const [address, picture] of this.#ahead) if (!wanted.has(address) && !this.pages.some((page) => page.image === address)) picture.removeAttribute("src");
    for (const [address, picture] of wanted) {
      if (!picture) wanted.set(address, Object.assign(new Image(), { src: address }));
    }
    this.#ahead = wanted;
  }

  /** What the bars say of the page. */
  #tell() {
    const [first, last] = [this.pages[0], this.pages.at(-1)];
    const { number, total, isExact, isReliable } = first;
    this.chapterName.textContent = first.title;
    this.slider.max = total;
    this.slider.value = last.number;
    this.slider.style.setProperty("--done", `${total > 1 ? (last.number - 1) / (total - 1) * 100 : 100}%`);
    this.element.classList.toggle("uncounted", !isReliable);
    this.count.textContent = isReliable ? numbers(number, last.number, `${isExact ? "" : "about "}${total}`)
      : `${numbers(first.index + 1, last.chapter === first.chapter ? last.index + 1 : first.index + 1, first.chapterPages)} of the chapter`;
    this.slider.setAttribute("aria-valuetext", this.count.textContent);
    const minutes = Math.round((total - last.number) * pace.seconds / 60);
    const left = minutes < 1 ? "" : minutes < 60 ? ` · ${minutes} min left` : ` · ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
    this.left.textContent = isReliable ? `${Math.round(last.number / total * 100)} %${left}` : "";
    const isMarked = this.pages.some((page) => page.marks.some((mark) => mark.kind === "bookmark"));
    this.bookmarkButton.setAttribute("aria-pressed", String(isMarked));
  }

  /** Page numbers become exact while the server counts. */
  async #count() {
    const signal = this.#end.signal;
    while (!signal.aborted) {
      if (this.pages.some((page) => !page.isExact) && !document.hidden) {
        const style = this.style;
        const counts = await api.counts(this.id, style).catch(() => undefined);
        if (counts && style === this.style) {
          for (const page of this.pages) counts.chapters[page.chapter] = Math.max(counts.chapters[page.chapter], page.index + 1);
          const total = counts.chapters.reduce((sum, pages) => sum + pages, 0);
          for (const page of this.pages) {
            page.number = counts.chapters.slice(0, page.chapter).reduce((sum, pages) => sum + pages, 0) + page.index + 1;
            Object.assign(page, { total, isExact: counts.isExact, isReliable: counts.isReliable });
          }
          // Pages that wait to be turned to have old numbers.
          if (counts.isExact) this.#cache.clear();
          this.#tell();
        }
      }
      await new Promise((done) => setTimeout(done, this.pages.some((page) => !page.isReliable) ? 1000 : 3000));
    }
  }

  // MARK: Turning

  /** Each press counts; of pages that are passed over while presses are waiting no picture is asked for. */
  turn(forward) {
    this.#waiting += 1;
    this.#queue = this.#queue.then(() => this.#step(forward)).catch((error) => {
      if (error.name !== "AbortError") toast(error.message);
    });
  }

  async #step(forward) {
    this.#waiting -= 1;
    const from = this.#reached?.pages ?? this.pages;
    const page = forward ? from.at(-1) : from[0];
    if (!page) return;
    const target = { [forward ? "after" : "before"]: `${page.chapter}.${page.index}` };
    const turns = this.#turns;
    const view = await this.#view(target);
    // The reader has gone elsewhere meanwhile.
    if (turns !== this.#turns) return;
    if (view) this.#reached = { target, pages: view.pages, forward };
    else toast(forward ? "This is the end of the book." : "This is the start of the book.");
    const reached = this.#reached;
    if (this.#waiting || !reached || reached.isShown) return;
    this.#show(reached.target, { forward: reached.forward });
    this.#reached = { ...reached, isShown: true };
  }

  /** Goes elsewhere in the book, to a mark perhaps; the browser's way back leads here again. */
  async jump(target, mark) {
    if (!await this.#show(target, { saves: false, mark })) return;
    history.pushState({}, "", location.href);
    this.#keep();
  }

  returnTo(at) {
    if (at) this.#show({ at });
  }

  async follow(link, element) {
    let answer;
    try {
      answer = await api.follow(this.id, { href: link.href, source: link.source }, this.style);
    } catch (error) {
      if (link.href !== undefined || error.status !== 404) toast(error.message);
      return;
    }
    if (answer.note) this.#showNote(answer.note, element);
    else if (answer.place) this.jump({ at: answer.place });
    else if (answer.external) open(answer.external, "_blank", "noopener,noreferrer");
  }

  #showNote(note, element) {
    this.#note?.remove();
    const box = this.#note = h("div.note-box", { role: "dialog", "aria-label": "Note", tabIndex: -1 },
      iconButton("close", "Close", close, "Escape"),
      h("div.note-page", {}, h("img", { src: note.image, width: note.width, height: note.height, alt: note.text })));
    const outside = (event) => { if (!box.contains(event.target)) close(); };
    function close() {
      document.removeEventListener("pointerdown", outside, true);
      box.remove();
      element?.focus();
    }
    box.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } });
    document.addEventListener("pointerdown", outside, true);
    putNear(box, element?.getBoundingClientRect() ?? this.stage.getBoundingClientRect());
    box.focus();
  }

  #keep() {
    clearTimeout(this.#placeTimer);
    // The same page when the window is loaded anew.
    history.replaceState({}, "", `/read/${this.id}?at=${encodeURIComponent(this.#anchor)}`);
    const last = this.pages.at(-1);
    const progress = Math.min(1, last.isLast ? 1 : last.number / last.total);
    this.#placeTimer = setTimeout(() => api.savePlace(this.id, this.#anchor, progress).catch((error) => toast(error.message)), 300);
  }

  // MARK: Marks

  /** Shows the page again after something was marked. */
  async #refresh() {
    this.#cache.clear();
    const { chapter, index } = this.pages[0];
    const anchor = this.#anchor;
    await this.#show({ chapter, index }, { saves: false });
    this.#anchor = anchor;
    this.panels.refresh();
  }

  async highlight(found, color, writes) {
    const mark = await api.addMark(this.id, { kind: "highlight", start: found.start, end: found.end, color });
    await this.#refresh();
    announce("Highlighted");
    if (writes) markBox(mark, found.rect, this.#markActions, true);
  }

  openMark(mark, element) {
    if (getSelection().isCollapsed) markBox(mark, element.getBoundingClientRect(), this.#markActions);
  }

  /** Marks let the pointer through to the text, so that words in them can be selected. */
  #markAt(x, y) {
    const element = [...this.spread.querySelectorAll(".mark")].find((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    });
    const mark = element && this.pages.flatMap((page) => page.marks).find((each) => each.id === element.dataset.mark);
    return mark && [mark, element];
  }

  get #markActions() {
    return {
      change: async (id, values) => { await api.changeMark(this.id, id, values); await this.#refresh(); },
      keep: (id, values) => api.changeMark(this.id, id, values, { keepalive: true }).catch((error) => toast(error.message)),
      remove: (id) => this.removeMark(id),
    };
  }

  async removeMark(id) {
    await api.removeMark(this.id, id);
    await this.#refresh();
    announce("Removed");
  }

  async toggleBookmark() {
    const marks = this.pages.flatMap((page) => page.marks.filter((mark) => mark.kind === "bookmark"));
    if (marks.length) for (const mark of marks) await api.removeMark(this.id, mark.id);
    else await api.addMark(this.id, { kind: "bookmark", start: this.pages[0].start });
    await this.#refresh();
    announce(marks.length ? "Bookmark removed" : "Bookmarked");
  }

  // MARK: Hands

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "Escape") {
      if (this.panels.isOpen) this.panels.close();
      else if (!getSelection().isCollapsed) getSelection().removeAllRanges();
      else this.#leave();
      return;
    }
    if (isWriting) return;
    if (event.shiftKey && this.hand.press(event.key)) return event.preventDefault();
    const isButton = event.target.closest?.("button, a");
    const back = this.info.isRightToLeft;
    const keys = {
      ArrowLeft: () => this.turn(back), ArrowRight: () => this.turn(!back), PageDown: () => this.turn(true), PageUp: () => this.turn(false),
      Home: () => this.jump({ chapter: 0, index: 0 }), End: () => this.jump({ chapter: this.info.chapters - 1, index: "last" }),
      t: () => this.panels.toggle("contents"), "/": () => this.panels.toggle("search"), m: () => this.panels.toggle("marks"),
      s: () => this.panels.toggle("settings"), "?": () => this.panels.toggle("help"), b: () => this.toggleBookmark(),
      "+": () => this.changeSize(1), "=": () => this.changeSize(1), "-": () => this.changeSize(-1),
    };
    if (event.key === " " && !isButton) keys[" "] = () => this.turn(!event.shiftKey);
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Swipes turn pages, taps at the sides too; a tap in the middle shows and hides the bars. */
  #touch(signal) {
    let start;
    this.stage.addEventListener("touchstart", (event) => {
      const [touch] = event.touches;
      start = event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY, time: event.timeStamp, target: event.target } : undefined;
    }, { passive: true, signal });
    this.stage.addEventListener("touchend", (event) => {
      if (!start || !getSelection().isCollapsed || visualViewport?.scale > 1.05) return;
      const [touch] = event.changedTouches;
      const [dx, dy] = [touch.clientX - start.x, touch.clientY - start.y];
      const back = this.info.isRightToLeft;
      if (Math.abs(dx) > 48 && Math.abs(dx) > 2 * Math.abs(dy)) return this.turn(dx < 0 !== back);
      const isTap = Math.hypot(dx, dy) < 10 && event.timeStamp - start.time < 300;
      if (!isTap || start.target.closest("a, button") || this.#markAt(touch.clientX, touch.clientY)) return;
      if (this.panels.isOpen && this.element.dataset.wide === "false") return this.panels.close();
      const share = touch.clientX / innerWidth;
      if (share < 0.25) this.turn(back);
      else if (share > 0.75) this.turn(!back);
      else this.element.classList.toggle("bare");
    }, { passive: true, signal });
  }
}
