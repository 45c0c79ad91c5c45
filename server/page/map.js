// The neighborhood of an entity: a map of a few neighbors, and all of them relation by relation, page by page. What is drawn is
// bounded, however many edges there are.

import { get } from './api.js';
import { element, svg } from './drawing.js';

const kOnMap = 14;
const kPage = 20;

// The first of each relation, then the second, ...
function fewOf(groups) {
  const few = [];
  for (let rank = 0; few.length < kOnMap; ++rank) {
    const before = few.length;
    for (const group of groups)
      if (group.neighbors[rank] && few.length < kOnMap) few.push({ relation: group.relation, ...group.neighbors[rank] });
    if (few.length === before) break;
  }
  return few;
}

function short(text, most) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
}

function drawMap(target, around, go) {
  const few = fewOf(around.groups);
  const picture = svg('svg', { viewBox: '-240 -150 480 310', role: 'group', 'aria-label': 'Map around ' + around.entity });
  few.forEach((neighbor, i) => {
    const angle = (2 * Math.PI * i) / few.length - Math.PI / 2;
    const x = 125 * Math.cos(angle), y = 112 * Math.sin(angle);
    const beside = Math.abs(x) > 60;  // names above and below the center take turns in height
    const gap = (y < 0 ? -14 : 24) + (beside || i % 2 === 0 ? 0 : 14 * Math.sign(y));
    picture.append(svg('line', { x1: 0, y1: 0, x2: x, y2: y, stroke: 'var(--line)', 'stroke-width': 1.5 }));
    const node = svg('g', { role: 'button', tabindex: 0, 'aria-label': `${neighbor.relation}: ${neighbor.entity}` },
      svg('title', {}, `${neighbor.relation} → ${neighbor.entity}`),
      svg('circle', { cx: x, cy: y, r: 5 + Math.min(7, Math.log2(1 + neighbor.edges)), fill: 'var(--accent)' }),
      svg('text', { x: beside ? x + 16 * Math.sign(x) : x, y: beside ? y + 4 : y + gap, 'text-anchor': !beside ? 'middle' : x > 0 ? 'start' : 'end' },
        short(neighbor.entity, 16)));
    node.addEventListener('click', () => go(neighbor.entity));
    node.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        go(neighbor.entity);
      }
    });
    picture.append(node);
  });
  picture.append(svg('circle', { cx: 0, cy: 0, r: 9, fill: 'var(--good)' }),
    svg('text', { x: 0, y: -14, 'text-anchor': 'middle', 'font-weight': 'bold' }, short(around.entity, 30)));
  target.replaceChildren(picture);
}

function names(group, go) {
  return group.neighbors.map((neighbor) => {
    const button = element('button', { type: 'button', dir: 'auto' }, neighbor.entity);
    button.addEventListener('click', () => go(neighbor.entity));
    return button;
  });
}

function drawGroup(entity, group, model, go) {
  const box = element('details', {}, element('summary', {}, `${group.relation} (${group.total})`), ...names(group, go));
  let shown = group.neighbors.length;
  if (shown >= group.total) return box;
  const more = element('button', { type: 'button' }, 'more');
  more.addEventListener('click', async () => {
    const page = await get('neighborhood', { entity, relation: group.relation, per_relation: kPage, skip: shown, model });
    more.before(...names(page.groups[0], go));
    shown += page.groups[0].neighbors.length;
    more.hidden = shown >= group.total;
  });
  box.append(more);
  return box;
}

// `stand(name)` goes there.
export async function lookAround(entity, model, mapBox, groupsBox, stand, looked) {
  const around = await get('neighborhood', { entity, per_relation: 6, model });
  performance.mark('found');
  const go = (name) => lookAround(name, model, mapBox, groupsBox, stand, looked);
  drawMap(mapBox, around, go);
  const from = element('button', { type: 'button' }, 'Walk from here');
  from.addEventListener('click', () => stand(around.entity));
  groupsBox.replaceChildren(
    element('p', {}, element('strong', { dir: 'auto' }, around.entity), ` · ${around.edges} edges `, from),
    ...around.groups.map((group) => drawGroup(around.entity, group, model, go)));
  performance.measure('neighborhood drawn', 'found');
  looked(around.entity);
}
