import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, OsrmTown } from '../api/osrm-town.js';
import { pythonWheels } from '../python-wheels.js';
import { openClientTown } from './client-town.js';

const script = fileURLToPath(new URL('ask-routingpy.py', import.meta.url));

let town: OsrmTown;
beforeAll(async () => {
  town = await openClientTown();
});
afterAll(() => town.close());

interface Asked {
  readonly call: 'directions' | 'matrix';
  readonly options: Readonly<Record<string, unknown>>;
}

/** What routingpy makes of the answers. */
async function ask(asked: readonly Asked[]): Promise<Json[]> {
  const python = process.env['PYTHON'] ?? 'python3';
  const path = pythonWheels('routing-clients').join(delimiter);
  const { stdout } = await promisify(execFile)(python, [script, town.served.url, JSON.stringify(asked)], {
    env: { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return JSON.parse(stdout);
}

const of =
  (call: Asked['call']) =>
  (letters: string, options: Asked['options'] = {}): Asked => ({
    call,
    options: { locations: letters.split(' ').map((letter) => town.place(letter)), ...options },
  });

describe('routingpy, unchanged', { timeout: 60_000 }, () => {
  test('OSRM.directions with each of its options', async () => {
    const directions = of('directions');
    const line = [town.place('A'), town.place('B'), town.place('E')];
    const near = (points: readonly (readonly number[])[]): Json =>
      points.map(([lng, lat]) => [expect.closeTo(lng!, 5), expect.closeTo(lat!, 5)]);
    // routingpy cuts metres and seconds to whole ones.
    const metres = (length: number): Json => expect.closeTo(length, -1);
    const [plain, six, geojson, two, walked, everything, far, refused] = await ask([
      directions('A E'),
      directions('A E', { geometries: 'polyline6', overview: 'full' }),
      directions('A E', { geometries: 'geojson' }),
      directions('A F', { alternatives: 2 }),
      directions('A C F', { profile: 'walking', continue_straight: false }),
      directions('A E', {
        radiuses: [5, 5],
        bearings: [
          [90, 20],
          [180, 20],
        ],
        steps: true,
        annotations: true,
        alternatives: false,
        continue_straight: true,
        overview: 'simplified',
      }),
      directions('A X'),
      directions('A E', { radiuses: [5, -1] }),
    ]);
    expect(plain).toEqual({ geometry: near(line), duration: expect.any(Number), distance: metres(260) });
    expect(six.geometry).toEqual(near(line));
    expect(geojson.geometry).toEqual(near(line));
    expect(two.length).toBeGreaterThanOrEqual(1);
    expect(two[0].distance).toEqual(metres(460));
    expect(walked.distance).toEqual(metres(460));
    expect(everything).toEqual(plain);
    expect(far).toMatchObject({ error: 'RouterApiError', status: 400 });
    expect(refused).toMatchObject({
      error: 'RouterApiError',
      status: 400,
      body: expect.stringContaining('InvalidOptions'),
    });
  });

  test('OSRM.matrix with each of its options', async () => {
    const matrix = of('matrix');
    const [all, part, times] = await ask([
      matrix('A C F'),
      matrix('A C F', { sources: [0], destinations: [1, 2], radiuses: [5, 5, 5], profile: 'cycling' }),
      matrix('A C F', {
        annotations: ['duration'],
        bearings: [
          [90, 90],
          [0, 180],
          [0, 180],
        ],
      }),
    ]);
    expect(all.durations).toHaveLength(3);
    expect(all.distances[0]).toEqual([0, 400, 460]);
    expect(part.distances).toEqual([[400, 460]]);
    expect(part.durations[0][0]).toBeGreaterThan(50);
    expect(times.distances).toBeNull();
    expect(times.durations[0][1]).toBe(all.durations[0][1]);
  });
});
