import { holdsCardNumber } from './card-number.js';
import { isOfIssuer } from './issuer-ranges.js';
import { plainText } from './plain-text.js';

const depthMax = 32;
/** Names of fields for the three or four digits on the back of a card, without marks and in lower case. */
const codeName = /^(?:card)?(?:cvv2?|cvc2?|cvn2?|cav2|csc|securitycode|verificationvalue)$/;
/** The code with its name before it, in a text. */
const namedCode =
  /(?<![\p{L}\p{N}_-])(?:cvv2?|cvc2?|cvn2?|card security code)(?:[^\p{L}\p{N}]|\bis\b){0,8}\d{3,4}(?!\d)/iu;
const maybeNamedCode = /c[vs]|card sec/i;

/**
 * Where a value holds the number of a card or the code on its back: a JSON pointer, or nothing. Names of
 * fields are checked like their values.
 */
export function findCardData(value: unknown, pointer = '', depth = 0): string | undefined {
  if (typeof value === 'string') return textHoldsCardData(value) ? pointer : undefined;
  if (typeof value === 'number') return isNumberOfCard(value) ? pointer : undefined;
  if (typeof value !== 'object' || value === null || depth > depthMax) return undefined;
  for (const [name, one] of Object.entries(value)) {
    // The name may be the number: it is not repeated in the pointer.
    if (textHoldsCardData(name)) return pointer;
    const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = isSecurityCode(name, one) ? below : findCardData(one, below, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function textHoldsCardData(text: string): boolean {
  if (holdsCardNumber(text)) return true;
  if (text.length < 6) return false;
  const plain = plainText(text);
  return maybeNamedCode.test(plain) && namedCode.test(plain);
}

/**
 * Numbers with a fraction, as in coordinates, are not card numbers. Beyond 2^53 the last digits are lost, so
 * the first ones decide.
 */
function isNumberOfCard(value: number): boolean {
  const digits = String(Math.trunc(Math.abs(value)));
  return Number.isSafeInteger(Math.trunc(value)) ? holdsCardNumber(digits) : isOfIssuer(digits);
}

function isSecurityCode(name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (!codeName.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))) return false;
  return /^\D*(?:\d\D*){3,4}$/.test(plainText(String(value)));
}
