import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { PbfFile } from '#bench/map-tiles/write-pbf.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-cli-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

/** A street, and around it many houses: each with its own address, and a garden that only the map shows. */
function writeSuburb(houses: number): string {
  const file = join(folder, 'suburb.osm.pbf');
  const pbf = new PbfFile(file);
  for (let id = 1; id <= 1_000; id++) pbf.sink.node(id, 120_000_000 + 1_000 * id, 580_000_000, undefined);
  const street = Array.from({ length: 1_000 }, (_, i) => i + 1);
  pbf.sink.way(1, street, new Map([['highway', 'residential']]));
  for (let i = 0; i < houses; i++) {
    const first = 1 + (i % 990);
    const tags = new Map([
      ['building', 'yes'],
      ['addr:street', `Street ${i >>> 3}`],
      ['addr:housenumber', `${i}`],
    ]);
    pbf.sink.way(2 + i, [first, first + 1, first + 2, first], tags);
  }
  pbf.end();
  return file;
}

it('building the roads takes memory for roads: 300,000 houses beside them fit in the same heap', () => {
  const extract = writeSuburb(300_000);
  const build = ['tiles', 'build', extract, '--no-map', '--no-places', '--json'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=48', command, ...build],
    { env: { ...process.env, MERIDIAN_DATA: folder }, encoding: 'utf8' },
  );
  expect(stderr).not.toMatch(/heap out of memory/);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ edgeCount: 2 });
}, 120_000);
