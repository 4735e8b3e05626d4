import type { RawFeature } from 'geojson-vt';
import { PbfReader, PbfWriter } from 'pbf';
import { type LayerName, layerIndex, layerNames } from './layers.js';
import type { Attribute, Drawing, MapFeature } from './map-feature.js';

export const extent = 4_096;

/** What the cutter passes on as the tags of a feature. */
export type Tagged = Pick<MapFeature, 'drawing' | 'number'>;
export const taggedOf = (feature: RawFeature): Tagged => feature.tags as unknown as Tagged;
export const tagsOf = (tagged: Tagged): RawFeature['tags'] & object =>
  tagged as unknown as RawFeature['tags'] & object;

interface Layer<Name extends string> {
  readonly name: Name;
  readonly bytes: Uint8Array;
  /** Numbers of its features in order; absent if they are unknown, or a feature has none. */
  readonly numbers?: Uint32Array;
}

/** The bytes of one layer as a field of a tile: concatenated layers are a tile. */
export type EncodedLayer = Layer<LayerName>;

/**
 * Layers of Mapbox Vector Tile 2.1 in their order, of the features that are drawn at this zoom, in the order
 * given.
 */
export function encodeLayers(features: Iterable<RawFeature>, zoom: number): EncodedLayer[] {
  const layers: (LayerWriter | undefined)[] = [];
  for (const feature of features) {
    const { drawing, number } = taggedOf(feature);
    if (!isDrawnAt(drawing, zoom)) continue;
    const type = geometryInto(feature);
    if (type === 0) continue;
    const index = layerIndex.get(drawing.layer)!;
    layers[index] ??= new LayerWriter();
    layers[index].add(type, drawing.attributes, zoom, number);
  }
  return layers.flatMap((layer, index) => layer?.finish(layerNames[index]!) ?? []);
}

/**
 * A tile of one layer, of whatever name, in the order given; undefined when nothing is left on the tile's
 * grid.
 */
export function encodeTile(
  layer: string,
  features: Iterable<RawFeature>,
  attributesOf: (feature: RawFeature) => readonly Attribute[],
): Uint8Array | undefined {
  const writer = new LayerWriter();
  for (const feature of features) {
    const type = geometryInto(feature);
    if (type !== 0) writer.add(type, attributesOf(feature), Number.POSITIVE_INFINITY, undefined);
  }
  return writer.isEmpty ? undefined : writer.finish(layer).bytes;
}

/** An encoded feature of a layer, without the numbers of its keys and values. */
export interface EncodedFeature {
  readonly number: number | undefined;
  /** Those of the zoom. */
  readonly attributes: readonly Attribute[];
  /** Type and geometry. */
  readonly body: Uint8Array;
}

/** Undefined when it is not drawn at the zoom, or when nothing is left of it on the tile's grid. */
export function encodeFeature(feature: RawFeature, zoom: number): EncodedFeature | undefined {
  const { drawing, number } = taggedOf(feature);
  if (!isDrawnAt(drawing, zoom)) return undefined;
  const type = geometryInto(feature);
  if (type === 0) return undefined;
  const pbf = new PbfWriter();
  writeFeature({ type, tags: [] }, pbf);
  const attributes = drawing.attributes.filter(({ fromZoom }) => zoom >= fromZoom);
  return { number, attributes, body: pbf.finish() };
}

const isDrawnAt = ({ minZoom, maxZoom }: Drawing, zoom: number): boolean =>
  zoom >= minZoom && zoom <= (maxZoom ?? zoom);

/** A tile as `encodeLayers` made it, taken apart again; views of its bytes. */
export function layersOf(tile: Uint8Array): EncodedLayer[] {
  const pbf = new PbfReader(tile);
  const layers: EncodedLayer[] = [];
  while (pbf.pos < pbf.length) {
    const start = pbf.pos;
    pbf.readVarint();
    const end = pbf.readVarint() + pbf.pos;
    // The version comes first, the name second.
    pbf.readVarint();
    pbf.readVarint();
    pbf.readVarint();
    layers.push({ name: pbf.readString() as LayerName, bytes: tile.subarray(start, end) });
    pbf.pos = end;
  }
  return layers;
}

/** Commands of the feature at hand; one for all, since a tile is written feature by feature. */
const commands: number[] = [];

const moveTo = (count: number): number => (count << 3) | 1;
const lineTo = (count: number): number => (count << 3) | 2;
const closePath = 15;
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

class LayerWriter {
  readonly #features = new PbfWriter();
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<Attribute['value'], number>();
  #numbers: number[] | undefined = [];

  get isEmpty(): boolean {
    return this.#features.pos === 0;
  }

