// Tables: sorted by a click on a head, shown a part at a time, copied as csv.

import { button, copy, element } from './dom.js';
import { t } from './texts.js';

const kRows = 100;

// Of RFC 4180. A cell that a spreadsheet would take for a formula is kept from it by an apostrophe: names are anybody's.
export function csv(columns, rows) {
  const cell = (value) => {
    const text = String(value ?? '');
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns.map((column) => column.title), ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a ?? '').localeCompare(String(b ?? ''), undefined, { numeric: true });
}

// `columns`: [{title, draw?(value, row) -> node, number?}]; `rows`: arrays of values as long. `all`: how many rows there are where
// not all are here yet. Returns an element.
export function table(columns, rows, { label, first = kRows, all = rows.length } = {}) {
  let order = [...rows];
  let shown = Math.min(first, rows.length);
  let sorted = { by: -1, down: false };
  const heads = columns.map((column, i) => {
    const sort = button(column.title, () => {
      sorted = { by: i, down: sorted.by === i ? !sorted.down : Boolean(column.number) };
      order = [...rows].sort((a, b) => (sorted.down ? -1 : 1) * compare(a[i], b[i]));
      draw();
    }, 'sort');
    sort.title = t.table.sort(column.title);
    return element('th', { scope: 'col', className: column.number ? 'number' : '' }, sort);
  });
  const body = element('tbody');
  const copying = button(t.table.csv, () => copy(csv(columns, order), copying, t.table.copied), 'quiet');
  const more = button('', () => {
    shown = Math.min(rows.length, shown + 10 * kRows);
    draw();
  }, 'quiet');
  const told = element('span', { className: 'soft' });
  const draw = () => {
    heads.forEach((head, i) => head.setAttribute('aria-sort', sorted.by !== i ? 'none' : sorted.down ? 'descending' : 'ascending'));
    body.replaceChildren(...order.slice(0, shown).map((row) => element('tr', {}, ...row.map((value, i) =>
      element('td', { dir: 'auto', className: columns[i].number ? 'number' : '' },
        columns[i].draw ? columns[i].draw(value, row) : String(value ?? ''))))));
    more.textContent = t.table.more(Math.min(10 * kRows, rows.length - shown));
    more.hidden = shown >= rows.length;
    told.textContent = shown < all ? t.table.of(shown, all) : '';
  };
  draw();
  const name = label ? { ariaLabel: label } : {};
  return element('div', { className: 'table' },
    element('div', { className: 'scroll', tabIndex: 0, role: 'region', ...name },
      element('table', name, element('thead', {}, element('tr', {}, ...heads)), body)),
    element('p', { className: 'below' }, copying, ' ', more, ' ', told));
}
