const beyondAscii = /[^\0-\x7f]/;
const beyondAsciiAll = /[^\0-\x7f]/gu;
const decimalDigit = /^\p{Nd}$/u;
const letter = /^\p{L}$/u;
const asciiLetter = /^[a-z]$/i;
/** Maps a digit in a circle, a raised one, or one with a full stop to ASCII. */
const digitsAndMarks = /^[!-@[-`{-~]*\d[!-@[-`{-~]*$/;

/**
 * Replaces digits of any script and form by 0 to 9, and full-width letters by plain ones. Everything else
 * stays.
 */
export const plainText = (text: string): string =>
  beyondAscii.test(text) ? text.replace(beyondAsciiAll, plainOf) : text;

const known = new Map<string, string>();
/** More than there are digits; for other characters it saves little. */
const knownMax = 4_096;

function plainOf(character: string): string {
  const found = known.get(character);
  if (found !== undefined) return found;
  const plain = decimalDigit.test(character) ? digitOf(character) : compatibleOf(character);
  if (known.size < knownMax) known.set(character, plain);
  return plain;
}

/**
 * Unicode has the digits 0 to 9 of a script together and in order, so the preceding code points tell which
 * digit it is.
 */
function digitOf(character: string): string {
  const code = character.codePointAt(0)!;
  let before = 0;
  while (decimalDigit.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

function compatibleOf(character: string): string {
  const plain = character.normalize('NFKC');
  const isPlainer = digitsAndMarks.test(plain) || (asciiLetter.test(plain) && letter.test(character));
  return isPlainer ? plain : character;
}
