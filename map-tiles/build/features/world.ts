import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { doubleArea, middleOf, type Ring } from '#osm/polygons/ring-geometry.js';
import type { MapFeature } from '../../format/map-feature.js';
import { attribute } from './feature-attributes.js';

type Atlas = Topology<{
  land: GeometryCollection;
  countries: GeometryCollection<{ name: string }>;
}>;

const atlas = async (file: string): Promise<Atlas> =>
  JSON.parse(
    await readFile(createRequire(import.meta.url).resolve(`world-atlas/${file}.json`), 'utf8'),
  ) as Atlas;

/** Zooms with the sea of the coarse atlas; the next ones use the fine atlas, deeper ones the extract. */
const coarse = { minZoom: 0, maxZoom: 5 } as const;
/** Deepest zoom at which a country is named. */
const nameZoomMax = 7;

type Polygons = readonly (readonly Ring[])[];

/** For low zooms, at which an extract is a dot. Natural Earth, public domain. */
export interface World {
  /** The sea at a zoom. */
  seaOf(zoom: number): Polygons;
  /** Borders and names of countries. */
  readonly features: readonly MapFeature[];
}

export async function readWorld(): Promise<World> {
  const [coarseAtlas, fineLand] = await Promise.all([atlas('countries-50m'), atlas('land-10m')]);
  const [far, near] = [sea(coarseAtlas), sea(fineLand)];
  return {
    seaOf: (zoom) => (zoom <= coarse.maxZoom ? far : near),
    features: [...borders(coarseAtlas), ...names(coarseAtlas)],
  };
}

/** Beyond the edge of the map, so that no shore is on it. */
const edge: Ring = ringOf([
  [-190, 89],
  [190, 89],
  [190, -89],
  [-190, -89],
  [-190, 89],
]);

function sea(source: Atlas): Polygons {
  const polygons: Ring[][] = [[edge]];
  for (const { geometry } of feature(source, source.objects.land).features)
    for (const rings of polygonsOf(geometry)) {
      polygons[0]!.push(rings[0]!);
      // Water within land: the Caspian Sea.
      for (const hole of rings.slice(1)) polygons.push([hole]);
    }
  return polygons;
}

function borders(source: Atlas): MapFeature[] {
  const drawing = { layer: 'boundaries', ...coarse, attributes: [attribute('admin_level', 2)] } as const;
  return mesh(source, source.objects.countries, (a, b) => a !== b).coordinates.map((line) => ({
    drawing,
    shape: { type: 'line', line: ringOf(line) },
    rank: 0,
  }));
}

/** Square degrees at which the name of a country first has room, by zoom. */
const roomFrom: readonly (readonly [zoom: number, squareDegrees: number])[] = [
  [2, 250],
  [3, 60],
  [4, 10],
  [5, 0],
];

function names(source: Atlas): MapFeature[] {
  return feature(source, source.objects.countries).features.flatMap(({ geometry, properties }) => {
    const outers = polygonsOf(geometry).map((rings) => rings[0]!);
    if (outers.length === 0) return [];
    const size = (ring: Ring): number => Math.abs(doubleArea(ring)) / 2e14;
    const largest = outers.reduce((best, ring) => (size(ring) > size(best) ? ring : best));
    const minZoom = roomFrom.find(([, least]) => size(largest) >= least)?.[0] ?? 5;
    const attributes = [attribute('kind', 'country'), attribute('name', properties.name)];
    return {
      drawing: { layer: 'place_labels', minZoom, maxZoom: nameZoomMax, attributes },
      shape: { type: 'point', at: middleOf(largest) },
      rank: minZoom - Math.min(0.99, size(largest) / 2_000),
    } satisfies MapFeature;
  });
}

function polygonsOf(geometry: GeoJSON.Geometry | null): Ring[][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates.map(ringOf)];
  if (geometry?.type === 'MultiPolygon') return geometry.coordinates.map((rings) => rings.map(ringOf));
  return [];
}

function ringOf(line: readonly GeoJSON.Position[]): Ring {
  return Int32Array.from(line.flatMap(([lng, lat]) => [Math.round(lng! * 1e7), Math.round(lat! * 1e7)]));
}
