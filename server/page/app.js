// The page: a conversation on the left, the walk it takes on the right. The conversation lives on the server; its id stands in
// the address, so that a reload shows it again.

import { Lost, Problem, alive, ask, get, models, post, turn } from './api.js';
import { completing } from './completion.js';
import * as draw from './drawing.js';
import { lookAround } from './map.js';
import { save, transcriptPage } from './share.js';

const at = (id) => document.getElementById(id);
const page = { id: null, model: '', log: [], turns: [], busy: null };  // busy: resolves when the turn is done

// What is said is shown before it is answered.
function saying(text) {
  const box = draw.element('div', { className: 'me saying', dir: 'auto' }, text);
  at('log').append(box);
  at('log').scrollTop = at('log').scrollHeight;
  return box;
}

// The plan's lines are folded away behind what the reply comes to.
function replyBox(text) {
  const isPath = (line) => /^ *\d+\. +\d+\.\d+ %/.test(line);
  const lines = text.trimEnd().split('\n');
  const box = draw.element('div', { className: 'it', dir: 'auto' }, lines.filter((line) => !isPath(line)).join('\n'));
  const paths = lines.filter(isPath);
  if (paths.length) box.append(draw.element('details', {}, draw.element('summary', {}, `${paths.length} paths`), paths.join('\n')));
  return box;
}

function logEntry(entry) {
  const command = entry.say.startsWith('/');
  at('log').append(draw.element('div', { className: command ? 'me command' : 'me', dir: 'auto' }, entry.say));
  if (entry.reply) at('log').append(replyBox(entry.reply));
  at('log').scrollTop = at('log').scrollHeight;
}

function offer(names) {
  if (!names.length) return;
  const box = draw.element('div', { className: 'it' });
  names.forEach((name, i) => {
    const button = draw.element('button', { type: 'button', dir: 'auto' }, `${i + 1}. ${name}`);
    button.addEventListener('click', () => act({ say: String(i + 1) }));
    box.append(button, ' ');
  });
  at('log').append(box);
}

// The distances since the goal was set last.
function course() {
  const list = [];
  for (const entry of page.log) {
    const reached = list.length > 0 && entry.goal === null && /the goal is reached/.test(entry.reply);
    if (entry.distance !== null && entry.distance !== undefined) list.push(entry.distance);
    else if (reached) list.push(0);
    else if (entry.goal === null) list.length = 0;
  }
  return list;
}

function drawState(state) {
  const distances = course();
  draw.here(at('here'), { ...state, reached: distances.at(-1) === 0 }, look);
  draw.why(at('why'), state.plan, state.taken);
  draw.weighed(at('weighed'), state.plan, state.taken, (hop) => act({ take_hop: { head: hop.head, relation: hop.relation, tail: hop.tail } }), look);
  draw.course(at('distance'), distances);
  if (document.activeElement !== at('goal')) at('goal').value = state.goal || '';
}

async function drawPath() {
  page.turns = (await get(`sessions/${page.id}/transcript`)).turns;
  draw.path(at('path'), page.turns, look, sourceOf);
}

// Where a fact comes from, as a sentence.
async function sourceOf(hop) {
  const fact = await guarded(() => get('fact', { head: hop.head, relation: hop.relation, tail: hop.tail, model: page.model }));
  if (!fact) return '';
  const files = fact.sources.length ? `from ${fact.sources.join(', ')}` : 'the graph does not say from where';
  return `${fact.head} | ${fact.relation} | ${fact.tail}: ${files}${fact.license ? `, ${fact.license}` : ''}`;
}

function look(name) {
  guarded(() => lookAround(name, page.model, at('map'), at('groups'), (there) => act({ from: there }), (seen) => { at('look').value = seen; }));
}

// Whatever goes wrong is told; nothing typed is lost.
async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Lost) return lost();
    if (!(error instanceof Problem)) throw error;
    at('log').append(draw.element('div', { className: 'it' }, error.message));
    at('log').scrollTop = at('log').scrollHeight;
  }
  return undefined;
}

