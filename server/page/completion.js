// An input that completes the names of entities: arrow keys and Enter choose, Escape closes (the combobox pattern of ARIA).

import { get } from './api.js';
import { t } from './texts.js';

let count = 0;

// `model()` names the model; `chosen(name)` is called with an entity of the graph.
export function completing(input, model, chosen) {
  const list = document.createElement('ul');
  list.id = 'names-' + ++count;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', t.names.list);
  list.hidden = true;
  input.after(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');

  let asked = 0;
  let at = -1;

  const close = () => {
    asked++;  // what is still on its way comes too late
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (name) => {
    input.value = name;
    close();
    chosen(name);
  };
  const mark = (next) => {
    const items = list.children;
    if (!items.length) return;
    if (items[at]) items[at].setAttribute('aria-selected', 'false');
    at = (next + items.length) % items.length;
    items[at].setAttribute('aria-selected', 'true');
    items[at].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', items[at].id);
  };
  const show = (entities) => {
    list.replaceChildren(...entities.map((found, i) => {
      const item = document.createElement('li');
      item.id = `${list.id}-${i}`;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      item.dir = 'auto';
      item.dataset.name = found.entity;
      const edges = document.createElement('span');
      edges.className = 'edges';
      edges.textContent = [found.kind, t.names.links(found.edges), found.fit === 'near' ? t.names.near : ''].filter(Boolean).join(' · ');
      item.append(found.entity, ' ', edges);
      item.addEventListener('mousedown', (event) => event.preventDefault());  // the input keeps the focus
      item.addEventListener('click', () => choose(found.entity));
      return item;
    }));
    at = -1;
    list.hidden = entities.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };

  input.addEventListener('input', async () => {
    const mine = ++asked;
    const text = input.value.trim();
    if (!text) return close();
    const found = await get('search', { text, count: 8, model: model() }).catch(() => null);
    if (found && mine === asked) show(found.entities);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (list.hidden) return;
      event.preventDefault();
      mark(event.key === 'ArrowDown' ? at + 1 : at < 0 ? -1 : at - 1);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      const item = list.hidden ? null : list.children[Math.max(at, 0)];
      if (item) choose(item.dataset.name);
      else if (input.value.trim()) choose(input.value.trim());
    }
  });
  input.addEventListener('focus', () => input.select());  // who comes to it wants another name
  input.addEventListener('blur', close);
}
