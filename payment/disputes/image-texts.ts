import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { disputeLimits } from './limits.js';
import { NotSearchable, printable, textsOfXml } from './pdf-texts.js';

const inflated = promisify(inflate);

/** What the metadata of a picture says; its pixels are not read. */
export async function pngTexts(bytes: Uint8Array): Promise<readonly string[]> {
  const texts: string[] = [];
  let room: number = disputeLimits.documentTextBytesMax;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at + 12 <= view.length; ) {
    const length = view.readUInt32BE(at);
    const type = view.toString('latin1', at + 4, at + 8);
    const data = view.subarray(at + 8, at + 8 + length);
    at += 12 + length;
    if (/^(?:tEXt|iTXt|zTXt|eXIf)$/.test(type)) texts.push(...readable(data.toString('latin1')));
    // A keyword, zero, and for iTXt a flag, a method, a language and a translated keyword.
    const packedAt = type === 'zTXt' ? data.indexOf(0) + 2 : type === 'iTXt' ? afterNames(data) : 0;
    if (packedAt <= 0) continue;
    const text = await inflated(data.subarray(packedAt), { maxOutputLength: Math.max(1, room) }).catch(() => {
      throw new NotSearchable('packed');
    });
    room -= text.length;
    texts.push(...readable(text.toString('latin1')));
  }
  return texts;
}

/** Where the packed text of an iTXt begins; 0 if it is not packed. */
function afterNames(data: Buffer): number {
  const keyword = data.indexOf(0);
  if (data[keyword + 1] !== 1) return 0;
  const language = data.indexOf(0, keyword + 3);
  return data.indexOf(0, language + 1) + 1;
}

/** Comments and the segments of applications: Exif, XMP. */
export function jpegTexts(bytes: Uint8Array): readonly string[] {
  const texts: string[] = [];
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 4 <= view.length && view[at] === 0xff; ) {
    const marker = view[at + 1]!;
    // The pixels begin.
    if (marker === 0xda || marker === 0xd9) break;
    const length = view.readUInt16BE(at + 2);
    const isText = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
    if (isText) texts.push(...readable(view.toString('latin1', at + 4, at + 2 + length)));
    at += 2 + Math.max(2, length);
  }
  return texts;
}

/** Without zeros, so that texts of two bytes a character are read, too. */
function readable(bytes: string): readonly string[] {
  const text = bytes.replaceAll('\0', '');
  return text.includes('</') ? [...printable(text), ...textsOfXml(text)] : printable(text);
}
