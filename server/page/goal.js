// Where the talk stands and how far the goal is.

import { reached } from './bubble.js';
import { at, element, entity, svg } from './dom.js';
import { t } from './texts.js';

// The distances since the goal was set last.
function course(log) {
  const list = [];
  log.forEach((entry, i) => {
    if (entry.goal !== log[i - 1]?.goal && entry.goal !== null) list.length = 0;
    if (typeof entry.distance === 'number') list.push(entry.distance);
    else if (reached(entry, log[i - 1])) list.push(0);
    else if (entry.goal === null) list.length = 0;
  });
  return list;
}

function picture(distances) {
  const most = Math.max(...distances, 1), width = 120, height = 26;
  const x = (i) => 4 + (i * (width - 8)) / (distances.length - 1);
  const y = (d) => height - 5 - (d * (height - 10)) / most;
  const made = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t.goal.course(distances), class: 'course' },
    svg('polyline', { points: distances.map((d, i) => `${x(i).toFixed(1)},${y(d).toFixed(1)}`).join(' '), class: 'line' }));
  distances.forEach((d, i) => made.append(svg('circle', { cx: x(i), cy: y(d), r: 2.5, class: d === 0 ? 'dot end' : 'dot' })));
  return made;
}

export function drawStanding(log, state, look) {
  const target = at('here');
  target.replaceChildren();
  if (!state?.at && !state?.goal) return;
  if (state.at) target.append(t.goal.at + ' ', entity(state.at, look));
  else target.append(t.goal.nowhere);
  const end = log.length > 1 && reached(log.at(-1), log.at(-2));
  if (end) target.append(' · ', element('span', { className: 'reached' }, t.goal.reached(log.at(-2).goal)));
  else if (state.goal && state.at) target.append(' · ', state.distance === null ? t.goal.apart(state.goal) : t.goal.left(state.distance, state.goal));
  const distances = course(log);
  if (distances.length > 1) target.append(picture(distances));
  if (document.activeElement !== at('goal')) at('goal').value = state.goal ?? '';
  at('nogoal').hidden = !state.goal;
}
