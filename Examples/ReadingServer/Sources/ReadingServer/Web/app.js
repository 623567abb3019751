// Which view is shown: the shelf, or a book.
import { api } from "./api.js";
import { applyTheme } from "./settings.js";
import { Reader } from "./reader.js";
import { showShelf } from "./shelf.js";
import { toast } from "./dom.js";

const root = document.getElementById("app");
let reader;
let settings;

export async function show() {
  reader?.close();
  reader = undefined;
  try {
    settings ??= await api.settings();
    applyTheme(settings);
    const match = /^\/read\/([^/]+)$/.exec(location.pathname);
    if (!match) return await showShelf(root, open);
    reader = new Reader(root, decodeURIComponent(match[1]), settings, leave);
    await reader.open(new URLSearchParams(location.search).get("at"));
  } catch (error) {
    toast(error.message);
    if (location.pathname !== "/") leave();
  }
}

function open(id) {
  history.pushState({}, "", `/read/${encodeURIComponent(id)}`);
  show();
}

function leave() {
  history.pushState({}, "", "/");
  show();
}

addEventListener("popstate", () => {
  if (reader && location.pathname === `/read/${encodeURIComponent(reader.id)}`) reader.returnTo(new URLSearchParams(location.search).get("at"));
  else show();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (settings) applyTheme(settings);
  reader?.restyle();
});
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") return;
  toast(event.reason?.message ?? "Something went wrong.");
});

show();
