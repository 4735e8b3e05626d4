import { readFileSync } from 'node:fs';

const sqlSwaps = [
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ >= /g, ' > '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/(?<=\b(?:WHERE|AND|IF|WHEN|THEN|ON)\b[^\n]*) = /g, ' <> '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/ OR /g, ' AND '],
  [/(?<!\bBETWEEN [^\n]*) AND /g, ' OR '],
  [/\bIF NOT /g, 'IF '],
  [/\bAND NOT /g, 'AND '],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/\bIF (?!NOT )(?=[^\n]* THEN)/g, 'IF NOT '],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\bgreatest\(/g, 'least('],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[ (])(?:0|1|10|11|50|100)(?=[ ,);])/g, (number) => String(Number(number) + 1)],
  [/\('\w+', '\w+'\)/g, "('completed', 'expired')"],
  [/(?<=IN \([^)]*)'\w+'(?=[,)])/g, "'rejected'"],
];

/**
 * Where the SQL of a migration may be replaced and by what, from the statement that makes `name` on; its
 * comments are not changed.
 */
export function sqlMutantsOf(file, name) {
  const text = readFileSync(file, 'utf8');
  const begin = text.indexOf(name, text.indexOf('sql: `'));
  const comments = [
    ...text.matchAll(/--.*$|\/\*\*[\s\S]*?\*\/|RAISE .*$|^CREATE (?:TYPE|INDEX|TABLE).*$/gm),
  ].map((match) => [match.index, match.index + match[0].length]);
  return sqlSwaps
    .flatMap(([from, to]) =>
      [...text.matchAll(from)].map(({ 0: was, index: start }) => ({
        file,
        start,
        line: text.slice(0, start).split('\n').length,
        end: start + was.length,
        was,
        to: typeof to === 'string' ? to : to(was),
      })),
    )
    .filter(({ start }) => start >= begin && !comments.some(([from, to]) => from <= start && start < to));
}
