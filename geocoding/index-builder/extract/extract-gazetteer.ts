import type { MapElements } from '#osm/elements/map-elements.js';
import type { ChangedAreas } from '../gazetteer/changed-areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { mostCommon } from '../gazetteer/most-common.js';
import { BoundaryCache } from './extract-boundaries.js';
import type { AddressedHouse } from './extract-houses.js';
import { StreetCache } from './extract-streets.js';
import type { ExtractedFeatures } from './extracted-features.js';
import { HouseMemory } from './house-streets.js';
import type { Surroundings } from './surroundings.js';
import { SurroundingsCache } from './surroundings-cache.js';
import { townsOfAddresses } from './towns-of-addresses.js';

/** Everything that can be searched by name, ordered by identity. Streets hold their houses. */
export interface Gazetteer {
  readonly places: readonly Place[];
  /** `places` includes those of its administrative areas. */
  readonly surroundings: Surroundings;
  /** Where they differ from the previous build. */
  readonly ground: ChangedAreas;
  /** ISO code in most addresses, upper case; may be empty. */
  readonly country: string;
}

/** Extracts places; in the next build, unchanged ones are the same objects. */
export class GazetteerCache {
  readonly #boundaries = new BoundaryCache();
  readonly #streets = new StreetCache();
  readonly #houses = new HouseMemory();
  readonly #surroundings = new SurroundingsCache();

  of(elements: MapElements, extracted: ExtractedFeatures, fold: FoldName): Gazetteer {
    const settlements: Place[] = [];
    const others: Place[] = [];
    const addressed: AddressedHouse[] = [];
    const countries: string[] = [];
    for (const { place, houses, country } of extracted.features) {
      if (place !== undefined) (isSettlement(place) ? settlements : others).push(place);
      for (const house of houses) addressed.push(house);
      if (country !== '') countries.push(country);
    }
    for (const house of extracted.houses) addressed.push(house);
    const boundaries = this.#boundaries.of(elements, extracted, [...settlements, ...others]);
    const administered = boundaries.map(({ place }) => place);
    const bounded = new Set(administered.map(({ key }) => key));
    const isPoint = ({ key }: Place): boolean => !bounded.has(key);
    const known = [...settlements.filter(isPoint), ...administered.filter(isSettlement)];
    known.push(...townsOfAddresses(addressed, known, this.#surroundings.settlements));

    const { surroundings, ground } = this.#surroundings.of(boundaries, known, fold);
    const streets = this.#streets.of(extracted, surroundings, ground, fold);
    const places = [
      ...known,
      ...others.filter(isPoint),
      ...administered.filter((place) => !isSettlement(place)),
      ...this.#houses.of(addressed, streets, surroundings, ground, fold),
    ].sort((a, b) => a.key - b.key);
    return { places, surroundings, ground, country: mostCommon(countries) };
  }
}

const isSettlement = ({ kind }: Place): boolean => kind === 'settlement';
