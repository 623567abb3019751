"use strict";
// The report's views. All that it shows is in the page's data block; images are files beside the report.
// A view is named by the part of the address behind `#`, so every view can be linked to.
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const help = document.getElementById("help");
  const MODES = [
    ["side", "Side by side"], ["overlay", "Overlay"], ["slider", "Slider"], ["onion", "Onion skin"], ["blink", "Blink"],
    ["difference", "Difference"],
  ];
  // A page's entries, as the data block orders them.
  const UNIT = 0, OLD = 1, NEW = 2, HREF = 3, FOLLOW = 4, CHANGES = 5, DRAWN = 6;
  const SEVERITIES = ["high", "medium", "low", "improvement"];

  // Elements ------------------------------------------------------------------------------------------------------

  function add(element, children) {
    for (const child of children) {
      if (Array.isArray(child)) add(element, child);
      else if (child !== null && child !== undefined && child !== false) element.append(child);
    }
    return element;
  }
  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
      else element.setAttribute(name, value === true ? "" : value);
    }
    return element;
  }
  const h = (tag, attributes, ...children) => add(set(document.createElement(tag), attributes), children);
  const SVG = "http://www.w3.org/2000/svg";
  const svg = (tag, attributes, ...children) => add(set(document.createElementNS(SVG, tag), attributes), children);

  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  // Members below zero are whole books under a profile.
  const extent = cluster => count(cluster.members.length, cluster.members.every(member => member < 0) ? "unit" : "page");
  const quote = text => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
  const say = text => { document.getElementById("status").textContent = text; };
  const ms = value => value === null ? "" : value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
  const mib = value => value === null ? "" : `${Math.round(value / 1048576)} MiB`;

  // Data ------------------------------------------------------------------------------------------------------------

  const clusterIndex = new Map(D.clusters.map((cluster, index) => [cluster.id, index]));
  const unitIndex = new Map(D.units.map((unit, index) => [`${unit.book}:${unit.profile}`, index]));
  // A page is known by the number it has now; one that is gone by `o` and the number it had.
  const pageName = page => {
    const unit = D.units[page[UNIT]];
    return `${unit.book}:${unit.profile}:${page[NEW] ?? "o" + page[OLD]}`;
  };
  const pageIndex = new Map(D.pages.map((page, index) => [pageName(page), index]));
  const pageTitle = page => page[NEW] === null ? `page ${page[OLD]}, gone` : page[OLD] === null ? `page ${page[NEW]}, new`
    : page[OLD] === page[NEW] ? `page ${page[NEW]}` : `page ${page[NEW]}, was ${page[OLD]}`;
  const title = unit => unit.title || unit.book;
  const judged = new Map(D.performance.map(f => [`${f.book}:${f.profile}:${f.metric}`, f.isWorse]));
  const outcome = unit => unit.outcome === "ok-with-warnings" ? "warnings" : unit.outcome;
  const isOpen = cluster => !cluster.decision || cluster.decision === "regression";

  const safe = text => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":");
  const link = values => "#" + Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${safe(String(value))}`).join("&");
  const clusterLink = cluster => link({ cluster: cluster.id });
  const bookLink = unit => link({ book: unit.book, profile: unit.profile });
  const pageLink = (page, context) => link({ page: pageName(page), cluster: context });

  // Parts -----------------------------------------------------------------------------------------------------------

  const severityMark = name => h("span", { class: `severity ${name}` }, name);
  const chip = cluster => h("span", { class: `chip ${cluster.decision ?? ""}`, "data-chip": cluster.id }, cluster.decision ?? "undecided");

  // What a server adds (`review.js`); null for a report on disk.
  const review = D.served ? globalThis.typesetReview({ D, h, say, chip, pageName }) : null;

  function command(text, name) {
    const button = h("button", { type: "button", "aria-label": `Copy the command: ${name}` }, "Copy");
    const code = h("code", { tabindex: 0, role: "textbox", "aria-readonly": "true", "aria-label": name }, text);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      say("Copied");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    return h("div", { class: "command" }, code, button);
  }
  // Where nobody answers, the command that decides.
  const deciding = (name, ...parts) => review ? null : [h("span", { class: "label" }, name), ...parts];
  const decide = (verb, option) => `${D.commands[verb]} ${option} --reason "…"${verb === "accept" ? D.commands.store : ""}`;
  const drawCommand = page => `${D.commands.draw} --page ${quote(pageName(page))}`;
  const againCommand = page => {
    const unit = D.units[page[UNIT]];
    return `${D.commands.again} --profile ${quote(unit.profile)} --only ${quote(`${unit.book}:${page[NEW] ?? page[OLD]}`)}`;
  };

  function segments(name, options, current, choose) {
    const buttons = options.map(([value, label]) => h("button", {
      type: "button", "aria-pressed": String(value === current), "data-value": value, onclick: () => {
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === value));
        choose(value);
      },
    }, label));
    return h("div", { class: "segments", role: "group", "aria-label": name }, buttons);
  }

  // A list of which only the rows in sight exist.
  function list(name, kind, items, height, row) {
    const space = h("div", { style: { height: `${items.length * height}px` } });
    const box = h("div", { class: `list ${kind}`, role: "list", "aria-label": name, tabindex: items.length ? 0 : null }, space);
    let first = -1, last = -1;
    function update() {
      const from = Math.max(0, Math.floor(box.scrollTop / height) - 8);
      const to = Math.min(items.length, Math.ceil((box.scrollTop + (box.clientHeight || 800)) / height) + 8);
      if (from === first && to === last) return;
      const focused = box.contains(document.activeElement) ? document.activeElement.dataset.at : undefined;
      [first, last] = [from, to];
      space.replaceChildren(...items.slice(from, to).map((item, offset) => {
        const index = from + offset;
        return set(row(item, index), {
          style: { top: `${index * height}px`, height: `${height}px` }, "data-at": String(index), "aria-posinset": index + 1,
          "aria-setsize": items.length,
        });
      }));
      if (focused !== undefined) space.querySelector(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
    }
    box.addEventListener("scroll", update, { passive: true });
    new ResizeObserver(update).observe(box);
    update();
    return box;
  }

  function pageRow(index, context, isInBook) {
    if (index < 0) {
      const unit = D.units[-1 - index];
      return h("a", { class: "row", role: "listitem", href: bookLink(unit) }, h("span", {}, title(unit)),
        h("span", { class: "soft" }, unit.profile), h("span", {}, "whole book"), h("span"), h("span"));
    }
    const page = D.pages[index], unit = D.units[page[UNIT]];
    // In a list of one change, what else a page has.
    const others = page[CHANGES].filter(change => D.clusters[change[0]].id !== context);
    const kinds = others.length ? others.map(change => D.clusters[change[0]].summary) : [D.hrefs[page[HREF]]];
    if (context && others.length) kinds[0] = `also ${kinds[0]}`;
    const kind = h("span", { class: "soft", title: kinds.join("; ") }, kinds[0] || "", kinds.length > 1 ? ` and ${kinds.length - 1} more` : "");
    const follow = h("span", { class: "soft num" }, page[FOLLOW] ? `${page[FOLLOW]} follow` : "");
    const cells = isInBook ? [h("span", {}, pageTitle(page)), kind, h("span", { class: "soft" }, D.hrefs[page[HREF]]), follow]
      : [h("span", {}, title(unit)), h("span", { class: "soft" }, unit.profile), h("span", {}, pageTitle(page)), kind, follow];
    return h("a", { class: "row", role: "listitem", href: pageLink(page, context) }, cells);
  }

  const rectangles = (boxes, kind) => {
    const found = [];
    for (let at = 0; at + 3 < boxes.length; at += 4) {
      found.push(svg("rect", {
        class: kind, x: boxes[at] - 1.5, y: boxes[at + 1] - 1.5, width: boxes[at + 2] + 3, height: boxes[at + 3] + 3, rx: 1.5,
      }));
    }
    return found;
  };
  const source = file => `${D.images}/${file}`;

  // Where and how a book failed; the few lines that tell failures apart, or all.
  function failureView(failure, isShort) {
    const facts = [["Phase", failure.phase], ["Chapter", failure.chapter], ["Finished up to", failure.reached],
      ["Signal", failure.signal ? `${failure.signal}${SIGNALS[failure.signal] ? `, ${SIGNALS[failure.signal]}` : ""}` : ""],
      ["Exit code", failure.exitCode ? String(failure.exitCode) : ""]].filter(fact => fact[1]);
    const stack = failure.stack.slice(0, isShort ? 5 : undefined);
    return h("section", { class: "failure", "aria-label": "How it failed" }, !isShort && h("h2", {}, "How it failed"),
      h("dl", { class: "facts" }, facts.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
      stack.length > 0 && [h("h3", {}, "Stack"), h("ol", { class: "stack" }, stack.map(name => h("li", {}, h("code", {}, name))))],
      !isShort && failure.message && [h("h3", {}, "What it said"), h("pre", { tabindex: 0 }, failure.message)]);
  }
  const SIGNALS = { 4: "illegal instruction", 6: "abort", 7: "bus error", 8: "arithmetic", 9: "killed", 11: "segmentation fault", 24: "processor time was over" };
  // That of the first book of a cluster that failed.
  function failureOf(cluster, isShort) {
    const member = cluster.members.find(member => member < 0 && D.units[-1 - member].failure);
    return member === undefined || cluster.kind === "fixed-failure" ? null : failureView(D.units[-1 - member].failure, isShort);
  }

  // The changed part of a page, old above new.
  function sample(index, cluster) {
    if (index < 0) return null;
    const page = D.pages[index], unit = D.units[page[UNIT]], drawn = D.drawn[page[DRAWN]];
    const caption = h("span", { class: "cap" }, `${title(unit)}, ${pageTitle(page)}`);
    const change = page[CHANGES].find(change => D.clusters[change[0]] === cluster) ?? page[CHANGES][0];
    if (!drawn) {
      const place = h("a", { class: "sample", href: pageLink(page, cluster.id) }, h("span", { class: "crop none" }, review ? "…" : "not drawn"), caption);
      if (review) whenSeen(place, () => review.draw(index).then(() => place.replaceWith(sample(index, cluster)), () => {}));
      return place;
    }
    const [oldBoxes, newBoxes] = drawn.boxes[page[CHANGES].indexOf(change)] ?? [[], []];
    const [x = 0, y = 0, width = 100, height = 20] = newBoxes.length ? newBoxes : oldBoxes;
    // Wide enough for a narrow change to be seen with what is around it.
    const focus = drawn.focus?.[page[CHANGES].indexOf(change)] ?? [];
    // Where lines begin to differ, or, where they are only elsewhere, where they begin.
    const lefts = focus.length ? [focus[0], focus[2]].map(place => Math.max(0, place - 80)) : [x, x].map(x => Math.max(0, x - (width > 180 ? 8 : (190 - width) / 2)));
    if (Math.abs(lefts[0] - lefts[1]) < 60) lefts.fill(Math.min(...lefts));
    const top = focus.length ? Math.max(0, focus[3] - 30) : Math.max(0, y + Math.min(height, 60) / 2 - 40);
    // Both at the same place, that a small move is seen, as long as the old one is in sight there.
    const oldTop = focus.length ? Math.max(0, focus[1] - 30) : oldBoxes.length && Math.abs(oldBoxes[1] - y) > 40 ? Math.max(0, oldBoxes[1] + Math.min(oldBoxes[3], 60) / 2 - 40) : top;
    const crop = (file, size, name, boxes, kind) => h("span", { class: "crop" },
      file && h("img", {
        src: source(file), loading: "lazy", alt: "", width: size[0], height: size[1],
        style: { left: `${-lefts[kind === "o" ? 0 : 1]}px`, top: `${-(kind === "o" ? oldTop : top)}px` },
      }),
      file && svg("svg", {
        class: "boxes", width: size[0], height: size[1], "aria-hidden": "true",
        style: { left: `${-lefts[kind === "o" ? 0 : 1]}px`, top: `${-(kind === "o" ? oldTop : top)}px` },
      }, rectangles(boxes ?? [], kind)),
      h("span", { class: "tag" }, file ? name : sideName(page, drawn, kind === "o")));
    return h("a", { class: "sample", href: pageLink(page, cluster.id) },
      crop(drawn.old, drawn.oldSize, "old", oldBoxes, "o"), crop(drawn.new, drawn.newSize, "new", newBoxes, "n"), caption);
  }

  // Does something once an element is in sight.
  function whenSeen(element, action) {
    const watch = new IntersectionObserver(entries => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      watch.disconnect();
      action();
    }, { rootMargin: "400px" });
    watch.observe(element);
  }

  const clusterMeta = cluster => h("p", { class: "meta" }, severityMark(cluster.severity), h("span", {}, cluster.kind),
    cluster.origin && h("span", { title: { style: "The computed styles differ", book: "The book is another" }[cluster.origin] || "The computed styles are the same" }, cluster.origin),
    h("span", {}, count(cluster.books, "book")), h("span", {}, extent(cluster)),
    cluster.follow > 0 && h("span", {}, `${cluster.follow.toLocaleString("en")} follow`), chip(cluster));

  // Views -----------------------------------------------------------------------------------------------------------

  function notices() {
    const line = (kind, ...text) => h("p", { class: `notice ${kind}` }, text);
    const some = names => names.slice(0, 8).join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");
    return [
      D.fixedFailures.length > 0 && line("good", `Fixed: ${some(D.fixedFailures)}.`),
      D.newFailures.length > 0 && line("bad", `Newly failing: ${some(D.newFailures)}.`),
      D.warnings.length > 0 && line("", `Warning: ${some(D.warnings)}.`),
      D.missingShards.length > 0 && line("bad", `A part of the run alone: shards ${D.missingShards.join(", ")} are missing.`),
      D.missingBaselines.length > 0 && line("", `Without a baseline: ${some(D.missingBaselines)}.`),
      D.differences.length > 0 && line("", `Other versions: ${D.differences.join("; ")}.`),
    ];
  }

  const filter = { severity: "all", state: "all", text: "" };

  function overview() {
    const t = D.totals;
    const box = h("div", { id: "clusters" });
    const found = h("span", { class: "soft", role: "status" });
    const shown = () => {
      const text = filter.text.toLowerCase();
      const chosen = D.clusters.filter(cluster => (filter.severity === "all" || cluster.severity === filter.severity)
        && (filter.state === "all" || (filter.state === "open") === isOpen(cluster))
        && (!text || `${cluster.summary} ${cluster.kind} ${cluster.id}`.toLowerCase().includes(text)));
      const step = 60;
      let made = 0;
      const more = h("button", { type: "button", onclick: () => extend() }, "Show more");
      function extend() {
        more.remove();
        box.append(...chosen.slice(made, made + step).map(clusterArticle));
        made += step;
        if (made < chosen.length) box.append(more);
      }
      box.replaceChildren();
      extend();
      found.textContent = chosen.length === D.clusters.length ? "" : `${chosen.length} of ${D.clusters.length}`;
    };
    add(main, [
      h("div", { class: "lede" },
        h("h1", {}, t.clusters === 0 ? (t.changedUnits ? `${count(t.changedUnits, "unit")} differ` : "Nothing changed")
          : `${count(t.clusters, "kind")} of change on ${count(t.changedPages, "page")}`),
        h("p", { class: "soft" }, (D.old === D.new ? `One engine, ${D.new}` : `${D.old} compared with ${D.new}`) + (D.revision ? `, revision ${D.revision}` : "")),
        notices()),
      h("dl", { class: "figures" },
        figure("to be decided", t.undecided, t.undecided ? "high" : "", "undecided"), figure("changed pages", t.changedPages),
        figure("pages that follow from them", t.consequences), figure("books × profiles that differ", t.changedUnits),
        figure("books × profiles", t.units), figure("pages", t.pages), t.worse > 0 && figure("figures got worse", t.worse, "high")),
      D.clusters.length > 0 && h("div", { class: "tools" },
        segments("Severity", [["all", "All"], ...SEVERITIES.filter(name => D.clusters.some(c => c.severity === name)).map(name => [name, name])],
          filter.severity, value => { filter.severity = value; shown(); }),
        segments("State", [["all", "All"], ["open", "Open"], ["decided", "Decided"]], filter.state, value => { filter.state = value; shown(); }),
        h("input", { type: "search", id: "filter", placeholder: "Filter changes  /", "aria-label": "Filter changes", value: filter.text,
          oninput: event => { filter.text = event.target.value; shown(); } }), found),
      box, performance(D.performance)]);
    shown();
    current = {
      go(step) {
        const links = [...box.querySelectorAll(".cluster h2 a")], at = links.indexOf(document.activeElement?.closest?.(".cluster")?.querySelector("h2 a"));
        const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step];
        if (next) { next.focus(); next.closest(".cluster").scrollIntoView({ block: "nearest" }); }
        else say(step > 0 ? "This is the last change in sight" : "This is the first change");
      },
      up() {},
    };
  }
  const figure = (name, value, kind, id) => h("div", { class: kind ?? "", id }, h("dt", {}, name), h("dd", {}, value.toLocaleString("en")));

  // A summary that begins with words of the book keeps them as they are.
  const quoted = cluster => cluster.summary.startsWith("“") ? "quoted" : null;

  function clusterArticle(cluster) {
    return h("article", { class: "cluster", "aria-labelledby": `c-${cluster.id}`, "data-cluster": cluster.id },
      h("div", { class: "words" }, h("h2", { id: `c-${cluster.id}`, class: quoted(cluster) }, h("a", { href: clusterLink(cluster) }, cluster.summary)),
        clusterMeta(cluster), review ? review.panel(cluster) : command(decide("accept", `--cluster ${cluster.id}`), "Accept this cluster")),
      failureOf(cluster, true) ?? h("div", { class: "samples" }, cluster.representatives.map(index => sample(index, cluster))));
  }

  function performance(findings) {
    if (!findings.length) return null;
    const shown = findings.slice().sort((a, b) => Number(b.isWorse) - Number(a.isWorse)).slice(0, 200);
    const number = (metric, value) => metric.startsWith("time.") ? ms(value) : metric.endsWith("ytes") ? mib(value) : value.toLocaleString("en");
    return h("section", {}, h("h2", {}, "Time, memory and counters"), h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, h("th", {}, "book"), h("th", {}, "figure"), h("th", { class: "num" }, "old"), h("th", { class: "num" }, "new"), h("th", { class: "num" }, "change"))),
      h("tbody", {}, shown.map(f => h("tr", {}, h("td", {}, f.book, f.profile && h("span", { class: "soft" }, ` ${f.profile}`)), h("td", {}, f.metric),
        h("td", { class: "num" }, number(f.metric, f.old)), h("td", { class: "num" }, number(f.metric, f.new)),
        h("td", { class: `num ${f.isWorse ? "worse" : ""}` }, delta(f.old, f.new)))))),
      findings.length > shown.length && h("p", { class: "soft" }, `and ${findings.length - shown.length} more`));
  }
  const delta = (old, now) => {
    if (old === null || now === null || !old) return "";
    const share = (now - old) / old * 100;
    return `${share > 0 ? "+" : share < 0 ? "−" : "±"}${Math.abs(share).toFixed(1)} %`;
  };

  function clusterView(cluster) {
    const near = cluster.near.map(id => D.clusters[clusterIndex.get(id)]).filter(Boolean);
    add(main, [
      h("div", { class: "lede" }, h("p", { class: "crumbs" }, h("a", { href: "#" }, "Changes"), " / ", cluster.id),
        h("h1", { class: quoted(cluster) }, cluster.summary), clusterMeta(cluster), h("p", {}, h("code", { class: "soft" }, cluster.signature)),
        review && review.panel(cluster)),
      failureOf(cluster, false),
      h("div", { class: "samples", style: { "max-width": "60rem" } }, cluster.representatives.map(index => sample(index, cluster))),
      !review && h("section", { style: { "max-width": "60rem" } },
        deciding("Accept it", command(decide("accept", `--cluster ${cluster.id}`), "Accept this cluster")),
        deciding("Call it a regression", command(decide("reject", `--cluster ${cluster.id}`), "Reject this cluster"))),
      near.length > 0 && h("section", {}, h("h2", {}, "Near it"), h("ul", { class: "kinds" }, near.map(other =>
        h("li", {}, severityMark(other.severity), h("a", { href: clusterLink(other) }, other.summary), h("span", { class: "soft" }, extent(other))))),
        !review && command(decide("accept", [cluster, ...near].map(c => `--cluster ${c.id}`).join(" ")), "Accept it with all that is near it")),
      h("section", {}, h("h2", {}, extent(cluster)),
        list(`Pages of this change`, "pages", cluster.members, 40, index => pageRow(index, cluster.id))),
    ]);
    current = {
      cluster, up() { location.hash = ""; },
      go(step) { const pages = cluster.members.filter(member => member >= 0); if (step > 0 && pages.length) location.hash = pageLink(D.pages[pages[0]], cluster.id); },
    };
  }

  const table = { text: "", only: "changed", key: "changed", down: true };

  function booksView() {
    const columns = [
      ["book", "Book", unit => title(unit).toLowerCase()], ["profile", "Profile", unit => unit.profile], ["outcome", "Outcome", unit => unit.outcome],
      ["pages", "Pages", unit => unit.pages], ["changed", "Changed", unit => unit.count + unit.changes.length], ["follow", "Follow", unit => unit.follow],
      ["time", "Time", unit => unit.time ?? -1], ["memory", "Memory", unit => unit.memory ?? -1],
    ];
    const holder = h("div"), found = h("span", { class: "soft", role: "status" });
    const heads = columns.map(([key, name]) => h("span", { class: columns.findIndex(c => c[0] === key) > 2 ? "num" : "", role: "columnheader" },
      h("button", { type: "button", onclick: () => {
        table.down = table.key === key ? !table.down : key !== "book" && key !== "profile";
        table.key = key;
        update();
      } }, name)));
    function update() {
      heads.forEach((head, index) => {
        if (columns[index][0] === table.key) head.setAttribute("aria-sort", table.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      const text = table.text.toLowerCase(), value = columns.find(c => c[0] === table.key)[2], sign = table.down ? -1 : 1;
      const rows = D.units.filter(unit => (table.only === "all" || (table.only === "changed" ? unit.count + unit.changes.length > 0 : !unit.outcome.startsWith("ok")))
        && (!text || `${unit.title} ${unit.book} ${unit.profile} ${unit.language}`.toLowerCase().includes(text)));
      rows.sort((a, b) => { const [x, y] = [value(a), value(b)]; return x < y ? -sign : x > y ? sign : 0; });
      // Figures are told apart, and judged only where the run was made to judge them.
      const change = (unit, metric, old, now) => {
        if (!old || !now || Math.abs(now - old) / old < .1) return null;
        const isWorse = judged.get(`${unit.book}:${unit.profile}:${metric}`);
        return h("span", { class: isWorse === undefined ? "" : isWorse ? "worse" : "better" }, ` ${delta(old, now)}`);
      };
      holder.replaceChildren(list("Books", "books", rows, 40, unit => h("a", { class: "row", role: "listitem", href: bookLink(unit) },
        h("span", { title: unit.book }, title(unit)), h("span", { class: "soft" }, unit.profile),
        h("span", { class: unit.outcome.startsWith("ok") ? "soft" : "worse" }, outcome(unit)),
        h("span", { class: "num" }, unit.oldPages !== unit.pages && unit.oldPages !== null ? `${unit.oldPages} → ${unit.pages}` : String(unit.pages)),
        h("span", { class: "num" }, unit.count || unit.changes.length ? String(unit.count || "whole") : "–"),
        h("span", { class: "num soft" }, unit.follow ? String(unit.follow) : ""),
        h("span", { class: "num soft" }, ms(unit.time), change(unit, "time.total", unit.oldTime, unit.time)),
        h("span", { class: "num soft" }, mib(unit.memory), change(unit, "memory.peakBytes", unit.oldMemory, unit.memory)))));
      found.textContent = `${rows.length} of ${D.units.length}`;
    }
    add(main, [h("div", { class: "lede" }, h("h1", {}, "Books")),
      h("div", { class: "tools" },
        segments("Which", [["changed", "Changed"], ["failed", "Failed"], ["all", "All"]], table.only, value => { table.only = value; update(); }),
        h("input", { type: "search", id: "filter", placeholder: "Filter books  /", "aria-label": "Filter books", value: table.text,
          oninput: event => { table.text = event.target.value; update(); } }), found),
      h("div", { class: "books", role: "group" }, h("div", { class: "head", role: "row" }, heads), holder)]);
    update();
  }

  // A figure by revision; the first revision of each step of more than 5 % is named.
  function series(name, entries, text) {
    const values = entries.map(entry => entry[1]);
    if (values.filter(value => value !== null).length < 2) return null;
    const width = 320, height = 56, known = values.filter(value => value !== null), most = Math.max(...known) || 1;
    // What moves fills the height; a tenth of the figure at least, so that noise stays small.
    const span = Math.max(most - Math.min(...known), most / 10), least = (most + Math.min(...known) - span) / 2;
    const x = index => 4 + index / (values.length - 1) * (width - 8), y = value => height - 6 - (value - least) / span * (height - 12);
    const steps = values.map((value, index) => index > 0 && values[index - 1] && Math.abs(value - values[index - 1]) > .05 * values[index - 1] ? index : 0).filter(Boolean);
    const last = steps.at(-1);
    return h("figure", { class: "series" },
      h("figcaption", {}, name, h("span", {}, text(values.at(-1)))),
      svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name} by revision, now ${text(values.at(-1))}` },
        svg("polyline", { points: values.map((value, index) => `${x(index)},${y(value ?? least)}`).join(" ") }),
        steps.map(index => svg("circle", { cx: x(index), cy: y(values[index] ?? least), r: 3.5 },
          svg("title", {}, `${entries[index][0] || "?"}: ${delta(values[index - 1], values[index])}`)))),
      h("p", { class: "soft" }, last ? `${delta(values[last - 1], values[last])} since ${entries[last][0] || "a revision without a name"}` : `no step in ${values.length} revisions`));
  }

  const TREND_TEXTS = { "time.total": ["Time", ms], "memory.peakBytes": ["Peak memory of a book", mib] };
  function trendsView() {
    const t = D.trends, shown = t.series.filter(series => series.values.filter(value => value !== null).length > 1);
    add(main, [
      h("div", { class: "lede" }, h("h1", {}, "Trends"),
        h("p", { class: "soft" }, `${count(t.revisions.length, "run")} on ${t.host || "machines of this kind"}, sums over the ${t.units.toLocaleString("en")} books × profiles that all of them have. A dot is a step of more than 5 %.`)),
      shown.length ? h("div", { class: "figures" }, shown.map(({ name, values }) => {
        const [title, text] = TREND_TEXTS[name] ?? [name, value => value.toLocaleString("en")];
        return series(title, values.map((value, index) => [t.revisions[index], value]).filter(entry => entry[1] !== null), text);
      })) : h("p", {}, "There is one run yet: a line needs two."),
      h("details", {}, h("summary", {}, "The same as a table"), h("table", { class: "plain" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "revision"), shown.map(({ name }) => h("th", { scope: "col", class: "num" }, TREND_TEXTS[name]?.[0] ?? name)))),
        h("tbody", {}, t.revisions.map((revision, index) => h("tr", {}, h("th", { scope: "row" }, revision || "–"),
          shown.map(({ name, values }) => h("td", { class: "num" }, values[index] === null ? "" : (TREND_TEXTS[name]?.[1] ?? (value => value.toLocaleString("en")))(values[index])))))))),
    ]);
  }

  function bookView(unit) {
    const pages = Array.from({ length: unit.count }, (_, offset) => unit.first + offset);
    const kinds = new Map();
    for (const change of unit.changes) kinds.set(change, 0);
    for (const index of pages) for (const change of D.pages[index][CHANGES]) kinds.set(change[0], (kinds.get(change[0]) ?? 0) + 1);
    const line = (name, old, now, text) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, old === null ? "" : text(old)),
      h("td", { class: "num" }, now === null ? "" : text(now)), h("td", { class: "num soft" }, delta(old, now)));
    add(main, [
      h("div", { class: "lede" }, h("p", { class: "crumbs" }, h("a", { href: "#books" }, "Books"), " / ", unit.book, " / ", unit.profile),
        h("h1", { lang: unit.language || null }, title(unit)),
        h("p", { class: "meta" }, h("span", {}, unit.outcome), unit.language && h("span", {}, unit.language), h("span", {}, count(unit.count, "changed page"))),
        unit.failure && h("p", { class: "notice bad" }, `It failed: ${unit.outcome}.`)),
      unit.failure && failureView(unit.failure, false),
      h("table", { class: "plain" }, h("thead", {}, h("tr", {}, h("th"), h("th", { class: "num" }, "old"), h("th", { class: "num" }, "new"), h("th", { class: "num" }, "change"))),
        h("tbody", {}, line("Pages", unit.oldPages, unit.pages, String), line("Time", unit.oldTime, unit.time, ms), line("Peak memory", unit.oldMemory, unit.memory, mib))),
      unit.history && h("section", {}, h("h2", {}, "By revision"), h("div", { class: "figures" },
        series("Time", unit.history.map(entry => [entry[0], entry[2]]), ms), series("Peak memory", unit.history.map(entry => [entry[0], entry[3]]), mib),
        series("Pages", unit.history.map(entry => [entry[0], entry[1]]), String))),
      kinds.size > 0 && h("section", {}, h("h2", {}, count(kinds.size, "kind") + " of change"), h("ul", { class: "kinds" }, [...kinds].map(([index, pages]) =>
        h("li", {}, severityMark(D.clusters[index].severity), h("a", { href: clusterLink(D.clusters[index]) }, D.clusters[index].summary), h("span", { class: "soft" }, pages ? count(pages, "page") : "whole book")))),
        deciding("Accept all that changed in this book, under every profile", command(decide("accept", `--book ${quote(unit.book)}`), "Accept this book"))),
      pages.length > 0 && h("section", {}, h("h2", {}, "Changed pages"), list("Changed pages", "own", pages, 40, index => pageRow(index, undefined, true))),
    ]);
  }

  // A page ----------------------------------------------------------------------------------------------------------

  const look = { mode: "side", boxes: true, actual: false };
  let current = null;

  function pageView(index, query) {
    const page = D.pages[index], unit = D.units[page[UNIT]], drawn = D.drawn[page[DRAWN]];
    const cluster = D.clusters[clusterIndex.get(query.get("cluster"))];
    const ring = cluster ? cluster.members.filter(member => member >= 0) : null;
    const at = ring ? ring.indexOf(index) : index, length = ring ? ring.length : D.pages.length;
    const target = step => at + step >= 0 && at + step < length ? (ring ? ring[at + step] : at + step) : null;
    const go = step => {
      const next = target(step);
      if (next === null) say(step > 0 ? "This is the last page" : "This is the first page");
      else location.hash = pageAddress(D.pages[next]);
    };
    const pageAddress = page => link({ page: pageName(page), cluster: cluster?.id, mode: look.mode === "side" ? null : look.mode });
    if (MODES.some(mode => mode[0] === query.get("mode"))) look.mode = query.get("mode");
    else look.mode = "side";
    main.className = "wide";
    const stage = h("div", { class: "stage", id: "stage" });
    const modes = segments("How to compare", MODES, look.mode, mode => { look.mode = mode; changed(); });
    const boxes = h("button", { type: "button", title: "Outline what changed (b)", "aria-pressed": String(look.boxes), onclick: () => current.boxes() }, "Outlines");
    const zoom = h("button", { type: "button", title: "Actual size or as wide as the window (z)", onclick: () => current.zoom() }, "Actual size");
    function changed() {
      for (const button of modes.children) button.setAttribute("aria-pressed", String(button.dataset.value === look.mode));
      history.replaceState(null, "", pageAddress(page));
      paint();
    }
    function paint() {
      stage.className = `stage mode-${look.mode}${look.boxes ? " boxed" : ""}${look.actual ? " actual" : ""}`;
      boxes.setAttribute("aria-pressed", String(look.boxes));
      zoom.textContent = look.actual ? "Fit" : "Actual size";
      stage.replaceChildren(...(drawn ? sheets(page, drawn, look.mode) : review ? [h("p", { class: "absent", role: "status" }, "The page is being drawn …")] : [h("div", { class: "absent" },
        h("p", {}, "This page was not drawn, to keep the report small. This draws it, and keeps what is drawn already:"), command(drawCommand(page), "Draw this page"))]));
    }
    current = {
      page, cluster: cluster ?? D.clusters[page[CHANGES][0]?.[0]], go, mode: number => { look.mode = MODES[number][0]; changed(); },
      boxes: () => { look.boxes = !look.boxes; paint(); }, zoom: () => { look.actual = !look.actual; paint(); },
      up: () => { location.hash = cluster ? clusterLink(cluster) : bookLink(unit); },
    };
    const step = (delta, name, key) => h("button", { type: "button", title: `${name} (${key})`, "data-keep": name, disabled: target(delta) === null, onclick: () => go(delta) }, name);
    add(main, [
      h("p", { class: "crumbs" }, cluster ? h("a", { href: clusterLink(cluster) }, cluster.summary) : h("a", { href: "#books" }, "Books"), " / ",
        h("a", { href: bookLink(unit) }, title(unit)), " / ", unit.profile),
      h("div", { class: "page-head" }, h("h1", {}, pageTitle(page).replace(/^p/, "P")),
        h("div", { class: "steps" }, h("span", { class: "soft" }, `${(at + 1).toLocaleString("en")} of ${length.toLocaleString("en")}`), step(-1, "Previous", "k"), step(1, "Next", "j"))),
      h("div", { class: "tools" }, modes, boxes, zoom),
      h("div", { class: "viewer" }, h("div", {}, stage, h("div", { id: "elements" }, drawn && elements(drawn)), drawn && texts(drawn, unit)),
        h("aside", { class: "side", "aria-label": "What changed" }, h("h2", {}, page[CHANGES].length ? "What changed" : "No change is left"), h("ul", {}, page[CHANGES].map(change => {
          const kind = D.clusters[change[0]];
          return h("li", {}, h("a", { href: clusterLink(kind) }, kind.summary), h("span", { class: "meta" }, severityMark(kind.severity), chip(kind)),
            change[1] !== undefined && h("span", { class: "src" }, `${D.hrefs[page[HREF]]}  ${change[1]}:${change[2]}–${change[3]}`),
            review && review.panel(kind, page));
        })),
        drawn?.pixels && h("p", { class: "soft" }, drawn.pixels[0] === 0
          ? "No pixel differs where one program draws both sides, as here. What changed does not show, or was in the program that drew the old side, whose pixels are not at hand: only their hash is kept."
          : `${count(drawn.pixels[0], "pixel")} ${drawn.pixels[0] === 1 ? "differs" : "differ"}, by ${drawn.pixels[1]} of 255 at most; likeness ${drawn.pixels[2]}.`),
        page[FOLLOW] > 0 && h("p", { class: "soft" }, `${count(page[FOLLOW], "page")} after it ${page[FOLLOW] === 1 ? "differs" : "differ"} only because of it.`),
        deciding("Accept the changes of this page",
          command(decide("accept", `--page ${quote(`${unit.book}:${unit.profile}:${page[NEW] ?? page[OLD]}`)}`), "Accept this page")),
        h("span", { class: "label" }, "Compare it again"), command(againCommand(page), "Compare this page again"),
        drawn && !drawn.old && page[OLD] !== null && [h("span", { class: "label" }, "The old page is not kept here; this makes it again"),
          command(D.commands.restore, "Make old pages again")],
        h("span", { class: "label" }, "Source"), h("p", { class: "src soft" }, D.hrefs[page[HREF]] || "–"))),
    ]);
    paint();
    if (review) {
      const isHere = () => current?.page === page;
      if (!drawn) review.draw(index).then(() => { if (isHere()) route(true); }, () => { if (isHere()) stage.replaceChildren(h("p", { class: "absent", role: "alert" }, "The server does not draw this page.")); });
      else review.elements(index).then(drawn => { if (isHere()) document.getElementById("elements")?.replaceChildren(elements(drawn) ?? ""); }, () => {});
    }
    // The neighbours' images are there when they are asked for.
    const load = drawn => { for (const file of [drawn.old, drawn.new]) if (file) new Image().src = source(file); };
    for (const delta of [1, -1]) {
      const next = target(delta);
      if (next === null) continue;
      if (review && drawn) review.draw(next).then(load, () => {});
      else if (D.drawn[D.pages[next][DRAWN]]) load(D.drawn[D.pages[next][DRAWN]]);
    }
  }

  // A baseline of hashes alone has no pages to draw.
  function sideName(page, drawn, isOld) {
    const name = isOld ? "old" : "new", number = isOld ? page[OLD] : page[NEW];
    return number === null ? `no ${name} page` : `${name} page ${number}${(isOld ? drawn.old : drawn.new) ? "" : ", which is not kept here"}`;
  }

  function sheets(page, drawn, mode) {
    const sizes = [drawn.old && drawn.oldSize, drawn.new && drawn.newSize].filter(Boolean);
    const width = Math.max(...sizes.map(size => size[0])), height = Math.max(...sizes.map(size => size[1]));
    const style = { "--w": `${width}px`, "--ratio": `${width} / ${height}` };
    const layer = (isOld) => {
      const file = isOld ? drawn.old : drawn.new, size = isOld ? drawn.oldSize : drawn.newSize;
      return h("div", { class: `layer ${isOld ? "is-old" : "is-new"}`, style: { "--lw": file ? String(size[0] / width) : "1" } }, file && h("img", {
        src: source(file), loading: "lazy", decoding: "sync", width: size[0], height: size[1], alt: `The ${isOld ? "old" : "new"} ${pageTitle(page)}`,
      }));
    };
    const outlines = (old, now) => svg("svg", { class: "boxes", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      drawn.boxes.map(boxes => [old && rectangles(boxes[0], "o"), now && rectangles(boxes[1], "n")].filter(Boolean)));
    if (mode === "side") {
      const side = isOld => h("figure", { style }, h("figcaption", { class: isOld ? "is-old" : "is-new" },
        sideName(page, drawn, isOld)),
        h("div", { class: "sheet", style }, layer(isOld), outlines(isOld, !isOld)));
      return [h("div", { class: "sheets" }, side(true), side(false))];
    }
    const sheet = h("div", { class: "sheet", style }, layer(true), layer(false), mode === "slider" && h("div", { class: "cut" }), outlines(true, true));
    const row = h("div", { class: "sheets" }, sheet);
    if (mode === "slider" || mode === "onion") {
      const range = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": mode === "slider" ? "Where new meets old" : "How much of the new page shows",
        oninput: () => sheet.style.setProperty("--cut", mode === "slider" ? `${range.value}%` : String(range.value / 100)) });
      sheet.style.setProperty("--cut", mode === "slider" ? "50%" : ".5");
      if (mode === "slider") {
        const follow = event => {
          if (!(event.buttons & 1)) return;
          const box = sheet.getBoundingClientRect();
          range.value = Math.max(0, Math.min(100, (event.clientX - box.left) / box.width * 100));
          range.dispatchEvent(new Event("input"));
        };
        sheet.addEventListener("pointerdown", event => { event.preventDefault(); follow(event); });
        sheet.addEventListener("pointermove", follow);
      }
      return [h("div", { class: "slide" }, h("span", {}, "old"), range, h("span", {}, "new")), row];
    }
    const key = (color, text) => h("span", {}, h("i", { style: { background: color } }), text);
    const legend = mode === "overlay" ? [key("#3e0e09", "both"), key("#7c1d12", "old alone"), key("#8fbfe6", "new alone")]
      : mode === "blink" ? [h("span", {}, "old and new in turns")] : [h("span", {}, "what is equal is white")];
    return [h("div", { class: "legend" }, legend), row];
  }

  // Lines of both pages, paired where their text is equal.
  function texts(drawn, unit) {
    const old = drawn.oldLines ?? [], now = drawn.newLines ?? [];
    if (!old.length && !now.length) return null;
    const n = old.length, m = now.length;
    const rows = [];
    if (n * m > 250000) {
      for (let i = 0; i < Math.max(n, m); i++) rows.push([old[i], now[i]]);
    } else {
      const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
      for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--) {
        best[i][j] = old[i][0] === now[j][0] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      }
      let i = 0, j = 0, gone = [], come = [];
      const flush = () => {
        for (let k = 0; k < Math.max(gone.length, come.length); k++) rows.push([gone[k], come[k]]);
        gone = []; come = [];
      };
      while (i < n || j < m) {
        if (i < n && j < m && old[i][0] === now[j][0]) { flush(); rows.push([old[i++], now[j++]]); }
        else if (j >= m || (i < n && best[i + 1][j] >= best[i][j + 1])) gone.push(old[i++]);
        else come.push(now[j++]);
      }
      flush();
    }
    const isLone = !n || !m;
    const isChanged = ([a, b]) => isLone ? (a ?? b)[1] & 1 : !a || !b || a[0] !== b[0] || a[1] & 1 || b[1] & 1;
    const cell = (line, other, kind, marked) => {
      if (!line) return h("td");
      const attributes = { class: marked ? kind : "", lang: unit.language || null, dir: line[1] & 2 ? "rtl" : null };
      const detail = marked && line[2] ? h("span", { class: "detail", dir: "ltr", lang: "en" }, line[2]) : null;
      if (!other || line[0] === other[0]) return h("td", attributes, line[0], detail);
      // What differs lies between a common beginning and a common end; characters are not parted.
      const a = [...line[0]], b = [...other[0]];
      let start = 0, end = 0;
      while (start < a.length && start < b.length && a[start] === b[start]) start++;
      while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
      return h("td", attributes, a.slice(0, start).join(""), h("mark", {}, a.slice(start, a.length - end).join("")), a.slice(a.length - end).join(""), detail);
    };
    const body = h("tbody");
    rows.forEach((row, index) => {
      // Three lines around each change.
      if (!rows.slice(Math.max(0, index - 3), index + 4).some(isChanged)) {
        if (body.lastElementChild?.className !== "gap") body.append(h("tr", { class: "gap", "data-lines": "0" }, h("td", { colspan: 2 })));
        const gap = body.lastElementChild;
        gap.dataset.lines = String(Number(gap.dataset.lines) + 1);
        gap.firstChild.textContent = `${count(Number(gap.dataset.lines), "equal line")}`;
        return;
      }
      const marked = isChanged(row);
      body.append(h("tr", {}, cell(row[0], row[1], "is-old", marked), cell(row[1], row[0], "is-new", marked)));
    });
    return h("section", {}, h("h2", {}, "Lines"), h("table", { class: "texts" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "old"), h("th", { scope: "col" }, "new"))), body));
  }

  // The elements that changes start in: their source, the rules that hold for them, and what these come to.
  function elements(drawn) {
    if (!drawn.elements?.length) return null;
    const lines = (values, kind, sign) => values.map(value => h("li", { class: kind }, h("span", { class: "hidden" }, sign), value));
    return h("section", {}, h("h2", {}, "Elements"), drawn.elements.map(element => {
      const isKnown = element.old !== undefined;
      return h("article", { class: "element" },
        h("h3", {}, element.path), h("p", { class: "soft" }, `${element.href}, line ${element.line}`), h("pre", {}, element.source),
        element.rules.length > 0 && h("dl", { class: "rules" }, element.rules.slice().reverse().map(([origin, place, text]) =>
          [h("dt", {}, place || `${origin}’s sheet`), h("dd", {}, text)])),
        isKnown && (element.old.length || element.new.length
          ? h("ul", { class: "values" }, lines(element.old, "is-old", "old: "), lines(element.new, "is-new", "new: "))
          : h("p", { class: "soft" }, "Its computed values, and those of what it stands in, are the same on both sides: the layout differs.")),
        element.values.length > 0 && h("details", {}, h("summary", {}, isKnown ? "Values that both have" : "Computed values"),
          h("ul", { class: "values" }, lines(element.values, "", ""))));
    }));
  }

  // Ways around -----------------------------------------------------------------------------------------------------

  const places = new Map();
  let shownHash = null;

  // Shows what the address names; again, where there is more to be seen of it now.
  function route(isAgain = false) {
    const hash = location.hash.replace(/^#/, "");
    if (hash === "main") { main.focus(); return; }
    const isFirst = shownHash === null, kept = document.activeElement?.dataset?.keep, hadFocus = main.contains(document.activeElement);
    if (!isFirst) places.set(shownHash, scrollY);
    shownHash = hash;
    const query = new URLSearchParams(hash.replaceAll("+", "%2B"));
    current = null;
    main.className = "";
    main.replaceChildren();
    let nav = "changes", name = "Changes";
    const page = pageIndex.get(query.get("page")), cluster = D.clusters[clusterIndex.get(query.get("cluster"))];
    const unit = D.units[unitIndex.get(`${query.get("book")}:${query.get("profile")}`)];
    if (page !== undefined) { pageView(page, query); name = pageName(D.pages[page]); }
    else if (query.has("cluster") && cluster) { clusterView(cluster); name = cluster.summary; }
    else if (unit) { bookView(unit); nav = "books"; name = title(unit); }
    else if (query.has("books")) { booksView(); nav = "books"; name = "Books"; }
    else if (query.has("trends") && D.trends) { trendsView(); nav = "trends"; name = "Trends"; }
    else {
      if (hash) main.append(h("p", { class: "notice" }, `The report holds nothing by the name ${hash}.`));
      overview();
    }
    for (const anchor of document.querySelectorAll("[data-nav]")) {
      if (anchor.dataset.nav === nav) anchor.setAttribute("aria-current", "page"); else anchor.removeAttribute("aria-current");
    }
    document.title = `${name} – ${D.title}`;
    scrollTo(0, isAgain || page === undefined ? places.get(hash) ?? 0 : 0);
    // The focus stays where the hand is, or goes to what is new.
    const again = kept && [...main.querySelectorAll("[data-keep]")].find(element => element.dataset.keep === kept && !element.disabled);
    if (again) again.focus({ preventScroll: true });
    else if (!isFirst && (!isAgain || hadFocus)) main.focus({ preventScroll: true });
    if (!isAgain) say(name);
  }

  // What a key of a decision is about: the cluster that has the focus, or the one that is shown.
  function subject() {
    const near = document.activeElement?.closest?.("[data-cluster]")?.dataset.cluster;
    return near ? { cluster: D.clusters[clusterIndex.get(near)] } : current;
  }

  const KEYS = [
    ["j  →", "next page, next change"], ["k  ←", "previous page, previous change"], ["1 – 6", MODES.map(mode => mode[1].toLowerCase()).join(", ")], ["b", "outline what changed"],
    ["z", "actual size"], ["u", "up, to the cluster or book"], ["/", "filter"], ["?", "these keys"],
    ...(review ? review.keys : []),
  ];
  add(help, [h("h2", { id: "help-title" }, "Keys"), h("dl", {}, KEYS.map(([keys, text]) => [h("dt", {}, keys.split("  ").map(key => [h("kbd", {}, key), " "])), h("dd", {}, text)])),
    h("button", { type: "button", onclick: () => help.close() }, "Close")]);
  document.getElementById("help-button").addEventListener("click", () => help.showModal());

  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || review?.isAsking()) return;
    const isField = event.target.matches?.("input[type=search], input[type=text], select, textarea");
    if (event.key === "Escape" && isField) { event.target.blur(); return; }
    if (isField) return;
    const isRange = event.target.matches?.("input[type=range]") && event.key.startsWith("Arrow");
    let isUsed = true;
    if (event.key === "?") help.showModal();
    else if (event.key === "/") document.getElementById("filter")?.focus();
    else if (review?.press(event.key, subject())) isUsed = true;
    else if (!current || isRange || !current.mode && !"jku".includes(event.key)) isUsed = false;
    else if (event.key === "j" || event.key === "ArrowRight") current.go(1);
    else if (event.key === "k" || event.key === "ArrowLeft") current.go(-1);
    else if (event.key === "b") current.boxes();
    else if (event.key === "z") current.zoom();
    else if (event.key === "u") current.up();
    else if (event.key >= "1" && event.key <= "6") current.mode(Number(event.key) - 1);
    else isUsed = false;
    if (isUsed) event.preventDefault();
  });
  document.getElementById("trends-link").hidden = !D.trends;
  addEventListener("hashchange", () => route());
  history.scrollRestoration = "manual";
  route();
})();
