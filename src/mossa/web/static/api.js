// The server: requests over HTTP, and the socket for what takes time.

/** A request that the server refused; `status` says how, 0 is silence. @param {string} message @param {number} status */
const refused = (message, status) => Object.assign(new Error(message), { status });

/** Ask a question, or with a body for something to be done. @param {object} [body] @returns {Promise<any>} */
export async function ask(path, body) {
  let response;
  try {
    response = await fetch(`/api/${path}`, body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw refused("The server is not responding. Is it still running?", 0);
  }
  const answer = await (response.headers.get("Content-Type")?.startsWith("text/plain") ? response.text() : response.json());
  if (!response.ok) throw refused(answer.error ?? response.statusText, response.status);
  return answer;
}

/** A piece of a page that the server makes. @param {string} path */
export async function fragment(path) {
  const answer = await fetch(`/pages/${path}`);
  if (!answer.ok) throw refused((await answer.json()).error, answer.status);
  return answer.text();
}

/** @typedef {{question: object, answer: (message: any) => void, number: number} | null} Task */

/**
 * One question at a time; a new one ends the last. Beside it a game may be watched. A connection that
 * breaks is made again, and all is asked again: the server changes nothing twice.
 */
export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Record<string, Task>} */ #tasks = {};
  #number = 0;
  #patience = 250;
  #closed = false;

  /** @param {object} question @param {(message: any) => void} answer */
  ask(question, answer) { this.#begin("ask", question, answer); }

  /** Hear of every change of a game. @param {object} question @param {(message: any) => void} answer */
  watch(question, answer) { this.#begin("watch", question, answer); }

  stop() {
    if (!this.#tasks.ask) return;
    this.#tasks.ask = null;
    this.#tell({ request: ++this.#number, do: "stop" });
  }

  close() {
    this.#closed = true;
    this.#tasks = {};
    this.#socket?.close();
  }

  /** @param {string} kind */
  #begin(kind, question, answer) {
    if (this.#closed) return;
    this.#tasks[kind] = { question, answer, number: 0 };
    if (this.#socket) this.#send(this.#tasks[kind]);
    else this.#connect();
  }

  /** @param {Task} task */
  #send(task) {
    if (!task) return;
    task.number = ++this.#number;
    this.#tell({ request: task.number, ...task.question });
  }

  #tell(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#patience = 250;
      for (const task of Object.values(this.#tasks)) this.#send(task);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      Object.values(this.#tasks).find((task) => task?.number === message.request)?.answer(message);
    };
    socket.onclose = () => {
      this.#socket = null;
      if (!Object.values(this.#tasks).some(Boolean)) return;
      setTimeout(() => !this.#closed && !this.#socket && this.#connect(), this.#patience);
      this.#patience = Math.min(this.#patience * 2, 5000);
    };
  }
}
