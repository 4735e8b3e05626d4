import { readFile } from 'node:fs/promises';
import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { isElementId } from './element-id.js';

type Position = readonly [number, number];
interface Feature {
  readonly id?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly geometry?: { readonly type: string; readonly coordinates: unknown };
}

/**
 * Reads ways out of GeoJSON as the package `geojson-path-finder` carries them: features `way/<id>` with their
 * tags, lines or rings, no nodes of their own. Equal coordinates are one node; nodes are numbered from 1 in
 * order of appearance, so node ids hold for this file only.
 */
export async function readOsmGeoJson(file: string, sink: OsmSink): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new InvalidMapSource(`${file}: cannot be read (${(cause as Error).message})`, { cause });
  });
  let features: readonly Feature[];
  try {
    features = (JSON.parse(text) as { features: readonly Feature[] }).features;
    if (!Array.isArray(features)) throw new Error('it is no FeatureCollection');
  } catch (cause) {
    throw new InvalidMapSource(
      `${file}: is not a GeoJSON FeatureCollection (${(cause as Error).message}); install the package again`,
      { cause },
    );
  }
  const nodes = new Map<string, number>();
  for (const [index, feature] of features.entries()) {
    const digits = /^way\/(-?\d+)$/.exec(String(feature.id))?.[1];
    if (digits === undefined) continue;
    const wayId = Number(digits);
    if (!isElementId(wayId))
      throw new InvalidMapSource(`${file}: feature ${index} has an id of more than fifteen digits`);
    const refs: number[] = [];
    for (const position of line(feature)) {
      const lngE7 = Math.round(position[0] * 1e7);
      const latE7 = Math.round(position[1] * 1e7);
      if (!(Math.abs(lngE7) <= 1_800_000_000 && Math.abs(latE7) <= 900_000_000))
        throw new InvalidMapSource(`${file}: feature ${index} has a coordinate that is not on earth`);
      const key = `${lngE7},${latE7}`;
      let id = nodes.get(key);
      if (id === undefined) {
        id = nodes.size + 1;
        nodes.set(key, id);
        sink.node(id, lngE7, latE7, undefined);
      }
      refs.push(id);
    }
    const tags = new Map<string, string>();
    for (const [key, value] of Object.entries(feature.properties ?? {}))
      if (!key.startsWith('@') && typeof value === 'string') tags.set(key, value);
    if (refs.length > 0) sink.way(wayId, refs, tags);
  }
}

function line({ geometry }: Feature): readonly Position[] {
  if (geometry?.type === 'LineString') return geometry.coordinates as Position[];
  // Pedestrians walk along the outline of an area.
  if (geometry?.type === 'Polygon') return (geometry.coordinates as Position[][])[0] ?? [];
  return [];
}
