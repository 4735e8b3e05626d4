/**
 * Writes a text as UTF-8 and answers how many bytes it took. Keys are short and ASCII as a rule, which a loop
 * writes sooner than a call into native code begins. The buffer must have room for three bytes a character.
 */
export function writeText(text: string, into: Buffer, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return into.write(text, at);
    into[at + i] = code;
  }
  return text.length;
}
