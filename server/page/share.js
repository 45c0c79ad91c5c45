// A conversation as a file that needs nothing else: Markdown, or one page of html.

import { t } from './texts.js';
import { label } from './words.js';

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// What has a meaning in Markdown is taken for what it is.
function marked(text) {
  return String(text).replace(/[\\`*_{}[\]<>#|!~]/g, '\\$&').replaceAll('\n', '  \n');
}

const hops = (turn) => turn.path.map((hop) => [label(hop.relation), hop.tail]);

// `talk`: {model, entries: [{say, said}], turns: those of a transcript, license}
export function markdown(talk) {
  const said = talk.entries.map((entry) => `**${t.saved.you}:** ${marked(entry.say)}\n\n**${t.saved.it}:** ${marked(entry.said)}\n`);
  const walked = talk.turns.filter((turn) => turn.path)
    .map((turn, i) => `${i + 1}. ${marked(turn.from)}${hops(turn).map(([words, tail]) => ` – *${marked(words)}* → ${marked(tail)}`).join('')}`);
  return [`# ${marked(t.saved.title(talk.model))}`, ...said, walked.length ? `## ${t.saved.walked}\n\n${walked.join('\n')}\n` : '',
    talk.license ? `${marked(t.license(talk.license))}\n` : ''].filter(Boolean).join('\n\n');
}

export function webPage(talk) {
  const said = talk.entries.map((entry) =>
    `<p class="me" dir="auto">${escaped(entry.say)}</p><p class="it" dir="auto">${escaped(entry.said)}</p>`).join('\n');
  const walked = talk.turns.filter((turn) => turn.path).map((turn) =>
    `<li dir="auto">${escaped(turn.from)}${hops(turn).map(([words, tail]) => ` <i>${escaped(words)} →</i> ${escaped(tail)}`).join('')}</li>`).join('\n');
  const title = escaped(t.saved.title(talk.model));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color-scheme:light dark}p{white-space:pre-wrap;padding:.5em .8em;border-radius:.6em;background:#8881}.me{background:#48f2;margin-left:15%}i{opacity:.75}</style>
</head><body><h1>${title}</h1>
${said}
${walked ? `<h2>${t.saved.walked}</h2><ol>${walked}</ol>` : ''}<footer>${talk.license ? escaped(t.license(talk.license)) : ''}</footer></body></html>
`;
}

export function save(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
