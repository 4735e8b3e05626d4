import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, tileOf } from '#map-tiles/format/tile-address.js';
import { latOf, tileAt as serverTileAt } from '#map-tiles/format/web-mercator.js';
import { proves } from '#tools/acceptance/proves.js';
import {
  addressOfTile,
  addressZoomMax,
  tileAddress,
  tileAt,
  tileOfAddress,
} from '#tools/tile-address/tile-address.js';
import { runs } from '../property-runs.js';

interface Vector {
  readonly lat: number;
  readonly lng: number;
  readonly zoom: number;
  readonly tile: string;
  readonly address: string;
}
const file = fileURLToPath(new URL('../../docs/formats/tile-address.vectors.json', import.meta.url));
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

/** A separate generator, so that the million places are the same in every run. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('tile addresses', () => {
  proves('M-102', {
    asked: 'vectors are fixed for ever',
    shown: 'the SHA-256 of the published file, 52 vectors of both implementations, two in the test itself',
    control: {
      in: 'tools/tile-address/tile-address.ts',
      change: 'const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 1 / 3)) / side))) * 180) / Math.PI;',
      to: 'const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 1 / 2)) / side))) * 180) / Math.PI;',
    },
  });
  it('M-102: published test vectors stay valid for ever', () => {
    // The file itself is pinned: vectors are neither changed nor removed together with the computation.
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(
      'd69e6c01eea37f9c6f925edbcaff7feacab745ad7912e61fec7ff9f28513cca8',
    );
    expect(vectors.length).toBe(52);
    for (const { lat, lng, zoom, tile, address } of vectors) {
      const { z, x, y } = tileAt(lat, lng, zoom);
      expect([`${z}/${x}/${y}`, tileAddress(lat, lng, zoom)]).toEqual([tile, address]);
      expect(tileOfAddress(address)).toEqual({ z, x, y });
      expect(addressOf(serverTileAt(lat, lng, zoom))).toBe(address);
    }
    // Not even together with the file: a change of the computation breaks clients that cannot be updated.
    expect(tileAddress(57.70887, 11.97456, 14)).toBe('v1-14-u62824jk');
    expect(tileAddress(0, 0, 0)).toBe('v1-0-f9');
  });

  proves('M-101', {
    asked: 'the documented computation, implemented twice, agrees on 1,000,000 random (lat, lng, zoom)',
    shown: '1,000,000 over all 23 zooms; the client has its own geohash, the server that of ngeohash',
    control: {
      in: 'tools/tile-address/tile-address.ts',
      change: 'const lng = ((x + 1 / 3) / side) * 360 - 180;',
      to: 'const lng = ((x + 1 / 2) / side) * 360 - 180;',
    },
  });
  it('M-101: two independent implementations agree on 1,000,000 random (lat, lng, zoom)', () => {
    const random = randoms(20_261_121);
    const next = (): number => random.next().value;
    let differences = 0;
    for (let i = 0; i < 1_000_000; i++) {
      const lat = next() * 180 - 90;
      const lng = next() * 360 - 180;
      const zoom = Math.floor(next() * (addressZoomMax + 1));
      if (addressOf(serverTileAt(lat, lng, zoom)) !== tileAddress(lat, lng, zoom)) differences++;
    }
    expect(differences).toBe(0);
  });

  it('gives each tile its own address, which leads back to it', () => {
    const zoom = fc.integer({ min: 0, max: addressZoomMax });
    fc.assert(
      fc.property(zoom, fc.nat(), fc.nat(), (z, a, b) => {
        const tile = { z, x: a % 2 ** z, y: b % 2 ** z };
        const address = addressOfTile(tile);
        expect(tileOfAddress(address)).toEqual(tile);
        expect(tileOf(address)).toEqual(tile);
        // Neighbours are the most likely to share a geohash.
        for (const near of [
          { ...tile, x: (tile.x + 1) % 2 ** z },
          { ...tile, y: (tile.y + 1) % 2 ** z },
        ])
          if (near.x !== tile.x || near.y !== tile.y) expect(addressOfTile(near)).not.toBe(address);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('keeps points away from geohash borders, so that rounding of a sine decides nothing', () => {
    // Longitudes are a third of a cell or more away by construction. For latitudes every row of every served
    // zoom is checked.
    let least = Number.POSITIVE_INFINITY;
    let collisions = 0;
    for (let z = 0; z <= 16; z++) {
      const cells = 2 ** Math.floor((5 * Math.ceil((2 * (z + 4)) / 5)) / 2);
      let lastCell = -1;
      for (let y = 2 ** z - 1; y >= 0; y--) {
        const place = ((latOf(y + 1 / 3, z) + 90) / 180) * cells;
        const distance = Math.abs(place - Math.round(place)) * (180 / cells);
        if (distance < least) least = distance;
        const cell = Math.floor(place);
        if (cell === lastCell) collisions++;
        lastCell = cell;
      }
    }
    expect(collisions).toBe(0);
    expect(least).toBeGreaterThan(1e-10);
  });

  it('rejects anything else as an address', () => {
    const good = tileAddress(35.9, 14.5, 14);
    const bad = [
      '',
      'v1',
      'v1-14',
      'v1-14-',
      'v2-14-u62k3c6x',
      'v1-23-u62k3c6xbcd',
      'v1--1-zz',
      'v1-014-u62k3c6x',
      'v1-14-aaaaaaaa',
    ];
    bad.push(
      `${good}0`,
      good.slice(0, -1),
      good.toUpperCase(),
      ` ${good}`,
      `${good}-`,
      'v1-0-zz',
      '../../etc/passwd',
    );
    for (const address of bad) {
      expect([address, tileOfAddress(address)]).toEqual([address, undefined]);
      expect([address, tileOf(address)]).toEqual([address, undefined]);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tileOf(text)).toEqual(tileOfAddress(text));
      }),
    );
  });

  it('rejects places that are not on earth', () => {
    expect(() => tileAddress(91, 0, 3)).toThrow(RangeError);
    expect(() => tileAddress(0, 181, 3)).toThrow(RangeError);
    expect(() => tileAddress(Number.NaN, 0, 3)).toThrow(RangeError);
    expect(() => tileAddress(0, 0, 23)).toThrow(RangeError);
    expect(() => tileAddress(0, 0, 1.5)).toThrow(RangeError);
    expect(() => addressOfTile({ z: 1, x: 2, y: 0 })).toThrow(RangeError);
  });

  proves('M-104', {
    asked: 'tile edges fall where the projection says',
    shown: 'edges of columns and rows at zooms 1 to 22: a billionth of a degree on either side, by both',
    control: {
      in: 'map-tiles/format/web-mercator.ts',
      change: '(Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI;',
      to: '(Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180.001) / Math.PI;',
    },
  });
  it('M-104: tile edges are where Web Mercator puts them', () => {
    // The corners of the projection's grid, from its definition: atan(sinh(π)) and quarters of the way to the
    // equator.
    expect(latOf(0, 0)).toBeCloseTo(85.0511287798066, 12);
    expect(latOf(1, 2)).toBeCloseTo(66.51326044311186, 12);
    expect(latOf(1, 1)).toBe(0);
    const random = randoms(104);
    for (let zoom = 1; zoom <= addressZoomMax; zoom++)
      for (let tries = 0; tries < 20; tries++) {
        const side = 2 ** zoom;
        const [x, y] = [0, 0].map(() => 1 + Math.floor(random.next().value * (side - 1))) as [number, number];
        // Another form of the definition than that of the product.
        const lng = (360 * x) / side - 180;
        const lat = (360 / Math.PI) * Math.atan(Math.exp(Math.PI * (1 - (2 * y) / side))) - 90;
        expect(Math.abs(latOf(y, zoom) - lat)).toBeLessThan(1e-11);
        for (const tileOfPlace of [serverTileAt, tileAt]) {
          expect(tileOfPlace(lat - 1e-9, lng + 1e-9, zoom)).toEqual({ z: zoom, x, y });
          expect(tileOfPlace(lat + 1e-9, lng - 1e-9, zoom)).toEqual({ z: zoom, x: x - 1, y: y - 1 });
        }
      }
    expect(tileAt(0, 180, 5)).toEqual({ z: 5, x: 31, y: 16 });
    expect(tileAt(90, -180, 5)).toEqual({ z: 5, x: 0, y: 0 });
  });
});
