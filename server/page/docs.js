// The page of the API, drawn from the server's own description. Texts are set as text only.
import { ask, get } from './api.js';

const byId = (id) => document.getElementById(id);

function node(name, text, more = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, more);
}

function typeOf(schema) {
  if (!schema) return 'anything';
  const type = [].concat(schema.type || 'anything').join(' or ');
  return schema.items && schema.items.type ? `${type} of ${[].concat(schema.items.type).join(' or ')}` : type;
}

function told(schema) {
  const words = [schema.description || ''];
  if (schema.enum) words.push('One of ' + schema.enum.join(', ') + '.');
  const low = schema.minimum ?? schema.minItems ?? schema.minLength;
  const high = schema.maximum ?? schema.maxItems ?? schema.maxLength;
  if (low !== undefined || high !== undefined) words.push(`From ${low ?? 'any'} to ${high ?? 'any'}.`);
  if (schema.default !== undefined && schema.default !== '') words.push('Else ' + JSON.stringify(schema.default) + '.');
  return words.filter(Boolean).join(' ');
}

// [name, schema, required] of what an object holds, inner objects too.
function fields(schema, before = '') {
  const rows = [];
  for (const [name, inner] of Object.entries((schema && schema.properties) || {})) {
    const must = (schema.required || []).includes(name);
    rows.push([before + name, inner, must]);
    const list = inner.items && inner.items.properties;
    if (before.split('.').length < 4) rows.push(...fields(list ? inner.items : inner, before + name + (list ? '[].' : '.')));
  }
  return rows;
}

function table(title, rows, marks) {
  const part = node('section');
  part.append(node('h3', title));
  if (!rows.length) {
    part.append(node('p', 'Nothing, or anything.'));
    return part;
  }
  const made = node('table'), head = node('tr');
  for (const word of ['name', 'type', 'what']) head.append(node('th', word, { scope: 'col' }));
  made.append(head);
  for (const [name, schema, must] of rows) {
    const row = node('tr');
    row.append(node('td', name + (marks && must ? ' (needed)' : '')), node('td', typeOf(schema)), node('td', told(schema)));
    made.append(row);
  }
  part.append(made);
  return part;
}

function sample(schema) {
  if (!schema) return {};
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const type = [].concat(schema.type)[0];
  if (schema.enum) return schema.enum[0];
  if (type === 'array') return schema.minItems ? Array(schema.minItems).fill(sample(schema.items)) : [sample(schema.items)];
  if (type === 'integer' || type === 'number') return schema.minimum || 0;
  if (type === 'boolean') return false;
  if (type !== 'object') return '';
  return Object.fromEntries((schema.required || []).map((name) => [name, sample((schema.properties || {})[name])]));
}

function here(path) {
  return new URL('.' + path, location.href).pathname;
}

// A request that can be changed and sent from the page.
function trial(method, path, operation, schema) {
  const part = node('section');
  part.append(node('h3', 'Try it'));
  const to = node('input', undefined, { value: here(path), spellcheck: false });
  to.setAttribute('aria-label', `Address of ${method} ${path}`);
  const query = (operation.parameters || []).filter((one) => one.in === 'query' && one.required);
  if (query.length) to.value += '?' + query.map((one) => one.name + '=').join('&');
  const body = node('textarea', undefined, { rows: 5, spellcheck: false });
  body.setAttribute('aria-label', `Body of ${method} ${path}`);
  if (schema) body.value = JSON.stringify(sample(schema), null, 1);
  const button = node('button', 'Send', { type: 'button' }), out = node('pre');
  out.hidden = true;
  button.onclick = async () => {
    const headers = schema ? { 'Content-Type': 'application/json' } : {};
    const key = sessionStorage.getItem('kgwalk key');
    if (key) headers.Authorization = 'Bearer ' + key;
    out.hidden = false;
    try {
      const answer = await fetch(to.value, { method, headers, body: schema ? body.value : undefined });
      const text = await answer.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 1); } catch { /* no json: as it is */ }
      out.className = answer.ok ? '' : 'wrong';
      out.textContent = `${answer.status} ${answer.statusText}\n${shown}`;
    } catch (error) {
      out.className = 'wrong';
      out.textContent = 'No answer came: ' + error.message;
    }
  };
  part.append(to);
  if (schema) part.append(body);
  part.append(button, out);
  return part;
}

function opened(method, path, operation) {
  const content = (part) => Object.values((part && part.content) || {})[0];
  const body = content(operation.requestBody);
  const good = operation.responses['200'] || operation.responses['201'] || operation.responses['204'];
  const parts = [];
  if ((operation.parameters || []).length)
    parts.push(table('In the address', operation.parameters.map((one) => [one.name, { description: one.description, ...one.schema },
      one.required]), true));
  if (body) parts.push(table('In the body', fields(body.schema), true));
  parts.push(table('In the answer', fields((content(good) || {}).schema), false));
  const json = !body || operation.requestBody.content['application/json'];
  if (json) parts.push(trial(method, path, operation, body && body.schema));
  return parts;
}

function drawPath(path, name, operation) {
  const method = name.toUpperCase(), made = node('details', undefined, { className: 'path' }), head = node('summary');
  head.append(node('span', method, { className: 'method' }), node('code', path), node('span', operation.summary, { className: 'what' }));
  made.append(head);
  made.dataset.words = `${method} ${path} ${operation.summary}`.toLowerCase();
  made.ontoggle = () => {
    if (made.open && made.childElementCount === 1) made.append(...opened(method, path, operation));
  };
  return made;
}

const groups = [
  ['OpenAI\'s API', (path) => path.startsWith('/v1/')],
  ['Conversations', (path) => path.startsWith('/api/v1/sessions') || path === '/api/v1/turn'],
  ['Questions to a model', (path) => path.startsWith('/api/v1/')],
  ['Assistants, and signs of life', () => true],
];

function draw(description) {
  const main = byId('paths'), left = new Set(Object.keys(description.paths));
  for (const [title, fits] of groups) {
    const paths = [...left].filter(fits), part = node('section');
    part.append(node('h2', title));
    for (const path of paths) {
      left.delete(path);
      for (const [name, operation] of Object.entries(description.paths[path])) part.append(drawPath(path, name, operation));
    }
    main.append(part);
  }
}

byId('find').oninput = () => {
  const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of document.querySelectorAll('details.path')) one.hidden = !words.every((word) => one.dataset.words.includes(word));
  for (const part of document.querySelectorAll('main > section')) part.hidden = !part.querySelector('details.path:not([hidden])');
};

ask.key = () => new Promise((resolve) => {
  byId('ask-key').onclose = () => resolve(byId('key').value);
  byId('ask-key').showModal();
});

get('openapi.json').then(draw).catch((error) => byId('paths').append(node('p', error.message, { className: 'wrong', role: 'alert' })));
