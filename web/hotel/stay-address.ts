import type { RequestedStay } from './requested-stay.js';

const day = /^\d{4}-\d{2}-\d{2}$/;
const dayIn = (text: string | null): string | undefined =>
  text !== null && day.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
const numberIn = (text: string | null, most: number): number | undefined =>
  text !== null && /^[1-9]\d{0,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

const roomsMax = 10;
const guestsMax = 500;

/** The stay of an address: first and last night, rooms, guests. Undefined: none, or not a whole one. */
export function stayIn(hash: string): RequestedStay | undefined {
  const query = new URLSearchParams(hash.split('?')[1] ?? '');
  const startDate = dayIn(query.get('from'));
  const endDate = dayIn(query.get('to'));
  const roomCount = numberIn(query.get('rooms'), roomsMax);
  const guests = numberIn(query.get('guests'), guestsMax);
  if (startDate === undefined || endDate === undefined) return undefined;
  if (roomCount === undefined || guests === undefined) return undefined;
  return { startDate, endDate, roomCount, guests };
}

/** An address with this stay instead of the one that it has. */
export function withStay(hash: string, { startDate, endDate, roomCount, guests }: RequestedStay): string {
  const query = new URLSearchParams({
    ...{ from: startDate, to: endDate },
    ...{ rooms: String(roomCount), guests: String(guests) },
  });
  return `${hash.split('?')[0] || '#/hotels'}?${query}`;
}
