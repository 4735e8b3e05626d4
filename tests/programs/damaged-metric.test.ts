import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { decodeLine, lengthM, metresBetween, placesAlong } from '../main-job/drive.js';
import { freePort, type RunningProgram, spawnProgram, startProgram } from '../main-job/running-platform.js';

const origin = { lat: 35.911, lng: 14.502 };
const destination = { lat: 35.878, lng: 14.472 };
const patience = { timeout: 120_000, interval: 100 };

/** `meridian up` on one data folder, whose stored metric is damaged between its runs. */
describe('a damaged metric between two runs of up', () => {
  let data: string;
  let ports: readonly [number, number];
  let up: RunningProgram;
  const closedAt: LatLng[] = [];

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-damaged-'));
    ports = [await freePort(), await freePort()];
    up = await startProgram('up', { data, ports, args: ['--drivers', '0'] });
    await closeMiddle();
    await closeMiddle();
  });
  afterAll(async () => {
    await up?.stop('SIGKILL');
    // PostgreSQL ends a moment after a program that was killed.
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const nav = async (): Promise<Response | undefined> => {
    const query = new URLSearchParams({
      origin: `${origin.lat},${origin.lng}`,
      destination: `${destination.lat},${destination.lng}`,
    });
    return fetch(`${up.url}/v1/nav?${query}`).catch(() => undefined);
  };
  const lineOf = (answer: NavAnswer): LatLng[] => decodeLine(answer.polyline!.points);
  const crossed = (answer: NavAnswer): LatLng[] => {
    const line = lineOf(answer);
    const steps = placesAlong(line, 0, lengthM(line), 2);
    return closedAt.filter((place) => steps.some((step) => metresBetween(step, place) < 3));
  };
  /** Closes the road in the middle of the current route, and waits until routes lead around it. */
  async function closeMiddle(): Promise<void> {
    const line = lineOf((await (await nav())!.json()) as NavAnswer);
    const [at] = placesAlong(line, lengthM(line) * 0.6, lengthM(line) * 0.6, 1);
    const answer = await fetch(`${up.url}/v1/incidents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await up.token('op', 'operator')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind: 'closed', at, expires_in_s: 86_400 }),
    });
    expect(answer.status).toBe(201);
    expect(((await answer.json()) as Incident).edge_ids.length).toBeGreaterThan(0);
    closedAt.push(at!);
    await vi.waitFor(async () => {
      const later = await nav();
      expect(later?.status).toBe(200);
      expect(crossed((await later!.json()) as NavAnswer)).toEqual([]);
    }, patience);
  }
  async function metricFolder(): Promise<string> {
    const metrics = join(data, 'objects', 'metrics');
    return join(metrics, (await readdir(metrics))[0]!);
  }
  async function flip(file: string): Promise<void> {
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
  }
  async function flipAllCells(): Promise<void> {
    const cells = join(await metricFolder(), 'cells');
    for (const name of await readdir(cells, { recursive: true, withFileTypes: true }))
      if (name.isFile()) await flip(join(name.parentPath, name.name));
  }

  proves('F31', {
    asked: 'bit flips, truncated, removed: refused, the previous version is used; never a wrong route',
    shown: 'three damages of the metric: no route over a closed road; tiles of roads in faults/damaged-roads',
    control: {
      in: 'cli/open/open-served-release.ts',
      change: 'if (reason !== undefined) throw new RoutesUnavailable(reason);',
      to: "if (reason === '') throw new RoutesUnavailable(reason);",
    },
    from: 'outside',
  });
  it.each([
    ['a flipped bit in `current`', [], async () => flip(join(await metricFolder(), 'current'))],
    ['a flipped bit in every cell', [], flipAllCells],
    [
      'the folder emptied',
      ['--drivers', '20', '--seed', '3'],
      async () => rm(await metricFolder(), { recursive: true }),
    ],
  ] as const)(
    'I7, F31: %s: no route uses a closed road, and the next closure arrives',
    async (_, args, damage) => {
      await up.stop();
      await damage();
      up = await spawnProgram('up', { data, ports, args: args.length === 0 ? ['--drivers', '0'] : args });
      let isReady = false;
      const ready = up.ready().then(() => {
        isReady = true;
      });
      const statuses = new Set<number>();
      let afterReady = 0;
      while (afterReady < 20) {
        const answer = await nav();
        if (answer === undefined) continue;
        statuses.add(answer.status);
        if (isReady) afterReady++;
        if (answer.status === 200) expect(crossed((await answer.json()) as NavAnswer)).toEqual([]);
        else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      }
      await ready;
      expect(statuses).toContain(200);
      await closeMiddle();
      const metrics = await (await fetch(`${up.internalUrl}/metrics`)).text();
      expect(metrics).toMatch(/customization_outcomes_total\{outcome="(rebuilt|restored)"\} [1-9]/);
      expect(metrics).toMatch(/^metric_refused_total [1-9]/m);
      expect(metrics).toMatch(/^metric_covers_incidents 1/m);
    },
  );
});
