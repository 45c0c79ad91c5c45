// The conversation: what is said and answered. It lives on the server; its id stands in the address, so that a reload shows it
// again.

import { Stopped, get, post, turn } from './api.js';
import { drawEntry } from './bubble.js';
import { at, button, element } from './dom.js';
import { remember } from './history.js';
import { t } from './texts.js';

// A question that was answered as a form: its parts where a turn is drawn from.
function asAnswered(entry) {
  const { answered } = entry;
  if (!answered) return entry;
  return Object.assign(entry, { form: { words: answered.words, json: answered.form, sparql: answered.sparql },
    rows: answered.rows, evidence: answered.evidence, measured: answered.answer?.measured, counted: answered.answer?.number,
    sure: answered.probability });
}

// `page`: {model, look(name), guarded(work), changed(state), introduction}
export class Talk {
  id = null;
  log = [];
  #busy = null;  // resolves when the turn is done
  #stop = null;

  constructor(page) {
    this.page = page;
  }

  get last() {
    return this.log.at(-1);
  }

  // The conversation of the address, if there is one; returns where it stands.
  async open(id) {
    this.id = null;
    this.log = [];
    if (!id) return null;
    const state = await get('sessions/' + id);
    this.id = id;
    await this.#takeOver(state);
    return state;
  }

  async begin(more = {}) {
    const session = await post('sessions', { model: this.page.model, ...more });
    this.id = session.id;
    this.log = session.log.map(asAnswered);
    history.replaceState(null, '', '#' + session.id);
  }

  // What the server knows of a conversation; only the last turn has its plan.
  async #takeOver(state) {
    const earlier = new Map(this.log.map((entry) => [entry.steps + '\n' + entry.say, entry]));
    this.log = state.log.map((entry) => earlier.get(entry.steps + '\n' + entry.say) ?? asAnswered(entry));
    if (this.last) Object.assign(this.last, { plan: state.plan, taken: state.taken, offered: state.offered });
    const turns = this.log.length ? (await get(`sessions/${this.id}/transcript`)).turns : [];
    let i = 0;
    for (const entry of this.log) {
      const found = turns.findIndex((one, j) => j >= i && one.said === entry.say);
      if (found < 0) continue;
      entry.path ??= turns[found].path;
      i = found + 1;
    }
  }

  draw() {
    at('log').replaceChildren();
    this.log.forEach((_, i) => this.#append(i));
    this.#scroll();
  }

  #scroll() {
    at('log').scrollTop = at('log').scrollHeight;
  }

  #append(i) {
    const entry = this.log[i], is_last = i === this.log.length - 1;
    const spoken = !entry.say.startsWith('/');
    at('log').append(...drawEntry(entry, {
      before: this.log[i - 1],
      model: this.page.model,
      look: this.page.look,
      edit: spoken ? () => this.edit(i) : null,
      again: () => this.act({ say: entry.say }),
      choose: is_last ? (n) => this.act({ say: String(n) }) : null,
      take: is_last ? (hop) => this.act({ take_hop: { head: hop.head, relation: hop.relation, tail: hop.tail } }) : null,
    }));
  }

  // What is said is shown before it is answered.
  #saying(text) {
    const box = element('div', { className: 'turn mine saying' }, element('div', { className: 'me', dir: 'auto' }, text),
      element('p', { className: 'soft', role: 'status' }, t.say.thinking));
    at('log').append(box);
    this.#scroll();
    return box;
  }

  async #wait(before) {
    while (this.#busy) await this.#busy;
    let free;
    this.#busy = new Promise((resolve) => { free = resolve; });
    this.#stop = new AbortController();
    at('stop').hidden = false;
    at('send').hidden = true;
    try {
      return await this.page.guarded(before);
    } finally {
      at('stop').hidden = true;
      at('send').hidden = false;
      this.#busy = null;
      this.#stop = null;
      free();
    }
  }

  stop() {
    this.#stop?.abort();
  }

  // Returns whether it was done.
  async act(action) {
    if (this.#busy && !action.say) return false;  // the second of two clicks
    const said = action.say ? this.#saying(action.say) : null;
    const done = await this.#wait(async () => {
      if (!this.id) await this.begin();
      const before = this.log.length;
      let told;
      try {
        told = asAnswered(await turn(this.id, action, this.#stop.signal));
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        await this.#back(before);  // the server has gone on meanwhile
        at('log').append(element('p', { className: 'note' }, t.stopped));
        return false;
      }
      performance.mark('told');
      said?.remove();
      document.querySelector('#log .welcome')?.remove();
      if (this.log.length) this.#redraw(this.log.length - 1);
      this.log.push(told);
      this.#append(this.log.length - 1);
      this.#scroll();
      performance.measure('turn drawn', 'told');
      if (action.say && !action.say.startsWith('/')) remember(this.id, this.page.model, action.say);
      this.page.changed(told);
      return true;
    });
    said?.remove();
    return done === true;
  }

  // What was the last turn cannot be chosen from any more.
  #redraw(i) {
    const last = this.log[i];
    if (!last.offered?.length && !last.plan) return;
    for (const stale of at('log').querySelectorAll('.offers, button.candidate')) stale.matches('.offers') ? stale.remove() : (stale.disabled = true);
  }

  async #back(turns) {
    const state = await post(`sessions/${this.id}/rewind`, { turns });
    await this.#takeOver(state);
    this.draw();
    this.page.changed(state);
  }

  undo() {
    if (this.log.length) return this.#wait(() => this.#back(this.log.length - 1));
  }

  // The bubble becomes a field; what followed goes when it is said anew.
  edit(i) {
    const bubbles = [...at('log').querySelectorAll('.turn.mine:not(.saying)')];
    const box = bubbles[this.log.slice(0, i).filter((entry) => !entry.say.startsWith('/')).length];
    const field = element('textarea', { value: this.log[i].say, dir: 'auto', rows: 2, maxLength: 10000, ariaLabel: t.bubble.editLabel });
    const after = this.log.length - i - 1;
    const send = async () => {
      const text = field.value.trim();
      if (!text) return;
      await this.#wait(() => this.#back(i));
      await this.act({ say: text });
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.draw();
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        send();
      }
    });
    box.replaceChildren(element('div', { className: 'editing' }, field,
      ...(after ? [element('p', { className: 'soft' }, t.bubble.dropped(after))] : []),
      element('div', { className: 'acts' }, button(t.bubble.save, send), button(t.bubble.cancel, () => this.draw(), 'quiet'))));
    field.focus();
  }

  // For files.
  async whole() {
    const turns = this.id ? (await get(`sessions/${this.id}/transcript`)).turns : [];
    return { model: this.page.model, entries: this.log.filter((entry) => !entry.say.startsWith('/')), turns };
  }
}
