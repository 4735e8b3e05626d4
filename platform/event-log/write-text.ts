/**
 * Writes a text as UTF-8 and returns the number of bytes. Keys are usually short and ASCII, which a loop
 * writes faster than native code. The buffer needs three bytes per character.
 */
export function writeText(text: string, into: Buffer, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return into.write(text, at);
    into[at + i] = code;
  }
  return text.length;
}
