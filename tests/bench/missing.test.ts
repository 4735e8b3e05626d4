import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

describe('a benchmark that lacks something', () => {
  let nothing: string;
  beforeAll(() => {
    nothing = mkdtempSync(join(tmpdir(), 'meridian-nothing-'));
  });
  afterAll(() => rmSync(nothing, { recursive: true }));

  it.each([
    ['routing queries --areas monaco --alone', 'monaco.osm.pbf is not there. Use malta'],
    ['routing queries --areas /nowhere/map.osm.pbf --alone', '/nowhere/map.osm.pbf is not there.'],
    ['routing plausibility', 'To install them: npx meridian bench peers'],
    ['nav', 'npx meridian bench peers'],
    ['hotel reservations', 'Set SQL to a PostgreSQL server'],
    ['ingest producers', 'Set EVENT_LOG=kafka://'],
  ])('%s: one sentence, and exit code 2', (words, sentence) => {
    const { SQL: _sql, EVENT_LOG: _log, ...others } = process.env;
    const env = { ...others, MERIDIAN_EXTRACTS: nothing, MERIDIAN_PEERS: join(nothing, 'peers') };
    const { status, stderr } = spawnSync(process.execPath, [command, 'bench', ...words.split(' ')], {
      env,
      encoding: 'utf8',
      cwd: nothing,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
