import { withoutHarmlessTokens } from './harmless-tokens.js';
import {
  beginsWithCardNumber,
  cardLengthMax,
  cardLengthMin,
  isCardNumber,
  isOfIssuer,
} from './issuer-ranges.js';
import { plainText } from './plain-text.js';

/**
 * Characters that people put between digits: punctuation, symbols, blanks and invisible characters. One
 * class, so matching is linear.
 */
const between = '[\\p{P}\\p{S}\\p{Z}\\p{C}\\p{M}\\p{Lm}\\p{Default_Ignorable_Code_Point}]+';
const runOfDigits = new RegExp(`\\d+(?:${between}\\d+)*`, 'gu');
const groupOfDigits = /\d+/g;
/** An international phone number has no more digits (ITU-T E.164). */
const phoneDigitsMax = 15;
/** Positions that are checked in a long group of digits. */
const placesMax = 512;

/**
 * Whether a card number is in a text, however it is written: in the digits of any script, with anything but
 * letters between them, and with an expiry date or a code behind it. See `issuer-ranges.ts` for what counts
 * as one.
 */
export function holdsCardNumber(text: string): boolean {
  if (text.length < cardLengthMin) return false;
  const plain = plainText(text);
  if (!hasDigitsEnough(plain)) return false;
  const rest = withoutHarmlessTokens(plain);
  if (!hasDigitsEnough(rest)) return false;
  for (const { 0: run, index } of rest.matchAll(runOfDigits))
    if (run.length >= cardLengthMin && runHoldsCard(run, afterPlus(rest, index))) return true;
  return false;
}

/** As an international phone number is written: +44, (+44), +(44). */
const afterPlus = (text: string, at: number): boolean =>
  /[+\uff0b]\(?$/.test(text.slice(Math.max(0, at - 2), at));

function hasDigitsEnough(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57 && ++count === cardLengthMin) return true;
  }
  return false;
}

interface Group {
  readonly digits: string;
  /** The text between it and the previous group. */
  readonly gap: string;
}

function runHoldsCard(run: string, isPhone: boolean): boolean {
  const groups: Group[] = [];
  let end = 0;
  for (const { 0: digits, index } of run.matchAll(groupOfDigits)) {
    groups.push({ digits, gap: run.slice(end, index) });
    end = index + digits.length;
  }
  const start = isPhone ? endOfPhones(groups) : 0;
  return groups.some(
    (_, at) => at >= start && (hidesInGroup(groups[at]!.digits) || startsAt(groups, at, start)),
  );
}

/** How many groups belong to phone numbers, each with a plus sign before it. */
function endOfPhones(groups: readonly Group[]): number {
  let start = 0;
  while (start < groups.length) {
    let end = start + 1;
    while (end < groups.length && !groups[end]!.gap.includes('+')) end += 1;
    // +49 (0)171 …: the zero is dialled only within the country.
    const dialled = groups.slice(start, end).filter(({ digits }, at) => at !== 1 || digits !== '0');
    if (dialled.reduce((sum, { digits }) => sum + digits.length, 0) > phoneDigitsMax) break;
    start = end;
  }
  return start;
}

/**
 * Whether complete groups from one on are a card number. After other numbers, only the usual groups of a card
 * number count.
 */
function startsAt(groups: readonly Group[], at: number, first: number): boolean {
  let digits = '';
  for (let end = at; end < groups.length && digits.length < cardLengthMax; end += 1) {
    digits += groups[end]!.digits;
    if (digits.length < cardLengthMin || !isOfIssuer(digits) || !isCardNumber(digits)) continue;
    if (at === first || areOfCard(groups.slice(at, end + 1))) return true;
  }
  return false;
}

/** Groups of one size except the last, small ones with equal gaps; or 4-6-5 and 4-6-4. */
function areOfCard(groups: readonly Group[]): boolean {
  const sizes = groups.map(({ digits }) => digits.length);
  const size = sizes[0]!;
  if (/^4,6,[45]$/.test(sizes.join())) return true;
  if (sizes.some((one, at) => (at === sizes.length - 1 ? one > size : one !== size))) return false;
  return size >= 4 || groups.every(({ gap }, at) => at < 2 || gap === groups[1]!.gap);
}

/** A number with expiry date and code right behind it, or with zeros around it. */
function hidesInGroup(digits: string): boolean {
  if (digits.length <= cardLengthMax) return digits.length > 16 && beginsWithCardNumber(digits);
  for (let at = 0; at + 15 <= digits.length && at < placesMax; at += 1)
    if (beginsWithCardNumber(digits.slice(at, at + 16))) return true;
  return false;
}
