// Look around: a picture of what lies about a name, and the same as a table. It follows the talk; a click on a name goes on from
// there. An entity is drawn once, however many ways lead to it.

import { get } from './api.js';
import { sideBySide } from './comparison.js';
import { completing } from './completion.js';
import { at, button, element, entity } from './dom.js';
import { place, relax } from './layout.js';
import { Picture } from './picture.js';
import { table } from './table.js';
import { t } from './texts.js';
import { label } from './words.js';

const kFirst = 14;    // neighbors drawn at first
const kExpanded = 8;  // of a name that was clicked
const kMore = 50;
const kPage = 1000;   // neighbors of a relation that the server gives at once
const kColors = 7;    // kinds with a color of their own

// Neighbors one by one: the first of each relation, then the second, ...
function inTurns(groups) {
  const out = [];
  const most = Math.max(0, ...groups.map((group) => group.neighbors.length));
  for (let rank = 0; rank < most; ++rank)
    for (const group of groups)
      if (group.neighbors[rank]) out.push({ ...group.neighbors[rank], relation: group.relation, label: group.label });
  return out;
}

export class Around {
  #nodes = new Map();   // by name
  #links = new Map();   // by both names
  #known = new Map();   // by name: {around, list (loaded neighbors), shown}
  #kinds = [];          // with colors: those that there are most of, then as they are met

  #opened = 0;

  // `page`: {model, stand(name), guarded(work)}
  constructor(page) {
    this.page = page;
    this.picture = new Picture(at('picture'), (node) => this.page.guarded(() => this.expand(node.name)));
    at('near').addEventListener('click', () => this.picture.zoom(1.4));
    at('far').addEventListener('click', () => this.picture.zoom(1 / 1.4));
    at('fit').addEventListener('click', () => this.picture.fit());
    completing(at('look'), () => page.model, (name) => this.look(name));
    this.clear();
  }

  clear() {
    ++this.#opened;
    this.#nodes.clear();
    this.#links.clear();
    this.#known.clear();
    this.#kinds = [];
    at('around').classList.add('empty');
    for (const id of ['neighbors', 'legend', 'about-name', 'side']) at(id).replaceChildren();
    this.#show();
  }

