// "Why?" below an answer: what was heard, the way that was walked and where its facts come from, the question in exact form, and
// what was considered beside it.

import { get } from './api.js';
import { button, copy, element, entity } from './dom.js';
import { t } from './texts.js';
import { label } from './words.js';

const kConsidered = 8;
const kSourced = 6;  // facts whose sources are looked up by themselves

function part(title, ...children) {
  return element('section', {}, element('h3', {}, title), ...children);
}

function hopLine(hop, look) {
  return element('span', { className: 'hop', dir: 'auto' }, entity(hop.head, look), ' ',
    element('span', { className: 'relation' }, label(hop.relation)), ' ', entity(hop.tail, look));
}

function heard(entry, look) {
  const answer = entry.plan?.answer;
  if (!answer) return null;
  const asks = answer.kind !== 'nothing asked';
  const likely = asks ? answer.heard.filter((one) => one.probability >= 0.05).slice(0, 3) : [];
  return part(t.why.heard, element('p', {}, t.why.asked[answer.kind] ?? ''),
    ...(likely.length ? [element('ul', {}, ...likely.map((one) =>
      element('li', {}, t.why.about(label(one.relation)), entity(entry.plan.start, look), ` (${t.why.sure(t.percent(one.probability))})`)))] : []));
}

// A fact and, as soon as it is known, what it was taken from.
function fact(hop, look, model, at_once) {
  const told = element('span', { className: 'source' }, '');
  const find = async () => {
    told.textContent = t.why.unsure;
    try {
      const found = await get('fact', { head: hop.head, relation: hop.relation, tail: hop.tail, model });
      told.textContent = t.why.source(hop.sources ?? found.sources);
    } catch {
      told.textContent = '';
    }
  };
  if (at_once) find();
  return element('li', {}, hopLine(hop, look), told);
}

// Hops of the walk, else those that the answer rests on.
function pathOf(entry) {
  if (entry.evidence?.length) return entry.evidence.flat().filter((hop) => hop?.head && hop?.tail);
  const plan = entry.plan, answer = plan?.answer;
  if (answer?.fact) return [{ head: answer.fact[0], relation: answer.fact[1], tail: answer.fact[2] }];
  if (plan && entry.taken !== null && plan.paths[entry.taken]) return plan.paths[entry.taken].hops;
  return entry.path ?? [];
}

function way(entry, look, model) {
  const hops = pathOf(entry);
  if (!hops.length) return null;
  const list = element('ol', { className: 'hops' }, ...hops.map((hop, i) => fact(hop, look, model, i < kSourced)));
  const plan = entry.plan, walked = plan && entry.taken !== null ? plan.paths[entry.taken] : null;
  const notes = [];
  if (walked && (!plan.answer || plan.answer.kind === 'nothing asked') && plan.branches?.length)
    notes.push(t.why.usual(t.percent(walked.hops[0].probability), plan.branches[0].num_candidates));
  if (walked && plan.goal && typeof walked.distance_to_goal === 'number' && typeof plan.start_to_goal === 'number')
    notes.push(t.why.goal(plan.start_to_goal, walked.distance_to_goal));
  return part(entry.evidence?.length ? t.why.evidence : t.why.way, list, ...notes.map((note) => element('p', { className: 'soft' }, note)));
}

function block(title, text) {
  const copying = button(t.why.copy, () => copy(text, copying, t.why.copied), 'quiet');
  return element('details', {}, element('summary', {}, title), element('pre', { dir: 'ltr', tabIndex: 0 }, text), copying);
}

function form(entry) {
  if (!entry.form && !entry.sparql) return null;
  const inWords = typeof entry.form === 'string' ? entry.form : entry.form?.words;
  const json = typeof entry.form === 'object' && entry.form ? entry.form.json ?? entry.form : null;
  const sparql = entry.sparql ?? entry.form?.sparql;
  return part(t.why.heard, ...(inWords ? [element('p', { dir: 'auto' }, inWords, typeof entry.sure === 'number' ? ` (${t.why.sure(t.percent(entry.sure))})` : '')] : []),
    ...(sparql ? [block(t.why.sparql, sparql)] : []), ...(json ? [block(t.why.json, JSON.stringify(json, null, 2))] : []));
}

// Other steps from where the turn began, the likeliest first; `take(hop)` walks one, where the talk still stands there.
function considered(entry, look, take) {
  const branch = entry.plan?.branches?.[0];
  if (!branch || branch.candidates.length < 2) return null;
  const walked = entry.taken === null ? null : entry.plan.paths[entry.taken]?.hops[0];
  const list = element('ul', { className: 'considered' });
  const draw = (count) => {
    list.replaceChildren(...branch.candidates.slice(0, count).map((hop) => {
      const is_walked = walked?.relation === hop.relation && walked?.tail === hop.tail;
      const text = [element('span', { className: 'relation' }, label(hop.relation)), ' ', hop.tail,
        element('span', { className: 'soft' }, ' ' + t.percent(hop.probability))];
      const line = take ? button('', () => take(hop), 'candidate') : element('span', { className: 'candidate' });
      line.append(...text);
      line.dir = 'auto';
      line.style.setProperty('--share', 100 * hop.probability + '%');
      if (take) line.title = t.why.go(hop.tail);
      if (is_walked) line.setAttribute('aria-current', 'step');
      return element('li', { className: is_walked ? 'taken' : '' }, line);
    }));
    const more = branch.candidates.length - count, rest = branch.num_candidates - branch.candidates.length;
    if (more > 0) list.append(element('li', {}, button(t.why.more(more), () => draw(branch.candidates.length), 'quiet')));
    else if (rest > 0) list.append(element('li', { className: 'soft' }, t.why.less(rest)));
  };
  draw(kConsidered);
  return part(t.why.considered, list);
}

// Made when it is opened first: most are never asked.
export function why(entry, { look, model, take }) {
  const box = element('details', { className: 'why' }, element('summary', {}, t.why.title));
  box.addEventListener('toggle', () => {
    if (!box.open || box.children.length > 1) return;
    const parts = [heard(entry, look), form(entry), way(entry, look, model), considered(entry, look, take)].filter(Boolean);
    box.append(...(parts.length ? parts : [element('p', { className: 'soft' }, t.why.nothing)]));
  });
  return box;
}

// Names that an answer speaks of.
export function namesOf(entry) {
  const names = [entry.at, entry.goal, ...(entry.offered ?? [])];
  const plan = entry.plan;
  if (plan) {
    names.push(plan.start, plan.answer?.claim, ...(plan.answer?.entities ?? []).map((one) => one.entity), ...(plan.answer?.fact ?? []));
    for (const path of plan.paths) for (const hop of path.hops) names.push(hop.head, hop.tail);
  }
  for (const hop of pathOf(entry)) names.push(hop.head, hop.tail);
  for (const row of entry.rows ?? []) names.push(row.name);
  return names;
}
