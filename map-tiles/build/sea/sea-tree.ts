import type { RawFeature } from 'geojson-vt';
import type { Ring } from '#osm/polygons/ring-geometry.js';
import { extent, tagsOf } from '../../format/encode-vector-tile.js';
import type { Drawing } from '../../format/map-feature.js';
import { type TileId, xOf, yOf } from '../../format/web-mercator.js';
import { buffer, tolerance } from '../geometry/cut-vector-tiles.js';
import { joinClippedRings } from '../geometry/join-clipped-rings.js';
import { clipRing, liesAlong, signedArea, simplifiedRing, type WorldBox } from '../geometry/sea-ring.js';
import { ContentMixer } from '../hashing/content-mixer.js';

/**
 * For a tile and all below it: no water, only water, or the rings of its water in shares of the square world.
 */
export type Water = 'none' | 'all' | readonly Float64Array[];

const ocean: Drawing = { layer: 'ocean', minZoom: 0, attributes: [] };
/** The sea of a tile that is all sea. */
export const wholeTile: RawFeature = {
  type: 3,
  geometry: [
    Int32Array.of(
      ...[-buffer, -buffer, extent + buffer, -buffer, extent + buffer, extent + buffer],
      ...[-buffer, extent + buffer, -buffer, -buffer],
    ),
  ],
  tags: tagsOf({ drawing: ocean }),
};

/**
 * The sea as a quadtree. A coast is read only in the tiles that it crosses; under open sea and under land the
 * tree ends. So the coast alone decides what a tile shows of the sea, and unchanged sea needs no work per
 * tile.
 */
export class SeaTree {
  readonly #root: TileId;
  readonly #whole: Water;
  readonly #cut = new Map<number, Water>();
  /** The deepest zoom, at which nothing is simplified. */
  readonly #zoomMax: number;

  private constructor(root: TileId, water: Water, zoomMax: number) {
    this.#root = root;
    this.#whole = water;
    this.#zoomMax = zoomMax;
  }

  /** @param polygons each its outer ring and then its holes, 1e-7 degrees. */
  static of(polygons: readonly (readonly Ring[])[], zoomMax: number): SeaTree {
    const rings = polygons.flatMap(projectedPolygon);
    const water = rings.length === 0 ? 'none' : cut(rings, boxOf(0, 0, 0));
    return new SeaTree({ z: 0, x: 0, y: 0 }, water, zoomMax);
  }

  /** The subtree below a tile, from `waterOf`. */
  static below(root: TileId, water: Water, zoomMax: number): SeaTree {
    return new SeaTree(root, water, zoomMax);
  }

  waterOf({ z, x, y }: TileId): Water {
    return this.#water(z, x, y);
  }

  /** The sea in a tile; undefined if there is none. `isAll`: the tile is all sea. */
  at(tile: TileId): { readonly feature: RawFeature; readonly isAll: boolean } | undefined {
    const water = this.#water(tile.z, tile.x, tile.y);
    if (water === 'none') return undefined;
    if (water === 'all') return { feature: wholeTile, isAll: true };
    const side = 2 ** tile.z;
    const step = tile.z >= this.#zoomMax ? 0 : tolerance / extent / side;
    const box = boxOf(tile.z, tile.x, tile.y);
    const geometry: Int32Array[] = [];
    for (const ring of water) {
      const kept = step === 0 ? ring : simplifiedRing(ring, step, box);
      if (kept === undefined) continue;
      const line = new Int32Array(kept.length);
      for (let i = 0; i < kept.length; i += 2) {
        line[i] = Math.round((kept[i]! * side - tile.x) * extent);
        line[i + 1] = Math.round((kept[i + 1]! * side - tile.y) * extent);
      }
      // On the grid, a small ring may change its orientation; it would then count as an outer ring.
      if (signedArea(line) * signedArea(ring) > 0) geometry.push(line);
    }
    const joined = joinClippedRings(geometry, -buffer, extent + buffer);
    if (joined.length === 0) return undefined;
    return { feature: { ...wholeTile, geometry: joined } as RawFeature, isAll: false };
  }

  /**
   * The tree from zoom `from` on down to `leafZoom`, a row each: tile, and a hash of the sea in it. A row of
   * open sea represents all tiles below it, one of `leafZoom` the zooms below, others only their own tile.
   */
  rows(from: number): SeaRow[] {
    const found: SeaRow[] = [];
    const visit = (z: number, x: number, y: number): void => {
      const water = this.#water(z, x, y);
      if (water === 'none') return;
      if (z >= from) found.push({ z, x, y, isAll: water === 'all', ...hashOf(water) });
      if ((water === 'all' && z >= from) || z === leafZoom) return;
      for (let quarter = 0; quarter < 4; quarter++)
        visit(z + 1, 2 * x + (quarter >> 1), 2 * y + (quarter & 1));
    };
    visit(0, 0, 0);
    return found;
  }

