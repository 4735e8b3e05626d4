import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { OsmSink } from '#schemas/osm-sink.js';

type Position = readonly [number, number];
interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry:
    | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] };
}

/**
 * The ways of Gothenburg with their tags, from the GeoJSON in the npm package `geojson-path-finder`, ©
 * OpenStreetMap contributors, ODbL 1.0. It has no nodes: equal coordinates are one node, numbered from 1 in
 * order of appearance.
 */
export async function readGothenburg(sink: OsmSink): Promise<void> {
  const file = createRequire(import.meta.url).resolve('geojson-path-finder/test/large-network.json');
  const { features } = JSON.parse(await readFile(file, 'utf8')) as { features: readonly Feature[] };
  const nodes = new Map<string, number>();
  for (const { id, properties, geometry } of features) {
    const way = /^way\/(\d+)$/.exec(id)?.[1];
    if (way === undefined) continue;
    const line = geometry.type === 'Polygon' ? geometry.coordinates[0]! : geometry.coordinates;
    const refs = line.map(([lng, lat]) => {
      const [lngE7, latE7] = [Math.round(lng * 1e7), Math.round(lat * 1e7)];
      const key = `${lngE7},${latE7}`;
      const known = nodes.get(key);
      if (known !== undefined) return known;
      const node = nodes.size + 1;
      nodes.set(key, node);
      sink.node(node, lngE7, latE7, undefined);
      return node;
    });
    const tags = Object.entries(properties).filter(
      (entry): entry is [string, string] => !entry[0].startsWith('@') && typeof entry[1] === 'string',
    );
    if (refs.length > 0) sink.way(Number(way), refs, new Map(tags));
  }
}
