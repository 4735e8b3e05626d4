import { buildMapTiles, type MapTilesOptions } from '#map-tiles/build/build-map-tiles.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { collectMapElements, type MapElements } from '#osm/elements/map-elements.js';
import type { OsmMember } from '#schemas/osm-sink.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import {
  type Fixture,
  type FixtureNode,
  type FixtureRelation,
  type FixtureWay,
  playFixture,
} from '../tile-builder/osm-fixture.js';

type Place = readonly [lng: number, lat: number];
type TagObject = Readonly<Record<string, string>>;

/** Writes a map as numbers: ways and areas by their corners; equal corners are one node. */
export class DrawnCity {
  readonly nodes: FixtureNode[] = [];
  readonly ways: FixtureWay[] = [];
  readonly relations: FixtureRelation[] = [];
  readonly #ids = new Map<string, number>();

  node([lng, lat]: Place, tags?: TagObject): number {
    const key = `${lng},${lat}`;
    const known = this.#ids.get(key);
    if (known !== undefined && tags === undefined) return known;
    const id = this.nodes.length + 1;
    if (known === undefined) this.#ids.set(key, id);
    this.nodes.push({ id, lng, lat, ...(tags === undefined ? {} : { tags }) });
    return id;
  }

  way(places: readonly Place[], tags: TagObject = {}): number {
    const id = this.ways.length + 1;
    this.ways.push({ id, refs: places.map((place) => this.node(place)), tags });
    return id;
  }

  square([lng, lat]: Place, size: number, tags: TagObject = {}): number {
    const [east, north] = [lng + size, lat + size];
    return this.way(
      [
        [lng, lat],
        [east, lat],
        [east, north],
        [lng, north],
        [lng, lat],
      ],
      tags,
    );
  }

  relation(members: readonly (readonly [way: number, role: string])[], tags: TagObject): void {
    this.relations.push({
      id: this.relations.length + 1,
      members: members.map(([id, role]): OsmMember => ({ type: 'way', id, role })),
      tags,
    });
  }

  elements(): MapElements {
    const { sink, elements } = collectMapElements();
    const fixture: Fixture = { nodes: this.nodes, ways: this.ways, relations: this.relations };
    playFixture(fixture, sink);
    return elements();
  }
}

/** A town on an island: coast, wood with a clearing, houses, streets, a lake, names and numbers. */
export function islandTown(): DrawnCity {
  const city = new DrawnCity();
  const [lng, lat] = [14.5, 35.9];
  // A coast has land on its left: counter-clockwise round an island.
  city.square([lng, lat], 0.05, { natural: 'coastline' });
  const wood = city.square([lng + 0.01, lat + 0.01], 0.02);
  const clearing = city.square([lng + 0.015, lat + 0.015], 0.005);
  city.relation(
    [
      [wood, 'outer'],
      [clearing, 'inner'],
    ],
    { type: 'multipolygon', natural: 'wood', name: 'Great Wood' },
  );
  city.square([lng + 0.035, lat + 0.035], 0.004, { natural: 'water', name: 'Lake' });
  for (let i = 0; i < 12; i++)
    city.square([lng + 0.002 + i * 0.0006, lat + 0.003], 0.0003, {
      building: 'yes',
      'addr:housenumber': String(i + 1),
    });
  city.way(
    [
      [lng + 0.001, lat + 0.002],
      [lng + 0.02, lat + 0.002],
    ],
    { highway: 'residential', name: 'Harbour Street' },
  );
  city.way(
    [
      [lng + 0.02, lat + 0.002],
      [lng + 0.04, lat + 0.004],
    ],
    { highway: 'primary', ref: '1', name: 'Main Road' },
  );
  city.way(
    [
      [lng + 0.04, lat + 0.004],
      [lng + 0.045, lat + 0.03],
    ],
    { highway: 'primary', ref: '1', name: 'Main Road' },
  );
  city.node([lng + 0.0123, lat + 0.0045], { place: 'town', name: 'Island Town', population: '4000' });
  city.node([lng + 0.005, lat + 0.0025], { amenity: 'cafe', name: 'Café <b>' });
  return city;
}

export async function drawnMap(city: DrawnCity, options: MapTilesOptions = {}) {
  const objects = new MemoryObjectStore();
  const built = await buildMapTiles(city.elements(), objects, { world: false, pngZoomMax: -1, ...options });
  const map = await MapTiles.open(objects, built.mapId);
  return { objects, built, map: map! };
}
