import { Scratch } from '#map-data/arrays/scratch.js';
import type { MapElements } from '#osm/elements/map-elements.js';
import { categoryKeys } from '../index/category.js';
import { encodeIndex, NOTHING } from '../index/index-file.js';
import { placeKinds } from '../index/place-identity.js';
import { HouseColumns } from './columns/house-columns.js';
import { PlaceColumns } from './columns/place-columns.js';
import { PlacePools } from './columns/place-pools.js';
import { houseRecord, housesAt, PlaceRecords, placeRecord } from './columns/place-records.js';
import { PointMemory } from './columns/point-columns.js';
import type { RecordBuffer } from './columns/record-buffer.js';
import { RowColumns } from './columns/row-columns.js';
import { endOfRow } from './columns/row-record.js';
import { rowsByKey } from './columns/rows-by-key.js';
import { textColumns } from './columns/text-columns.js';
import { WordMemory } from './columns/word-columns.js';
import { GazetteerCache } from './extract/extract-gazetteer.js';
import { FeatureExtractor } from './extract/extracted-features.js';
import { nameFolder } from './gazetteer/fold-name.js';
import type { Place } from './gazetteer/gazetteer.js';
import { indexIn } from './gazetteer/patch-sorted.js';
import { PlaceReacher } from './roads/reach-places.js';
import { RoadGridMemory } from './roads/road-grids.js';

const attribution = '© OpenStreetMap contributors';
const house = placeKinds.indexOf('house');

/**
 * Builds the index of an extract, and later that of the changed extract without processing unchanged elements
 * again. The result depends only on the elements: a new builder gives the same bytes. A builder that threw
 * cannot be used again.
 */
export class GeocodeIndexBuilder {
  readonly #extractor = new FeatureExtractor();
  readonly #gazetteer = new GazetteerCache();
  readonly #grids = new RoadGridMemory();
  readonly #pools = new PlacePools();
  readonly #records = new PlaceRecords(this.#pools);
  readonly #words = new WordMemory();
  readonly #points = new PointMemory();
  readonly #scratch = new Scratch();

  /**
   * The index as one file. Every place and house is moved onto the roads here, so that no query has to.
   * `tilesetId`: of the tileset of the same extract. The next build overwrites the bytes.
   */
  build(elements: MapElements, tilesetId: string): Uint8Array {
    const [fold, pools, scratch] = [nameFolder(), this.#pools, this.#scratch];
    const extracted = this.#extractor.of(elements, fold);
    const { places, surroundings, ground, country } = this.#gazetteer.of(elements, extracted, fold);
    const reacher = new PlaceReacher(this.#grids.of(extracted), extracted);
    const records = this.#records.of(places, reacher, surroundings, ground, fold);

    const { boundaries, areaSets } = surroundings;
    const rowOfTown = Uint32Array.from(surroundings.towns, (town) => rowOf(places, town));
    const rowOfArea = rowOfTown.subarray(surroundings.settlements.length);
    const { wayId, wayOfSlot } = extracted.slots.number(extracted.roads);
    const { texts, languages, categories } = pools;
    pools.begin();
    const counts = countsOf(records, places.length);
    const rows = new RowColumns(
      places.length + counts.houses,
      { texts, rowOfTown, areaSets, wayOfSlot },
      scratch,
    );
    const sizes = { places: places.length, names: counts.names, ways: wayId.length };
    const ofPlaces = new PlaceColumns(sizes, wayOfSlot, pools, scratch);
    const ofHouses = new HouseColumns(counts.houses, texts, scratch);
    const { numbers, first } = records;
    for (let row = 0; row < places.length; row++) {
      const at = first[row]!;
      rows.put(row, numbers[at + placeRecord.kind]!, numbers, at + placeRecord.row);
      ofPlaces.put(row, numbers, at);
    }
    let count = 0;
    for (let street = 0; street < places.length; street++) {
      const end = count + numbers[first[street]! + placeRecord.houses]!;
      for (let at = housesAt(numbers, first[street]!); count < end; count++) {
        rows.put(places.length + count, house, numbers, at);
        at = endOfRow(numbers, at);
        ofHouses.put(count, street, numbers, at);
        at += houseRecord.length;
      }
    }
    const { key, kind, lngE7, latE7 } = rows;
    return encodeIndex(
      {
        tilesetId,
        attribution,
        country,
        countryCodes: boundaries.flatMap(({ place }, area) =>
          place.kind === 'country' && place.isoCode !== ''
            ? [[rowOfArea[area]!, place.isoCode] as const]
            : [],
        ),
        bounds: ofPlaces.bounds(),
        languages: languages.end().map((id) => languages.text(id)),
        tagKeys: categoryKeys,
        categories: categories.end().map((id) => categories.text(id)),
      },
      {
        ...rows.columns(),
        ...ofPlaces.columns(),
        ...ofHouses.columns(),
        ...this.#words.of(places, ofPlaces.firstName, fold, scratch),
        byKey: rowsByKey(key, places.length),
        ...this.#points.of(kind, lngE7, latE7),
        wayId,
        areaRow: rowOfArea,
        ...surroundings.columns,
        areaRelation: Float64Array.from(boundaries, ({ relationId }) => relationId),
        areaLevel: Uint8Array.from(boundaries, ({ level }) => level),
        ...textColumns(texts, scratch),
      },
      scratch,
    );
  }
}

/** Index of a place in a list that ascends by key. */
function rowOf(places: readonly Place[], { key }: Place): number {
  const row = indexIn(places, key, (place) => place.key);
  return places[row]?.key === key ? row : NOTHING;
}

function countsOf(
  { numbers, first }: RecordBuffer<Place>,
  places: number,
): { readonly names: number; readonly houses: number } {
  let [names, houses] = [0, 0];
  for (let row = 0; row < places; row++) {
    names += numbers[first[row]! + placeRecord.names]!;
    houses += numbers[first[row]! + placeRecord.houses]!;
  }
  return { names, houses };
}