  add(type: number, attributes: readonly Attribute[], zoom: number, number: number | undefined): void {
    if (number === undefined) this.#numbers = undefined;
    else this.#numbers?.push(number);
    const tags: number[] = [];
    for (const { key, value, fromZoom } of attributes) {
      if (zoom < fromZoom) continue;
      tags.push(numbered(this.#keys, key), numbered(this.#values, value));
    }
    this.#features.writeMessage(2, writeFeature, { type, tags });
  }

  finish<Name extends string>(name: Name): Layer<Name> {
    const tile = new PbfWriter();
    tile.writeMessage(3, writeLayer, {
      name,
      features: this.#features.finish(),
      keys: this.#keys,
      values: this.#values,
    });
    const bytes = tile.finish();
    return this.#numbers === undefined
      ? { name, bytes }
      : { name, bytes, numbers: Uint32Array.from(this.#numbers) };
  }
}

function numbered<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

function writeFeature({ type, tags }: { type: number; tags: number[] }, pbf: PbfWriter): void {
  if (tags.length > 0) pbf.writePackedVarint(2, tags);
  pbf.writeVarintField(3, type);
  pbf.writePackedVarint(4, commands);
}

interface WholeLayer {
  readonly name: string;
  readonly features: Uint8Array;
  readonly keys: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<Attribute['value'], number>;
}

function writeLayer({ name, features, keys, values }: WholeLayer, pbf: PbfWriter): void {
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, name);
  // Already encoded as fields of a layer, so they are appended unchanged.
  pbf.realloc(features.length);
  pbf.buf.set(features, pbf.pos);
  pbf.pos += features.length;
  for (const key of keys.keys()) pbf.writeStringField(3, key);
  for (const value of values.keys()) pbf.writeMessage(4, writeValue, value);
  pbf.writeVarintField(5, extent);
}

export function writeValue(value: Attribute['value'], pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(1, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value);
  else if (Number.isSafeInteger(value)) pbf.writeSVarintField(6, value);
  else pbf.writeDoubleField(3, value);
}

/**
 * Fills `commands` and answers with the type of the format; 0 when nothing is left of the feature on the
 * tile's grid.
 */
function geometryInto(feature: RawFeature): 0 | 1 | 2 | 3 {
  commands.length = 0;
  if (feature.type === 4) {
    commands.push(moveTo(1), zigzag(feature.x), zigzag(feature.y));
    return 1;
  }
  if (feature.type === 1) return 0;
  if (feature.type === 3) areaInto(feature.geometry);
  else {
    let pen = { x: 0, y: 0 };
    for (const line of feature.geometry) pen = lineInto(line, pen) ?? pen;
  }
  return commands.length === 0 ? 0 : feature.type;
}

/** The end of the last command; the next is relative to it. */
interface Pen {
  readonly x: number;
  readonly y: number;
}

type Line = ArrayLike<number>;

function lineInto(line: Line, pen: Pen, points = line.length / 2, stepsLeast = 1): Pen | undefined {
  const start = commands.length;
  let { x, y } = pen;
  let steps = 0;
  for (let i = 0; i < points; i++) {
    const dx = line[2 * i]! - x;
    const dy = line[2 * i + 1]! - y;
    if (i > 0 && dx === 0 && dy === 0) continue;
    if (i === 0) commands.push(moveTo(1), zigzag(dx), zigzag(dy), 0);
    else {
      commands.push(zigzag(dx), zigzag(dy));
      steps++;
    }
    x += dx;
    y += dy;
  }
  if (steps < stepsLeast) {
    commands.length = start;
    return undefined;
  }
  commands[start + 3] = lineTo(steps);
  return { x, y };
}

/**
 * Outer rings, each before its holes. Rings that collapse on the grid are omitted, and so is a polygon that
 * its holes cover completely: the sea of a tile inside an island.
 */
function areaInto(rings: readonly Line[]): void {
  let pen: Pen = { x: 0, y: 0 };
  let start = 0;
  let penAtStart = pen;
  let left = 0;
  const drop = (): void => {
    commands.length = start;
    pen = penAtStart;
  };
  for (const ring of rings) {
    const area = doubleArea(ring);
    if (area > 0) {
      if (left <= 0) drop();
      start = commands.length;
      penAtStart = pen;
      left = 0;
    } else if (area === 0 || left <= 0) continue;
    // A ring is closed by its last command, not by repeating its first point.
    const after = lineInto(ring, pen, ring.length / 2 - 1, 2);
    if (after === undefined) continue;
    commands.push(closePath);
    pen = after;
    left += area;
  }
  if (left <= 0) drop();
}

/** Positive for an outer ring: clockwise on a screen, whose y runs down. */
function doubleArea(ring: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) sum += ring[i]! * ring[i + 3]! - ring[i + 2]! * ring[i + 1]!;
  return sum;
}
