// Elements. Names come from a graph that anybody may have written: they are only ever set as text.

import { t } from './texts.js';

export const at = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function button(text, click, className = '') {
  const made = element('button', { type: 'button', className }, text);
  made.addEventListener('click', click);
  return made;
}

// A name that can be looked around. No button element: those do not break where a line ends, names in a sentence do.
export function entity(name, look, text = name) {
  const made = element('span', { className: 'entity', role: 'button', tabIndex: 0, dir: 'auto', title: t.bubble.look(name) }, text);
  made.addEventListener('click', () => look(name));
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    look(name);
  });
  return made;
}

export function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Text with the names in it as links. Longer names go first, so that "Heat 2" is not "Heat" and a 2; a name counts where no
// letter or digit touches it.
export function linked(text, names, look) {
  const wanted = [...new Set(names)].filter((name) => name && name.length > 1).sort((a, b) => b.length - a.length);
  const out = document.createDocumentFragment();
  const word = /[\p{L}\p{N}]/u;
  let plain = '';
  for (let i = 0; i < text.length;) {
    const free = !word.test(text.slice(0, i).slice(-1)) || !word.test(text[i]);
    const found = free && wanted.find((name) => text.startsWith(name, i) && !(word.test(name.slice(-1)) && word.test(text[i + name.length] ?? '')));
    if (!found) {
      plain += text[i++];
      continue;
    }
    out.append(plain, entity(found, look));
    plain = '';
    i += found.length;
  }
  out.append(plain);
  return out;
}

// Copies, and says so on the button for a moment.
export async function copy(text, from, told) {
  const before = from.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // no permission, or no secure context: the old way
    const box = element('textarea', { value: text, className: 'hidden' });
    from.after(box);
    box.select();
    document.execCommand('copy');
    box.remove();
  }
  from.textContent = told;
  setTimeout(() => { from.textContent = before; }, 1500);
}
