import type { FieldError } from '#platform/http/problem.js';

/** Who stays: the first guest, and how many people they are. */
export interface Guest {
  readonly name: string;
  readonly email?: string;
  readonly phone?: string;
  /** People in all rooms together, the first guest among them. */
  readonly guests: number;
}

export const guestLimits = { nameMax: 200, emailMax: 254, phoneMax: 40, guestsMax: 500 } as const;

/** Everything that people write in names, but no control character and no half of a surrogate pair. */
const notText = /[\p{Cc}\p{Cs}]/u;
const email = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,189}$/u;
const phone = /^\+?[0-9][0-9 ()./-]{2,38}$/;

const fields = ['name', 'email', 'phone', 'guests'];

/**
 * What is wrong with a guest as a client sent it; with no fault it is a `Guest`. The value itself is never
 * repeated, because answers are logged by some clients.
 */
export function guestFaults(value: unknown, pointer = ''): readonly FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ pointer, message: 'must be an object with name and guests' }];
  const given = value as Readonly<Record<string, unknown>>;
  const faults: FieldError[] = [];
  const wrong = (field: string, message: string) => faults.push({ pointer: `${pointer}/${field}`, message });
  if (!isName(given['name']))
    wrong('name', `must be text of 1 to ${guestLimits.nameMax} characters without control characters`);
  if (given['email'] !== undefined && !isMatch(given['email'], email, guestLimits.emailMax))
    wrong('email', 'must be an e-mail address');
  if (given['phone'] !== undefined && !isMatch(given['phone'], phone, guestLimits.phoneMax))
    wrong('phone', 'must be a phone number such as +46 31 123 45 67');
  const { guests } = given;
  if (!Number.isInteger(guests) || (guests as number) < 1 || (guests as number) > guestLimits.guestsMax)
    wrong('guests', `must be a whole number from 1 to ${guestLimits.guestsMax}`);
  if (Object.keys(given).some((field) => !fields.includes(field)))
    faults.push({ pointer, message: `must have no other fields than ${fields.join(', ')}` });
  return faults;
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= 2 * guestLimits.nameMax &&
  Array.from(value).length <= guestLimits.nameMax &&
  !notText.test(value);

const isMatch = (value: unknown, pattern: RegExp, max: number): boolean =>
  typeof value === 'string' && value.length <= max && pattern.test(value);

/** People that the rooms sleep. */
export const sleepsAtMost = (capacity: number, roomCount: number): number => capacity * roomCount;

export const isSameGuest = (left: Guest, right: Guest): boolean =>
  left.name === right.name &&
  left.email === right.email &&
  left.phone === right.phone &&
  left.guests === right.guests;
