import type { MapElements } from '../osm/map-elements.js';
import { GazetteerMemory } from './gather-gazetteer.js';
import { nameFolder } from './gather-streets.js';
import { type BoxE7, boxOf, type Place, widen } from './gazetteer.js';
import { HouseColumns } from './house-columns.js';
import { encodeIndex, NOTHING } from './index-file.js';
import { lowerBound } from './lower-bound.js';
import { PlaceColumns } from './place-columns.js';
import { GroundMemory } from './place-grounds.js';
import { PointMemory } from './point-columns.js';
import { ReachMemory } from './reach-places.js';
import { gridRoads } from './road-grid.js';
import { RowColumns } from './row-columns.js';
import { rowsByKey } from './rows-by-key.js';
import { TellingMemory } from './telling-elements.js';
import { TextNumbers } from './text-numbers.js';
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
  readonly #words = new WordMemory();
  readonly #points = new PointMemory();

  /**
   * The index as one file. Every place and house is moved onto the roads here, so that no query has to. `tilesetId`: of the
   * tileset of the same extract.
   */
  build(elements: MapElements, tilesetId: string): Uint8Array {
    const fold = nameFolder();
    const telling = this.#telling.of(elements, fold);
    const { places, surroundings, country } = this.#gazetteer.of(elements, telling, fold);
    const roads = gridRoads(telling.roads);
    const reached = this.#reach.of(places, roads, telling, fold);
    const grounds = this.#grounds.of(places, surroundings, fold);

    const { settlements, boundaries } = surroundings;
    const towns = new Set([...settlements, ...boundaries.map(({ place }) => place)]);
    const rowOfTown = new Map<Place, number>();
    let houseCount = 0;
    for (const [row, place] of places.entries()) {
      houseCount += place.houses.length;
      if (towns.has(place)) rowOfTown.set(place, row);
    }
    const texts = new TextNumbers();
    texts.of('');
    const rows = new RowColumns(places.length + houseCount, roads.wayId, rowOfTown, texts);
    const ofPlaces = new PlaceColumns(places.length, texts);
    for (const [row, place] of places.entries()) {
      rows.put(row, place.kind, place, place.postcode, grounds[row]!, reached[row]!.place);
      ofPlaces.put(row, place);
    }
    const ofHouses = new HouseColumns(houseCount, texts);
    let at = 0;
    for (const [street, { houses, postcode }] of places.entries())
      for (const [i, house] of houses.entries()) {
        rows.put(
          places.length + at,
          'house',
          house,
          house.postcode || postcode,
          grounds[street]!.houses[i]!,
          reached[street]!.houses[i]!,
        );
        ofHouses.put(at++, street, house);
      }
    const { key, kind, lngE7, latE7 } = rows;
    return encodeIndex(
      {
        tilesetId,
        attribution,
        country,
        countryCodes: boundaries.flatMap(({ place }) =>
          place.kind === 'country' && place.isoCode !== undefined && place.isoCode !== ''
            ? [[rowOfTown.get(place)!, place.isoCode] as const]
            : [],
        ),
        bounds: boundsOf(places),
        languages: ofPlaces.languages.texts,
        categories: ofPlaces.categories.texts,
      },
      {
        ...rows.columns(),
        ...ofPlaces.columns(),
        ...ofHouses.columns(),
        ...this.#words.of(places, ofPlaces.firstName, fold),
        byKey: rowsByKey(key, places.length),
        ...this.#points.of(kind, lngE7, latE7),
        wayId: roads.wayId,
        wayStreet: streetsOfWays(places, roads.wayId),
        areaRow: Uint32Array.from(boundaries, ({ place }) => rowOfTown.get(place)!),
        ...surroundings.columns,
        ...texts.columns(),
      },
    );
  }
}

function boundsOf(places: readonly Place[]): BoxE7 {
  const bounds = boxOf(new Int32Array());
  for (const { box } of places) widen(bounds, box);
  return places.length === 0 ? [0, 0, 0, 0] : bounds;
}

/** The street that each road belongs to. */
function streetsOfWays(places: readonly Place[], wayId: Float64Array): Uint32Array {
  const streets = new Uint32Array(wayId.length).fill(NOTHING);
  for (const [row, { wayIds }] of places.entries())
    for (const way of wayIds ?? []) {
      const at = lowerBound(wayId, way);
      if (wayId[at] === way) streets[at] = row;
    }
  return streets;
}
