import type { MapElements } from '#osm/elements/map-elements.js';
import type { ChangedGround } from './changed-ground.js';
import type { ExtractedFeatures } from './extracted-features.js';
import type { FoldName } from './fold-name.js';
import { BoundaryMemory } from './gather-boundaries.js';
import type { AddressedHouse } from './gather-houses.js';
import { StreetMemory } from './gather-streets.js';
import type { Place } from './gazetteer.js';
import { HouseMemory } from './house-streets.js';
import { mostCommon } from './most-common.js';
import type { Surroundings } from './surroundings.js';
import { SurroundingsMemory } from './surroundings-memory.js';
import { townsOfAddresses } from './towns-of-addresses.js';

/** Everything that can be searched by name, ordered by identity. Streets hold their houses. */
export interface Gazetteer {
  readonly places: readonly Place[];
  /** The places of its administrative areas are among `places`. */
  readonly surroundings: Surroundings;
  /** Where they are others than the last time. */
  readonly ground: ChangedGround;
  /** ISO code that most addresses give, upper case; may be empty. */
  readonly country: string;
}

/** Gathers places; the next time those that have not changed are the same objects. */
export class GazetteerMemory {
  readonly #boundaries = new BoundaryMemory();
  readonly #streets = new StreetMemory();
  readonly #houses = new HouseMemory();
  readonly #surroundings = new SurroundingsMemory();

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
