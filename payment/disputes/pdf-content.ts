import { bytesOfHex, pdfTokens } from './pdf-strings.js';

/** Unicode by the codes of a font, which have this many bytes. */
export interface CharacterMap {
  readonly bytes: number;
  readonly texts: ReadonlyMap<string, string>;
}

/** Text on one line of a page: bytes in the codes of fonts, and what is between them. */
export type PdfLine = readonly (string | Gap)[];

/** A blank between words, or a move: to the next glyph, word or cell of a table. */
type Gap = typeof blank | typeof move;
const blank = Symbol('blank');
const move = Symbol('move');

/** Distances within a string in thousandths of the size of the font. */
const blankFrom = 180;
const moveFrom = 1_000;
const codesMax = 65_536;

/** What a content stream shows, by lines: operators of ISO 32000-1, 9.4. */
export function linesOf(content: string): readonly PdfLine[] {
  const lines: Array<Array<string | Gap>> = [[]];
  let operands: Array<string | number> = [];
  let y = 0;
  let shownY = 0;
  let hasMoved = false;
  const show = (pieces: readonly (string | number)[]): void => {
    if (y !== shownY) lines.push([]);
    else if (hasMoved) lines.at(-1)!.push(move);
    shownY = y;
    hasMoved = false;
    for (const piece of pieces)
      if (typeof piece === 'string') lines.at(-1)!.push(piece);
      else if (piece <= -blankFrom) lines.at(-1)!.push(piece <= -moveFrom ? move : blank);
  };
  const numberAt = (place: number): number => {
    const operand = operands.at(place);
    return typeof operand === 'number' ? operand : 0;
  };
  for (const token of pdfTokens(content)) {
    if (token.kind !== 'word') {
      operands.push(token.kind === 'string' ? token.bytes : token.value);
      continue;
    }
    switch (token.word) {
      case '[':
        operands = [];
        continue;
      case ']':
        continue;
      case 'BT':
        y = 0;
        hasMoved = true;
        break;
      case 'Td':
      case 'TD':
        y += numberAt(-1);
        hasMoved = true;
        break;
      case 'Tm':
        y = numberAt(-1);
        hasMoved = true;
        break;
      case 'T*':
      case "'":
      case '"':
        // By the leading, whatever it is.
        y -= 1e-3;
        if (token.word !== 'T*') show(operands.slice(-1));
        break;
      case 'Tj':
        show(operands.slice(-1));
        break;
      case 'TJ':
        show(operands);
        break;
    }
    operands = [];
  }
  return lines;
}

/**
 * The texts of a line if its font has this map; without one, each byte is a character. What is between moves
 * is a text. All together are another one, in which only the usual groups of a card number count: prices side
 * by side are none. A zero before a group says so.
 */
export function textsOfLine(line: PdfLine, map?: CharacterMap): readonly string[] {
  const cells = [''];
  for (const piece of line)
    if (piece === move) cells.push('');
    else cells[cells.length - 1] += piece === blank ? ' ' : map === undefined ? piece : decoded(piece, map);
  if (cells.length === 1) return cells;
  return [...cells, `0 ${cells.map((cell) => cell.replaceAll(/[^\d ]+/g, ' 0 ')).join(' ')}`];
}

/** Codes that the map does not know are no digits: a letter stands for them. */
function decoded(piece: string, { bytes, texts }: CharacterMap): string {
  let text = '';
  for (let at = 0; at < piece.length; at += bytes) text += texts.get(piece.slice(at, at + bytes)) ?? 'x';
  return text;
}

const section = /begin(bfchar|bfrange)([\s\S]*?)end\1/g;
const entry = /<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]+)>\s*)?(?:<([0-9A-Fa-f\s]+)>|\[([^\]]*)\])/g;
const pair = /<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>/g;

/** What a `ToUnicode` stream says (ISO 32000-1, 9.10.3); undefined for another one. */
export function characterMapOf(stream: string): CharacterMap | undefined {
  const texts = new Map<string, string>();
  let bytes = 0;
  const add = (code: string, text: string): void => {
    bytes ||= code.length;
    if (texts.size < codesMax) texts.set(code, text);
  };
  for (const [, kind, entries = ''] of stream.matchAll(section)) {
    if (kind === 'bfchar')
      for (const [, code = '', text = ''] of entries.matchAll(pair))
        add(bytesOfHex(code), utf16(bytesOfHex(text)));
    else
      for (const [, from = '', to = '', first, list] of entries.matchAll(entry)) {
        const [low, high] = [from, to].map((hex) => Number.parseInt(hex.replaceAll(/\s/g, ''), 16)) as [
          number,
          number,
        ];
        const width = bytesOfHex(from).length;
        const texts = list === undefined ? undefined : [...list.matchAll(/<([0-9A-Fa-f\s]+)>/g)];
        for (let code = low; code <= high && code - low < codesMax; code += 1) {
          const hex = texts === undefined ? first : texts[code - low]?.[1];
          if (hex === undefined) break;
          const text = utf16(bytesOfHex(hex));
          const shift = texts === undefined ? code - low : 0;
          const last = (text.codePointAt(0) ?? 0) + shift;
          add(codeOf(code, width), shift === 0 || last > 0x10ffff ? text : String.fromCodePoint(last));
        }
      }
  }
  return texts.size === 0 ? undefined : { bytes, texts };
}

const codeOf = (code: number, width: number): string =>
  bytesOfHex(code.toString(16).padStart(2 * width, '0'));

export const utf16 = (bytes: string): string =>
  Buffer.from(bytes.slice(0, bytes.length & ~1), 'latin1')
    .swap16()
    .toString('utf16le');
