// The page: a conversation on the left, what it is about drawn on the right.

import { Lost, Problem, alive, ask, get, models, remove } from './api.js';
import { Around } from './around.js';
import { completing } from './completion.js';
import { at, element } from './dom.js';
import { drawStanding } from './goal.js';
import { questions, showHistory } from './history.js';
import { markdown, save, webPage } from './share.js';
import { Talk } from './talk.js';
import { fillTexts, t } from './texts.js';
import { welcome } from './welcome.js';
import { learnWords } from './words.js';

const page = { model: '', facts: null, introduction: null, look: (name) => around.look(name), stand: (name) => talk.act({ from: name }), guarded, changed };
let talk, around;

// After each turn: where the talk stands, and what lies there. Of a path that was walked its end is looked at.
function changed(state) {
  drawStanding(talk.log, state, page.look);
  at('undo').disabled = !talk.log.length;
  if (!state.at) return;
  const walked = state.plan && state.taken !== null && state.taken !== undefined ? state.plan.paths[state.taken]?.hops : null;
  const path = walked?.length && walked.at(-1).tail === state.at ? walked : [];
  guarded(() => around.open(state.at, path));
}

// Whatever goes wrong is told; nothing typed is lost.
async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Lost) return lost();
    if (!(error instanceof Problem)) throw error;
    at('log').append(element('div', { className: 'it problem' }, error.message));
    at('log').scrollTop = at('log').scrollHeight;
  }
  return undefined;
}

let waiting = false;
async function lost() {
  if (waiting) return;
  waiting = true;
  at('lost').textContent = t.lost;
  at('lost').hidden = false;
  while (!(await alive())) await new Promise((resolve) => setTimeout(resolve, 1000));
  at('lost').hidden = true;
  waiting = false;
  await guarded(show);
}

function address(id = '') {
  history.replaceState(null, '', id ? '#' + id : location.pathname + location.search);
}

async function begin(text) {
  at('say').value = '';
  if (!(await talk.act({ say: text }))) at('say').value = text;
}

// Removes a conversation from the server; the one on the page gives way to an empty one.
async function forget(id) {
  return guarded(async () => {
    await remove('sessions/' + id);
    if (talk.id === id) {
      address();
      await show();
    }
    return true;
  });
}

// A conversation that is led from one name to another.
async function lead({ from, goal }) {
  await guarded(() => talk.begin({ from, goal }));
  talk.draw();
  await begin(t.welcome.opening(from));
}

function drawWelcome() {
  if (talk.log.length) return;
  at('log').replaceChildren(welcome(page.facts, page.introduction, page.look, { ask: begin, lead }));
}

// The conversation of the address, or a new page.
async function show() {
  const id = /^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : '';
  let state = null;
  try {
    state = await talk.open(id);
    if (state) page.model = state.model;
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 409)) throw error;
    talk.id = null;
    address();
  }
  const [facts] = await Promise.all([get('stats', { model: page.model }), learnWords(page.model)]);
  const is_other = page.facts?.model !== facts.model;
  page.facts = facts;
  page.model = facts.model;
  at('models').value = facts.model;
  at('about').textContent = [facts.about, t.size(facts.entities, Math.round(facts.edges / 2))].filter(Boolean).join(' ');
  at('license').textContent = facts.license ? t.license(facts.license) : '';
  at('leading').hidden = !facts.heads_for_goals;  // what a model cannot do is not offered
  if (is_other) page.introduction = null;
  if (is_other || !state) around.clear();
  talk.draw();
  drawWelcome();
  at('undo').disabled = !talk.log.length;
  if (state) changed(state);
  else {
    drawStanding([], null, page.look);
    at('goal').value = '';
    at('nogoal').hidden = true;
    at('look').value = '';
  }
  if (page.introduction) introduced();
  else introduce(facts.model);
}

// Kinds have their colors, and an empty page has something to look at.
function introduced() {
  const { kinds } = page.introduction;
  around.colors(kinds.map((one) => one.kind));
  drawWelcome();
  const first = kinds[0]?.examples[0];
  if (first && !talk.log.length && at('around').classList.contains('empty')) around.look(first);
}

// Made when it is asked for first, where the model was not packed with it: the page does not wait.
async function introduce(model) {
  await guarded(async () => {
    const found = await get('introduction', { model });
    if (page.model !== model) return;
    page.introduction = found;
    introduced();
  });
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  at('theme').setAttribute('aria-pressed', String(dark));
  around?.picture.draw();
}

// Arrow keys bring back what was asked before, as a shell does.
function recall() {
  let place = -1;
  at('say').addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const asked = questions();
    const next = place + (event.key === 'ArrowUp' ? 1 : -1);
    if (next < -1 || next >= asked.length || (at('say').value && place < 0 && at('say').value !== asked[0])) return;
    event.preventDefault();
    place = next;
    at('say').value = place < 0 ? '' : asked[place];
  });
  at('composer').addEventListener('submit', () => { place = -1; });
}

function connectControls() {
  at('composer').addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = at('say').value.trim();
    if (said && (await talk.act({ say: said }))) at('say').value = '';
  });
  at('stop').addEventListener('click', () => talk.stop());
  at('undo').addEventListener('click', async () => {
    await talk.undo();
    drawWelcome();
  });
  at('nogoal').addEventListener('click', () => talk.act({ goal: null }));
  at('new').addEventListener('click', () => {
    address();
    guarded(show);
  });
  at('asked').addEventListener('click', () => showHistory({ ask: begin, open: (id) => { location.hash = id; }, remove: forget }));
  const saving = (name, type, write) => guarded(async () => {
    at('save').open = false;
    save(name, type, write({ ...(await talk.whole()), license: page.facts.license }));
  });
  at('save-markdown').addEventListener('click', () => saving('conversation.md', 'text/markdown', markdown));
  at('save-web').addEventListener('click', () => saving('conversation.html', 'text/html', webPage));
  addEventListener('click', (event) => { if (!at('save').contains(event.target)) at('save').open = false; });
  at('save').addEventListener('keydown', (event) => { if (event.key === 'Escape') at('save').open = false; });
  at('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme !== 'dark';
    localStorage.setItem('kgwalk theme', dark ? 'dark' : 'light');
    setTheme(dark);
  });
  at('models').addEventListener('change', () => {
    page.model = at('models').value;
    at('log').replaceChildren();  // what the model of before offers is not this one's
    address();
    guarded(show);
  });
  completing(at('goal'), () => page.model, (name) => talk.act({ goal: name }));
  recall();
  addEventListener('hashchange', () => guarded(show));
}

ask.key = () => new Promise((resolve) => {
  at('ask-key').addEventListener('close', () => resolve(at('key').value), { once: true });
  at('ask-key').showModal();
});

fillTexts(document);
talk = new Talk(page);
around = new Around(page);
const chosen = localStorage.getItem('kgwalk theme');
setTheme(chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
connectControls();
guarded(async () => {
  const served = await models();
  at('models').replaceChildren(...served.map((one) => element('option', { value: one.model, title: one.about }, one.model)));
  at('models').hidden = served.length < 2;
  await show();
});
