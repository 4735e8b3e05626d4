import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { stageGeocodingFrom } from '#geocoding/index-builder/build-geocoding.js';
import { openTileset } from '#map-data/open-tileset.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { buildTileset, type MapSource } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type Fixture, playFixture } from '../tile-builder/osm-fixture.js';

/**
 * A town with everything that an address may have. Columns are 0.002° of longitude apart, rows 0.002° of
 * latitude;
 *
 * ```text
 *   row 2   1 — 2 — 3        Norra vägen (also Northern Road)          Malmköping (village) 0.1° to the east
 *           |   |   |        1-4-7 Köpmansgatan, 2-5-8 <b>Bold & Sons, 3-6-9 Storgatan 2 (Malmköping's
 *           |   |   |        namesake)
 *   row 1   4 — 5 — 6        Storgatan: houses 1 to 11 odd by tags 1, 11 and a line between them; 2, 6
 *           |   |   |
 *   row 0   7 — 8 — 9        Södra vägen; the walk 5–9 is a footway with steps
 * ```
 */
const place = (id: number, column: number, row: number, tags?: Record<string, string>) => ({
  id,
  lng: 12 + column * 0.002,
  lat: 58 + row * 0.002,
  ...(tags === undefined ? {} : { tags }),
});
const address = (street: string, number: string, more: Record<string, string> = {}) => ({
  'addr:street': street,
  'addr:housenumber': number,
  'addr:postcode': '123 45',
  'addr:city': 'Testby',
  'addr:country': 'SE',
  ...more,
});

export const addressTown: Fixture = {
  nodes: [
    place(1, 0, 2),
    place(2, 1, 2),
    place(3, 2, 2),
    place(4, 0, 1),
    place(5, 1, 1),
    place(6, 2, 1),
    place(7, 0, 0),
    place(8, 1, 0),
    place(9, 2, 0),
    place(20, 50, 1),
    place(21, 51, 1),
    place(30, 1, 1.4, { place: 'town', name: 'Testby', 'name:ru': 'Тестбю', 'name:en': 'Testville' }),
    place(31, 50, 1.2, { place: 'village', name: 'Malmköping' }),
    place(40, 0.1, 1.05, address('Storgatan', '1')),
    place(41, 1.9, 1.05, address('Storgatan', '11')),
    place(42, 0.2, 0.95, address('Storgatan', '2')),
    place(43, 0.6, 0.95, address('Storgatan', '6a;6b')),
    place(44, 50.5, 1.05, { 'addr:street': 'Storgatan', 'addr:housenumber': '1', 'addr:city': 'Malmköping' }),
    place(45, 1.05, 1.5, address('<b>Bold & Sons', '7')),
    place(50, 1.5, 1.04, {
      amenity: 'cafe',
      name: 'Kaffé Ångström',
      'name:en': 'Steam Coffee',
      'name:ru': 'Кофе Ангстрем',
      wikidata: 'Q1',
    }),
    place(51, 0.5, 0.04, { amenity: 'pharmacy', name: '"><script>alert(1)</script>' }),
    place(52, 1.5, 0.04, { amenity: 'drinking_water' }),
    place(53, 0.4, 1.96, { shop: 'bakery', name: '東京ベーカリー', 'name:en': 'Tokyo Bakery' }),
  ],
  ways: [
    {
      id: 100,
      refs: [1, 2, 3],
      tags: { highway: 'residential', name: 'Norra vägen', 'name:en': 'Northern Road' },
    },
    {
      id: 101,
      refs: [1, 4, 7],
      tags: { highway: 'residential', name: 'Köpmansgatan', old_name: 'Galgbacken' },
    },
    { id: 102, refs: [2, 5, 8], tags: { highway: 'residential', name: '<b>Bold & Sons' } },
    { id: 103, refs: [4, 5], tags: { highway: 'secondary', name: 'Storgatan' } },
    { id: 104, refs: [5, 6], tags: { highway: 'secondary', name: 'Storgatan', oneway: 'yes' } },
    { id: 105, refs: [3, 6, 9], tags: { highway: 'residential', name: 'Östra gränd' } },
    { id: 106, refs: [7, 8, 9], tags: { highway: 'residential', name: 'Södra vägen' } },
    { id: 107, refs: [20, 21], tags: { highway: 'residential', name: 'Storgatan' } },
    { id: 108, refs: [40, 41], tags: { 'addr:interpolation': 'odd' } },
    { id: 109, refs: [5, 9], tags: { highway: 'steps', name: 'Trappan' } },
    { id: 110, refs: [6, 8], tags: { highway: 'residential', name: '45th Street' } },
    { id: 111, refs: [4, 8], tags: { highway: 'residential', name: '46th Street' } },
  ],
};

export const sourceOf = (fixture: Fixture): MapSource => ({
  kind: 'elements',
  read: (sink) => playFixture(fixture, sink),
});

export interface GeocodedTown {
  readonly network: RoadNetwork;
  readonly index: GeocodeIndex;
  readonly objects: MemoryObjectStore;
  readonly indexId: string;
}

/** `objects` has the tileset of the source; otherwise it is built. */
export async function geocodeTown(
  source: MapSource = sourceOf(addressTown),
  objects?: MemoryObjectStore,
): Promise<GeocodedTown> {
  if (objects === undefined) {
    objects = new MemoryObjectStore();
    await buildTileset(source, objects);
  }
  const network = await openTileset(objects);
  const { id } = await stageGeocodingFrom(source, network.tilesetId, objects);
  return { network, index: await openGeocodeIndex(objects, id), objects, indexId: id };
}
