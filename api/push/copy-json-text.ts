import { isUtf8 } from 'node:buffer';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Copies the UTF-8 bytes from `from` to before `to` as a JSON string to `begin` of `into`; returns its end.
 * `into` has room for six bytes per byte. Bytes that are not UTF-8 become replacement characters: a client
 * would close a socket that carries others.
 */
export function copyJsonText(
  into: DataView,
  begin: number,
  body: DataView,
  from: number,
  to: number,
): number {
  into.setUint8(begin, quote);
  let at = begin + 1;
  let isAscii = true;
  for (let i = from; i < to; ) {
    const four = i + 4 <= to ? body.getInt32(i, true) : 0;
    if (isPlain(four)) {
      into.setInt32(at, four, true);
      i += 4;
      at += 4;
      continue;
    }
    const byte = body.getUint8(i++);
    if (byte < 0x20) return writeAnew(into, begin, body, from, to);
    if (byte >= 0x80) isAscii = false;
    if (byte === backslash || byte === quote) into.setUint8(at++, backslash);
    into.setUint8(at++, byte);
  }
  if (!isAscii && !isUtf8(bytesOf(body, from, to))) return writeAnew(into, begin, body, from, to);
  into.setUint8(at, quote);
  return at + 1;
}

/**
 * Whether four bytes need no escape in JSON: none is below 0x20, 0x80 or more, a quote or a backslash. After
 * a subtraction the highest bit of each byte shows whether it is smaller than the limit (H. S. Warren,
 * "Hacker's Delight", 6-1).
 */
function isPlain(four: number): boolean {
  const quotes = four ^ 0x22222222;
  const backslashes = four ^ 0x5c5c5c5c;
  const found =
    four |
    ((four - 0x20202020) & ~four) |
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) === 0;
}

function writeAnew(into: DataView, begin: number, body: DataView, from: number, to: number): number {
  const text = bytesOf(body, from, to).toString();
  return begin + bytesOf(into, 0, into.byteLength).write(JSON.stringify(text), begin);
}

const bytesOf = ({ buffer, byteOffset }: DataView, from: number, to: number): Buffer =>
  Buffer.from(buffer, byteOffset + from, to - from);
