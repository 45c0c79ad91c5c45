// What the page asks the server. Paths are relative, so that the page works below any prefix.

import { t } from './texts.js';

const kKey = 'kgwalk key';

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

// Thrown where no answer came at all.
export class Lost extends Error {}

// Thrown where the person did not want to wait.
export class Stopped extends Error {}

// Set by the page: asks the person for the key of the server.
export const ask = { key: async () => '' };

async function send(method, path, body, more = {}, signal = undefined) {
  const headers = { ...more };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const key = sessionStorage.getItem(kKey);
  if (key) headers.Authorization = 'Bearer ' + key;
  try {
    return await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (signal?.aborted) throw new Stopped();
    throw new Lost(String(error));
  }
}

async function checked(method, path, body, more, signal) {
  const response = await send(method, path, body, more, signal);
  if (response.status === 401) {
    const key = await ask.key();
    if (!key) throw new Problem(401, t.wantsKey);
    sessionStorage.setItem(kKey, key);
    return checked(method, path, body, more, signal);
  }
  if (response.status === 502 || response.status === 504) throw new Lost('the proxy finds no server');
  if (!response.ok) {
    const told = await response.json().catch(() => ({}));
    throw new Problem(response.status, told.detail || response.statusText);
  }
  return response;
}

export async function get(path, query = {}) {
  const words = new URLSearchParams(query).toString();
  return (await checked('GET', 'api/v1/' + path + (words ? '?' + words : ''))).json();
}

export async function post(path, body) {
  return (await checked('POST', 'api/v1/' + path, body)).json();
}

// What is not there any more is removed too.
export async function remove(path) {
  try {
    await checked('DELETE', 'api/v1/' + path);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
}

export async function models() {
  return (await get('models')).models;
}

export async function alive() {
  try {
    return (await send('GET', 'livez')).ok;
  } catch {
    return false;
  }
}

// One turn; resolves to the whole of it. `signal` stops the waiting, not the server: what to do about that is the caller's.
export async function turn(id, action, signal) {
  const response = await checked('POST', `api/v1/sessions/${id}/turns`, action, { Accept: 'text/event-stream' }, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    let read;
    try {
      read = await reader.read();
    } catch (error) {
      throw signal?.aborted ? new Stopped() : new Lost(String(error));
    }
    if (read.done) throw new Lost('the answer broke off');
    text += read.value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event.name === 'problem') throw new Problem(event.data.status, event.data.detail);
      if (event.name === 'turn') return event.data;
    }
  }
}

function parse(block) {
  const event = { name: '', data: null };
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event.name = line.slice(7);
    if (line.startsWith('data: ')) event.data = JSON.parse(line.slice(6));
  }
  return event;
}
