import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { PbfWriter } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentRelease } from '#map-data/release/release.js';
import { readOsmPbf } from '#osm/read/read-osm-pbf.js';
import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { runs } from '../property-runs.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { blob, encodePbf, type Fixture, primitiveBlock } from './osm-fixture.js';

const fixture: Fixture = {
  nodes: Array.from({ length: 50 }, (_, i) => ({
    id: 1000 + 3 * i,
    lng: 11.9 + i / 1000,
    lat: 57.7 - i / 2000,
    ...(i === 7 ? { tags: { highway: 'traffic_signals', note: 'Ön & <b>' } } : {}),
  })),
  ways: Array.from({ length: 49 }, (_, i) => ({
    id: 5_000_000_000 + i,
    refs: [1000 + 3 * i, 1003 + 3 * i],
    tags: { highway: 'residential', name: `Väg ${i}` },
  })),
  relations: [
    {
      id: 9,
      members: [
        { type: 'way', id: 5_000_000_001, role: 'from' },
        { type: 'node', id: 1006, role: 'via' },
        { type: 'way', id: 5_000_000_000, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: 'no_u_turn' },
    },
  ],
};

function record(): { sink: OsmSink; seen: unknown[] } {
  const seen: unknown[] = [];
  return {
    seen,
    sink: {
      node: (id, lng, lat, tags) => seen.push(['node', id, lng, lat, tags && Object.fromEntries(tags)]),
      way: (id, refs, tags) => seen.push(['way', id, [...refs], Object.fromEntries(tags)]),
      relation: (id, members, tags) => seen.push(['relation', id, members, Object.fromEntries(tags)]),
    },
  };
}

const expected = [
  ...fixture.nodes.map(({ id, lng, lat, tags }) => [
    'node',
    id,
    Math.round(lng * 1e7),
    Math.round(lat * 1e7),
    tags,
  ]),
  ...fixture.ways.map(({ id, refs, tags }) => ['way', id, refs, tags]),
  ...fixture.relations!.map(({ id, members, tags }) => ['relation', id, members, tags]),
];

describe('readOsmPbf', () => {
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-pbf-'));
    file = join(folder, 'map.osm.pbf');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads what was written, compressed and plain', async () => {
    for (const packed of [true, false]) {
      await writeFile(file, encodePbf(fixture, packed));
      const { sink, seen } = record();
      await readOsmPbf(file, sink);
      expect(seen).toEqual(expected);
    }
  });

  it('a file truncated anywhere gives one clear error with the byte, and nothing is written', async () => {
    const whole = encodePbf(fixture);
    const blocks = [encodePbf({ ...fixture, nodes: [], ways: [], relations: [] }).length];
    const objects = new MemoryObjectStore();
    for (let length = 0; length < whole.length; length += 7) {
      if (blocks.includes(length)) continue;
      await writeFile(file, whole.subarray(0, length));
      const attempt = buildTileset({ kind: 'osm-pbf', file }, objects);
      await expect(attempt).rejects.toThrow(InvalidMapSource);
      if (length > 0)
        await expect(attempt).rejects.toThrow(/at byte \d+ of \d+; the file is damaged|no road/);
    }
    expect(objects.objects.size).toBe(0);
  });

  it('a file that changes between its two readings is not released', async () => {
    const objects = new MemoryObjectStore();
    await writeFile(file, encodePbf(fixture));
    const changed = buildRelease({ kind: 'osm-pbf', file }, objects, {
      map: false,
      onProgress: (phase) => {
        if (phase === 'partition') writeFileSync(file, encodePbf({ ...fixture, nodes: [] }));
      },
    });
    await expect(changed).rejects.toThrow(/map\.osm\.pbf changed while it was read; build again/);
    await expect(changed).rejects.toBeInstanceOf(InvalidMapSource);
    expect(await currentRelease(objects)).toBeUndefined();
  });

  it('distinguishes a missing file, another format and an unknown feature', async () => {
    const { sink } = record();
    await expect(readOsmPbf(join(folder, 'none.osm.pbf'), sink)).rejects.toThrow(/cannot be opened/);
    await writeFile(file, '<osm version="0.6"></osm>');
    await expect(readOsmPbf(file, sink)).rejects.toThrow(/a block header of \d+ bytes at byte/);
    await writeFile(file, blob('OSMData', primitiveBlock(fixture), true));
    await expect(readOsmPbf(file, sink)).rejects.toThrow(/data before the file header/);
  });

  it('any damaged byte either changes nothing that is read or is an InvalidMapSource', async () => {
    const whole = encodePbf(fixture);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const damaged = Uint8Array.from(whole);
          damaged[at]! ^= flip;
          await writeFile(file, damaged);
          const { sink, seen } = record();
          try {
            await readOsmPbf(file, sink);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidMapSource);
            return;
          }
          // A flipped bit in an unread header field, or in the type of a block that is then skipped.
          expect([expected.length, 0]).toContain(seen.length);
        },
      ),
      { numRuns: runs(200), seed: 11 },
    );
  });

  it('also rejects uncompressed garbage, without hanging', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (garbage) => {
        const head = encodePbf({ nodes: [], ways: [] });
        await writeFile(file, Buffer.concat([head, blob('OSMData', garbage, true)]));
        const { sink } = record();
        await readOsmPbf(file, sink).catch((error: unknown) =>
          expect(error).toBeInstanceOf(InvalidMapSource),
        );
      }),
      { numRuns: runs(200), seed: 12 },
    );
  });

  it('any block gives a network, or an InvalidMapSource and no output', async () => {
    const block = primitiveBlock(fixture);
    const head = encodePbf({ nodes: [], ways: [] });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.nat({ max: block.length - 1 }),
            cut: fc.nat({ max: 3 }),
            put: fc.oneof(
              fc.uint8Array({ maxLength: 4 }),
              // Lengths and numbers of ten bytes, past 2^53 and past 2^64.
              fc.constant(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)),
              fc.constant(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
              fc.constant(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f)),
            ),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (changes) => {
          let damaged = Buffer.from(block);
          for (const { at, cut, put } of changes)
            damaged = Buffer.concat([damaged.subarray(0, at), put, damaged.subarray(at + cut)]);
          await writeFile(file, Buffer.concat([head, blob('OSMData', damaged, true)]));
          const objects = new MemoryObjectStore();
          try {
            await buildTileset({ kind: 'osm-pbf', file }, objects);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidMapSource);
            expect((error as Error).message).toMatch(/\bat byte \d+ of \d+; the file is damaged|no road/);
            expect(objects.objects.size).toBe(0);
            refused++;
          }
        },
      ),
      { numRuns: runs(300), seed: 13 },
    );
    expect(refused).toBeGreaterThan(runs(50));
  });

  it('bombs, lying sizes and endless columns are rejected before they fill the memory', async () => {
    const head = encodePbf({ nodes: [], ways: [] });
    const attempt = async (bytes: Uint8Array): Promise<string> => {
      await writeFile(file, bytes);
      const objects = new MemoryObjectStore();
      const before = process.memoryUsage().rss;
      const error: unknown = await buildTileset({ kind: 'osm-pbf', file }, objects).catch(
        (cause: unknown) => cause,
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
      expect(error).toBeInstanceOf(InvalidMapSource);
      expect(objects.objects.size).toBe(0);
      return (error as Error).message;
    };
    const million = 2 ** 20;
    const behindHead = (bytes: Uint8Array): Uint8Array => Buffer.concat([head, bytes]);
    expect(await attempt(behindHead(blob('OSMData', new Uint8Array(31 * million), true)))).toMatch(
      /unpacks to more than/,
    );
    expect(await attempt(behindHead(blob('OSMData', new Uint8Array(64 * million), true)))).toMatch(
      /unpacks to more than/,
    );
    // A file that has a gigabyte of blocks in a megabyte: the first one ends it.
    const bomb = blob('OSMData', new Uint8Array(8 * million), true);
    expect(await attempt(behindHead(Buffer.concat(Array.from({ length: 128 }, () => bomb))))).toMatch(
      /at byte/,
    );
    // Ten million nodes at id 1, 2, 3 …, none of them packed.
    const column = Buffer.alloc(10 * million, 2);
    const dense = Buffer.concat([field(1, column), field(8, column), field(9, column)]);
    expect(await attempt(behindHead(blob('OSMData', field(2, field(2, dense)), false)))).toMatch(
      /more numbers than a map has/,
    );
    const size = blob('OSMData', primitiveBlock(fixture), false);
    for (const claim of [2 ** 31, 2 ** 32 - 1, 70_000]) {
      const lying = Buffer.from(size);
      lying.writeUInt32BE(claim);
      expect(await attempt(behindHead(lying))).toMatch(/a block header of \d+ bytes/);
    }
    expect(await attempt(behindHead(hugeBlob(2 ** 40)))).toMatch(/a block of \d+ bytes/);
    expect(await attempt(behindHead(hugeBlob(20 * million)))).toMatch(/ends in the middle of a block/);
    expect(
      await attempt(encodePbf({ ...fixture, ways: [{ ...fixture.ways[0]!, id: 2 ** 53 + 2 }] })),
    ).toMatch(/id has more than fifteen digits/);
    expect(await attempt(encodePbf({ ...fixture, nodes: [{ id: 1, lng: 200, lat: 0 }] }))).toMatch(
      /not on earth/,
    );
  });
});

/** A length-delimited field. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeBytesField(number, bytes);
  return pbf.finish();
}

/** A blob header that announces this many bytes, and none of them. */
function hugeBlob(dataBytes: number): Uint8Array {
  const header = new PbfWriter();
  header.writeStringField(1, 'OSMData');
  header.writeVarintField(3, dataBytes);
  const bytes = header.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
