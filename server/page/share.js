// A conversation as one html file that needs nothing else.

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export function transcriptPage(session, turns, license = '') {
  const said = session.log.map((entry) =>
    `<p class="me" dir="auto">${escaped(entry.say)}</p><p class="it" dir="auto">${escaped(entry.reply)}</p>`).join('\n');
  const walked = turns.filter((turn) => turn.path).map((turn) =>
    `<li dir="auto">${escaped(turn.from)}${turn.path.map((hop) => ` <i>${escaped(hop.relation)} →</i> ${escaped(hop.tail)}`).join('')}</li>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A conversation with kgwalk</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em}p{white-space:pre-wrap;padding:.5em .8em;border-radius:.6em;background:#eef1f5}.me{background:#dcebff;margin-left:15%}i{color:#536070}</style>
</head><body><h1>A conversation with kgwalk</h1>
${said}
<h2>Walked</h2><ol>${walked}</ol><footer>${escaped(license)}</footer></body></html>
`;
}

export function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
