/** What replaces a token: a letter, so that digits before and after it are not read as one number. */
const instead = 'x';

const year = '(?:19|20|21)\\d\\d';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const zone = '(?: ?(?:Z|[+-][01]\\d(?::?[0-5]\\d)?))?';
const time = `(?:[T ,]{1,2}(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?${zone}(?!\\d))?`;
/** On its own or followed by a time. In a longer row of groups with the same separator, it is not a date. */
const datePattern = (parts: readonly [string, string, string]): RegExp =>
  new RegExp(`(?<!\\d|\\d([-./]))${parts[0]}([-./])${parts[1]}\\2${parts[2]}(?!\\d|\\2\\d)${time}`, 'g');

const dates = [
  datePattern([year, month, day]),
  datePattern([day, month, year]),
  datePattern([month, day, year]),
];
/** 20261123023948 and with parts of a second. */
const compactTime = new RegExp(`(?<!\\d)${year}${month}${day}(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d\\d*`, 'g');

/** A UUID of RFC 9562, its version and variant in their places. */
const dashedUuid =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi;
const bareUuid = /(?<![0-9a-z])[0-9a-f]{12}[1-8][0-9a-f]{3}[89ab][0-9a-f]{15}(?![0-9a-z])/gi;
/** Hashes and ids in hexadecimal. */
const hexadecimal =
  /(?<![0-9a-z])(?:[0-9a-f]{24,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9a-z])/gi;
/** Shorter texts cannot hold one. */
const hexadecimalLengthMin = 24;
const account = /(?<![0-9A-Z])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![0-9A-Z])/g;
const accountStart = /[A-Z]{2}\d{2}/;

/**
 * The text without tokens that have many digits but are not card numbers: UUIDs, hashes, dates and times,
 * accounts (IBAN, ISO 13616).
 */
export function withoutHarmlessTokens(text: string): string {
  let rest = text;
  if (rest.length >= hexadecimalLengthMin)
    for (const uuid of [dashedUuid, bareUuid]) rest = rest.replace(uuid, instead);
  if (rest.length >= hexadecimalLengthMin) rest = rest.replace(hexadecimal, hidden);
  for (const date of dates) rest = rest.replace(date, instead);
  rest = rest.replace(compactTime, instead);
  if (!accountStart.test(rest)) return rest;
  return rest.replace(account, (found) => (isIban(found.replaceAll(' ', '')) ? instead : found));
}

/** With letters in two places; otherwise it may be a number between words. */
const hidden = (token: string): string => ((token.match(/[a-f]+/gi)?.length ?? 0) > 1 ? instead : token);

function isIban(compact: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const rearranged = compact.slice(4) + compact.slice(0, 4);
  let remainder = 0;
  for (const character of rearranged) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
