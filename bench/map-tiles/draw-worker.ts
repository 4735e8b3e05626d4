import { createRequire } from 'node:module';
import { PngRenderer } from '#map-tiles/png/png-renderer.js';
import { mapnikStyle } from './mapnik-style.js';

/** A vector tile, uncompressed. */
export interface DrawnTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: Uint8Array;
}
export interface DrawReply {
  readonly cpuS: number;
  readonly bytes: number;
  /** The first tile, for inspection. */
  readonly first: Uint8Array;
}

/** A process that renders the tiles it receives: `draw-worker.js ours` or `draw-worker.js mapnik PACKAGE`. */
const [who, from] = process.argv.slice(2);
const draw = who === 'mapnik' ? mapnikDrawer(from!) : ourDrawer();

process.on('message', (tiles: readonly DrawnTile[]) => {
  void (async () => {
    const before = process.cpuUsage();
    let bytes = 0;
    let first: Uint8Array | undefined;
    for (const tile of tiles) {
      const png = await draw(tile);
      first ??= png;
      bytes += png.length;
    }
    const { user, system } = process.cpuUsage(before);
    process.send!({
      cpuS: (user + system) / 1e6,
      bytes,
      first: first ?? new Uint8Array(),
    } satisfies DrawReply);
  })();
});

type Draw = (tile: DrawnTile) => Promise<Uint8Array>;

function ourDrawer(): Draw {
  const painter = new PngRenderer();
  return ({ z, bytes }) => painter.paint(bytes, z);
}

/** The part of `@mapnik/mapnik` that is used here; it has no types. */
interface Mapnik {
  register_fonts(path: string): boolean;
  Map: new (width: number, height: number) => { fromStringSync(xml: string): void };
  Image: new (width: number, height: number) => MapnikImage;
  VectorTile: new (
    z: number,
    x: number,
    y: number,
  ) => {
    setDataSync(bytes: Buffer): void;
    render(map: object, into: object, done: (error: Error | null, image: MapnikImage) => void): void;
  };
}
interface MapnikImage {
  encode(format: string, done: (error: Error | null, bytes: Buffer) => void): void;
}

function mapnikDrawer(packageFile: string): Draw {
  const mapnik = createRequire(packageFile)('@mapnik/mapnik') as Mapnik;
  const own = createRequire(import.meta.url);
  for (const font of ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'])
    if (!mapnik.register_fonts(own.resolve(`dejavu-fonts-ttf/ttf/${font}.ttf`)))
      throw new Error(`void: Mapnik does not take ${font}`);
  const maps = new Map<number, object>();
  const mapOf = (zoom: number): object => {
    let map = maps.get(zoom);
    if (map === undefined) {
      const made = new mapnik.Map(256, 256);
      made.fromStringSync(mapnikStyle(zoom));
      map = made;
      maps.set(zoom, map);
    }
    return map;
  };
  return ({ z, x, y, bytes }) =>
    new Promise((resolve, reject) => {
      const tile = new mapnik.VectorTile(z, x, y);
      tile.setDataSync(Buffer.from(bytes));
      tile.render(mapOf(z), new mapnik.Image(256, 256), (error, image) => {
        if (error !== null && error !== undefined) return reject(error);
        image.encode('png8', (fault, png) => (fault ? reject(fault) : resolve(png)));
      });
    });
}
