import type { Reservation } from './reservation.js';

/** 29 characters, a prime. Without I, L, O, U, 0, 1 and Z, which are read as others. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXY';
const base = 29n;
const dataLength = 8;
const space = base ** BigInt(dataLength);
/** Neighbours get numbers that do not look alike. Not divisible by 29, so it has an inverse. */
const factor = 347_238_572_611n;
const shift = 198_654_321_077n;
const inverse = inverseOf(factor);

/**
 * The number of a booking for people, `K4W-7FM-2XR`. It is unique like the sequence that it is made of, up to
 * 29⁸ of them. Of nine characters the last one is a check, which no single wrong character and no two
 * exchanged ones pass: their weights differ, and 29 is a prime.
 */
export function bookingNumberOf(sequence: bigint): string {
  if (sequence < 0n || sequence >= space) throw new Error(`The sequence ${sequence} has no booking number.`);
  let rest = (sequence * factor + shift) % space;
  const digits: number[] = [];
  for (let at = 0; at < dataLength; at += 1) {
    digits.push(Number(rest % base));
    rest /= base;
  }
  const text = [...digits, checkOf(digits)].map((digit) => alphabet[digit]).join('');
  return `${text.slice(0, 3)}-${text.slice(3, 6)}-${text.slice(6)}`;
}

/** From the payment on, for good. */
export const bookingNumberIn = ({ paymentId, sequence }: Reservation): string | undefined =>
  paymentId === null ? undefined : bookingNumberOf(sequence);

/** Of a number as a person types it: any case, with or without hyphens. Undefined if it is none. */
export function sequenceOfBookingNumber(text: string): bigint | undefined {
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, '');
  const digits = typed.split('').map((character) => alphabet.indexOf(character));
  if (digits.length !== dataLength + 1 || digits.includes(-1)) return undefined;
  const data = digits.slice(0, dataLength);
  if (checkOf(data) !== digits[dataLength]) return undefined;
  const mixed = data.reduceRight((sum, digit) => sum * base + BigInt(digit), 0n);
  return ((((mixed - shift) % space) + space) * inverse) % space;
}

/** Weights 2 to 9 for the data, 1 for the check itself: the sum of all is divisible by 29. */
function checkOf(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, at) => total + (at + 2) * digit, 0);
  return (29 - (sum % 29)) % 29;
}

/** By Euclid, modulo `space`. */
function inverseOf(value: bigint): bigint {
  let [r, next] = [space, value];
  let [t, nextT] = [0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return ((t % space) + space) % space;
}
