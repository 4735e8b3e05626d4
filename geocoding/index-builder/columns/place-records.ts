import { categoryKeys } from '../../index/category.js';
import { NO_KEY } from '../../index/index-file.js';
import { placeKinds } from '../../index/place-identity.js';
import type { Surroundings } from '../extract/surroundings.js';
import type { ChangedAreas } from '../gazetteer/changed-areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import type { PlaceReacher } from '../roads/reach-places.js';
import { type ContainingAreasFinder, containingAreasFinder } from './containing-areas.js';
import type { PlacePools } from './place-pools.js';
import { RecordBuffer } from './record-buffer.js';
import { endOfRow, rowRecord, writeRow } from './row-record.js';

/**
 * A place with its houses, as numbers:
 *
 * ```text
 *   kind, category, its key, importance, west, south, east, north, names, roads, houses, its row,
 *   names × (text, language), roads × slot, houses × (row, number, suffix, interpolated)
 * ```
 */
export const placeRecord = {
  kind: 0,
  category: 1,
  tagKey: 2,
  importance: 3,
  box: 4,
  names: 8,
  roads: 9,
  houses: 10,
  row: 11,
} as const;

/** The position after the row of a house. */
export const houseRecord = { number: 0, suffix: 1, interpolated: 2, length: 3 } as const;

/** The start of the houses in a record. */
export function housesAt(numbers: Int32Array, at: number): number {
  return (
    endOfRow(numbers, at + placeRecord.row) +
    2 * numbers[at + placeRecord.names]! +
    numbers[at + placeRecord.roads]!
  );
}

/**
 * Caches the records of places; rewrites those of new places and of places near a changed road, town or area.
 */
export class PlaceRecords {
  readonly #tape = new RecordBuffer<Place>(({ key }) => key);
  readonly #pools: PlacePools;

  constructor(pools: PlacePools) {
    this.#pools = pools;
  }

  of(
    places: readonly Place[],
    reacher: PlaceReacher,
    surroundings: Surroundings,
    ground: ChangedAreas,
    fold: FoldName,
  ): RecordBuffer<Place> {
    const finder = containingAreasFinder(surroundings, fold);
    const isMoved = (numbers: Int32Array, row: number): boolean => {
      const [lngE7, latE7] = [numbers[row + rowRecord.lngE7]!, numbers[row + rowRecord.latE7]!];
      return (
        ground.holds(lngE7, latE7) || reacher.hasChangedNear(lngE7, latE7, numbers[row + rowRecord.rings]!)
      );
    };
    const stays = (numbers: Int32Array, at: number): boolean => {
      if (isMoved(numbers, at + placeRecord.row)) return false;
      const houses = numbers[at + placeRecord.houses]!;
      if (houses === 0) return true;
      let house = housesAt(numbers, at);
      for (let i = 0; i < houses; i++) {
        if (isMoved(numbers, house)) return false;
        house = endOfRow(numbers, house) + houseRecord.length;
      }
      return true;
    };
    this.#tape.update(places, (place) => this.#write(place, reacher, finder, fold), stays);
    return this.#tape;
  }

  #write(place: Place, reacher: PlaceReacher, finder: ContainingAreasFinder, fold: FoldName): void {
    const tape = this.#tape;
    const { texts, languages, categories } = this.#pools;
    const { names, houses, road } = place;
    const roads = road?.roads ?? [];
    tape.push(placeKinds.indexOf(place.kind));
    tape.push(categories.enter(place.category));
    tape.push(place.categoryKey === undefined ? NO_KEY : categoryKeys.indexOf(place.categoryKey));
    tape.push(Math.round(255 * Math.min(1, place.importance)));
    for (const side of place.box) tape.push(side);
    for (const list of [names, roads, houses]) tape.push(list.length);
    const named = reacher.namesOf(place, fold);
    writeRow(tape, place, texts.enter(place.postcode), finder.ofPlace(place), reacher.reach(place, named));
    for (const { text, language } of names) {
      tape.push(texts.enter(text));
      tape.push(languages.enter(language));
    }
    for (const { slot } of roads) tape.push(slot);
    for (const house of houses) {
      const postcode = texts.enter(house.postcode || place.postcode);
      writeRow(tape, house, postcode, finder.ofHouse(house, place), reacher.reachHouse(house, named));
      tape.push(house.number);
      tape.push(texts.enter(house.suffix));
      tape.push(Number(house.interpolated));
    }
  }
}
