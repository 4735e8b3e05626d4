// No line is wider than 110 columns: prose in Markdown; code, comments and messages in sources. Biome formats
// code, but leaves comments, strings and CSS as they are. Exempt is what a break would change: a word, URL or
// path of more than 80 columns; in Markdown code, tables, images and HTML; in sources the lines of a template
// (SQL, HTML, fixtures) and a literal that is SQL, markup, HTTP text or a regular expression.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const columns = 110;
const width = (line) => [...line].length;

/** A URL, a path or a long word that no line break can shorten. */
const unbreakable = (line) => line.split(/\s+/).some((word) => width(word) > columns - 30);

/** A literal whose text must stay in one piece: SQL, markup, HTTP text, an escape, a regular expression. */
const isData = (line) =>
  endsInLiteral(line) &&
  /\b(SELECT|INSERT|UPDATE|ALTER|CREATE|COPY|WHERE|FROM)\b|\\[nrt]|<\/?[a-zA-Z]|\/[\^]/.test(line);

/** The first character beyond the limit is inside a string, a template or a regular expression. */
function endsInLiteral(line) {
  const before = [...line].slice(0, columns).join('');
  if (/^\s*(\/\/|\*|\/\*)/.test(line)) return false;
  return (
    ["'", '"', '`'].some((quote) => before.split(quote).length % 2 === 0) || /[=(,:]\s*\/\S/.test(before)
  );
}

function wideMarkdownLines(text) {
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const exempt = fenced || /^\s*(\||!\[|<)/.test(line) || unbreakable(line);
    return width(line) > columns && !exempt ? [index + 1] : [];
  });
}

function wideSourceLines(text) {
  let inTemplate = false;
  return text.split('\n').flatMap((line, index) => {
    const code = line.replace(/\\`|'[^']*'|"[^"]*"|(^|\s)\/[/*].*$|^\s*\*.*$/g, '');
    const opensOrCloses = code.split('`').length % 2 === 0;
    // Lines inside templates (SQL, HTML) are data; the text of a migration must not change.
    const exempt = inTemplate || opensOrCloses || unbreakable(line) || isData(line);
    if (opensOrCloses) inTemplate = !inTemplate;
    return width(line) > columns && !exempt ? [index + 1] : [];
  });
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const wide = (pattern, find) =>
  files
    .split('\n')
    .filter((file) => pattern.test(file) && existsSync(file))
    .flatMap((file) => find(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`));
const prose = wide(/\.md$/, wideMarkdownLines);
const sources = wide(/\.(ts|tsx|js|mjs|cjs|css|sql)$/, wideSourceLines);
const all = [...prose, ...sources];
if (all.length > 0) console.log(`wider than ${columns} columns:\n${all.join('\n')}`);
process.exitCode = all.length > 0 ? 1 : 0;
