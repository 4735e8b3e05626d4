import { messages } from './messages.js';

/** What the guest has typed. */
export interface GuestEntry {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly guests: string;
}

export type GuestField = keyof GuestEntry;

export const nothingTyped: GuestEntry = { name: '', email: '', phone: '', guests: '' };

/** In the order of the form. */
export const guestFields: readonly GuestField[] = ['name', 'email', 'phone', 'guests'];

const nameMax = 200;
const unreadable = /[\p{Cc}\p{Cs}]/u;
const emailMax = 254;
const email = /^[^\s@<>,;:"()[\]\\\p{C}]{1,64}@[^\s@<>,;:"()[\]\\\p{C}]{1,180}\.[\p{L}\p{N}-]{2,}$/u;
const phone = /^\+?[0-9][0-9 ()./-]{2,38}$/;

/** What is wrong with each field, in plain words; none of them is missing in a good form. */
export function guestFaults(entry: GuestEntry, sleeps: number): ReadonlyMap<GuestField, string> {
  const faults = new Map<GuestField, string>();
  const [name, address, number, guests] = guestFields.map((field) => entry[field].trim());
  if (name === '') faults.set('name', messages.enterName);
  else if (Array.from(name!).length > nameMax) faults.set('name', messages.shortenName(nameMax));
  else if (unreadable.test(name!)) faults.set('name', messages.unreadableName);
  if (address === '') faults.set('email', messages.enterEmail);
  else if (address!.length > emailMax || !email.test(address!)) faults.set('email', messages.checkEmail);
  if (number !== '' && !phone.test(number!)) faults.set('phone', messages.checkPhone);
  if (guests !== '' && !/^[1-9]\d{0,2}$/.test(guests!)) faults.set('guests', messages.checkGuests);
  else if (Number(guests) > sleeps) faults.set('guests', messages.sleepsAtMost(sleeps));
  return faults;
}

/** The guest of a reservation. A number that was not typed is one guest in each room, as prices assume. */
export const guestOf = (entry: GuestEntry, roomCount: number) => ({
  name: entry.name.trim(),
  email: entry.email.trim(),
  ...(entry.phone.trim() === '' ? {} : { phone: entry.phone.trim() }),
  guests: entry.guests.trim() === '' ? roomCount : Number(entry.guests),
});
