import { wordsOf } from '#geocoding/index/fold-text.js';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { NOTHING } from '#geocoding/index/index-file.js';
import { elementOf, tagOf } from '#geocoding/index/osm-element.js';
import { countryWords } from '#geocoding/query/country-words.js';
import { E7, type LatLng } from '#schemas/units.js';
import type { AddressPart, OsmElement, PlaceFacts } from '../ports/place-finder.js';
import { partOfRank, rankOf } from './place-ranks.js';

/** Parts of an address that count as a city, because clients write the place of an address there. */
const inCity: ReadonlySet<AddressPart> = new Set(['city', 'district', 'locality']);

/** The facts of a row, read from the index when they are needed. */
export class RowFacts implements PlaceFacts {
  readonly row: number;
  readonly #index: GeocodeIndex;
  readonly #element: OsmElement | undefined;

  /** `element` is another name of the row: one way of a street. */
  constructor(index: GeocodeIndex, row: number, element?: OsmElement) {
    this.#index = index;
    this.row = row;
    this.#element = element;
  }

  get kind(): PlaceFacts['kind'] {
    return this.#index.kind(this.row);
  }

  get part(): AddressPart {
    return partOfRank(rankOf(this.#index, this.row).address);
  }

  get rank(): number {
    return rankOf(this.#index, this.row).search;
  }

  get addressRank(): number {
    return rankOf(this.#index, this.row).address;
  }

  /** From 1 on. */
  get placeId(): number {
    return this.row + 1;
  }

  get element(): OsmElement | undefined {
    return this.#element ?? elementOf(this.#index, this.row);
  }

  get tag(): PlaceFacts['tag'] {
    return tagOf(this.#index, this.row, this.element);
  }

  get location(): LatLng {
    const { latE7, lngE7 } = this.#index.data;
    return { lat: latE7[this.row]! / E7, lng: lngE7[this.row]! / E7 };
  }

  get countryCode(): string {
    const own = this.#index.kind(this.row) === 'country' ? [this.row] : [];
    return countryCodeOf(this.#index, [...own, ...this.#index.areasAround(this.row)]);
  }

  isIn(part: 'city' | 'county' | 'state' | 'country' | 'postcode', text: string): boolean {
    const index = this.#index;
    const words = wordsOf(text);
    if (part === 'postcode') {
      const postcode = wordsOf(index.text(index.data.postcode[this.row]!)).join('');
      return postcode === '' || postcode === words.join('');
    }
    const isPart = (each: AddressPart): boolean => (part === 'city' ? inCity.has(each) : each === part);
    const town = index.data.settlement[this.row]!;
    const around = [
      ...(index.isHouse(this.row) ? [] : [this.row]),
      ...(town === NOTHING ? [] : [town]),
      ...index.areasAround(this.row),
    ].filter((row) => isPart(partOfRank(rankOf(index, row).address)));
    const isNamed = (row: number): boolean =>
      index.names(row).some(({ text: name }) => {
        const known = wordsOf(name);
        return words.every((word) => known.includes(word));
      });
    if (around.some(isNamed)) return true;
    if (part !== 'country') return around.length === 0;
    const known = countryWords(this.countryCode);
    return known.size === 0 || words.every((word) => known.has(word));
  }
}

/** Of the first country among areas, else of the whole index; may be empty. */
export function countryCodeOf({ head }: GeocodeIndex, areas: readonly number[]): string {
  for (const row of areas) {
    const own = head.countryCodes.find(([country]) => country === row);
    if (own !== undefined) return own[1];
  }
  return head.country;
}
