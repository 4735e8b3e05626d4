/** A token of PDF syntax (ISO 32000-1, 7.2). Names, comments and brackets of dictionaries are left out. */
export type PdfToken =
  /** Bytes, one character each. */
  | { readonly kind: 'string'; readonly bytes: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'word'; readonly word: string };

const word = /[^\s()<>[\]{}/%]+/y;
const hexadecimal = /<([0-9A-Fa-f\s]*)>/y;
const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The tokens of an object or of a content stream; what is not in order is left out. */
export function* pdfTokens(source: string): Generator<PdfToken> {
  for (let at = 0; at < source.length; ) {
    const first = source[at]!;
    if (first === '(') {
      const { bytes, end } = literal(source, at + 1);
      yield { kind: 'string', bytes };
      at = end;
    } else if (first === '<' && source[at + 1] !== '<') {
      hexadecimal.lastIndex = at;
      const [all, digits] = hexadecimal.exec(source) ?? ['<', undefined];
      if (digits !== undefined) yield { kind: 'string', bytes: bytesOfHex(digits) };
      at += all.length;
    } else if (first === '%') {
      while (at < source.length && source[at] !== '\n' && source[at] !== '\r') at += 1;
    } else {
      const isName = first === '/';
      word.lastIndex = isName ? at + 1 : at;
      const [text = ''] = word.exec(source) ?? [];
      if (!isName && text !== '') {
        const value = Number(text);
        yield Number.isNaN(value) ? { kind: 'word', word: text } : { kind: 'number', value };
        // The pixels of a picture between other operators.
        if (text === 'ID') at = Math.max(at, source.indexOf('EI', at + 2));
      }
      if (!isName && (first === '[' || first === ']')) yield { kind: 'word', word: first };
      at += text.length + (isName || text === '' ? 1 : 0);
    }
  }
}

/** Of two digits a byte; a missing one is 0. */
export function bytesOfHex(digits: string): string {
  const compact = digits.replaceAll(/\s/g, '');
  return Buffer.from(compact.length % 2 === 0 ? compact : `${compact}0`, 'hex').toString('latin1');
}

/** Up to the bracket that closes it. */
function literal(source: string, start: number): { readonly bytes: string; readonly end: number } {
  let bytes = '';
  let depth = 1;
  let at = start;
  for (; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
      const next = source[at + 1] ?? '';
      if (octal !== undefined) bytes += String.fromCharCode(Number.parseInt(octal, 8) & 255);
      else if (next !== '\n' && next !== '\r') bytes += named[next] ?? next;
      at += octal?.length ?? 1;
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')' && --depth === 0) return { bytes, end: at + 1 };
    bytes += character;
  }
  return { bytes, end: at };
}
