// Two names side by side: what the graph says of each, relation by relation.

import { get } from './api.js';
import { button, element, entity } from './dom.js';
import { t } from './texts.js';

const kNames = 6;

function cell(group, others, look) {
  if (!group) return element('td', { className: 'soft' }, t.look.none);
  const out = element('td', { dir: 'auto' });
  group.neighbors.slice(0, kNames).forEach((one, i) => {
    const name = entity(one.entity, look);
    if (others.has(one.entity)) name.classList.add('both');
    out.append(i ? ', ' : '', name);
  });
  if (group.total > kNames) out.append(' ', element('span', { className: 'soft' }, t.look.andMore(group.total - kNames)));
  return out;
}

export async function sideBySide(a, b, model, look, close) {
  const [left, right] = await Promise.all([a, b].map((entity) => get('neighborhood', { entity, per_relation: 100, model })));
  const groups = new Map();
  for (const [i, one] of [left, right].entries())
    for (const group of one.groups) groups.set(group.relation, Object.assign(groups.get(group.relation) ?? [], { [i]: group, label: group.label }));
  const namesOf = (group) => new Set((group?.neighbors ?? []).map((one) => one.entity));
  // What both have first.
  const rows = [...groups.values()].sort((x, y) => Boolean(y[0] && y[1]) - Boolean(x[0] && x[1]));
  return element('section', { className: 'comparison' },
    element('p', { className: 'below' }, element('strong', { dir: 'auto' }, t.look.side(left.entity, right.entity)), ' ', button(t.look.closeSide, close, 'quiet')),
    element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: t.look.side(left.entity, right.entity) },
      element('table', {}, element('thead', {}, element('tr', {}, element('td'),
        ...[left, right].map((one) => element('th', { scope: 'col', dir: 'auto' }, one.entity)))),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, element('th', { scope: 'row' }, row.label),
        cell(row[0], namesOf(row[1]), look), cell(row[1], namesOf(row[0]), look)))))),
    ...(rows.some((row) => [...namesOf(row[0])].some((name) => namesOf(row[1]).has(name)))
      ? [element('p', { className: 'soft' }, element('span', { className: 'both' }, t.look.same))] : []));
}
