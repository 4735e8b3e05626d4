import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PreparedMaps } from '#api/map/prepared-maps.js';
import { buildMapTiles } from '#map-tiles/build/build-map-tiles.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { PngRenderer } from '#map-tiles/png/png-renderer.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { proves } from '#tools/acceptance/proves.js';
import { addressOfTile, tileAddress, tileAt } from '#tools/tile-address/tile-address.js';
import { drawnMap, islandTown } from '../map-tiles/drawn-city.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

const [lat, lng] = [35.903, 14.5035];
const { x, y } = tileAt(lat, lng, 14);

let ground: Ground;
let served: ServedApi;
let twin: ServedApi;
let bare: ServedApi;
let drawn: Awaited<ReturnType<typeof drawnMap>>;
let painted = 0;

beforeAll(async () => {
  ground = await openGround();
  drawn = await drawnMap(islandTown(), { pngZoomMax: 11 });
  const painter = new PngRenderer();
  const open = async () => ({
    maps: new PreparedMaps(drawn.objects, (gzip, zoom) => {
      painted++;
      return painter.paint(gzip.length === 0 ? undefined : gunzipSync(gzip), zoom);
    }),
    map: (await MapTiles.open(drawn.objects, drawn.built.mapId))!,
  });
  served = await serveApi(ground, paperTown(), await open());
  twin = await serveApi(ground, paperTown(), await open());
  bare = await serveApi(ground, paperTown());
});
afterAll(async () => {
  for (const each of [served, twin, bare]) await each.close();
  await ground.close();
});

interface ListedTile {
  readonly address: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly url: string;
  readonly png_url: string;
}

/** The list has every tile of the view and no other, and each URL gives the tile of its place in the grid. */
async function listsExactly(
  tiles: readonly ListedTile[],
  [west, south, east, north]: readonly [number, number, number, number],
  zoom: number,
): Promise<void> {
  const [first, last] = [tileAt(north, west, zoom), tileAt(south, east, zoom)];
  const wanted = [];
  for (let row = first.y; row <= last.y; row++)
    for (let column = first.x; column <= last.x; column++) wanted.push([zoom, column, row]);
  expect(tiles.map((tile) => [tile.z, tile.x, tile.y])).toEqual(wanted);
  for (const tile of tiles) {
    expect(tile.address).toBe(addressOfTile(tile));
    for (const [url, extension] of [
      [tile.url, 'mvt'],
      [tile.png_url, 'png'],
    ] as const) {
      const answer = await fetch(url);
      const there = await served.call('GET', `/v1/tiles/${zoom}/${tile.x}/${tile.y}.${extension}`);
      expect(answer.status, url).toBe(there.status);
      expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(there.bytes)), url).toBe(true);
      // Only vector tiles can be empty.
      expect(extension === 'png' ? [200] : [200, 204]).toContain(answer.status);
    }
  }
}

const layersOf = (bytes: Uint8Array): string[] => Object.keys(new VectorTile(new PbfReader(bytes)).layers);

