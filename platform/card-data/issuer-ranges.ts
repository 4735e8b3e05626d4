/** First digits of the cards of a network, as text of equal length, and how many digits such a card has. */
interface IssuerRange {
  readonly from: string;
  readonly to: string;
  readonly lengthMin: number;
  readonly lengthMax: number;
}

const range = (from: string, to: string, lengthMin: number, lengthMax = lengthMin): IssuerRange => ({
  from,
  to,
  lengthMin,
  lengthMax,
});

export const cardLengthMin = 13;
export const cardLengthMax = 19;

/**
 * Issuer identification numbers (ISO/IEC 7812-1) by the digit that they begin with. Ten of a hundred random
 * numbers pass the Luhn check. First digits and length exclude nearly all numbers that are not card numbers:
 * times, phone numbers, order numbers.
 */
const rangesByDigit: Readonly<Record<string, readonly IssuerRange[]>> = {
  // UATP
  '1': [range('1', '1', 15)],
  // Mir, BORICA, Mastercard
  '2': [range('2200', '2205', 16, 19), range('2221', '2720', 16)],
  // Diners Club, American Express, JCB (former and current ranges)
  '3': [
    range('300', '305', 14, 19),
    range('309', '309', 14, 19),
    range('34', '34', 15),
    range('36', '36', 14, 19),
    range('37', '37', 15),
    range('38', '39', 14, 19),
    range('3088', '3158', 16),
    range('3337', '3349', 16),
    range('35', '35', 16, 19),
  ],
  // Visa
  '4': [range('4', '4', 13), range('4', '4', 16, 19)],
  // Maestro and Mastercard
  '5': [range('50', '50', 13, 19), range('51', '55', 16), range('56', '59', 13, 19)],
  // Discover, UnionPay, Maestro, RuPay, InterPayment, InstaPayment, Elo, Hipercard
  '6': [range('6', '6', 13, 19)],
  // UnionPay, RuPay, Uzcard
  '8': [range('81', '82', 16, 19), range('8600', '8600', 16)],
  // Belkart, Troy, Humo
  '9': [range('9112', '9112', 16), range('9792', '9792', 16), range('9860', '9860', 16)],
};

/** The networks of most cards, for texts with other digits around the number. */
const largeNetworks = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6011|65)\d*$/;
const americanExpress = /^3[47]/;

/**
 * Whether digits are the number of a card: an issuer's first digits, in one of its lengths, that pass the
 * Luhn check.
 */
export const isCardNumber = (digits: string): boolean => isOfIssuer(digits) && passesLuhn(digits);

/** Whether digits begin with the number of a card of a large network, whatever follows. */
export function beginsWithCardNumber(digits: string): boolean {
  const lengths = americanExpress.test(digits) ? 15 : largeNetworks.test(digits) ? 16 : undefined;
  return lengths !== undefined && digits.length >= lengths && passesLuhn(digits.slice(0, lengths));
}

export function isOfIssuer(digits: string): boolean {
  const ranges = rangesByDigit[digits.charAt(0)] ?? [];
  return ranges.some(({ from, to, lengthMin, lengthMax }) => {
    const first = digits.slice(0, from.length);
    return digits.length >= lengthMin && digits.length <= lengthMax && first >= from && first <= to;
  });
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
