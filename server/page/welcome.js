// An empty conversation: what the graph is about, questions to begin with, goals. All of it can be clicked.

import { button, element, entity } from './dom.js';
import { t } from './texts.js';

const kKinds = 5;

function kinds(introduction, look) {
  const list = introduction.kinds.slice(0, kKinds);
  if (!list.length) return [];
  return [element('p', {}, t.welcome.knows, ':'), element('ul', { className: 'kinds' }, ...list.map((one) => {
    const item = element('li', { dir: 'auto' }, element('strong', {}, t.welcome.kind(one.entities, one.kind)));
    one.examples.slice(0, 3).forEach((name, i) => item.append(i === 0 ? t.welcome.such([]) : ', ', entity(name, look)));
    return item;
  }))];
}

// `begin`: {ask(text), lead(goal)}; `introduction` is null while it is on its way.
export function welcome(facts, introduction, look, begin) {
  const box = element('div', { className: 'welcome' }, element('h2', {}, facts.about || t.welcome.hello));
  if (facts.about) box.append(element('p', {}, t.welcome.hello));
  if (!introduction) {
    box.append(element('p', { className: 'soft', role: 'status' }, t.welcome.trying));
    return box;
  }
  box.append(...kinds(introduction, look));
  if (introduction.questions.length)
    box.append(element('h3', {}, t.welcome.questions), element('div', { className: 'starts' }, ...introduction.questions.map((one) =>
      Object.assign(button(one.question, () => begin.ask(one.question), 'start'), { dir: 'auto' }))));
  if (introduction.goals.length)
    box.append(element('h3', {}, t.welcome.goals), element('div', { className: 'starts' }, ...introduction.goals.map((one) => {
      const start = button(t.welcome.goal(one.from, one.goal), () => begin.lead(one), 'start');
      start.dir = 'auto';
      start.append(element('span', { className: 'soft' }, ' ' + t.welcome.steps(one.hops)));
      return start;
    })));
  return box;
}
