import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { LayerName } from '../format/layers.js';
import type { BackgroundCache, CachedBackground } from './background-cache.js';
import { encodePng } from './encode-png.js';
import { LabelWriter, registerFonts } from './label-writer.js';
import * as style from './png-style.js';
import { type PixelLine, type TileFeature, TileGeometry } from './tile-geometry.js';
import { tilePixels } from './trace-geometry.js';

/** The canvas frees memory only in a new turn of the event loop. */
const tilesInOneTurn = 8;

/**
 * Renders vector tiles as 256×256 PNG. The same vector tile always gives the same bytes.
 *
 * ```ts
 * const png = await new PngRenderer().paint(vectorTile, 14);
 * ```
 */
export class PngRenderer {
  readonly #canvas: Canvas;
  readonly #pen: SKRSContext2D;
  #painted = 0;

  constructor() {
    registerFonts();
    this.#canvas = createCanvas(tilePixels, tilePixels);
    this.#pen = this.#canvas.getContext('2d');
  }

  /**
   * `vectorTile`: uncompressed; absent: plain background.
   *
   * @param grounds cached backgrounds; they do not change the picture.
   */
  async paint(
    vectorTile: Uint8Array | undefined,
    zoom: number,
    grounds?: BackgroundCache,
  ): Promise<Uint8Array> {
    if (++this.#painted % tilesInOneTurn === 0) await new Promise(setImmediate);
    const pen = this.#pen;
    pen.fillStyle = style.ground;
    pen.fillRect(0, 0, tilePixels, tilePixels);
    if (vectorTile !== undefined) {
      const tile = new TileGeometry(vectorTile, zoom);
      paintGroundOnce(pen, tile, grounds?.at(zoom, tile.bytesOf(groundLayers)));
      paintLines(pen, tile, zoom);
      writeLabels(new LabelWriter(pen), tile);
    }
    return encodePng(pen.getImageData(0, 0, tilePixels, tilePixels).data, tilePixels, tilePixels);
  }
}

/** Steps shorter than this, in pixels, are skipped: they are invisible, and each costs a call. */
const stepPixels = 0.4;

function path(pen: SKRSContext2D, features: Iterable<TileFeature>): void {
  pen.beginPath();
  for (const feature of features) feature.trace(pen, stepPixels);
}

function fill(pen: SKRSContext2D, features: readonly TileFeature[], colour: string): void {
  if (features.length === 0) return;
  path(pen, features);
  pen.fillStyle = colour;
  pen.fill();
}

function stroke(pen: SKRSContext2D, features: readonly TileFeature[], colour: string, width: number): void {
  if (features.length === 0) return;
  path(pen, features);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}

const kindOf = ({ properties }: TileFeature): string => String(properties['kind']);

const groundLayers: readonly LayerName[] = [
  ...(['land', 'sites', 'ocean', 'water_polygons', 'street_polygons', 'buildings'] as const),
];

function paintGroundOnce(pen: SKRSContext2D, tile: TileGeometry, kept: CachedBackground | undefined): void {
  if (kept?.known !== undefined) {
    pen.putImageData(kept.known, 0, 0);
    return;
  }
  paintGround(pen, tile);
  kept?.keep(pen.getImageData(0, 0, tilePixels, tilePixels));
}

/** Renders only `groundLayers`. */
function paintGround(pen: SKRSContext2D, tile: TileGeometry): void {
  for (const name of ['land', 'sites'] as const satisfies readonly LayerName[]) {
    // Runs of one colour at once, in the order of the tile: large areas below small ones.
    let run: TileFeature[] = [];
    let colour: string | undefined;
    for (const feature of tile.layer(name)) {
      const next = style.groundColours.get(kindOf(feature));
      if (next === undefined) continue;
      if (next !== colour && colour !== undefined) {
        fill(pen, run, colour);
        run = [];
      }
      colour = next;
      run.push(feature);
    }
    if (colour !== undefined) fill(pen, run, colour);
  }
  fill(pen, tile.layer('ocean'), style.water);
  fill(pen, tile.layer('water_polygons'), style.water);
  fill(pen, tile.layer('street_polygons'), style.square);
  fill(pen, tile.layer('buildings'), style.building);
}

function paintLines(pen: SKRSContext2D, tile: TileGeometry, zoom: number): void {
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  const rivers = tile.layer('water_lines');
  stroke(
    pen,
    rivers.filter((each) => kindOf(each) === 'river'),
    style.water,
    zoom < 12 ? 1 : 2.2,
  );
  stroke(
    pen,
    rivers.filter((each) => kindOf(each) !== 'river'),
    style.water,
    1,
  );
  const byKind = grouped(tile.layer('streets'));
  const ofStyle = style.roadStyles.map((road) => ({
    road,
    width: style.widthAt(road.widths, zoom),
    features: road.kinds.flatMap((kind) => byKind.get(kind) ?? []),
  }));
  for (const { road, width, features } of ofStyle)
    if (road.casing !== undefined && width > 1.2) stroke(pen, features, road.casing, width + 1.2);
  const rails = [...byKind.values()].flat().filter(({ properties }) => properties['rail'] === true);
  stroke(pen, rails, style.rail, zoom < 13 ? 0.7 : 1.2);
  for (const { road, width, features } of ofStyle) stroke(pen, features, road.colour, width);
  pen.setLineDash([4, 3]);
  pen.lineCap = 'butt';
  stroke(pen, tile.layer('ferries'), style.ferry, 1);
  const borders = tile.layer('boundaries').filter(({ properties }) => properties['maritime'] !== true);
  const states = borders.filter(({ properties }) => Number(properties['admin_level']) <= 2);
  stroke(
    pen,
    borders.filter((each) => !states.includes(each)),
    style.border,
    0.7,
  );
  pen.setLineDash([]);
  stroke(pen, states, style.border, 1.2);
}

function grouped(features: readonly TileFeature[]): Map<string, TileFeature[]> {
  const groups = new Map<string, TileFeature[]>();
  for (const feature of features) {
    const kind = kindOf(feature);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [feature]);
    else group.push(feature);
  }
  return groups;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The features of the tile decide which names are written at which zoom. */
function writeLabels(labels: LabelWriter, tile: TileGeometry): void {
  const each = (
    name: LayerName,
    write: (text: string, lines: readonly PixelLine[], feature: TileFeature) => void,
    key = 'name',
    from = tile.layer(name),
  ): void => {
    for (const feature of from) {
      const written = text(feature.properties[key]);
      if (written !== '') write(written, feature.lines(), feature);
    }
  };
  each('place_labels', (name, lines, feature) => {
    const placeStyle = style.placeLabels.get(kindOf(feature));
    if (placeStyle !== undefined) labels.atPoint(name, lines[0]!, placeStyle);
  });
  // The important streets lie above, hence last.
  each(
    'streets',
    (name, lines) => labels.alongLine(name, lines, style.streetLabel),
    'name',
    tile.layer('streets').toReversed(),
  );
  each('water_lines', (name, lines) => labels.alongLine(name, lines, style.waterLabel));
  each('public_transport', (name, lines) => labels.atPoint(name, lines[0]!, style.stopLabel));
  each('pois', (name, lines) => labels.atPoint(name, lines[0]!, style.poiLabel));
  each('addresses', (number, lines) => labels.atPoint(number, lines[0]!, style.numberLabel), 'housenumber');
}
