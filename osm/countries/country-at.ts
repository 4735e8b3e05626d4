import { feature } from '@rapideditor/country-coder';
import { isBorderIn } from './border-squares.js';

export interface Country {
  /** ISO 3166-1, two letters; a territory with a code of its own (`HK`, `IM`) has laws of its own. */
  readonly code: string;
  /** The side of the road that traffic keeps to. */
  readonly side: 'left' | 'right';
}

/** Side of the squares in which a country is looked up once, 1e-7 degrees. */
const SQUARE_E7 = 1_000_000;
const PER_DEGREE = 1e7 / SQUARE_E7;
const ROWS = 180 * PER_DEGREE;

/** By square: its country, or that a border passes through it. Squares without roads are never asked for. */
const known = new Map<number, Country | undefined | 'border'>();
const countries = new Map<string, Country>();

/**
 * The country of a place in 1e-7 degrees; undefined at sea. Borders are those of `country-coder`, which are
 * simplified by some hundred metres.
 */
export function countryAt(lngE7: number, latE7: number): Country | undefined {
  const column = Math.floor(lngE7 / SQUARE_E7);
  const row = Math.floor(latE7 / SQUARE_E7);
  const square = column * ROWS + row;
  let country = known.get(square);
  if (country === undefined && !known.has(square)) {
    const [west, south] = [column / PER_DEGREE, row / PER_DEGREE];
    const [east, north] = [(column + 1) / PER_DEGREE, (row + 1) / PER_DEGREE];
    country = isBorderIn(west, south, east, north)
      ? 'border'
      : lookUp((west + east) / 2, (south + north) / 2);
    known.set(square, country);
  }
  return country === 'border' ? lookUp(lngE7 / 1e7, latE7 / 1e7) : country;
}

function lookUp(lng: number, lat: number): Country | undefined {
  // The smallest area at a place: sides differ within countries.
  const found = feature([lng, lat], { level: 'subterritory' })?.properties;
  if (found === undefined) return undefined;
  const { iso1A2, isoStatus, country: within, driveSide: side = 'right' } = found;
  const code = isoStatus === 'official' ? iso1A2 : (within ?? iso1A2);
  if (code === undefined) return undefined;
  const key = `${code} ${side}`;
  let country = countries.get(key);
  if (country === undefined) {
    country = { code, side };
    countries.set(key, country);
  }
  return country;
}
