import type { MapElements } from '../osm/map-elements.js';
import { nameFolder } from './fold-name.js';
import { GazetteerMemory } from './gather-gazetteer.js';

import type { Place } from './gazetteer.js';
import { HouseColumns } from './house-columns.js';
import { encodeIndex, NOTHING } from './index-file.js';
import { PlaceColumns } from './place-columns.js';
import { GroundMemory } from './place-grounds.js';
import { TextMemory, textColumns } from './place-texts.js';
import { PointMemory } from './point-columns.js';
import { ReachMemory } from './reach-places.js';
import { numberRoads } from './road.js';
import { RowColumns } from './row-columns.js';
import { rowsByKey } from './rows-by-key.js';
import type { Surroundings } from './surroundings.js';
import { TellingMemory } from './telling-elements.js';
import { WordMemory } from './word-columns.js';

const attribution = '© OpenStreetMap contributors';

/**
 * Makes the index of an extract, and then that of the extract with a few changes without looking again at what is the same. What it makes
 * follows from the elements alone: a new builder makes the same bytes. One that threw is of no use any more.
 */
export class GeocodeIndexBuilder {
  readonly #telling = new TellingMemory();
  readonly #gazetteer = new GazetteerMemory();
  readonly #reach = new ReachMemory();
  readonly #grounds = new GroundMemory();
  readonly #texts = new TextMemory();
  readonly #words = new WordMemory();
  readonly #points = new PointMemory();

  /**
   * The index as one file. Every place and house is moved onto the roads here, so that no query has to. `tilesetId`: of the
   * tileset of the same extract.
   */
  build(elements: MapElements, tilesetId: string): Uint8Array {
    const fold = nameFolder();
    const telling = this.#telling.of(elements, fold);
    const { places, surroundings, ground, country } = this.#gazetteer.of(elements, telling, fold);
    const wayId = numberRoads(telling.roads);
    const reached = this.#reach.of(places, telling, fold);
    const grounds = this.#grounds.of(places, surroundings, ground, fold);

    const placeTexts = this.#texts.of(places);

    const { boundaries } = surroundings;
    const { texts, languages, categories } = this.#texts;
    const rowOfTown = rowsOfTowns(places, surroundings);
    const houseCount = places.reduce((sum, { houses }) => sum + houses.length, 0);
    const rows = new RowColumns(places.length + houseCount, rowOfTown);
    const ofPlaces = new PlaceColumns(places.length, this.#texts);
    const ofHouses = new HouseColumns(houseCount);
    places.forEach((place, row) => {
      const postcode = texts.numberOf(placeTexts[row]!.postcode);
      rows.put(row, place.kind, place, postcode, grounds[row]!, reached[row]!.place);
      ofPlaces.put(row, place, placeTexts[row]!);
    });
    let at = 0;
    places.forEach(({ houses }, street) => {
      const { postcodes, suffixes } = placeTexts[street]!;
      houses.forEach((house, i) => {
        const postcode = texts.numberOf(postcodes[i]!);
        const ground = grounds[street]!.houses[i]!;
        rows.put(places.length + at, 'house', house, postcode, ground, reached[street]!.houses[i]!);
        ofHouses.put(at++, street, house, texts.numberOf(suffixes[i]!));
      });
    });
    const { key, kind, lngE7, latE7 } = rows;
    return encodeIndex(
      {
        tilesetId,
        attribution,
        country,
        countryCodes: boundaries.flatMap(({ place }) =>
          place.kind === 'country' && place.isoCode !== ''
            ? [[rowOfTown.get(place.key)!, place.isoCode] as const]
            : [],
        ),
        bounds: ofPlaces.bounds(),
        languages: languages.end().map(({ text }) => text),
        categories: categories.end().map(({ text }) => text),
      },
      {
        ...rows.columns(),
        ...ofPlaces.columns(),
        ...ofHouses.columns(),
        ...this.#words.of(places, ofPlaces.firstName, fold),
        byKey: rowsByKey(key, places.length),
        ...this.#points.of(kind, lngE7, latE7),
        wayId,
        wayStreet: streetsOfWays(places, wayId.length),
        areaRow: Uint32Array.from(boundaries, ({ place }) => rowOfTown.get(place.key)!),
        ...surroundings.columns,
        ...textColumns(texts.end()),
      },
    );
  }
}

/** By key: of towns, villages and administrative areas. */
function rowsOfTowns(
  places: readonly Place[],
  { settlements, boundaries }: Surroundings,
): ReadonlyMap<number, number> {
  const towns = new Set([...settlements, ...boundaries.map(({ place }) => place)]);
  const rowOfTown = new Map<number, number>();
  places.forEach((place, row) => {
    if (place.road === undefined && towns.has(place)) rowOfTown.set(place.key, row);
  });
  return rowOfTown;
}

/** The street that each of the numbered roads belongs to. */
function streetsOfWays(places: readonly Place[], count: number): Uint32Array {
  const streets = new Uint32Array(count).fill(NOTHING);
  places.forEach(({ road }, row) => {
    if (road === undefined) return;
    for (const { index } of road.roads) if (index >= 0) streets[index] = row;
  });
  return streets;
}