  // Kinds that get the first colors, so that a kind has one color all the time.
  colors(kinds) {
    this.#kinds = [...kinds, ...this.#kinds.filter((kind) => !kinds.includes(kind))];
    for (const node of this.#nodes.values()) node.color = this.#color(node.kind);
    this.#show();
  }

  look = (name) => this.page.guarded(() => this.open(name));

  // Anew around one name; `path` are hops walked to it, which are drawn too.
  async open(name, path = []) {
    const mine = ++this.#opened;
    const around = await this.#find(name);
    if (mine !== this.#opened) return;  // something else is looked at by now
    performance.mark('found');
    this.#nodes.clear();
    this.#links.clear();
    for (const known of this.#known.values()) known.drawn.clear();
    at('around').classList.remove('empty');
    at('side').replaceChildren();
    const center = this.#node({ entity: around.entity, kind: around.kind, edges: around.edges });
    Object.assign(center, { x: 0, y: 0, fixed: true });
    this.picture.center = center;
    this.#addPath(path);
    this.#add(around.entity, kFirst);
    this.#relax();
    this.#focus(around.entity);
    this.picture.fit();
    performance.measure('neighborhood drawn', 'found');
    at('look').value = around.entity;
  }

  // A click: its neighbors join the picture, and the table is about it.
  async expand(name) {
    const around = await this.#find(name);
    const node = this.#nodes.get(around.entity);
    if (!node) return this.open(name);
    const known = this.#known.get(around.entity);
    if (!known.drawn.size) {
      this.#add(around.entity, kExpanded);
      node.fixed = true;
      this.#relax();
      node.fixed = node === this.picture.center;
    }
    this.#focus(around.entity);
    this.picture.fit();
  }

  async #find(name) {
    const model = this.page.model;
    if (this.#known.has(name)) return this.#known.get(name).around;
    const around = await get('neighborhood', { entity: name, per_relation: kMore, model });
    this.#known.set(around.entity, { around, list: inTurns(around.groups), drawn: new Set() });
    return around;
  }

  #node(found) {
    const known = this.#nodes.get(found.entity);
    if (known) return known;
    const node = { name: found.entity, kind: found.kind, edges: found.edges, x: 0, y: 0, color: this.#color(found.kind) };
    this.#nodes.set(node.name, node);
    return node;
  }

  #color(kind) {
    if (!kind) return kColors;
    if (!this.#kinds.includes(kind)) this.#kinds.push(kind);
    return Math.min(this.#kinds.indexOf(kind), kColors);
  }

  #link(a, b, words, walked = false) {
    const key = JSON.stringify([a.name, b.name].sort());
    const known = this.#links.get(key);
    if (known) Object.assign(known, a === this.picture.center ? { label: words } : {}, { walked: known.walked || walked });
    else this.#links.set(key, { a, b, label: words, walked });
  }

  // Leftwards from the middle, back to where the walk began.
  #addPath(hops) {
    const found = (name) => this.#known.get(this.picture.center.name).list.find((one) => one.entity === name) ?? { entity: name, edges: 1 };
    let before = null, x = 0;
    for (const hop of [...hops].reverse()) {
      const tail = this.#node(found(hop.tail)), head = this.#node(found(hop.head));
      x -= 150;
      if (head !== this.picture.center && head !== before) Object.assign(head, { x, y: -20 });
      this.#link(head, tail, label(hop.relation), true);
      before = head;
    }
  }

  // So many neighbors more of one name.
  #add(name, count) {
    const known = this.#known.get(name), parent = this.#nodes.get(name);
    const fresh = [];
    let added = 0;
    for (const found of known.list) {
      if (added === count) break;
      if (known.drawn.has(found.entity) || found.entity === name) continue;
      const is_new = !this.#nodes.has(found.entity), node = this.#node(found);
      if (!is_new) Object.assign(node, { edges: found.edges, kind: found.kind, color: this.#color(found.kind) });
      else fresh.push(node);
      this.#link(parent, node, found.label);
      known.drawn.add(found.entity);
      ++added;
    }
    const center = this.picture.center;
    const toward = parent === center ? null : Math.atan2(parent.y - center.y, parent.x - center.x);
    const before = [...known.drawn].length - fresh.length;
    place(parent, before > 0 && parent === center ? this.#standing(known, fresh) : fresh, toward, this.picture.narrow);
  }

  // With many, all of a name stand in rings together.
  #standing(known, fresh) {
    return [...known.drawn].length > 100 ? [...known.drawn].map((name) => this.#nodes.get(name)).filter((node) => !node.fixed) : fresh;
  }

  #relax() {
    relax([...this.#nodes.values()], [...this.#links.values()], this.picture.narrow);
  }

  #show() {
    this.picture.nodes = [...this.#nodes.values()];
    this.picture.links = [...this.#links.values()];
    at('picture').dataset.names = String(this.#nodes.size);
    this.picture.draw();
    const colors = new Set(this.picture.nodes.map((node) => node.color));
    const named = [...this.#kinds.slice(0, kColors), t.look.other];
    at('legend').replaceChildren(...named.map((kind, i) => [kind, i === named.length - 1 ? kColors : i]).filter(([, i]) => colors.has(i))
      .map(([kind, i]) => element('li', {}, element('span', { className: `dot kind-${i}` }), kind)));
  }

  #focus(name) {
    const { around, drawn, list } = this.#known.get(name);
    this.picture.focus = this.#nodes.get(name);
    this.#show();
    const total = around.edges, names = drawn.size, all = new Set(list.map((one) => one.entity)).size;
    // Several facts may lead to one name: of what is loaded names are counted, of the rest facts.
    const every = list.length >= total ? all : total;
    at('picture').setAttribute('aria-label', t.look.picture(name, names, every));
    const more = [];
    if (names < every) more.push(button(t.look.more(Math.min(kMore, every - names)), () => this.page.guarded(() => this.more(name, kMore)), 'quiet'));
    if (every - names > kMore) more.push(button(t.look.all(every), () => this.page.guarded(() => this.more(name, Infinity)), 'quiet'));
    const acts = [button(t.look.from, () => this.page.stand(name))];
    if (name !== this.picture.center.name) acts.push(button(t.look.center, () => this.look(name)));
    at('about-name').replaceChildren(
      element('p', { className: 'named' }, element('strong', { dir: 'auto' }, name), ' ',
        element('span', { className: 'soft' }, [around.kind, t.look.links(total)].filter(Boolean).join(' · '))),
      element('p', { className: 'below' }, ...acts.flatMap((act) => [act, ' ']), this.#compare(name)),
      element('p', { className: 'below' }, element('span', { className: 'soft shown' }, t.look.shown(names, every)), ' ', ...more.flatMap((one) => [one, ' '])));
    at('neighbors').replaceChildren(table([
      { title: t.table.joined }, { title: t.table.name, draw: (one) => entity(one, this.look) }, { title: t.table.kind }, { title: t.table.links, number: true }],
    list.map((one) => [one.label, one.entity, one.kind, one.edges]), { label: t.look.table(name), first: 50, all: total }));
  }

  #compare(name) {
    const input = element('input', { autocomplete: 'off', placeholder: t.look.compareHint, ariaLabel: t.look.compare, dir: 'auto' });
    const box = element('span', { className: 'combo small' }, input);
    completing(input, () => this.page.model, (other) => this.page.guarded(() => this.side(name, other)));
    return element('span', { className: 'compare' }, t.look.compare, ' ', box);
  }

  async side(a, b) {
    at('side').replaceChildren(await sideBySide(a, b, this.page.model, this.look, () => at('side').replaceChildren()));
    at('side').scrollIntoView({ block: 'nearest' });
  }

  // Draws more; what was not loaded yet is asked for, relation by relation.
  async more(name, count) {
    const known = this.#known.get(name);
    if (known.list.length < known.around.edges && known.drawn.size + count > known.list.length) await this.#load(known, known.drawn.size + count);
    performance.mark('loaded');
    this.#add(name, count);
    this.#relax();
    this.#focus(name);
    this.picture.fit();
    performance.measure('more drawn', 'loaded');
  }

  async #load(known, wanted) {
    const { around } = known;
    const left = () => around.groups.filter((group) => group.neighbors.length < group.total);
    let loaded = known.list.length;
    while (loaded < Math.min(wanted, around.edges) && left().length)
      for (const group of left()) {
        const page = await get('neighborhood', { entity: around.entity, relation: group.relation, per_relation: kPage, skip: group.neighbors.length, model: this.page.model });
        group.neighbors.push(...page.groups[0].neighbors);
        loaded += page.groups[0].neighbors.length;
        if (loaded >= wanted) break;
      }
    known.list = inTurns(around.groups);
  }
}
