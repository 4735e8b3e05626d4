import type { MapElements, TaggedRelation, TaggedWay } from '../osm/map-elements.js';
import type { Tags } from '../osm/osm-sink.js';
import { assemblePolygons, type MemberLine } from './assemble-polygons.js';
import { drawBorder, drawBuilding, drawGround, drawWaterLine } from './draw-ground.js';
import { drawPoints } from './draw-places.js';
import { drawFerry, drawStreet, drawStreetArea } from './draw-streets.js';
import { joinLines } from './join-lines.js';
import { layerIndex } from './layers.js';
import { mapTileLimits } from './limits.js';
import type { Drawing, MapFeature } from './map-feature.js';
import { doubleArea, middleOf, type Ring } from './ring-geometry.js';

export interface CollectedFeatures {
  /** In the order in which they lie in tiles. */
  readonly features: readonly MapFeature[];
  /** Rings of multipolygons that were left out because they do not close or enclose nothing. */
  readonly brokenRings: number;
}

type LineFeature = MapFeature & { readonly shape: { readonly type: 'line' } };

/** Everything of an extract that the map draws, but the sea. */
export function collectFeatures({ nodes, ways, relations }: MapElements): CollectedFeatures {
  const features: MapFeature[] = [];
  const lines: LineFeature[] = [];
  let brokenRings = 0;

  const points = (tags: Tags, at: Int32Array): void => {
    for (const drawing of drawPoints(tags))
      features.push({ drawing, shape: { type: 'point', at }, rank: pointRank(drawing) });
  };
  const area = (tags: Tags, polygons: readonly (readonly Ring[])[]): void => {
    const size = polygons.reduce((sum, rings) => sum + Math.abs(doubleArea(rings[0]!)), 0);
    if (size === 0) return;
    for (const drawing of areaDrawings(tags)) {
      const minZoom = Math.max(drawing.minZoom, firstVisibleZoom(size, polygons[0]![0]![1]!));
      features.push({ drawing: { ...drawing, minZoom }, shape: { type: 'area', polygons }, rank: -size });
    }
    points(tags, middleOf(polygons[0]![0]!));
  };

  for (const { tags, lngE7, latE7 } of nodes) points(tags, Int32Array.of(lngE7, latE7));
  for (const { tags, lngLatE7, ring } of ways) {
    if (tags.size === 0 || lngLatE7.length < 4) continue;
    for (const draw of [drawStreet, drawFerry, drawWaterLine]) {
      const drawing = draw(tags);
      if (drawing !== undefined)
        lines.push({ drawing, shape: { type: 'line', line: lngLatE7 }, rank: -drawing.minZoom });
    }
    // Nodes beyond the extract's border are missing, and then the ring is not closed any more.
    if (ring && lngLatE7[0] === lngLatE7.at(-2) && lngLatE7[1] === lngLatE7.at(-1)) area(tags, [[lngLatE7]]);
  }

  const wayOf = new Map(ways.map((way) => [way.id, way]));
  for (const relation of relations) {
    if (relation.tags.get('type') !== 'multipolygon' || !drawsSomething(relation.tags)) continue;
    if (relation.members.length > mapTileLimits.relationMembersMax) {
      brokenRings++;
      continue;
    }
    const { polygons, broken } = assemblePolygons(memberLines(relation, wayOf));
    brokenRings += broken;
    if (polygons.length > 0) area(relation.tags, polygons);
  }
  for (const line of borders(ways, relations, wayOf)) lines.push(line);
  features.push(...joinLines(lines));
  return { features: inOrder(features), brokenRings };
}

function* areaDrawings(tags: Tags): Iterable<Drawing> {
  const building = drawBuilding(tags);
  if (building !== undefined) yield building;
  const ground = drawStreetArea(tags) ?? drawGround(tags);
  if (ground !== undefined) yield ground;
}

function drawsSomething(tags: Tags): boolean {
  for (const _ of areaDrawings(tags)) return true;
  for (const _ of drawPoints(tags)) return true;
  return false;
}

const firstZoomOfAllAreas = 14;
const visiblePixels = 4;

/** Below this zoom the area covers less than four pixels of a 256-pixel tile. */
function firstVisibleZoom(doubleAreaE14: number, latE7: number): number {
  const latitude = (latE7 / 1e7) * (Math.PI / 180);
  const shareOfWorld = doubleAreaE14 / 2 / 3.6e9 ** 2 / Math.max(0.1, Math.cos(latitude));
  return Math.min(firstZoomOfAllAreas, Math.ceil(Math.log2(Math.sqrt(visiblePixels / shareOfWorld) / 256)));
}

function pointRank({ minZoom, attributes }: Drawing): number {
  const population = attributes.find(({ key }) => key === 'population')?.value;
  return minZoom - (typeof population === 'number' ? Math.min(0.99, Math.log10(1 + population) / 10) : 0);
}

function memberLines({ members }: TaggedRelation, wayOf: ReadonlyMap<number, TaggedWay>): MemberLine[] {
  const lines: MemberLine[] = [];
  const seen = new Set<number>();
  for (const { type, id, role } of members) {
    const way = type === 'way' && !seen.has(id) ? wayOf.get(id) : undefined;
    seen.add(id);
    if (way !== undefined && way.lngLatE7.length >= 4)
      lines.push({ lngLatE7: way.lngLatE7, ends: way.ends, inner: role === 'inner' });
  }
  return lines;
}

/** A way that is a border of several levels is drawn as that of the highest. */
function borders(
  ways: readonly TaggedWay[],
  relations: readonly TaggedRelation[],
  wayOf: ReadonlyMap<number, TaggedWay>,
): LineFeature[] {
  const levels = new Map<number, number>();
  const lower = (id: number, tags: Tags): void => {
    const level = Number(tags.get('admin_level'));
    if (Number.isInteger(level) && level >= 2) levels.set(id, Math.min(level, levels.get(id) ?? level));
  };
  for (const { id, tags } of ways) if (tags.get('boundary') === 'administrative') lower(id, tags);
  for (const { tags, members } of relations)
    if (tags.get('boundary') === 'administrative')
      for (const { type, id } of members) if (type === 'way') lower(id, tags);
  const lines: LineFeature[] = [];
  for (const [id, level] of [...levels].toSorted(([a], [b]) => a - b)) {
    const way = wayOf.get(id);
    if (way === undefined || way.lngLatE7.length < 4) continue;
    const drawing = drawBorder(level, way.tags.get('maritime') === 'yes');
    if (drawing !== undefined)
      lines.push({ drawing, shape: { type: 'line', line: way.lngLatE7 }, rank: -drawing.minZoom });
  }
  return lines;
}

function inOrder(features: MapFeature[]): MapFeature[] {
  const place = ({ drawing }: MapFeature): number => layerIndex.get(drawing.layer)!;
  return features.sort((a, b) => place(a) - place(b) || a.rank - b.rank);
}
