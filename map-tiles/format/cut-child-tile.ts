import type { RawFeature } from 'geojson-vt';
import { PbfReader } from 'pbf';
import { encodeLayers, extent, tagsOf } from './encode-vector-tile.js';
import type { LayerName } from './layers.js';
import type { Attribute } from './map-feature.js';
import type { TileId } from './web-mercator.js';

/** Units beyond the edge that a child keeps, so that lines and areas of two children overlap. */
const margin = 64;

/**
 * A part of a vector tile as a tile of a deeper zoom: every coordinate of the parent lies on the grid of the
 * child exactly; only where a line is cut at the edge is a point rounded to that grid.
 *
 * @param tile in the form of `encodeLayers`.
 * @param inner a tile inside `outer`.
 * @returns undefined when nothing is left.
 */
export function cutChildTile(tile: Uint8Array, outer: TileId, inner: TileId): Uint8Array | undefined {
  const deeper = inner.z - outer.z;
  const place = (at: number, of: number): number => (at - of * 2 ** deeper) * extent;
  const window = { scale: 2 ** deeper, left: place(inner.x, outer.x), top: place(inner.y, outer.y) };
  const layers = encodeLayers(childFeatures(tile, window), inner.z);
  return layers.length === 0 ? undefined : Buffer.concat(layers.map(({ bytes }) => bytes));
}

/** Of the parent's grid, times `scale`. */
interface Window {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

function* childFeatures(tile: Uint8Array, window: Window): Iterable<RawFeature> {
  for (const { name, keys, values, features } of layersIn(tile))
    for (const { tags, type, commands } of features) {
      const drawn = drawnIn(type, linesOf(commands, window));
      if (drawn.length === 0) continue;
      const attributes: Attribute[] = [];
      for (let i = 0; i + 1 < tags.length; i += 2)
        attributes.push({ key: keys[tags[i]!]!, value: values[tags[i + 1]!]!, fromZoom: 0 });
      const drawing = { layer: name as LayerName, minZoom: 0, attributes };
      // The number of a feature serves builders only.
      const drawnTags = tagsOf({ drawing } as Parameters<typeof tagsOf>[0]);
      if (type !== 1) yield { type, geometry: drawn, tags: drawnTags } as unknown as RawFeature;
      else for (const [x, y] of drawn) yield { type: 4, x, y, tags: drawnTags } as unknown as RawFeature;
    }
}

interface ReadFeature {
  tags: number[];
  type: number;
  commands: number[];
}

interface ReadLayer {
  name: string;
  readonly keys: string[];
  readonly values: Attribute['value'][];
  readonly features: ReadFeature[];
}

function layersIn(tile: Uint8Array): ReadLayer[] {
  const layers: ReadLayer[] = [];
  new PbfReader(tile).readFields((field, _, pbf) => {
    if (field === 3)
      layers.push(pbf.readMessage(readLayer, { name: '', keys: [], values: [], features: [] }));
  }, undefined);
  return layers;
}

function readLayer(field: number, layer: ReadLayer, pbf: PbfReader): void {
  if (field === 1) layer.name = pbf.readString();
  else if (field === 2)
    layer.features.push(pbf.readMessage(readFeature, { tags: [], type: 0, commands: [] }));
  else if (field === 3) layer.keys.push(pbf.readString());
  else if (field === 4)
    layer.values.push(pbf.readMessage(readValue, { value: '' as Attribute['value'] }).value);
}

function readFeature(field: number, feature: ReadFeature, pbf: PbfReader): void {
  if (field === 2) pbf.readPackedVarint(feature.tags);
  else if (field === 3) feature.type = pbf.readVarint();
  else if (field === 4) pbf.readPackedVarint(feature.commands);
}

/** The kinds that `writeValue` writes. */
function readValue(field: number, read: { value: Attribute['value'] }, pbf: PbfReader): void {
  if (field === 1) read.value = pbf.readString();
  else if (field === 3) read.value = pbf.readDouble();
  else if (field === 6) read.value = pbf.readSVarint();
  else if (field === 7) read.value = pbf.readBoolean();
}

type Line = number[];

const closePath = 7;
const unzigzag = (value: number): number => (value >>> 1) ^ -(value & 1);

/** Lines of a geometry, [x, y, x, y, …] on the child's grid; a closed one repeats its first point. */
function linesOf(commands: readonly number[], { scale, left, top }: Window): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < commands.length; ) {
    const command = commands[at++]!;
    if ((command & 7) === closePath) {
      line.push(line[0]!, line[1]!);
      continue;
    }
    for (let more = command >> 3; more > 0; more--) {
      x += unzigzag(commands[at++]!);
      y += unzigzag(commands[at++]!);
      if ((command & 7) === 1) {
        line = [];
        lines.push(line);
      }
      line.push(x * scale - left, y * scale - top);
    }
  }
  return lines;
}

const least = -margin;
const most = extent + margin;

function drawnIn(type: number, lines: readonly Line[]): Line[] {
  if (type === 1) return lines.filter(([x, y]) => isInside(x!) && isInside(y!));
  return type === 2 ? lines.flatMap(cutLine) : lines.map(cutRing).filter((ring) => ring.length > 0);
}

const isInside = (value: number): boolean => value >= least && value <= most;

/** The stretches of a line inside the window. */
function cutLine(line: Line): Line[] {
  const parts: Line[] = [];
  let part: Line = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!];
    const shares = insideShares(ax, ay, bx - ax, by - ay);
    if (shares === undefined) continue;
    const [from, to] = shares;
    const at = (share: number): [number, number] => [
      Math.round(ax + share * (bx - ax)),
      Math.round(ay + share * (by - ay)),
    ];
    if (from > 0 || part.length === 0) {
      part = at(from);
      parts.push(part);
    }
    part.push(...at(to));
    if (to < 1) part = [];
  }
  return parts;
}

/** The shares of a segment between which it is inside (Liang and Barsky); undefined if it is outside. */
function insideShares(x: number, y: number, dx: number, dy: number): [number, number] | undefined {
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-dx, x - least],
    [dx, most - x],
    [-dy, y - least],
    [dy, most - y],
  ] as const) {
    if (step === 0) {
      if (room < 0) return undefined;
    } else if (step < 0) from = Math.max(from, room / step);
    else to = Math.min(to, room / step);
  }
  return from < to ? [from, to] : undefined;
}

/** The part of a closed ring inside the window (Sutherland and Hodgman); empty if there is none. */
function cutRing(ring: Line): Line {
  let points = ring.slice(0, -2);
  for (const [axis, limit, sign] of [
    [0, least, 1],
    [0, most, -1],
    [1, least, 1],
    [1, most, -1],
  ] as const) {
    const kept: Line = [];
    for (let i = 0; i < points.length; i += 2) {
      const before = (i + points.length - 2) % points.length;
      const [ax, ay, bx, by] = [points[before]!, points[before + 1]!, points[i]!, points[i + 1]!];
      const [a, b] = axis === 0 ? [ax, bx] : [ay, by];
      const [aIn, bIn] = [(a - limit) * sign >= 0, (b - limit) * sign >= 0];
      if (aIn !== bIn) {
        const share = (limit - a) / (b - a);
        kept.push(Math.round(ax + share * (bx - ax)), Math.round(ay + share * (by - ay)));
      }
      if (bIn) kept.push(bx, by);
    }
    points = kept;
    if (points.length === 0) return [];
  }
  return [...points, points[0]!, points[1]!];
}
