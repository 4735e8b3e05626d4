import { indexedModes } from '../../index/indexed-modes.js';
import { AGAINST } from '../../index/road-access.js';
import type { House, Place } from '../gazetteer/gazetteer.js';
import type { Access } from '../roads/nearest-roads.js';
import type { ContainingAreas } from './containing-areas.js';
import type { RecordBuffer } from './record-buffer.js';

/**
 * The common fields of places and houses, as numbers. Texts, towns, sets of areas and roads are ids that are
 * valid as long as the record.
 *
 * ```text
 *   key (high, low), lng, lat, postcode, town or -1, set of areas, rings, place by mode or -1, places,
 *   places × (road, lng, lat, side)
 * ```
 */
export const rowRecord = {
  key: 0,
  lngE7: 2,
  latE7: 3,
  postcode: 4,
  town: 5,
  areas: 6,
  rings: 7,
  access: 8,
} as const;

const modes = indexedModes.length;
const placeCountAt = rowRecord.access + modes;
const placesAt = placeCountAt + 1;
export const placeNumbers = 4;

export const accessPlaceCount = (numbers: Int32Array, at: number): number => numbers[at + placeCountAt]!;
export const accessPlacesAt = (at: number): number => at + placesAt;
export const endOfRow = (numbers: Int32Array, at: number): number =>
  at + placesAt + placeNumbers * numbers[at + placeCountAt]!;

export const keyOf = (numbers: Int32Array, at: number): number =>
  numbers[at]! * 0x100000000 + (numbers[at + 1]! >>> 0);

export function writeRow(
  tape: RecordBuffer<Place>,
  { key, lngE7, latE7 }: Place | House,
  postcode: number,
  { town, areas }: ContainingAreas,
  { places, rings }: Access,
): void {
  tape.push(Math.floor(key / 0x100000000));
  tape.push(key | 0);
  tape.push(lngE7);
  tape.push(latE7);
  tape.push(postcode);
  tape.push(town);
  tape.push(areas.number);
  tape.push(rings);
  const each = [...new Set(places)].filter((place) => place !== undefined);
  for (const place of places) tape.push(place === undefined ? -1 : each.indexOf(place));
  tape.push(each.length);
  for (const { road, lngE7: lng, latE7: lat, side, against } of each) {
    tape.push(road.slot);
    tape.push(lng);
    tape.push(lat);
    tape.push(side + (against ? AGAINST : 0));
  }
}
