import type { Scratch } from '#map-data/arrays/scratch.js';
import type { IndexColumns } from '../../index/index-file.js';
import type { TextPool } from './text-pool.js';

/** The numbered texts, concatenated as UTF-8. */
export function textColumns(pool: TextPool, scratch: Scratch): Pick<IndexColumns, 'textFirst' | 'textBytes'> {
  const encoder = new TextEncoder();
  const ids = pool.end();
  const textFirst = scratch.uint32('textFirst', ids.length + 1).fill(0, 0, 1);
  let units = 0;
  for (let number = 0; number < ids.length; number++) units += pool.text(ids[number]!).length;
  // A UTF-16 unit takes at most three bytes.
  const textBytes = scratch.uint8('textBytes', 3 * units);
  let at = 0;
  for (let number = 0; number < ids.length; number++) {
    const text = pool.text(ids[number]!);
    const end = asciiInto(textBytes, at, text);
    at = end >= 0 ? end : at + encoder.encodeInto(text, textBytes.subarray(at)).written;
    textFirst[number + 1] = at;
  }
  return { textFirst, textBytes: textBytes.subarray(0, at) };
}

/** The end of what was written, or -1 when the text is not ASCII. */
function asciiInto(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return -1;
    bytes[from + i] = unit;
  }
  return from + text.length;
}
