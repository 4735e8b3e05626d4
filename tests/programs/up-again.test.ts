import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { StatusAnswer } from '#schemas/http/map.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { SimulationTruth } from '#schemas/http/simulation.js';
import { proves } from '#tools/acceptance/proves.js';
import { freePort, meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { allStored, batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';

/** One data folder and many runs of `meridian up` on it. */
describe('up, repeatedly on the same data', () => {
  let data: string;
  let ports: readonly [number, number];
  let up: RunningProgram;
  let drivers: Driver[];
  let closed: Incident;
  let metricVersion = 0;
  const sent: SentBatch[] = [];

  const start = () =>
    startProgram('up', { data, ports, args: ['--drivers', '20', '--seed', '5'], env: unlimited });
  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(up.url + path)).json() as Promise<Body>;

  /** Process id of its PostgreSQL. */
  function postgres(): number | undefined {
    const file = join(data, 'sql', 'home', 'cluster', 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }

  async function nothingIsLost(): Promise<void> {
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(sent, inLog)).toEqual([]);
    expect(strangeBatches(sent, inLog)).toEqual([]);
    await allStored(up.url, drivers, sent);
  }

  async function stateIsContinued(): Promise<void> {
    expect(up.output()).toContain('tiles reused');
    const { incidents } = await get<{ incidents: Incident[] }>('/v1/incidents');
    expect(incidents.map(({ incident_id }) => incident_id)).toContain(closed.incident_id);
    const version = (await get<StatusAnswer>('/v1/status')).metric_version;
    expect(version).toBeGreaterThanOrEqual(metricVersion);
    metricVersion = version;
  }

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-again-'));
    ports = [await freePort(), await freePort()];
    up = await start();
    drivers = await driversOf(data, ['u1', 'u2', 'u3']);
    const answer = await fetch(`${up.url}/v1/incidents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await up.token('op', 'operator')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind: 'closed', at: { lat: 35.9006, lng: 14.4935 }, expires_in_s: 3_600 }),
    });
    expect(answer.status).toBe(201);
    closed = (await answer.json()) as Incident;
    await vi.waitFor(
      async () => {
        metricVersion = (await get<StatusAnswer>('/v1/status')).metric_version;
        expect(metricVersion).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 50 },
    );
  });
  afterAll(async () => {
    await up?.stop('SIGKILL');
    // PostgreSQL ends a moment after a program that was killed.
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('reports the truth of its city to operators on the internal listener, and is scored', async () => {
    const path = '/v1/simulation/truth';
    const [operator, driver] = [await up.token('op', 'operator'), await up.token('d', 'driver')];
    const read = (url: string, token?: string) =>
      fetch(url + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    expect((await read(up.url, operator)).status).toBe(404);
    expect((await read(up.internalUrl)).status).toBe(401);
    expect([401, 403]).toContain((await read(up.internalUrl, driver)).status);
    const addresses = ['--url', up.url, '--internal-url', up.internalUrl];
    const scored = meridian(['city', 'score', ...addresses, '--minutes', '1', '--json'], {
      MERIDIAN_DATA: data,
    });
    // The first hidden closure happens after three quarters of a minute.
    await expect
      .poll(async () => ((await (await read(up.internalUrl, operator)).json()) as SimulationTruth).closures, {
        timeout: 120_000,
      })
      .not.toEqual([]);
    const truth = (await (await read(up.internalUrl, operator)).json()) as SimulationTruth;
    expect(truth).toMatchObject({ seed: 5, drivers: 20, scenario: 'usual' });
    const score = await scored;
    expect([score.code, score.stderr.split('\n').at(-2)]).toEqual([0, expect.stringContaining('0 false')]);
    expect(JSON.parse(score.stdout)).toMatchObject({
      ...{ scenario: 'usual', broken: [] },
      closures: { false: [], busy: { closures: 0 } },
    });
  });

  proves('M-026', {
    asked: 'arrival times from the first minute: no `no-model` after a default start',
    shown: '`meridian up` with 20 drivers on an empty folder, one route, before any training',
  });
  it('M-026: answers arrival times with an interval after a first start', async () => {
    const { routes } = await get<NavAnswer>('/v1/nav?origin=35.9110,14.5020&destination=35.8780,14.4720');
    const [leg] = routes[0]!.legs;
    expect(leg).not.toHaveProperty('duration_fallback');
    const { duration_in_traffic, duration_interval } = leg!;
    expect(duration_interval!.low.value).toBeLessThan(duration_in_traffic.value);
    expect(duration_interval!.high.value).toBeGreaterThan(duration_in_traffic.value);
  });

  proves('M-006', {
    asked: 'an acknowledged batch survives kill -9 of every process one by one',
    shown: 'of `meridian up` it and its PostgreSQL are killed under load: log and store have all batches',
    settings: ['no rate limits', '20 simulated drivers'],
    control: {
      in: 'ingest/receive-location-batch.ts',
      change:
        '    this.#appends.add(record, (failure) => {\n      if (failure === undefined) report(accepted);',
      to: '    if (record.key !== "") {\n      report(accepted);\n      setTimeout(() => this.#appends.add(record, () => undefined), 200);\n      return;\n    }\n    this.#appends.add(record, (failure) => {\n      if (failure === undefined) report(accepted);',
    },
  });
  it('M-006, F1: kill -9 under load loses no acknowledged batch, and the state continues', async () => {
    const senders = startSenders(up.url, drivers);
    await senders.more(20 + Math.floor(Math.random() * 100));
    metricVersion = (await get<StatusAnswer>('/v1/status')).metric_version;
    up.signal('SIGKILL');
    expect(await up.ended).toBeNull();
    up = await start();
    await senders.more(20);
    await senders.stop();
    sent.push(...senders.batches);
    // Without refused connections it was not killed under load.
    expect(senders.faults.size).toBeGreaterThan(0);
    await nothingIsLost();
    await stateIsContinued();

    // The other process of this program.
    const others = startSenders(up.url, drivers);
    await others.more(20);
    const killed = postgres()!;
    process.kill(killed, 'SIGKILL');
    await others.more(20);
    // It is started again.
    await vi.waitFor(() => expect([undefined, Number.NaN, killed]).not.toContain(postgres()), {
      timeout: 60_000,
      interval: 50,
    });
    await others.more(20);
    await others.stop();
    sent.push(...others.batches);
    // No phone noticed.
    expect([[...others.statuses.keys()], [...others.faults.keys()]]).toEqual([[202], []]);
    await nothingIsLost();
  });

  it('F3: Ctrl-C under load with simulated drivers exits 0, and keeps acknowledged batches', async () => {
    const senders = startSenders(up.url, drivers);
    await senders.more(40);
    metricVersion = (await get<StatusAnswer>('/v1/status')).metric_version;
    // A drain that exceeds its deadline does not exit 0.
    expect(await up.stop('SIGINT'), up.output()).toBe(0);
    await senders.stop();
    sent.push(...senders.batches);
    up = await start();
    await nothingIsLost();
    await stateIsContinued();
  });

  it('F3: a second Ctrl-C ends it without waiting, for shells with 130', async () => {
    // A request with an endless body keeps the drain busy.
    const socket = connect(ports[0], '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const { token } = drivers[0]!;
    socket.write(
      `POST /v1/locations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    await expect.poll(async () => (await fetch(`${up.internalUrl}/healthz`)).status).toBe(200);
    up.signal('SIGINT');
    await expect.poll(() => up.output()).toContain('"message":"stopping"');
    // Within a third of a second it would count as the same keypress.
    await new Promise((resolve) => setTimeout(resolve, 400));
    up.signal('SIGINT');
    expect(await up.ended).toBeNull();
    expect(up.output()).toContain('up was ended by SIGINT');
    socket.destroy();
  });
});
