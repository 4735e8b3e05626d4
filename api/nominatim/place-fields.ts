import type { AddressedPlace } from '../ports/place-finder.js';

export const licence = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

/** Half the side of the box around a point, in degrees, by value of `place`, as in Nominatim. */
const extents: Readonly<Record<string, number>> = {
  country: 7,
  city: 0.16,
  municipality: 0.16,
  island: 0.32,
  town: 0.04,
  village: 0.02,
  hamlet: 0.02,
  borough: 0.02,
  suburb: 0.02,
  locality: 0.01,
  neighbourhood: 0.01,
  quarter: 0.01,
  farm: 0.01,
};
const extentOfPoint = 0.000_05;

const within = (degrees: number, most: number): number => Math.min(most, Math.max(-most, degrees));

/** West, south, east, north. */
export function boxOf({ box, location, facts }: AddressedPlace): readonly [number, number, number, number] {
  if (box !== undefined) return box;
  const extent = (facts.tag?.key === 'place' ? extents[facts.tag.value] : undefined) ?? extentOfPoint;
  const { lat, lng } = location;
  return [
    within(lng - extent, 180),
    within(lat - extent, 90),
    within(lng + extent, 180),
    within(lat + extent, 90),
  ];
}

/** The whole address in one line; a name that repeats the one before is left out. */
export const displayName = ({ address }: AddressedPlace): string =>
  address
    .map(({ text }) => text)
    .filter((text, i, texts) => text !== texts[i - 1])
    .join(', ');

/** By label; of two lines with one label the more exact counts. */
export function typedAddress({ address, facts }: AddressedPlace): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const { label, text } of address) parts[label] ??= text;
  if (facts.countryCode !== '') parts['country_code'] = facts.countryCode.toLowerCase();
  return parts;
}

/** Numbers as Nominatim writes degrees. */
export const degrees = (value: number): string => value.toFixed(7);
