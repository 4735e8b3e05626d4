import type { TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import { assemblePolygons, type MemberLine } from '#osm/polygons/assemble-polygons.js';
import { doubleArea, middleOf, type Ring } from '#osm/polygons/ring-geometry.js';
import type { Tags } from '#schemas/osm-sink.js';
import { mapTileLimits } from '../../format/limits.js';
import type { Drawing, MapFeature } from '../../format/map-feature.js';
import { drawBorder, drawBuilding, drawGround, drawWaterLine } from './ground-features.js';
import { drawPoints } from './place-features.js';
import { drawFerry, drawStreet, drawStreetArea } from './street-features.js';

/** The features of a node. The order of an element's features is part of the map. */
export const nodeFeatures = ({ tags, lngE7, latE7 }: TaggedNode): MapFeature[] =>
  points(tags, Int32Array.of(lngE7, latE7));

/** The features of a way, each line separately. `adminLevel`: the level of the border, if the way is one. */
export function wayFeatures(
  { tags, lngLatE7, ring }: TaggedWay,
  adminLevel: number | undefined,
): MapFeature[] {
  const features: MapFeature[] = [];
  if (lngLatE7.length < 4) return features;
  const line = (drawing: Drawing | undefined): void => {
    if (drawing !== undefined)
      features.push({ drawing, shape: { type: 'line', line: lngLatE7 }, rank: -drawing.minZoom });
  };
  if (tags.size > 0) for (const draw of [drawStreet, drawFerry, drawWaterLine]) line(draw(tags));
  if (adminLevel !== undefined) line(drawBorder(adminLevel, tags.get('maritime') === 'yes'));
  // Nodes beyond the extract's border are missing, so the ring may not be closed.
  if (ring && lngLatE7[0] === lngLatE7.at(-2) && lngLatE7[1] === lngLatE7.at(-1))
    features.push(...areas(tags, [[lngLatE7]]));
  return features;
}

export interface DrawnRelation {
  readonly features: MapFeature[];
  /** Rings that were left out because they do not close or enclose nothing. */
  readonly broken: number;
}

export const mayHaveFeatures = ({ tags }: TaggedRelation): boolean =>
  tags.get('type') === 'multipolygon' && drawsSomething(tags);

/** The features of a relation for which `mayHaveFeatures` is true. */
export function relationFeatures(relation: TaggedRelation, wayOf: WayOf): DrawnRelation {
  if (relation.members.length > mapTileLimits.relationMembersMax) return { features: [], broken: 1 };
  const { polygons, broken } = assemblePolygons(memberLines(relation, wayOf));
  return { features: polygons.length > 0 ? areas(relation.tags, polygons) : [], broken };
}

export type WayOf = (id: number) => TaggedWay | undefined;

function memberLines({ members }: TaggedRelation, wayOf: WayOf): MemberLine[] {
  const lines: MemberLine[] = [];
  const seen = new Set<number>();
  for (const { type, id, role } of members) {
    const way = type === 'way' && !seen.has(id) ? wayOf(id) : undefined;
    seen.add(id);
    if (way !== undefined && way.lngLatE7.length >= 4)
      lines.push({ lngLatE7: way.lngLatE7, ends: way.ends, inner: role === 'inner' });
  }
  return lines;
}

function points(tags: Tags, at: Int32Array): MapFeature[] {
  const features: MapFeature[] = [];
  for (const drawing of drawPoints(tags))
    features.push({ drawing, shape: { type: 'point', at }, rank: pointRank(drawing) });
  return features;
}

function areas(tags: Tags, polygons: readonly (readonly Ring[])[]): MapFeature[] {
  const size = polygons.reduce((sum, rings) => sum + Math.abs(doubleArea(rings[0]!)), 0);
  if (size === 0) return [];
  const features: MapFeature[] = [];
  for (const drawing of areaDrawings(tags)) {
    const minZoom = Math.max(drawing.minZoom, firstVisibleZoom(size, polygons[0]![0]![1]!));
    features.push({ drawing: { ...drawing, minZoom }, shape: { type: 'area', polygons }, rank: -size });
  }
  features.push(...points(tags, middleOf(polygons[0]![0]!)));
  return features;
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
