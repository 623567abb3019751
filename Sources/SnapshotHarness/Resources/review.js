"use strict";
// What a served report has beside one on disk: decisions, comments, and pages that are drawn when they are looked at.
// `report.js` hands over its data and its ways to make elements.
globalThis.typesetReview = ({ D, h, say, chip, pageName }) => {
  const VERBS = [
    ["accepted", "Accept", "a", "Why is it right?"], ["regression", "Reject", "r", "What is wrong?"],
    ["expected", "Expected", "e", "Why is it left as it is?"], ["skip", "Skip", "x", "Why is it of no account?"],
    ["reopened", "Reopen", "o", "Why is it open again?"], ["comment", "Comment", "c", "Comment"], ["assign", "Assign", "m", "Who is to decide? Empty for nobody"],
  ];
  let state = { version: null, undecided: D.totals.undecided, clusters: {} };
  let name = D.served.reviewer ?? "";
  try { name = localStorage.getItem("typeset-reviewer") ?? name; } catch { /* A browser may keep nothing. */ }

  // Who looks ------------------------------------------------------------------------------------------------------

  const who = h("input", { type: "text", id: "reviewer", class: "who", autocomplete: "name", maxlength: 80, value: name, placeholder: "Your name", "aria-label": "Your name, which decisions are signed with" });
  who.addEventListener("input", () => {
    name = who.value.trim();
    try { localStorage.setItem("typeset-reviewer", name); } catch { /* It is asked for again. */ }
  });
  const open = h("span", { class: "soft", id: "open", role: "status" });
  document.getElementById("help-button").before(open, who);

  // What was said --------------------------------------------------------------------------------------------------

  const saidOf = id => state.clusters[id] ?? { seen: 0, entries: [] };
  const WORDS = { accepted: "accepted it", regression: "rejected it", expected: "called it expected", skip: "skipped it", reopened: "opened it again" };
  const when = time => time.length > 10 ? new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" }) : time;
  const told = entry => entry.kind === "comment" ? "commented" : entry.kind === "assignment" ? (entry.text ? `gave it to ${entry.text}` : "took it from everybody") : WORDS[entry.text] ?? entry.text;

  function entries(cluster) {
    const said = saidOf(cluster.id);
    return [
      said.assignee && h("p", { class: "soft" }, "To be decided by ", h("strong", {}, said.assignee)),
      said.entries.length > 0 && h("ol", { class: "said", "aria-label": "What was said of it" }, said.entries.map(entry => h("li", {},
        h("span", { class: "soft" }, h("strong", {}, entry.by || "somebody"), ` ${told(entry)}, `, h("time", { datetime: entry.time }, when(entry.time))),
        h("span", {}, entry.kind === "comment" ? entry.text : entry.reason ?? "")))),
    ];
  }

  // The buttons of a cluster; `page` is the one that is looked at.
  function panel(cluster, page) {
    const few = page === undefined ? VERBS : VERBS.filter(([action]) => action !== "skip");
    return h("div", { class: "review", role: "group", "aria-label": `Decide on: ${cluster.summary}` },
      h("div", { class: "verbs" }, few.map(([action, label, key]) => h("button", {
        type: "button", title: `${label} (${key})`, "aria-keyshortcuts": key, "data-keep": `${action}-${cluster.id}`, onclick: () => ask(action, cluster, page),
      }, label))),
      h("div", { "data-said": cluster.id }, entries(cluster)));
  }

  function refresh() {
    open.textContent = state.undecided ? `${state.undecided.toLocaleString("en")} open` : "nothing open";
    D.totals.undecided = state.undecided;
    const counter = document.getElementById("undecided");
    if (counter) { counter.className = state.undecided ? "high" : ""; counter.lastChild.textContent = state.undecided.toLocaleString("en"); }
    for (const cluster of D.clusters) {
      const decision = state.clusters[cluster.id]?.decision ?? null;
      if (state.clusters[cluster.id]) cluster.decision = decision;
    }
    const byId = new Map(D.clusters.map(cluster => [cluster.id, cluster]));
    for (const old of document.querySelectorAll("[data-chip]")) { const cluster = byId.get(old.dataset.chip); if (cluster) old.replaceWith(chip(cluster)); }
    for (const place of document.querySelectorAll("[data-said]")) { const cluster = byId.get(place.dataset.said); if (cluster) place.replaceChildren(...entries(cluster).filter(Boolean)); }
  }

  function take(news) {
    if (news.version === state.version) return;
    const before = state;
    state = news;
    refresh();
    if (before.version === null) return;
    // What others did is said once.
    for (const [id, said] of Object.entries(news.clusters)) {
      const last = said.entries.at(-1);
      if (said.seen > (before.clusters[id]?.seen ?? 0) && last && last.by !== name) {
        say(`${last.by || "Somebody"} ${told(last)}: ${D.clusters.find(cluster => cluster.id === id)?.summary ?? id}`);
      }
    }
  }

  let isAway = false;
  async function poll() {
    try {
      if (!document.hidden) {
        const answer = await fetch("state");
        if (!answer.ok) throw new Error((await answer.json()).error);
        take(await answer.json());
        if (isAway) say("The server is there again");
        isAway = false;
      }
    } catch {
      if (!isAway) { say("The server does not answer"); open.textContent = "server away"; state = { ...state, version: "" }; }
      isAway = true;
    }
    setTimeout(poll, 2000);
  }
  poll();

  // Asking for a reason --------------------------------------------------------------------------------------------

  const dialog = h("dialog", { id: "decide", "aria-labelledby": "decide-title" });
  document.body.append(dialog);

  function ask(action, cluster, page) {
    const [, label, , question] = VERBS.find(verb => verb[0] === action);
    const isNote = action === "comment" || action === "assign";
    const text = h("textarea", { id: "decide-text", rows: 3, maxlength: 2000, required: action === "assign" ? null : true, "aria-describedby": "decide-what" });
    const by = h("input", { type: "text", id: "decide-by", autocomplete: "name", maxlength: 80, required: true, value: name });
    const alone = page === undefined || isNote ? null : h("input", { type: "checkbox", id: "decide-alone" });
    const fault = h("p", { class: "notice bad", role: "alert", hidden: true });
    const { seen } = saidOf(cluster.id);
    const form = h("form", { method: "dialog" },
      h("h2", { id: "decide-title" }, label), h("p", { id: "decide-what", class: "soft" }, cluster.summary),
      h("label", { for: "decide-text" }, question), text,
      alone && h("label", { class: "check" }, alone, " This page alone"),
      h("label", { for: "decide-by" }, "Your name"), by, fault,
      h("div", { class: "verbs" }, h("button", { type: "submit", class: "main" }, label), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
    text.addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); } });
    form.addEventListener("submit", async event => {
      event.preventDefault();
      name = who.value = by.value.trim();
      who.dispatchEvent(new Event("input"));
      const body = { action, cluster: cluster.id, by: name, text: text.value, seen };
      if (alone?.checked) body.page = pageName(page);
      let failure = "";
      try {
        const answer = await fetch("decisions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
        const news = (answer.headers.get("content-type") ?? "").startsWith("application/json") ? await answer.json() : { error: await answer.text() };
        if (news.clusters) take(news);
        if (!answer.ok) {
          const last = news.clusters?.[cluster.id]?.entries.at(-1);
          failure = last ? `${last.by || "Somebody"} was there before and ${told(last)}. Look at it, and decide again.` : news.error ?? "The server refuses it";
        }
      } catch { failure = "The server does not answer. Nothing was decided."; }
      if (failure) { fault.textContent = failure; fault.hidden = false; return; }
      dialog.close();
      say(`${label}: ${cluster.summary}`);
    });
    dialog.replaceChildren(form);
    const back = document.activeElement;
    dialog.addEventListener("close", () => { if (document.body.contains(back)) back.focus({ preventScroll: true }); }, { once: true });
    dialog.showModal();
    text.focus();
  }

  // Pages ----------------------------------------------------------------------------------------------------------

  const UNIT = 0, OLD = 1, NEW = 2, DRAWN = 6;
  const asked = new Map();
  // Draws a page; the same one once.
  function draw(index) {
    const page = D.pages[index];
    if (page[DRAWN] >= 0) return Promise.resolve(D.drawn[page[DRAWN]]);
    if (!asked.has(index)) {
      asked.set(index, (async () => {
        const answer = await fetch(`pages/${encodeURIComponent(pageName(page))}`);
        if (!answer.ok) { asked.delete(index); throw new Error("not drawn"); }
        page[DRAWN] = D.drawn.push(await answer.json()) - 1;
        return D.drawn[page[DRAWN]];
      })());
    }
    return asked.get(index);
  }
  async function elements(index) {
    const drawn = await draw(index);
    if (!drawn.isLookedUp) {
      drawn.isLookedUp = true;
      const answer = await fetch(`elements/${encodeURIComponent(pageName(D.pages[index]))}`);
      if (answer.ok) drawn.elements = await answer.json();
    }
    return drawn;
  }

  return {
    panel, draw, elements,
    keys: VERBS.map(([, label, key]) => [key, label.toLowerCase()]),
    isAsking: () => dialog.open,
    // Whether the key is one of a decision.
    press(key, subject) {
      const verb = VERBS.find(verb => verb[2] === key);
      if (!verb || !subject?.cluster) return false;
      ask(verb[0], subject.cluster, subject.page);
      return true;
    },
  };
};
