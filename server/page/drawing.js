// Draws what the walk has come to: where it stands, what was weighed, the path, the distance over turns. Names come from a
// graph that anybody may have written: they are only ever set as text.

const kShown = 12;

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function percent(share) {
  return share >= 0.9995 ? '100 %' : (100 * share).toFixed(share < 0.1 ? 1 : 0) + ' %';
}

export function hops(count) {
  return `${count} hop${count === 1 ? '' : 's'}`;
}

// An entity that can be looked around.
export function entity(name, look, text = name) {
  const button = element('button', { type: 'button', className: 'entity', dir: 'auto', title: 'Look around ' + name }, text);
  button.addEventListener('click', () => look(name));
  return button;
}

export function here(target, state, look) {
  target.replaceChildren();
  if (!state.at) {
    target.append('Nowhere yet. Name an entity in what you say.');
    return;
  }
  target.append(element('strong', {}, entity(state.at, look)));
  if (state.goal) {
    const left = state.distance === null ? 'no path leads from here to ' : `${hops(state.distance)} left to `;
    target.append(': ', left, entity(state.goal, look));
  } else if (state.reached) {
    target.append(' ', element('span', { className: 'reached' }, 'is the goal: reached'));
  }
}

export function why(target, plan, taken) {
  target.textContent = '';
  if (!plan) return;
  const parts = [];
  const heard = plan.answer && plan.answer.asked >= 0.05 ? plan.answer.heard.slice(0, 2) : [];
  for (const one of heard) parts.push(`words: asked for ${one.relation} (${percent(one.probability)})`);
  const branch = plan.branches[0];
  const path = taken === null ? null : plan.paths[taken];
  if (path) parts.push(`habit: ${percent(path.hops[0].probability)} among ${branch.num_candidates} edges`);
  if (path && plan.goal && path.distance_to_goal !== null && plan.start_to_goal !== null)
    parts.push(`goal: from ${plan.start_to_goal} to ${path.distance_to_goal} hops`);
  target.textContent = parts.join(' · ');
}

// `take(hop)` walks a candidate, `look(name)` looks around its entity.
export function weighed(target, plan, taken, take, look, all = false) {
  target.replaceChildren();
  if (!plan || !plan.branches.length) return;
  const branch = plan.branches[0];
  const walked = taken === null ? null : plan.paths[taken].hops[0];
  const shown = all ? branch.candidates : branch.candidates.slice(0, kShown);
  for (const hop of shown) {
    const button = element('button', { type: 'button', className: 'hop', dir: 'auto' },
      element('span', { className: 'relation' }, hop.relation + ' → '), hop.tail, ' ',
      element('span', { className: 'edges' }, percent(hop.probability)));
    button.style.setProperty('--share', 100 * hop.probability + '%');
    if (hop.sources) button.title = 'from ' + hop.sources.join(', ');
    button.addEventListener('click', () => take(hop));
    const about = element('button', { type: 'button', title: 'Look around' }, '⌕');
    about.setAttribute('aria-label', 'Look around ' + hop.tail);
    about.addEventListener('click', () => look(hop.tail));
    const item = element('li', {}, button, about);
    if (walked && walked.relation === hop.relation && walked.tail === hop.tail) {
      item.className = 'taken';
      button.setAttribute('aria-current', 'step');
    }
    target.append(item);
  }
  if (shown.length < branch.candidates.length) {
    const more = element('button', { type: 'button' }, `${branch.candidates.length - shown.length} more`);
    more.addEventListener('click', () => weighed(target, plan, taken, take, look, true));
    target.append(element('li', {}, more));
  }
  const rest = branch.num_candidates - branch.candidates.length;
  if (rest > 0) target.append(element('li', { className: 'edges' }, `and ${rest} edges that are less likely`));
}

// A hop, and folded away behind it where the fact comes from: `source(hop)` resolves to that as text.
function walkedHop(hop, look, source) {
  const told = element('p', { className: 'source', dir: 'auto' });
  const box = element('details', {},
    element('summary', { dir: 'auto', title: 'Where this comes from' }, element('span', { className: 'relation' }, hop.relation + ' → '), hop.tail),
    told, entity(hop.tail, look, 'Look around'));
  box.addEventListener('toggle', async () => {
    if (box.open && !told.textContent) told.textContent = await source(hop);
  });
  return box;
}

export function path(target, turns, look, source) {
  target.replaceChildren(...turns.filter((turn) => turn.path).map((turn) =>
    element('li', {}, element('strong', {}, entity(turn.from, look)), ...turn.path.map((hop) => walkedHop(hop, look, source)))));
}

function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Distance to the goal after each turn; `distances` are numbers.
export function course(target, distances) {
  target.replaceChildren();
  if (distances.length < 2) return;
  const most = Math.max(...distances, 1);
  const x = (i) => 14 + (i * 272) / (distances.length - 1);
  const y = (d) => 58 - (d * 44) / most;
  const points = distances.map((d, i) => `${x(i).toFixed(1)},${y(d).toFixed(1)}`).join(' ');
  const said = `Distance to the goal over turns: ${distances.join(', ')}`;
  const picture = svg('svg', { viewBox: '0 0 300 72', role: 'img', 'aria-label': said },
    svg('polyline', { points, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2 }));
  distances.forEach((d, i) => {
    picture.append(svg('circle', { cx: x(i), cy: y(d), r: 3, fill: d === 0 ? 'var(--good)' : 'var(--accent)' }));
    if (i === 0 || i === distances.length - 1) picture.append(svg('text', { x: x(i), y: y(d) - 6, 'text-anchor': 'middle' }, String(d)));
  });
  target.append(picture);
}

export { svg };
