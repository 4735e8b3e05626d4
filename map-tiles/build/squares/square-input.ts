import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Box } from '#osm/polygons/ring-geometry.js';
import { mapTileLimits } from '../../format/limits.js';
import type { MapFeature, Shape } from '../../format/map-feature.js';
import type { TileId } from '../../format/web-mercator.js';
import { SeaTree, type Water } from '../sea/sea-tree.js';
import { drawingVersion, type MapSettings } from './map-build-cache.js';

/** The complete input of a square of the map. */
export interface SquareInput {
  /** A square of zoom 10, or the tile of zoom 0 for all zooms above. */
  readonly root: TileId;
  readonly settings: MapSettings;
  /** Of the extract, degrees. */
  readonly bounds: Box;
  /** In tile order. */
  readonly features: readonly MapFeature[];
  /** The sea of the extract; read only if it is drawn. */
  sea(): SeaTree;
}

/** The bytes are not a valid input for this program; the message says why. */
export class InvalidSquareInput extends Error {
  override readonly name = 'InvalidSquareInput';
}

const format = 'meridian-map-square';

/** Lines as differences from point to point, which are short. */
type PlainShape =
  | { readonly type: 'point' | 'line'; readonly line: readonly number[] }
  | { readonly type: 'area'; readonly polygons: readonly (readonly (readonly number[])[])[] };

interface Plain extends Pick<SquareInput, 'root' | 'settings' | 'bounds'> {
  readonly format: typeof format;
  readonly drawingVersion: number;
  readonly water: 'none' | 'all' | readonly (readonly number[])[];
  readonly features: readonly (Pick<MapFeature, 'drawing' | 'rank'> & { readonly shape: PlainShape })[];
}

/** JSON in gzip, under the SHA-256 of it. */
export function encodeSquareInput(input: SquareInput): { readonly key: string; readonly bytes: Uint8Array } {
  const { root, settings, bounds, features } = input;
  const water = input.sea().waterOf(root);
  const plain: Plain = {
    ...{ format, drawingVersion, root, settings, bounds },
    water: typeof water === 'string' ? water : water.map((ring) => Array.from(ring)),
    features: features.map(({ drawing, rank, shape }) => ({ drawing, rank, shape: plainShape(shape) })),
  };
  const bytes = gzipSync(JSON.stringify(plain), { level: 1 });
  if (bytes.length > mapTileLimits.squareInputBytesMax)
    throw new RangeError(
      `square ${nameOfSquare(root)} of the map has ${bytes.length} bytes of features, ` +
        `${mapTileLimits.squareInputBytesMax} are allowed; build without --over-log`,
    );
  return { key: squareInputKey(createHash('sha256').update(bytes).digest('hex')), bytes };
}

/** Throws `InvalidSquareInput`. */
export function decodeSquareInput(key: string, bytes: Uint8Array): SquareInput {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (squareInputKey(sha256) !== key) throw new InvalidSquareInput(`${key}: it is not what its name says`);
  let plain: Plain;
  try {
    const json = gunzipSync(bytes, { maxOutputLength: mapTileLimits.squareInputPlainBytesMax });
    plain = JSON.parse(json.toString()) as Plain;
  } catch (cause) {
    throw new InvalidSquareInput(`${key}: it is no JSON in gzip`, { cause });
  }
  if (plain.format !== format || plain.drawingVersion !== drawingVersion)
    throw new InvalidSquareInput(
      `${key}: it is of drawing version ${plain.drawingVersion}, this program draws ${drawingVersion}; ` +
        'run the same version of Meridian everywhere',
    );
  const { root, settings, bounds } = plain;
  const water: Water =
    typeof plain.water === 'string' ? plain.water : plain.water.map((ring) => Float64Array.from(ring));
  const sea = SeaTree.below(root, water, settings.zoomMax);
  const features = plain.features.map(
    (feature): MapFeature => ({ ...feature, shape: shapeOf(feature.shape) }),
  );
  return { root, settings, bounds, features, sea: () => sea };
}

const squareInputKey = (sha256: string): string => `map-tiles/squares/${sha256}`;
export const nameOfSquare = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

function plainShape(shape: Shape): PlainShape {
  switch (shape.type) {
    case 'point':
      return { type: 'point', line: differences(shape.at) };
    case 'line':
      return { type: 'line', line: differences(shape.line) };
    case 'area':
      return { type: 'area', polygons: shape.polygons.map((rings) => rings.map(differences)) };
  }
}

function shapeOf(plain: PlainShape): Shape {
  switch (plain.type) {
    case 'point':
      return { type: 'point', at: summed(plain.line) };
    case 'line':
      return { type: 'line', line: summed(plain.line) };
    case 'area':
      return { type: 'area', polygons: plain.polygons.map((rings) => rings.map(summed)) };
  }
}

const differences = (line: Int32Array): number[] =>
  Array.from(line, (value, i) => (i < 2 ? value : value - line[i - 2]!));

function summed(steps: readonly number[]): Int32Array {
  const line = Int32Array.from(steps);
  for (let i = 2; i < line.length; i++) line[i]! += line[i - 2]!;
  return line;
}
