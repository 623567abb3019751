// What the server is asked.

async function send(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json", ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The reading server does not answer.");
  }
  if (response.status === 204) return null;
  const value = await response.json().catch(() => null);
  if (!response.ok) throw Object.assign(new Error(value?.error?.message ?? response.statusText), { status: response.status });
  return value;
}

const change = (method, path, body, options = {}) =>
  send(path, { method, body: JSON.stringify(body ?? {}), headers: { "Content-Type": "application/json" }, ...options });

export const query = (items) => Object.entries(items)
  .filter(([, value]) => value !== undefined && value !== null)
  .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");

const book = (id) => `/api/books/${encodeURIComponent(id)}`;

export const api = {
  books: () => send("/api/books"),
  settings: () => send("/api/settings"),
  saveSettings: (settings) => change("PUT", "/api/settings", settings),
  book: (id) => send(book(id)),
  page: (id, target, style, signal) => send(`${book(id)}/page?${query({ ...target, ...style })}`, { signal }),
  spread: (id, target, style, signal) => send(`${book(id)}/spread?${query({ ...target, ...style })}`, { signal }),
  counts: (id, style) => send(`${book(id)}/counts?${query(style)}`),
  follow: (id, link, style) => send(`${book(id)}/follow?${query({ ...link, ...style })}`),
  savePlace: (id, place, progress) => change("PUT", `${book(id)}/place`, { place, progress }, { keepalive: true }),
  marks: (id) => send(`${book(id)}/marks`),
  addMark: (id, mark) => change("POST", `${book(id)}/marks`, mark),
  /** With `keepalive` also from a page that is being left. */
  changeMark: (id, mark, value, options) => change("PUT", `${book(id)}/marks/${mark}`, value, options),
  removeMark: (id, mark) => change("DELETE", `${book(id)}/marks/${mark}`),
  upload: (file) => send(`/api/books?${query({ name: file.name })}`, {
    method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" },
  }),

  /** Calls `found` for each result as it comes; the last line says how many there were. */
  async search(id, phrase, style, signal, found) {
    const response = await fetch(`${book(id)}/search?${query({ q: phrase, ...style })}`, { signal });
    if (!response.ok) throw new Error((await response.json()).error.message);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) found(JSON.parse(line));
    }
  },
};
