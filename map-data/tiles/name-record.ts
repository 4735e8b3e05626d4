/** A name in `nameBytes`: its number, four bytes, its length, two bytes, both big-endian, then UTF-8. */
export const NAME_HEAD_BYTES = 6;

export function writeNameHead(bytes: Uint8Array, at: number, number: number, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(at, number);
  view.setUint16(at + 4, length);
}

/** Calls `visit` with each name that lies between two places. */
export function eachName(
  bytes: Uint8Array,
  first: number,
  end: number,
  visit: (number: number, at: number) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = first; at < end; at += NAME_HEAD_BYTES + view.getUint16(at + 4))
    visit(view.getUint32(at), at);
}
