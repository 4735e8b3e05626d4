/** First digits of cards and a matching length. */
const issuers: ReadonlyArray<readonly [string, readonly number[]]> = [
  ['4', [13, 16, 19]],
  ['51', [16]],
  ['55', [16]],
  ['2221', [16]],
  ['2720', [16]],
  ['34', [15]],
  ['37', [15]],
  ['36', [14]],
  ['305', [14]],
  ['38', [14]],
  ['3528', [16]],
  ['3589', [16]],
  ['6011', [16]],
  ['65', [16]],
  ['644', [16]],
  ['62', [16, 17, 18, 19]],
  ['5018', [13, 16, 19]],
  ['6759', [16, 19]],
  ['2201', [16]],
  ['6521', [16]],
  ['81', [16]],
];

/** A number of at most ten digits, below the bound. */
export type Below = (bound: number) => number;

export function cardNumber(below: Below): string {
  const [first, lengths] = issuers[below(issuers.length)]!;
  const length = lengths[below(lengths.length)]!;
  let digits = first;
  while (digits.length < length - 1) digits += below(10);
  return digits + checkDigit(digits);
}

/** ISO/IEC 7812-1, annex B. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (const [at, digit] of digits.split('').toReversed().entries())
    sum += at % 2 === 1 ? Number(digit) : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]!;
  return (10 - (sum % 10)) % 10;
}

const codePoints = Array.from({ length: 0x1_ff_ff }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
/** Every decimal digit of Unicode, by its value. */
export const digitsOfScripts: readonly string[][] = (() => {
  const all = codePoints.filter((character) => /\p{Nd}/u.test(character));
  return Array.from({ length: all.length / 10 }, (_, script) => all.slice(10 * script, 10 * script + 10));
})();

/** Punctuation, symbols, spaces, accents, and invisible characters. */
export const separators: readonly string[] = codePoints.filter((character) =>
  /[\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}\p{M}]/u.test(character),
);

/** The same sequence from the same seed (mulberry32). */
export function seeded(seed: number): Below {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}
