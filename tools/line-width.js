// No line is wider than 110 columns: prose in Markdown, code and comments in sources. Biome formats code, but
// leaves comments, strings and CSS as they are.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const columns = 110;
/** False only lists wide lines of sources; wide lines in Markdown always fail. */
const sourcesFail = false;

/** Records of the ledger, which are being merged into one. Delete this line with them. */
const pending = /^docs\/adr\/(0061|0070|007[2-7])-/;

const width = (line) => [...line].length;

/** A URL, a path or a long word that no line break can shorten. */
const unbreakable = (line) => line.split(/\s+/).some((word) => width(word) > columns - 30);

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
    const exempt = inTemplate || unbreakable(line) || endsInLiteral(line);
    // Lines inside templates (SQL, HTML) are data; the text of a migration must not change.
    const code = line.replace(/\\`|'[^']*'|"[^"]*"|(^|\s)(\/\/|\/?\*).*$/g, '');
    if (code.split('`').length % 2 === 0) inTemplate = !inTemplate;
    return width(line) > columns && !exempt ? [index + 1] : [];
  });
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const wide = (pattern, find) =>
  files
    .split('\n')
    .filter((file) => pattern.test(file) && !pending.test(file) && existsSync(file))
    .flatMap((file) => find(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`));
const prose = wide(/\.md$/, wideMarkdownLines);
const sources = wide(/\.(ts|tsx|js|mjs|cjs|css|sql)$/, wideSourceLines);
if (prose.length > 0) console.log(`wider than ${columns} columns:\n${prose.join('\n')}`);
if (sources.length > 0) {
  const list = sourcesFail || process.argv.includes('--list') ? `:\n${sources.join('\n')}` : '';
  console.log(`${sources.length} lines of sources are wider than ${columns} columns${list}`);
}
process.exitCode = prose.length > 0 || (sourcesFail && sources.length > 0) ? 1 : 0;
