import type { ObjectStore } from '#platform/object-store/object-store.js';
import { InvalidMapSource, type Tags } from '#schemas/osm-sink.js';

/** A road that an operator accepted. Drivers use it, and the extract may lack it. */
export interface AcceptedRoad {
  readonly id: string;
  /** As OpenStreetMap has them. */
  readonly tags: Tags;
  /** 1e-7 degrees, in the direction of driving; both are of the same length, two or more. */
  readonly lngE7: readonly number[];
  readonly latE7: readonly number[];
}

/**
 * Where `processors/new-roads` stores the accepted roads: one object, replaced as a whole. Its page:
 * docs/formats/accepted-roads.md.
 */
export const acceptedRoadsKey = 'accepted-roads/roads.geojson';

const format = 'meridian accepted roads 1';
export const roadsMax = 100_000;
export const roadPointsMax = 2_000;

/**
 * In the order of their ids. Empty when nothing was accepted; throws `InvalidMapSource` when the object is
 * damaged.
 */
export async function readAcceptedRoads(objects: Pick<ObjectStore, 'get'>): Promise<AcceptedRoad[]> {
  const bytes = await objects.get(acceptedRoadsKey);
  return bytes === undefined ? [] : decodeAcceptedRoads(bytes);
}

/** The same roads give the same bytes, whatever their order. */
export function encodeAcceptedRoads(roads: readonly AcceptedRoad[]): Uint8Array {
  const features = inOrder(roads).map(({ id, tags, lngE7, latE7 }) => ({
    type: 'Feature',
    id,
    properties: Object.fromEntries([...tags].sort(([a], [b]) => (a < b ? -1 : 1))),
    geometry: {
      type: 'LineString',
      coordinates: lngE7.map((lng, i) => [lng / 1e7, latE7[i]! / 1e7]),
    },
  }));
  return new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', format, features }));
}

export function decodeAcceptedRoads(bytes: Uint8Array): AcceptedRoad[] {
  const damaged = (what: string, cause?: unknown): InvalidMapSource =>
    new InvalidMapSource(
      `${acceptedRoadsKey}: ${what}; delete the object, ` +
        'and the group new-roads-accepted writes it again with the next review',
      { cause },
    );
  let text: { readonly format?: unknown; readonly features?: unknown };
  try {
    text = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as typeof text;
  } catch (cause) {
    throw damaged('is no JSON', cause);
  }
  if (text?.format !== format || !Array.isArray(text.features))
    throw damaged(`has the format ${String(text?.format)}, we read ${format}`);
  if (text.features.length > roadsMax) throw damaged(`has more than ${roadsMax} roads`);
  return inOrder(
    text.features.map((feature, i) => {
      const road = roadOf(feature);
      if (road === undefined) throw damaged(`its feature ${i} is no road`);
      return road;
    }),
  );
}

function roadOf(feature: unknown): AcceptedRoad | undefined {
  const { id, properties, geometry } = Object(feature) as {
    readonly id?: unknown;
    readonly properties?: unknown;
    readonly geometry?: { readonly type?: unknown; readonly coordinates?: unknown };
  };
  const places: unknown = geometry?.coordinates;
  const tags = Object.entries(Object(properties) as Record<string, unknown>);
  const isRoad =
    typeof id === 'string' &&
    geometry?.type === 'LineString' &&
    Array.isArray(places) &&
    places.length >= 2 &&
    places.length <= roadPointsMax &&
    places.every(isOnEarth) &&
    tags.every(([, value]) => typeof value === 'string');
  if (!isRoad) return undefined;
  const line = places as [number, number][];
  return {
    id,
    tags: new Map(tags as [string, string][]),
    lngE7: line.map(([lng]) => Math.round(lng * 1e7)),
    latE7: line.map(([, lat]) => Math.round(lat * 1e7)),
  };
}

const isOnEarth = (place: unknown): boolean =>
  Array.isArray(place) &&
  place.length === 2 &&
  Math.abs(Number(place[0])) <= 180 &&
  Math.abs(Number(place[1])) <= 85;

const inOrder = (roads: readonly AcceptedRoad[]): AcceptedRoad[] =>
  roads.toSorted((a, b) => (a.id < b.id ? -1 : 1));
