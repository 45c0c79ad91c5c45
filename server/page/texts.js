// Every text that the page shows, in one place. Functions take names and numbers; what they return is set as text only.

const counted = (n, one, many = one + 's') => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export const t = {
  title: 'kgwalk',
  skip: 'Skip to what you say',
  parts: { conversation: 'Conversation', talk: 'Talk', around: 'Look around', log: 'What was said' },

  head: {
    model: 'Model', fresh: 'New', history: 'History', save: 'Save', markdown: 'As Markdown', web: 'As a web page', dark: 'Dark',
  },
  lost: 'The server does not answer. Trying again…',
  wantsKey: 'The server wants a key.',
  key: { title: 'This server wants its key', label: 'Key', go: 'Go on' },

  size: (entities, facts) => `${counted(entities, 'name')}, ${counted(facts, 'fact')}.`,
  license: (license) => `License of the data: ${license}`,

  welcome: {
    hello: 'Ask about what is in this graph, or just talk.',
    knows: 'It knows',
    kind: (n, kind) => counted(n, kind, kind === 'person' ? 'people' : plural(kind)),
    such: (names) => `, such as ${names.join(', ')}`,
    questions: 'Try one of these',
    goals: 'Or let it lead the talk somewhere',
    goal: (from, goal) => `From ${from} to ${goal}`,
    opening: (from) => `I like ${from}.`,
    steps: (n) => counted(n, 'step'),
    trying: 'Looking for questions to begin with…',
  },

  goal: {
    label: 'Lead the talk to', none: 'a name (optional)', clear: 'No goal', at: 'You are at', nowhere: 'You are nowhere yet: name something in what you say.',
    left: (n, goal) => `${counted(n, 'step')} to ${goal}`,
    apart: (goal) => `No way leads from here to ${goal}.`,
    reached: (goal) => `${goal} is reached.`,
    course: (list) => `Steps to the goal after each turn: ${list.join(', ')}`,
  },

  say: { label: 'Say something', hint: 'Ask a question or name something', send: 'Say', stop: 'Stop', undo: 'Take back', thinking: 'Thinking…' },
  stopped: 'Stopped. It is as if it had not been said.',
  bubble: {
    edit: 'Edit', again: 'Ask again', save: 'Say this instead', cancel: 'Cancel', editLabel: 'What you said',
    dropped: (n) => `What followed (${counted(n, 'turn')}) will be gone.`,
    did: 'Did you mean', look: (name) => `Look around ${name}`,
  },
  note: {
    goal: (name) => `Now leading to ${name}`, noGoal: 'No goal any more', from: (name) => `Went to ${name}`,
    take: 'Took another way', auto: (n) => `The simulated user spoke for ${counted(Number(n), 'turn')}`, undo: 'Took the last step back',
  },

  why: {
    title: 'Why?', heard: 'What was heard', way: 'The way', considered: 'What was considered',
    sources: 'Where it comes from', evidence: 'What it rests on',
    asked: { one: 'You asked for one thing.', list: 'You asked for all of them.', yes: 'You asked whether it is so.', no: 'You asked whether it is so.',
      'not said': 'You asked for something that the graph does not say.', 'nothing asked': 'No question was heard, so the usual turn of a talk decides.' },
    about: (label) => `${label}, of `,
    sure: (share) => `${share} sure`,
    usual: (share, n) => `The usual choice here: ${share}, of ${counted(n, 'possible step')}.`,
    goal: (from, to) => `Steps to the goal: ${from} before, ${to} after.`,
    nothing: 'Nothing more is known about this turn.',
    source: (files) => (files.length ? `From ${files.join(', ')}` : 'The graph does not say from where.'),
    unsure: 'looking…', go: (name) => `Go to ${name} instead`, more: (n) => `${n.toLocaleString()} more`, less: (n) => `and ${counted(n, 'step')} less likely`,
    sparql: 'SPARQL', json: 'JSON', copy: 'Copy', copied: 'Copied',
  },

  table: {
    name: 'Name', value: 'Value', columns: { name: 'Name', value: 'Value' }, sure: 'How sure', joined: 'How', kind: 'Kind', links: 'Links', sort: (column) => `Sort by ${column}`,
    csv: 'Copy as CSV', copied: 'Copied', more: (n) => `Show ${n.toLocaleString()} more rows`, answer: 'The answer as a table', counted: (n) => (n === 1 ? 'Show it' : `Show all ${n.toLocaleString()}`), of: (shown, all) => `${shown.toLocaleString()} of ${all.toLocaleString()} rows`,
  },

  look: {
    label: 'Look around', hint: 'a name', empty: 'Whatever the talk comes to is drawn here. Or type a name above.',
    links: (n) => counted(n, 'link'), from: 'Talk about this', center: 'Put in the middle', compare: 'Compare with', compareHint: 'another name',
    shown: (shown, all) => (shown < all ? `${shown.toLocaleString()} of ${all.toLocaleString()} neighbors shown` : counted(all, 'neighbor') + ' shown'),
    more: (n) => `Show ${n.toLocaleString()} more`, all: (n) => `Show all ${n.toLocaleString()}`,
    picture: (name, shown, all) => `Picture of ${name} and ${shown} of its ${all} neighbors. The table below has them as text.`,
    near: 'Zoom in', far: 'Zoom out', fit: 'Show everything', legend: 'Colors', other: 'other', walked: 'walked', table: (name) => `Neighbors of ${name}`,
    side: (a, b) => `${a} and ${b} side by side`, same: 'the same in both', closeSide: 'Close the comparison', andMore: (n) => `and ${n.toLocaleString()} more`, none: '–',
  },

  names: { list: 'Names', near: 'did you mean this?', links: (n) => counted(n, 'link') },

  history: {
    title: 'What you asked in this browser', empty: 'Nothing yet.', open: 'Open', remove: 'Delete', clear: 'Delete all', close: 'Close',
    hint: 'Click a question to ask it again. A conversation that is deleted is removed from the server too.',
  },

  saved: { title: (model) => `A conversation with kgwalk about ${model}`, you: 'You', it: 'kgwalk', way: 'The way', walked: 'Walked' },
  percent: (share) => (share >= 0.995 ? '100\u00a0%' : share < 0.01 ? 'under 1\u00a0%' : `${Math.round(100 * share)}\u00a0%`),
};

function plural(kind) {
  if (/(s|x|ch|sh)$/.test(kind)) return kind + 'es';
  return /[^aeiou]y$/.test(kind) ? kind.slice(0, -1) + 'ies' : kind + 's';
}

// The text of a key with dots, "head.fresh".
const textOf = (key) => key.split('.').reduce((from, part) => from[part], t);

// Fills what index.html marks: data-text, data-label (aria-label) and data-hint (placeholder) name a text.
export function fillTexts(root) {
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = textOf(node.dataset.text);
  for (const node of root.querySelectorAll('[data-label]')) node.setAttribute('aria-label', textOf(node.dataset.label));
  for (const node of root.querySelectorAll('[data-hint]')) node.placeholder = textOf(node.dataset.hint);
}
