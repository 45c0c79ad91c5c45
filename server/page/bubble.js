// One turn of a conversation as it is drawn: what was said, what is answered, the answer as a table, why.

import { post } from './api.js';
import { button, element, entity, linked } from './dom.js';
import { table } from './table.js';
import { t } from './texts.js';
import { namesOf, why } from './why.js';

const kMostCounted = 1000;

// What stands in the log for a command, told as what it did; null where a person spoke.
function noteOf(say) {
  const command = /^\/(goal|nogoal|from|take|auto|undo)\b\s*(.*)$/s.exec(say);
  if (!command) return null;
  const [, name, rest] = command;
  return { goal: () => t.note.goal(rest), nogoal: () => t.note.noGoal, from: () => t.note.from(rest), take: () => t.note.take,
    auto: () => t.note.auto(rest || 1), undo: () => t.note.undo }[name]();
}

// Whether the reply only repeats what the note says.
function done(entry, before) {
  if (/^\/goal /.test(entry.say)) return entry.goal !== null && entry.goal !== before?.goal;
  if (/^\/(nogoal|undo)\b/.test(entry.say)) return true;
  return /^\/from /.test(entry.say) && entry.at !== null && entry.said.startsWith('at ');
}

export function reached(entry, before) {
  return entry.goal === null && Boolean(before?.goal) && entry.at === before.goal;
}

// Rows of a list as [columns, rows]; null where the answer is none.
function rowsOf(entry, look, alone = false) {
  const name = (value) => (typeof value === 'string' ? entity(value, look) : String(value ?? ''));
  if (entry.measured?.length > 1)  // what was compared, or ordered, with its values
    return [[{ title: t.table.name, draw: name }, { title: t.table.value, number: true }], entry.measured.map((one) => [one.entity, one.shown])];
  const rows = entry.rows;
  if (Array.isArray(rows) && rows.length > (alone ? 0 : 1)) {
    if (Array.isArray(rows[0])) {
      const titles = entry.columns ?? rows[0].map((_, i) => (i === 0 ? t.table.name : ''));
      return [titles.map((title, i) => ({ title, draw: name, number: typeof rows[0][i] === 'number' })), rows];
    }
    if (rows[0] && typeof rows[0] === 'object') {
      const keys = Object.keys(rows[0]);
      return [keys.map((key) => ({ title: t.table.columns[key] ?? key, draw: key === 'value' ? null : name, number: key === 'value' || typeof rows[0][key] === 'number' })), rows.map((row) => keys.map((key) => row[key]))];
    }
    return [[{ title: t.table.name, draw: name }], rows.map((row) => [row])];
  }
  const answer = entry.plan?.answer;
  if (answer?.kind !== 'list' || answer.entities.length < 2) return null;
  return [[{ title: t.table.name, draw: name }, { title: t.table.sure, number: true, draw: (share) => t.percent(share) }],
    answer.entities.map((one) => [one.entity, one.probability])];
}

// What was counted, as a table as soon as it is wanted.
function counted(entry, { look, model }) {
  const all = entry.form?.json?.count;
  if (!all || !entry.counted) return null;
  const show = button(t.table.counted(entry.counted), async () => {
    show.disabled = true;
    try {
      const found = rowsOf(await post('query', { form: { find: all }, rows: kMostCounted, model }), look, true);
      if (found) show.replaceWith(table(found[0], found[1], { label: t.table.answer, first: 10, all: entry.counted }));
    } finally {
      show.disabled = false;
    }
  }, 'quiet');
  return show;
}

// The names that a person spoke of: those of the answer that stand in what was said.
function mine(entry, { look, edit, again }) {
  const names = [entry.plan?.start, ...namesOf(entry)];
  return element('div', { className: 'turn mine' },
    element('div', { className: 'me', dir: 'auto' }, linked(entry.say, names, look)),
    ...(edit ? [element('div', { className: 'acts' }, button(t.bubble.edit, edit, 'quiet'), button(t.bubble.again, again, 'quiet'))] : []));
}

function offers(entry, choose) {
  if (!entry.offered?.length) return null;
  return element('p', { className: 'offers' }, element('span', { className: 'soft' }, t.bubble.did), ' ',
    ...entry.offered.flatMap((name, i) => [Object.assign(button(name, () => choose(i + 1)), { dir: 'auto' }), ' ']));
}

function toGoal(entry, before) {
  if (reached(entry, before)) return element('p', { className: 'reached' }, t.goal.reached(before.goal));
  if (!entry.goal || !entry.at) return null;
  return element('p', { className: 'soft' },
    entry.distance === null ? t.goal.apart(entry.goal) : t.goal.left(entry.distance, entry.goal));
}

// `context`: {before (the entry before), look, edit, again, choose, take, model}; edit, choose and take only where they can be done.
export function drawEntry(entry, context) {
  const note = noteOf(entry.say);
  const out = [];
  if (note) out.push(element('p', { className: 'note', dir: 'auto' }, note));
  else out.push(mine(entry, context));
  if (note && done(entry, context.before)) return out;
  const terminal = !note && entry.say.startsWith('/');
  const said = terminal ? entry.reply.trimEnd() : entry.said;
  if (!said) return out;
  const box = element('div', { className: terminal ? 'it terminal' : 'it', dir: 'auto' },
    element('p', { className: 'sentence' }, linked(said, namesOf(entry), context.look)));
  const rows = rowsOf(entry, context.look);
  if (rows) box.append(table(rows[0], rows[1], { label: t.table.answer, first: 10 }));
  for (const more of [counted(entry, context), toGoal(entry, context.before), context.choose && offers(entry, context.choose)]) if (more) box.append(more);
  const explains = entry.plan || entry.path || entry.form || entry.evidence;
  if (explains && !terminal) box.append(why(entry, context));
  out.push(box);
  return out;
}
