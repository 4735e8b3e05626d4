import { currencyDecimals } from '#schemas/currency.js';
import { isDay } from '../reservations/stay-days.js';
import type { HotelFacts, RoomFacts } from './hotel.js';

export interface Fault {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** What a schema cannot say of a hotel. */
export function hotelFaults(facts: HotelFacts): readonly Fault[] {
  const faults: Fault[] = [];
  if (!isTimeZone(facts.timeZone))
    faults.push({ pointer: '/timeZone', message: 'must be an IANA name such as Europe/Malta' });
  if (currencyDecimals(facts.currency) === undefined)
    faults.push({ pointer: '/currency', message: 'must be an ISO 4217 currency such as EUR' });
  if (facts.country !== undefined && !isCountry(facts.country))
    faults.push({ pointer: '/country', message: 'must be a country of ISO 3166-1 such as MT' });
  const seen = new Set<string>();
  for (const [index, { roomTypeId }] of facts.roomTypes.entries()) {
    if (seen.has(roomTypeId))
      faults.push({ pointer: `/roomTypes/${index}/roomTypeID`, message: 'is a duplicate' });
    seen.add(roomTypeId);
  }
  return faults;
}

/** What a schema cannot say of a room. */
export function roomFaults({ outOfOrder }: RoomFacts): readonly Fault[] {
  const seen = new Set<string>();
  return outOfOrder.flatMap(({ from, to }, index) => {
    const pointer = `/outOfOrder/${index}`;
    const interval = `${from}/${to}`;
    if (!isDay(from) || !isDay(to)) return [{ pointer, message: 'must be calendar days' }];
    if (to < from) return [{ pointer: `${pointer}/to`, message: 'must not be before from' }];
    if (seen.has(interval)) return [{ pointer, message: 'is a duplicate' }];
    seen.add(interval);
    return [];
  });
}

/** Unicode knows codes for groups of countries, too. */
function isCountry(code: string): boolean {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return !['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'].includes(code) && names.of(code) !== undefined;
}

/** Names only: PostgreSQL gives an offset like +02:00 the opposite sign. */
function isTimeZone(name: string): boolean {
  if (!/^(?:UTC|[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2})$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
