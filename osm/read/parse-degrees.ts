const decimal = /^([+-]?)(\d{0,20})(?:\.(\d{0,20}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Parses degrees to 1e-7 degrees, digit by digit, because 1e7 times the parsed number may round differently.
 * Digits below 1e-7 are rounded half away from zero, as in osmium. NaN for other text.
 */
export function parseDegreesE7(text: string): number {
  const found = decimal.exec(text);
  const [, sign, whole = '', fraction = '', exponent = '0'] = found ?? [];
  const digits = whole + fraction;
  if (found === null || digits === '') return Number.NaN;
  const places = digits.length + 7 - fraction.length + Number(exponent);
  const kept = places <= 0 ? 0 : Number(digits.slice(0, places).padEnd(places, '0'));
  const magnitude = kept + (places >= 0 && digits.charCodeAt(places) >= five ? 1 : 0);
  return sign === '-' ? 0 - magnitude : magnitude;
}

const five = '5'.charCodeAt(0);
