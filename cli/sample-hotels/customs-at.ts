import timeZoneAt from '@photostructure/tz-lookup';
import { getTimezone } from 'countries-and-timezones';
import countryToCurrency from 'country-to-currency';
import { currencyDecimals } from '#schemas/currency.js';
import type { LatLng } from '#schemas/units.js';

export interface Customs {
  /** ISO 3166-1, two letters; empty outside of any country. */
  readonly country: string;
  /** Of the IANA database. */
  readonly timeZone: string;
  /** Of ISO 4217. */
  readonly currency: string;
}

const byZone = new Map<string, Customs>();

/** Time zone and currency at a place; UTC and euros if unknown. */
export function customsAt({ lat, lng }: LatLng): Customs {
  const timeZone = timeZoneAt(lat, lng);
  const customs = byZone.get(timeZone) ?? customsIn(timeZone);
  byZone.set(timeZone, customs);
  return customs;
}

function customsIn(timeZone: string): Customs {
  // The first is the country of the zone's name.
  const country = getTimezone(timeZone)?.countries[0];
  if (country === undefined) return { country: '', timeZone: 'UTC', currency: 'EUR' };
  const currency = countryToCurrency[country as keyof typeof countryToCurrency];
  return { country, timeZone, currency: currencyDecimals(currency) === undefined ? 'EUR' : currency };
}
