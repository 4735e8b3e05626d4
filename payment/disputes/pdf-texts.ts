import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';
import { disputeLimits } from './limits.js';
import {
  type CharacterMap,
  characterMapOf,
  linesOf,
  type PdfLine,
  textsOfLine,
  utf16,
} from './pdf-content.js';
import { pdfTokens } from './pdf-strings.js';

const inflated = promisify(inflate);

/** Why a document cannot be searched; in words for the person who sent it. */
export class NotSearchable extends Error {}

/** Pixels, fonts and tables of positions have no text. */
const withoutText =
  /\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType)\b|\/Type\s*\/XRef\b|\/Length1\s|\/(?:DCT|JPX|CCITTFax|JBIG2)Decode\b/;
const filters = /\/Filter\s*(?:\[([^\]]*)\]|\/(\w+)|(\d+\s+\d+\s+R))/;

/**
 * The texts of a PDF: what its pages show line by line, in the codes of each of its fonts, and what metadata,
 * notes and forms say. Rejects with `NotSearchable` if it is encrypted, damaged or too large unpacked.
 */
export async function pdfTexts(bytes: Uint8Array): Promise<readonly string[]> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const texts: string[] = [];
  const lines: PdfLine[] = [];
  const maps: CharacterMap[] = [];
  const objects: string[] = [];
  let room: number = disputeLimits.documentTextBytesMax;
  let at = 0;
  for (let start = nextStream(source, at); start !== undefined; start = nextStream(source, at)) {
    const before = source.slice(at, start.keyword);
    objects.push(before);
    const found = source.indexOf('endstream', start.data);
    const end = found < 0 ? source.length : found;
    at = end + 'endstream'.length;
    const head = before.slice(before.lastIndexOf(' obj') + 1);
    if (head.includes('/Encrypt')) throw new NotSearchable('encrypted');
    if (withoutText.test(head)) continue;
    const stream = await unpacked(bytes.subarray(start.data, end), head, room);
    room -= stream.length;
    if (room < 0) throw new NotSearchable('too large');
    const map = characterMapOf(stream);
    if (map !== undefined) maps.push(map);
    else if (/\/Type\s*\/ObjStm\b/.test(head)) objects.push(stream);
    else if (/^\s*(?:\xef\xbb\xbf)?</.test(stream)) texts.push(...textsOfXml(stream));
    else if (/\/Type\s*\/EmbeddedFile\b/.test(head)) texts.push(...printable(stream));
    else lines.push(...linesOf(stream));
  }
  objects.push(source.slice(at));
  for (const object of objects) {
    if (/\/Encrypt\s/.test(object)) throw new NotSearchable('encrypted');
    for (const token of pdfTokens(object))
      if (token.kind === 'string')
        texts.push(token.bytes.startsWith('\xfe\xff') ? utf16(token.bytes.slice(2)) : token.bytes);
  }
  if (lines.length * maps.length > disputeLimits.documentLinesMax) throw new NotSearchable('too large');
  for (const line of lines) for (const map of [undefined, ...maps]) texts.push(...textsOfLine(line, map));
  return texts;
}

function nextStream(
  source: string,
  from: number,
): { readonly keyword: number; readonly data: number } | undefined {
  const keyword = />>\s*stream(\r\n|\n|\r)/g;
  keyword.lastIndex = from;
  const found = keyword.exec(source);
  return found === null ? undefined : { keyword: found.index + 2, data: found.index + found[0].length };
}

/** One byte a character. */
async function unpacked(bytes: Uint8Array, head: string, room: number): Promise<string> {
  const [all, list, one] = filters.exec(head) ?? [];
  const names = all === undefined ? [] : [...(list ?? `/${one ?? 'indirect'}`).matchAll(/\/(\w+)/g)];
  let stream: Uint8Array = bytes;
  for (const [, name] of names) {
    if (name === 'ASCIIHexDecode') {
      const digits = Buffer.from(stream)
        .toString('latin1')
        .replaceAll(/[^0-9A-Fa-f]/g, '');
      stream = Buffer.from(digits, 'hex');
    } else if (name === 'ASCII85Decode') stream = fromBase85(Buffer.from(stream).toString('latin1'));
    else if (name === 'FlateDecode') stream = await inflateSome(stream, room);
    else throw new NotSearchable('packed');
  }
  return Buffer.from(stream).toString('latin1');
}

/** As much as there is: a stream without its last bytes is shown by readers all the same. */
async function inflateSome(bytes: Uint8Array, room: number): Promise<Uint8Array> {
  if (bytes.length === 0 || room <= 0) return Buffer.alloc(0);
  try {
    return await inflated(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: room });
  } catch (error) {
    const { code } = error as { readonly code?: string };
    throw new NotSearchable(code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'packed');
  }
}

/** Five characters are four bytes (ISO 32000-1, 7.4.3). */
function fromBase85(text: string): Uint8Array {
  const digits = text.split('~>')[0]!.replaceAll(/\s/g, '').replaceAll('z', '!!!!!');
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += 5) {
    const group = digits.slice(at, at + 5);
    let value = 0;
    for (const character of group.padEnd(5, 'u')) value = value * 85 + character.charCodeAt(0) - 33;
    const four = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 255);
    bytes.push(...four.slice(0, group.length - 1));
  }
  return Uint8Array.from(bytes);
}

/** Values of elements and of attributes. */
export const textsOfXml = (xml: string): readonly string[] =>
  [
    ...Buffer.from(xml, 'latin1')
      .toString()
      .matchAll(/>([^<]+)<|"([^"]*)"|'([^']*)'/g),
  ].map(([, content, double, single]) =>
    (content ?? double ?? single ?? '').replaceAll(/&#(x[0-9a-f]{1,5}|\d{1,6});/gi, (_, code: string) =>
      String.fromCodePoint(Math.min(0x10ffff, Number(code.replace(/^x/i, '0x')))),
    ),
  );

/** Rows of characters that people can read. */
export const printable = (bytes: string): readonly string[] =>
  bytes.match(/[\t\x20-\x7e\xa0-\xff]{13,}/g) ?? [];
