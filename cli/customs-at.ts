import timeZoneAt from '@photostructure/tz-lookup';
import { getTimezone } from 'countries-and-timezones';
import countryToCurrency from 'country-to-currency';
import { currencyDecimals } from '#schemas/currency.js';
import type { LatLng } from '#schemas/units.js';

export interface Customs {
  /** Of ISO 3166-1, two letters; empty where no country is. */
  readonly country: string;
  /** Of the IANA database. */
  readonly timeZone: string;
  /** Of ISO 4217. */
  readonly currency: string;
}

const byZone = new Map<string, Customs>();

/** Time and money of the country at a place; UTC and euros where none is known. */
export function customsAt({ lat, lng }: LatLng): Customs {
  const timeZone = timeZoneAt(lat, lng);
  const customs = byZone.get(timeZone) ?? customsIn(timeZone);
  byZone.set(timeZone, customs);
  return customs;
}

function customsIn(timeZone: string): Customs {
  // The first is the one that the zone is named after.
  const country = getTimezone(timeZone)?.countries[0];
  if (country === undefined) return { country: '', timeZone: 'UTC', currency: 'EUR' };
  const currency = countryToCurrency[country as keyof typeof countryToCurrency];
  return { country, timeZone, currency: currencyDecimals(currency) === undefined ? 'EUR' : currency };
}