  #water(z: number, x: number, y: number): Water {
    if (z === this.#root.z) return x === this.#root.x && y === this.#root.y ? this.#whole : 'none';
    const key = (z * 2 ** 20 + x) * 2 ** 20 + y;
    const known = this.#cut.get(key);
    if (known !== undefined) return known;
    const above = this.#water(z - 1, x >> 1, y >> 1);
    if (typeof above === 'string') return above;
    const water = cut(above, boxOf(z, x, y));
    this.#cut.set(key, water);
    return water;
  }
}

/** There are no rows for deeper tiles, which use the row of their tile of this zoom. */
export const leafZoom = 14;

export interface SeaRow extends TileId {
  readonly isAll: boolean;
  readonly a: number;
  readonly b: number;
}

/** The tile with its buffer. */
function boxOf(z: number, x: number, y: number): WorldBox {
  const side = 2 ** z;
  const more = buffer / extent;
  return [(x - more) / side, (y - more) / side, (x + 1 + more) / side, (y + 1 + more) / side];
}

function cut(rings: readonly Float64Array[], box: WorldBox): Water {
  const inside: Float64Array[] = [];
  let isPlain = true;
  for (const ring of rings) {
    const clipped = clipRing(ring, box);
    if (clipped === undefined) continue;
    inside.push(clipped);
    isPlain &&= liesAlong(clipped, box);
  }
  if (inside.length === 0) return 'none';
  if (!isPlain) return inside;
  // Rings that run only along the edges either cover the tile or cancel each other.
  const area = inside.reduce((sum, ring) => sum + signedArea(ring), 0);
  return area > ((box[2] - box[0]) * (box[3] - box[1])) / 2 ? 'all' : 'none';
}

/** A polygon in shares of the world; one that crosses the date line is on both sides of it. */
function projectedPolygon(rings: readonly Ring[]): Float64Array[] {
  const [outer, ...holes] = rings.map((ring, i) => projected(ring, i === 0));
  if (outer === undefined) return [];
  return turnsOf(outer).flatMap((turn) => [
    moved(outer.ring, turn),
    ...holes.flatMap((hole) => turnsOf(hole).map((more) => moved(hole.ring, turn + more))),
  ]);
}

interface ProjectedRing {
  readonly ring: Float64Array;
  readonly crossesDateLine: boolean;
}

/** The full turns by which a ring beyond the date line is visible in the world. */
function turnsOf({ ring, crossesDateLine }: ProjectedRing): number[] {
  if (!crossesDateLine) return [0];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < ring.length; i += 2) {
    least = Math.min(least, ring[i]!);
    most = Math.max(most, ring[i]!);
  }
  return [-1, 0, 1].filter((turn) => most + turn > -dateLineRoom && least + turn < 1 + dateLineRoom);
}
/** The buffer of the tile of zoom 0. */
const dateLineRoom = buffer / extent;

const moved = (ring: Float64Array, turns: number): Float64Array =>
  turns === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + turns : value));

/** A longer step between two points crosses the date line; more than a full turn is the edge of the world. */
const halfTurn = 1_800_000_000;
/** Beyond the square world. */
const [northOfAll, southOfAll] = [-1, 2];

/** Rings with y downward, outer ones clockwise on a screen, holes the other way. */
function projected(ring: Ring, isOuter: boolean): ProjectedRing {
  const points: number[] = [];
  let turns = 0;
  let crossesDateLine = false;
  for (let i = 0; i < ring.length; i += 2) {
    const step = i === 0 ? 0 : ring[i]! - ring[i - 2]!;
    if (Math.abs(step) > halfTurn && Math.abs(step) <= 2 * halfTurn) {
      turns -= Math.sign(step);
      crossesDateLine = true;
    }
    const y = yOf(ring[i + 1]! / 1e7, 0);
    points.push(xOf(ring[i]! / 1e7, 0) + turns, Math.min(southOfAll, Math.max(northOfAll, y)));
  }
  // Once around the world: it contains a pole, and is closed beyond it.
  if (turns !== 0) {
    const pole = ring[1]! < 0 ? southOfAll : northOfAll;
    points.push(points.at(-2)!, pole, points[0]!, pole, points[0]!, points[1]!);
  }
  const projectedRing = Float64Array.from(points);
  if (signedArea(projectedRing) > 0 === isOuter) return { ring: projectedRing, crossesDateLine };
  const turned = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    turned[i] = points[points.length - 2 - i]!;
    turned[i + 1] = points[points.length - 1 - i]!;
  }
  return { ring: turned, crossesDateLine };
}

function hashOf(water: Water): { readonly a: number; readonly b: number } {
  const mixer = new ContentMixer();
  if (typeof water !== 'string')
    for (const ring of water) {
      mixer.add(ring.length);
      for (let i = 0; i < ring.length; i++) mixer.add(Math.round(ring[i]! * 2 ** 31));
    }
  return { a: mixer.a >>> 0, b: mixer.b >>> 0 };
}
