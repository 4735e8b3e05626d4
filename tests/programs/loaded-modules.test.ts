import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meridian, startProgram } from '../main-job/running-platform.js';
import { encodePbf } from '../tile-builder/osm-fixture.js';

/**
 * What only builds need: readers of extracts, cutting, rendering, indexing, and the libraries that these
 * load. Not geojson-vt, which also cuts the live roads on demand, in a separate thread.
 */
const building =
  /\/dist\/(osm|tile-builder|geocoding\/index-builder|map-tiles\/(build|over-log|png))\/|\/node_modules\/(saxes|@napi-rs\/canvas)\//;

describe('the modules that a running server loads', () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-modules-'));
  });
  afterAll(() => rm(data, { recursive: true, force: true }));

  const recorded = (name: string) => ({
    NODE_OPTIONS: `--import ${new URL('./record-modules.mjs', import.meta.url).href}`,
    LOADED_MODULES: join(data, name),
  });
  const modules = (name: string): string[] => {
    const file = join(data, name);
    return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').split('\n'))] : [];
  };

  it.each(['api', 'processors'] as const)('%s loads no module of a build', async (name) => {
    const program = await startProgram(name, { data, env: recorded(name) });
    try {
      if (name === 'api')
        for (const path of [
          '/v1/nav?origin=35.9110,14.5020&destination=35.8780,14.4720',
          '/v1/geocode?address=triq+melita',
          '/v1/tiles/14/8852/6438.mvt',
        ])
          expect((await fetch(program.url + path)).status, path).toBeLessThan(500);
    } finally {
      await program.stop();
    }
    expect(modules(name).filter((url) => url.includes(`/dist/${name}/`)).length).toBeGreaterThan(10);
    expect(modules(name).filter((url) => building.test(url))).toEqual([]);
    // Traces are off; prom-client itself loads the API package.
    expect(
      modules(name).filter(
        (url) => url.includes('/@opentelemetry/') && !url.includes('/@opentelemetry/api/'),
      ),
    ).toEqual([]);
  });

  it('a build loads them, so the list is not empty by mistake', async () => {
    const extract = join(data, 'town.osm.pbf');
    const nodes = [
      { id: 1, lng: 0, lat: 0 },
      { id: 2, lng: 0.001, lat: 0 },
    ];
    await writeFile(
      extract,
      encodePbf({ nodes, ways: [{ id: 1, refs: [1, 2], tags: { highway: 'primary' } }] }),
    );
    const folder = join(data, 'built');
    const env = { ...recorded('build'), MERIDIAN_DATA: folder };
    const { code, stderr } = await meridian(['tiles', 'build', extract], env);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(modules('build').filter((url) => building.test(url)).length).toBeGreaterThan(20);
  });
});
