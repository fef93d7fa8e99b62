// Asking the server, and following a table; whatever happens to the network, the page catches up by itself.

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function ask(path, { body, key, signal } = {}) {
  const headers = {};
  if (body) headers["Content-Type"] = "application/json";
  if (key) headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(`api/${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("", 0);
  }
  if (path === "table/file" && response.ok) return response.text();
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error, response.status);
  return answer;
}

// Calls onTable for the table as it stands and after every change, until stopped; onLink tells whether it is connected.
export function follow(key, onTable, onLink) {
  let stopped = false;
  let last = 0;
  let wake = () => {};
  let abort = new AbortController();
  const soon = () => wake();
  addEventListener("online", soon);
  addEventListener("visibilitychange", soon);
  (async () => {
    let pause = 250;
    while (!stopped) {
      abort = new AbortController();
      try {
        const response = await fetch("api/table/follow", { headers: { Authorization: `Bearer ${key}`, "Last-Event-ID": String(last) }, signal: abort.signal, cache: "no-store" });
        if (response.status === 401) return onLink("gone");
        if (!response.ok) throw new Error(String(response.status));
        onLink(true);
        pause = 250;
        await read(response.body, abort, (table) => {
          last = table.n;
          onTable(table);
        });
      } catch {
        // Tried again below.
      }
      if (stopped) return undefined;
      onLink(false);
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
      pause = Math.min(2 * pause, 4000);
    }
    return undefined;
  })();
  return () => {
    stopped = true;
    abort.abort();
    removeEventListener("online", soon);
    removeEventListener("visibilitychange", soon);
  };
}

// A server that has said nothing for twice its heartbeat is gone, even if nothing tells so.
async function read(body, abort, onTable) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const late = setTimeout(() => abort.abort(), 35_000);
    const { value, done } = await reader.read().finally(() => clearTimeout(late));
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      if (data) onTable(JSON.parse(data));
    }
  }
}
