// What was asked in this browser, kept here and nowhere else.

import { at, button, element } from './dom.js';
import { t } from './texts.js';

const kKey = 'kgwalk history';
const kTalks = 40;
const kQuestions = 50;  // of a conversation

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(kKey) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function write(talks) {
  try {
    localStorage.setItem(kKey, JSON.stringify(talks.slice(0, kTalks)));
  } catch { /* no room, or none allowed: then there is no history */ }
}

export function remember(id, model, question) {
  const talks = read();
  const found = talks.find((talk) => talk.id === id);
  const talk = found ?? { id, model, questions: [] };
  talk.questions = [...talk.questions.filter((one) => one !== question), question].slice(-kQuestions);
  talk.when = Date.now();
  write([talk, ...talks.filter((one) => one !== found)]);
}

// The newest first, each once.
export function questions() {
  return [...new Set(read().flatMap((talk) => [...talk.questions].reverse()))];
}

// `ask(text)` asks again, `open(id)` goes on with a conversation, `remove(id)` removes it from the server and resolves to whether
// that went well.
export function showHistory({ ask, open, remove }) {
  const dialog = at('history');
  const forget = async (talks) => {
    for (const talk of talks) {
      if (!(await remove(talk.id))) break;
      write(read().filter((one) => one.id !== talk.id));
    }
    draw();
  };
  const drawTalk = (talk) => element('section', {},
    element('p', {}, element('span', { className: 'soft' }, `${talk.model} · ${new Date(talk.when).toLocaleString()}`), ' ',
      button(t.history.open, () => { dialog.close(); open(talk.id); }, 'quiet'), ' ',
      button(t.history.remove, () => forget([talk]), 'quiet')),
    element('div', { className: 'starts' }, ...talk.questions.map((question) =>
      Object.assign(button(question, () => { dialog.close(); ask(question); }, 'start'), { dir: 'auto' }))));
  const draw = () => {
    const talks = read();
    at('history-list').replaceChildren(...(talks.length ? talks.map(drawTalk) : [element('p', { className: 'soft' }, t.history.empty)]));
    at('history-clear').hidden = !talks.length;
  };
  draw();
  at('history-clear').onclick = () => forget(read());
  if (!dialog.open) dialog.showModal();
}