describe('prepared map tiles', () => {
  proves('M-102', {
    asked: 'the client computes the address',
    shown: "a tile is found under the address of the client's own computation, with the bytes of z/x/y",
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'tools/tile-address/tile-address.ts',
      change: 'Math.ceil((2 * (z + 4)) / 5);',
      to: 'Math.ceil((2 * (z + 8)) / 5);',
    },
  });
  it('M-101, M-102: tiles are found under the address that a client computes and under z/x/y', async () => {
    const address = tileAddress(lat, lng, 14);
    const byAddress = await served.call('GET', `/v1/tiles/${address}.mvt`);
    const byGrid = await served.call('GET', `/v1/tiles/14/${x}/${y}.mvt`);
    expect(byAddress.status).toBe(200);
    expect(byAddress.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
    expect(layersOf(byAddress.bytes)).toEqual(
      expect.arrayContaining(['ocean', 'buildings', 'streets', 'pois']),
    );
    expect(Buffer.from(byAddress.bytes)).toEqual(Buffer.from(byGrid.bytes));
    const png = await served.call('GET', `/v1/tiles/${address}.png`);
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  proves('M-105', {
    asked: 'ETag, Cache-Control, 304, the same bytes from every instance',
    shown: 'a vector tile and a PNG: strong ETag, Cache-Control, an empty 304; two servers: the same bytes',
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'api/map/tile-answer.ts',
      change: "isUnchanged(request.header('if-none-match'), headers.etag)",
      to: "isUnchanged(request.header('if-match'), headers.etag)",
    },
  });
  it('M-105: tiles have a strong tag, are not sent twice, and are the same on every instance', async () => {
    for (const extension of ['mvt', 'png']) {
      const path = `/v1/tiles/14/${x}/${y}.${extension}`;
      const first = await served.call('GET', path);
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
      const again = await served.call('GET', path, { headers: { 'if-none-match': `"other", ${etag}` } });
      expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
      const other = await twin.call('GET', path);
      expect(other.headers.get('etag')).toBe(etag);
      expect(Buffer.from(other.bytes).equals(Buffer.from(first.bytes))).toBe(true);
      const plain = await served.call('GET', path, { headers: { 'accept-encoding': 'identity' } });
      expect(Buffer.from(plain.bytes).equals(Buffer.from(first.bytes))).toBe(true);
      // Another encoding has another tag.
      expect(plain.headers.get('etag') === etag).toBe(extension === 'png');
    }
  });

  it('M-105: tiles never change under the id of a map', async () => {
    const { mapId } = drawn.built;
    const address = tileAddress(lat, lng, 14);
    for (const path of [`14/${x}/${y}.mvt`, `14/${x}/${y}.png`, `${address}.mvt`, `${address}.png`]) {
      const { status, headers } = await served.call('GET', `/v1/tiles/${mapId}/${path}`);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect((await served.call('GET', `/v1/tiles/0123456789abcdef/${path}`)).status).toBe(404);
      expect((await served.call('GET', `/v1/tiles/..%2f..%2f/${path}`)).status).toBe(404);
    }
  });

  proves('M-100', {
    asked: 'a PNG tile is 256×256',
    shown: 'width and height in its header; counts of zooms in the test below',
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'map-tiles/png/trace-geometry.ts',
      change: 'tilePixels = 256',
      to: 'tilePixels = 512',
    },
  });
  it('M-100: tiles are PNG of 256 by 256 pixels, rendered once for any number of requests', async () => {
    const before = painted;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => served.call('GET', `/v1/tiles/15/${2 * x}/${2 * y}.png`)),
    );
    const png = Buffer.from(answers[0]!.bytes);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
    expect(painted - before).toBe(1);
    // Rendered ahead of requests.
    const low = tileAt(lat, lng, 10);
    expect((await served.call('GET', `/v1/tiles/10/${low.x}/${low.y}.png`)).status).toBe(200);
    expect(painted - before).toBe(1);
    // Outside the map there is plain ground, and no vector data.
    expect((await served.call('GET', '/v1/tiles/16/1/1.png')).status).toBe(200);
    expect((await served.call('GET', '/v1/tiles/16/1/1.mvt')).status).toBe(204);
  });

  proves('M-100', {
    asked: 'zoom 0 is one 256×256 tile; each zoom multiplies the count by four',
    shown: 'the world has 1, 4, 16, 64 and 256 tiles at zooms 0 to 4, each of its own address and 256×256',
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'api/map/tile-list.ts',
      change: 'for (let y = first.y; y <= last.y; y++)',
      to: 'for (let y = first.y; y === first.y || y < last.y; y++)',
    },
  });
  it('M-100: the world is one tile at zoom 0, and each zoom has four times as many', async () => {
    for (const [zoom, count] of [1, 4, 16, 64, 256].entries()) {
      const { json } = await served.call('GET', `/v1/tiles?bbox=-180,-85,180,85&zoom=${zoom}`);
      const tiles: { readonly address: string; readonly png_url: string }[] = json.tiles;
      expect([zoom, new Set(tiles.map(({ address }) => address)).size]).toEqual([zoom, count]);
      for (const { address, png_url } of tiles) {
        const png = Buffer.from(await (await fetch(png_url)).arrayBuffer());
        expect([address, png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([address, 256, 256]);
      }
    }
  });

  proves('M-103', {
    asked: 'the URLs of a view',
    shown: 'exactly the tiles of a view, in rows; each URL gives its tile; also across the antimeridian',
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'api/map/tile-list.ts',
      change: '(first.x + column) % side',
      to: 'first.x + column',
    },
  });
  it('M-103: tiles of a view are listed with their URLs', async () => {
    const { status, json } = await served.call('GET', '/v1/tiles?bbox=14.5,35.9,14.55,35.95&zoom=14');
    expect(status).toBe(200);
    expect(json).toMatchObject({ map: drawn.built.mapId, zoom: 14 });
    expect(json.tiles.length).toBeGreaterThan(4);
    await listsExactly(json.tiles, [14.5, 35.9, 14.55, 35.95], 14);
    const tile = json.tiles.find(({ address }: { address: string }) => address === tileAddress(lat, lng, 14));
    expect(tile).toMatchObject({ z: 14, x, y });
    for (const url of [tile.url, tile.png_url]) expect((await fetch(url)).status).toBe(200);
    const around = await served.call('GET', '/v1/tiles?bbox=170,-10,-170,10&zoom=4');
    expect(around.json.tiles.map(({ x: column }: { x: number }) => column)).toEqual([15, 0, 15, 0]);
    const world = await served.call('GET', '/v1/tiles?bbox=-180,-90,180,90&zoom=0');
    expect(world.json.tiles).toHaveLength(1);
  });

  it.each([
    [400, '/v1/tiles?zoom=3'],
    [400, '/v1/tiles?bbox=1,2,3,4'],
    [400, '/v1/tiles?bbox=1,2,3&zoom=3'],
    [400, '/v1/tiles?bbox=1,2,3,x&zoom=3'],
    [400, '/v1/tiles?bbox=57,11,58,95&zoom=3'],
    [400, '/v1/tiles?bbox=-181,0,0,1&zoom=3'],
    [400, '/v1/tiles?bbox=0,2,1,1&zoom=3'],
    [400, '/v1/tiles?bbox=0,0,0.00001,0.00001&zoom=22'],
    [400, '/v1/tiles?bbox=-180,-85,180,85&zoom=16'],
    [404, '/v1/tiles/v1-22-u62824jkxyz.mvt'],
    [404, '/v1/tiles/v1-14-aaaaaaaa.mvt'],
    [404, '/v1/tiles/v2-14-u62824jk.png'],
    [404, '/v1/tiles/22/0/0.png'],
    [404, '/v1/tiles/22/0/0.mvt'],
    [404, '/v1/tiles/3/8/0.png'],
    [404, '/v1/tiles/notamap/3/0/0.mvt'],
  ])('answers %i to %s', async (status, path) => {
    const answer = await served.call('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  proves('M-103', {
    asked: 'the URLs of a view',
    shown: 'at zooms 17 and 21, past the deepest of the map: exactly the tiles; each URL gives its tile',
    settings: ['a drawn island without the world around it', 'PNG to zoom 11 drawn ahead, instead of 12'],
    control: {
      in: 'api/map/tile-list.ts',
      change: 'for (let y = first.y; y <= last.y; y++)',
      to: 'for (let y = first.y; y === first.y || y < last.y; y++)',
    },
  });
  it.each([17, 21])('M-103: tiles of a view deeper than the map are listed, zoom %i', async (zoom) => {
    const d = 2e-4;
    const view = [lng - d, lat - d, lng + d, lat + d].map((degrees) => Number(degrees.toFixed(7)));
    const { status, json } = await served.call('GET', `/v1/tiles?bbox=${view}&zoom=${zoom}`);
    expect(status).toBe(200);
    await listsExactly(json.tiles, view as [number, number, number, number], zoom);
    expect(json.tiles.map(({ address }: { address: string }) => address)).toContain(
      tileAddress(lat, lng, zoom),
    );
    const roads = await bare.call('GET', `/v1/tiles?bbox=${view}&zoom=${zoom}`);
    expect([roads.status, roads.json.detail]).toEqual([400, expect.stringMatching(/zoom 16/)]);
  });

  it.each([17, 19, 21])('zoom %i is cut out of the deepest prepared tile, as MVT and as PNG', async (z) => {
    const address = tileAddress(lat, lng, z);
    const at = tileAt(lat, lng, z);
    const vector = await served.call('GET', `/v1/tiles/${z}/${at.x}/${at.y}.mvt`);
    expect(vector.status).toBe(200);
    expect(vector.headers.get('cache-control')).toMatch(/max-age=300/);
    const byAddress = await served.call('GET', `/v1/tiles/${address}.mvt`);
    expect(Buffer.from(byAddress.bytes)).toEqual(Buffer.from(vector.bytes));
    const elsewhere = await twin.call('GET', `/v1/tiles/${z}/${at.x}/${at.y}.mvt`);
    expect(elsewhere.headers.get('etag')).toBe(vector.headers.get('etag'));
    const again = await served.call('GET', `/v1/tiles/${z}/${at.x}/${at.y}.mvt`, {
      headers: { 'if-none-match': vector.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    const { mapId } = drawn.built;
    const versioned = await served.call('GET', `/v1/tiles/${mapId}/${z}/${at.x}/${at.y}.png`);
    expect(versioned.headers.get('cache-control')).toMatch(/immutable/);
    const png = await served.call('GET', `/v1/tiles/${address}.png`);
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('TileJSON describes the tiles, and a style renders them', async () => {
    const { json } = await served.call('GET', '/v1/tiles.json');
    expect(json).toMatchObject({
      tilejson: '3.0.0',
      maxzoom: 16,
      bounds: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(json.attribution).toMatch(/OpenStreetMap/);
    const template: string = json.tiles[0];
    const tile = await fetch(
      template.replace('{z}', '14').replace('{x}', String(x)).replace('{y}', String(y)),
    );
    expect(tile.headers.get('cache-control')).toMatch(/immutable/);
    const held = layersOf(new Uint8Array(await tile.arrayBuffer()));
    const described = json.vector_layers.map(({ id }: { id: string }) => id);
    for (const layer of held) expect(described).toContain(layer);
    const { json: style } = await served.call('GET', '/v1/styles/day.json');
    for (const layer of style.layers)
      if (layer['source-layer'] !== undefined) expect(described).toContain(layer['source-layer']);
  });

  it('without a prepared map, tiles show only the roads, and there is no PNG', async () => {
    const png = await bare.call('GET', `/v1/tiles/14/${x}/${y}.png`);
    expect([png.status, png.json.detail]).toEqual([404, expect.stringMatching(/meridian tiles build/)]);
    const { json } = await bare.call('GET', '/v1/tiles?bbox=14.5,35.9,14.51,35.91&zoom=14');
    expect([json.map, json.tiles[0].png_url]).toEqual([null, null]);
    const tileJson = await bare.call('GET', '/v1/tiles.json');
    expect(tileJson.json.vector_layers.map(({ id }: { id: string }) => id)).toEqual(['roads']);
  });

  it('tiles are requested again later if the store is unavailable', async () => {
    // The low zooms of the first map are in a block that has not been requested yet.
    drawn.objects.afterGet = () => {
      throw new ObjectStoreUnavailable('away');
    };
    const away = await served.call('GET', `/v1/tiles/6/${x >> 8}/${y >> 8}.mvt`);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await served.call('GET', `/v1/tiles/fedcba9876543210/6/1/1.png`)).status).toBe(503);
    drawn.objects.afterGet = (_, bytes) => bytes;
    expect((await served.call('GET', `/v1/tiles/6/${x >> 8}/${y >> 8}.mvt`)).status).not.toBe(503);
  });

  it('a rebuilt map is served without a restart, and the old one is still available by its id', async () => {
    const old = drawn.built.mapId;
    const path = `/v1/tiles/14/${x}/${y}.mvt`;
    const before = await served.call('GET', path);
    const city = islandTown();
    city.square([14.5041, 35.9051], 0.0003, { building: 'yes' });
    const rebuilt = await buildMapTiles(city.elements(), drawn.objects, { world: false, pngZoomMax: 11 });
    served.releases.amend({ map: (await MapTiles.open(drawn.objects, rebuilt.mapId))! });
    const after = await served.call('GET', path);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const kept = await served.call('GET', `/v1/tiles/${old}/14/${x}/${y}.mvt`);
    expect(kept.headers.get('etag')).toBe(before.headers.get('etag'));
    const { json } = await served.call('GET', '/v1/tiles.json');
    expect(json.tiles[0]).toContain(rebuilt.mapId);
  });
});
