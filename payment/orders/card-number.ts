/** Digits as people write card numbers, with single blanks or dashes between them. */
const runOfDigits = /\d(?:[ -]?\d){12,}/g;
/** Half of them are digits, and one in some hundred would pass for a card. */
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const depthMax = 16;
const lengthMin = 13;
const lengthMax = 19;
/** Windows that are looked at in a long run of digits. */
const windowsMax = 512;

/**
 * Where a card number hides in a value: a JSON pointer, or nothing. Any run of 13 to 19 digits that passes the Luhn check (ISO/IEC 7812)
 * counts, in strings, numbers and names of fields; only UUIDs and account numbers that pass their own check (IBAN, ISO 13616) are let through.
 */
export function findCardNumber(value: unknown, pointer = '', depth = 0): string | undefined {
  if (typeof value === 'string') return holdsCardNumber(value) ? pointer : undefined;
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? pointer : undefined;
  if (typeof value !== 'object' || value === null || depth > depthMax) return undefined;
  for (const [name, one] of Object.entries(value)) {
    // The name may be the number: it is not repeated in the pointer.
    if (holdsCardNumber(name)) return pointer;
    const found = findCardNumber(
      one,
      `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      depth + 1,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

export function holdsCardNumber(text: string): boolean {
  if (text.length < lengthMin || isIban(text)) return false;
  return (text.replaceAll(uuid, '').match(runOfDigits) ?? []).some((run) => {
    const digits = run.replaceAll(/[ -]/g, '');
    return digits.length <= lengthMax ? passesLuhn(digits) : hidesInLongRun(digits);
  });
}

/** In a longer run any window would pass by chance, so only what begins like a card of a large network counts. */
function hidesInLongRun(digits: string): boolean {
  for (let at = 0; at + 15 <= digits.length && at < windowsMax; at += 1) {
    const rest = digits.slice(at, at + 16);
    if (/^(?:4|5[1-5]|6011)/.test(rest) && rest.length === 16 && passesLuhn(rest)) return true;
    if (/^3[47]/.test(rest) && passesLuhn(rest.slice(0, 15))) return true;
  }
  return false;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const rearranged = compact.slice(4) + compact.slice(0, 4);
  let remainder = 0;
  for (const character of rearranged) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
