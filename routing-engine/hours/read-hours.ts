import OpeningHours from 'opening_hours';

/**
 * Whether the hours hold at a time of which the local getters show the clock; undefined if it is not known.
 */
export type HoldsAt = (clock: Date) => boolean | undefined;

/**
 * What depends on the sun (the library asks for it in the time zone of the process), and comments, which only
 * people understand.
 */
const notOnTheClock = /\b(sunrise|sunset|dawn|dusk)\b|["“]/i;
const holidaysOff = /[;,]?\s*((?:PH|SH)(?:\s*,\s*(?:PH|SH))*)\s+off\b/g;
const holidays = /\b(PH|SH)\b/;

/**
 * Reads hours as https://wiki.openstreetmap.org/wiki/Key:opening_hours defines them; parts that are joined by
 * `AND` must all hold. Undefined for anything else.
 *
 * Public holidays are those of the country, an ISO 3166-1 code. School holidays differ by region and year,
 * and are not known: hours that they suspend hold on them too. The same goes for public holidays of a country
 * that the library does not know.
 */
export function readHours(text: string, country: string): HoldsAt | undefined {
  if (notOnTheClock.test(text)) return undefined;
  const parts = text.split(/\s+AND\s+/i).map((part) => readPart(part.trim(), country));
  const readable = parts.filter((part) => part !== undefined);
  if (readable.length < parts.length) return undefined;
  return (clock) => {
    const held = readable.map((holds) => holds(clock));
    if (held.includes(false)) return false;
    return held.includes(undefined) ? undefined : true;
  };
}

function readPart(text: string, country: string): HoldsAt | undefined {
  const schoolDays = without('SH', text);
  return holding(schoolDays, country) ?? holding(without('PH', schoolDays), country);
}

/** The hours as if there were none of these holidays that suspend them. */
const without = (kind: 'PH' | 'SH', text: string): string =>
  text.replaceAll(holidaysOff, (whole, list: string) => {
    const kept = list.split(/\s*,\s*/).filter((each) => each !== kind);
    return kept.length === 0 ? '' : whole.replace(list, kept.join(','));
  });

/** Far from any edge of the calendar: hours that cannot be asked at this time are not used. */
const someDay = new Date(2024, 4, 15, 12);

function holding(text: string, country: string): HoldsAt | undefined {
  try {
    const place = { lat: 0, lon: 0, address: { country_code: country.toLowerCase(), state: '' } };
    const hours = new OpeningHours(text, holidays.test(text) ? place : null);
    const holds: HoldsAt = (clock) => {
      try {
        return hours.getUnknown(clock) ? undefined : hours.getState(clock);
      } catch {
        return undefined;
      }
    };
    return holds(someDay) === undefined ? undefined : holds;
  } catch {
    return undefined;
  }
}