async function lost() {
  at('lost').textContent = 'The server does not answer. Trying again…';
  at('lost').hidden = false;
  while (!(await alive())) await new Promise((resolve) => setTimeout(resolve, 1000));
  at('lost').hidden = true;
  await guarded(show);
}

async function act(action) {
  if (page.busy && !action.say) return false;  // the second of two clicks
  while (page.busy) await page.busy;
  let free;
  page.busy = new Promise((resolve) => { free = resolve; });
  let done = false;
  const said = action.say ? saying(action.say) : null;
  await guarded(async () => {
    if (!page.id) await begin();
    const told = await turn(page.id, action, () => {});
    performance.mark('told');
    said?.remove();
    page.log.push(told);
    logEntry(told);
    offer(told.offered);
    drawState(told);
    performance.measure('turn drawn', 'told');
    done = true;
    await drawPath();
  });
  said?.remove();
  page.busy = null;
  free();
  return done;
}

async function begin() {
  const session = await post('sessions', { model: page.model });
  page.id = session.id;
  page.log = [];
  history.replaceState(null, '', '#' + page.id);
}

// The conversation of the address, or a new page.
async function show() {
  const id = location.hash.slice(1);
  page.id = null;
  page.log = [];
  at('log').replaceChildren();
  let state = { at: null, goal: null, distance: null, plan: null, taken: null, offered: [] };
  if (/^[0-9a-f]{32}$/.test(id)) {
    try {
      state = await get('sessions/' + id);
      page.id = id;
      page.model = state.model;
      page.log = state.log;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      history.replaceState(null, '', location.pathname);
    }
  }
  const facts = await get('stats', { model: page.model });
  page.model = facts.model;
  at('models').value = facts.model;
  at('about').textContent = `${facts.about} ${facts.entities.toLocaleString()} entities, ${(facts.edges / 2).toLocaleString()} facts.`;
  at('license').textContent = facts.license ? `License of the data: ${facts.license}` : '';
  at('log').append(draw.element('div', { className: 'it' }, facts.welcome.trim()));
  for (const entry of page.log) logEntry(entry);
  drawState(state);
  if (page.id) await drawPath();
  else draw.path(at('path'), [], look, sourceOf);
  if (state.at) look(state.at);
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  at('theme').setAttribute('aria-pressed', String(dark));
}

function connectControls() {
  at('composer').addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = at('say').value.trim();
    if (said && (await act({ say: said }))) at('say').value = '';
  });
  at('undo').addEventListener('click', () => act({ undo: true }));
  at('nogoal').addEventListener('click', () => act({ goal: null }));
  at('new').addEventListener('click', () => {
    history.replaceState(null, '', location.pathname);
    guarded(show);
  });
  at('share').addEventListener('click', () => save('conversation.html', transcriptPage(page, page.turns, at('license').textContent)));
  at('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme !== 'dark';
    localStorage.setItem('kgwalk theme', dark ? 'dark' : 'light');
    setTheme(dark);
  });
  at('models').addEventListener('change', () => {
    page.model = at('models').value;
    history.replaceState(null, '', location.pathname);
    guarded(show);
  });
  completing(at('goal'), () => page.model, (name) => act({ goal: name }));
  completing(at('look'), () => page.model, look);
  addEventListener('hashchange', () => guarded(show));
}

ask.key = () => new Promise((resolve) => {
  at('ask-key').addEventListener('close', () => resolve(at('key').value), { once: true });
  at('ask-key').showModal();
});

const chosen = localStorage.getItem('kgwalk theme');
setTheme(chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
connectControls();
guarded(async () => {
  const names = await models();
  at('models').replaceChildren(...names.map((name) => draw.element('option', { value: name }, name)));
  at('models').hidden = names.length < 2;
  await show();
});
