// The server: requests over HTTP, and the socket for what takes time.
import { recall, remember } from "./dom.js";

/** The secret that identifies this browser in games with friends. @type {string} */
export const seat = recall("seat") ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
remember("seat", seat);

/** A request the server refused; `status` says how, 0 means no answer. @param {string} message @param {number} status */
const refused = (message, status) => Object.assign(new Error(message), { status });

/** Ask a question, or with a body request an action. @param {object} [body] @returns {Promise<any>} */
export const ask = async (path, body) => (await request(`/api/${path}`, body)).json();

/** Get a text instead: a page fragment from the server, or a file. @param {string} address @param {object} [body] */
export const text = async (address, body) => (await request(address, body)).text();

/** A page fragment from the server. @param {string} path @param {object} [body] */
export const fragment = (path, body) => text(`/pages/${path}`, body);

/** @param {object} [body] */
async function request(address, body) {
  const headers = { "Content-Type": "application/json", "X-Seat": seat };
  const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(address, options).catch(() => { throw refused("The server is not responding. Is it still running?", 0); });
  if (!response.ok) throw refused((await response.json()).error ?? response.statusText, response.status);
  return response;
}

/**
 * One question at a time; a new one ends the last. The page may watch a game as well. After a broken
 * connection everything is asked again: the server changes nothing twice.
 */
export class Live {
  /** @type {WebSocket | null} */ #socket = null;
  #tasks = {};
  #number = 0;
  #patience = 250;
  #closed = false;

  /** @param {"ask" | "watch"} kind */
  ask(question, answer, kind = "ask") {
    if (this.#closed) return;
    this.#tasks[kind] = { question, answer, number: 0 };
    if (this.#socket) this.#send(this.#tasks[kind]);
    else this.#connect();
  }

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

  #send(task) {
    if (!task) return;
    task.number = ++this.#number;
    this.#tell({ request: task.number, ...task.question });
  }

  #tell(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    const socket = this.#socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/live`);
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
