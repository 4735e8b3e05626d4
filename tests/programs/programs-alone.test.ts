import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EventLog, LogRecord } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { Incident } from '#schemas/http/incidents.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import {
  locationBatchRecorded,
  navSessionChanged,
  topics,
  trafficEdgeObserved,
  trafficIncidentChanged,
} from '#schemas/topics.js';
import type { LatLng } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { decodeLine, lengthM, placesAlong } from '../main-job/drive.js';
import { openNavSocket } from '../main-job/nav-socket.js';
import { freePort, type RunningProgram, spawnProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { postLocations } from './post-locations.js';
import { allStored, batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';

const origin = { lat: 35.911, lng: 14.502 };
const destination = { lat: 35.878, lng: 14.472 };
/** From the kill to batches that are acknowledged again, on processors that other tests use. */
const recoveryMsMax = 15_000;

/** Consumer groups with the topics that they read. The first four are the consumers of the specification. */
const consumers = [
  ['traffic', trafficEdgeObserved],
  ['finished-trips', navSessionChanged],
  ['analytics-speeds', trafficEdgeObserved],
  ['analytics-closures', trafficIncidentChanged],
  ['typical-week', trafficEdgeObserved],
  ['reroute', locationBatchRecorded],
  ['reroute', navSessionChanged],
  ['personalization', locationBatchRecorded],
  ['customization', trafficIncidentChanged],
] as const;

/** Three programs over one data folder, as on one machine of a small customer. They share only the folder. */
describe('the programs, each in its own process', () => {
  let data: string;
  let log: EventLog;
  let ingest: RunningProgram;
  let processors: RunningProgram;
  let api: RunningProgram;
  let drivers: Driver[];
  let doorPorts: readonly [number, number];
  const sent: SentBatch[] = [];

  const spawnDoor = () =>
    spawnProgram('ingest', {
      data,
      ports: doorPorts,
      env: { ...unlimited, PID_FILE: join(data, 'run', 'ingest.pid') },
    });
  const startDoor = async () => {
    const door = await spawnDoor();
    await door.ready();
    return door;
  };

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-programs-'));
    doorPorts = [await freePort(), await freePort()];
    [ingest, processors, api] = await Promise.all([
      startDoor(),
      startProgram('processors', { data }),
      startProgram('api', { data, env: unlimited }),
    ]);
    log = await openEventLog(`embedded:${join(data, 'log')}`);
    await log.createTopics(topics);
    drivers = await driversOf(data, ['d1', 'd2', 'd3', 'd4']);
  });
  afterAll(async () => {
    await log?.close();
    await Promise.all([ingest, processors, api].map((program) => program?.stop()));
    await rm(data, { recursive: true, force: true });
  });

  /** Waits until a group has committed everything that is in the topic. */
  const caughtUp = (group: string, topic: string = locationBatchRecorded.name): Promise<void> =>
    vi.waitFor(
      async () => {
        const ends = await log.offsets(topic);
        expect(
          ends.some(({ end }) => end > 0),
          `${topic} has records`,
        ).toBe(true);
        expect(await consumerLag(log, group, topic), group).toBe(0);
      },
      { timeout: 60_000, interval: 50 },
    );

  async function everyRecord(): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for (const { partition, earliest } of await log.offsets(locationBatchRecorded.name)) {
      for await (const record of log.read(locationBatchRecorded.name, partition, earliest))
        records.push(record);
    }
    return records;
  }

  /** At 50 km/h along the route of the navigation below, until now. */
  async function drive(token: string): Promise<void> {
    const query = new URLSearchParams({
      origin: `${origin.lat},${origin.lng}`,
      destination: `${destination.lat},${destination.lng}`,
    });
    const answer = (await (await fetch(`${api.url}/v1/nav?${query}`)).json()) as NavAnswer;
    const line = decodeLine(answer.polyline!.points);
    const metresPerSecond = 50 / 3.6;
    const places = placesAlong(line, 0, Math.min(lengthM(line), 90 * metresPerSecond), metresPerSecond);
    const nowMs = Date.now();
    const points = places.map(
      ({ lat, lng }, at) => [lat, lng, nowMs - (places.length - at) * 1_000] as [number, number, number],
    );
    expect((await postLocations(ingest.url, token, points)).status).toBe(202);
  }

  const closeRoad = async (at: LatLng): Promise<Response> =>
    fetch(`${api.url}/v1/incidents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await api.token('op', 'operator')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind: 'closed', at, expires_in_s: 600 }),
    });

  /** Something for each group: a drive over the roads, a navigation. */
  async function driveAndNavigate(userId: string): Promise<void> {
    await drive(await ingest.token(userId, 'driver'));
    const socket = await openNavSocket(api.url, await api.token(`${userId}-onlooker`, 'driver'));
    socket.send({ type: 'start', origin, destination });
    await socket.next('started');
    socket.close();
  }

  it('M-001: one program returns what another accepted', async () => {
    const token = await ingest.token('reader', 'driver');
    const now = Date.now();
    expect((await postLocations(ingest.url, token, [[35.91, 14.5, now]])).status).toBe(202);
    await vi.waitFor(
      async () => {
        const read = await fetch(`${api.url}/v1/users/reader/locations?from=${now}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(await read.json()).toMatchObject({
          locations: [{ lat: 35.91, lng: 14.5, timestamp: now }],
        });
      },
      { timeout: 60_000, interval: 50 },
    );
  });

  proves('M-024', {
    asked: 'slow one edge on the best route: longer or another route; clear it: as before',
    shown: 'three programs: a road of the route at 2 km/h by an incident, and after its end; by GET /v1/nav',
    settings: ['no rate limits'],
    control: {
      in: 'routing-engine/overlay/metric.ts',
      change: 'return msAtSpeed(network, edge, change.speedKph);',
      to: 'return Math.min(freeFlow, msAtSpeed(network, edge, change.speedKph));',
    },
  });
  it('M-024: a slow road changes the next routes, and its end gives the first one again', async () => {
    const query = new URLSearchParams({
      origin: `${origin.lat},${origin.lng}`,
      destination: `${destination.lat},${destination.lng}`,
    });
    const best = async () => {
      const { status, duration, polyline } = (await (
        await fetch(`${api.url}/v1/nav?${query}`)
      ).json()) as NavAnswer;
      expect(status).toBe('OK');
      return { durationS: duration!.value, points: polyline!.points };
    };
    const patience = { timeout: 60_000, interval: 50 };
    const before = await best();
    const line = decodeLine(before.points);
    const [at] = placesAlong(line, lengthM(line) * 0.4, lengthM(line) * 0.4, 1);
    const headers = {
      authorization: `Bearer ${await api.token('op', 'operator')}`,
      'content-type': 'application/json',
    };
    const slowed = await fetch(`${api.url}/v1/incidents`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ kind: 'slow', speed_kph: 2, at, expires_in_s: 600 }),
    });
    expect(slowed.status, await slowed.clone().text()).toBe(201);
    const { incident_id } = (await slowed.json()) as Incident;
    await vi.waitFor(async () => {
      const slow = await best();
      expect(slow).not.toEqual(before);
      // Also another route takes longer than the best one did.
      expect(slow.durationS).toBeGreaterThanOrEqual(before.durationS);
    }, patience);
    const ended = await fetch(`${api.url}/v1/incidents/${incident_id}`, { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    await vi.waitFor(async () => expect(await best()).toEqual(before), patience);
  });

  proves('M-062', {
    asked: 're-planned; a push if a faster route exists, over the bidirectional socket, with the reason',
    shown: 'three programs: after a closure ahead the socket of the driver has a route without it, and why',
    settings: ['no rate limits'],
    from: 'outside',
  });
  it("M-062: an operator's closure passes through all of them to the driver's socket", async () => {
    const socket = await openNavSocket(api.url, await api.token('navigator', 'driver'));
    socket.send({ type: 'start', origin, destination });
    const { route, navigation_id } = await socket.next('started');
    const line = decodeLine(route.polyline);
    const [middle] = placesAlong(line, lengthM(line) * 0.6, lengthM(line) * 0.6, 1);
    const closed = await closeRoad(middle!);
    expect(closed.status, await closed.clone().text()).toBe(201);
    const { edge_ids } = (await closed.json()) as Incident;
    const reroute = await socket.next('reroute');
    expect(reroute.navigation_id).toBe(navigation_id);
    expect(reroute.route.edge_ids.filter((id) => edge_ids.includes(id))).toEqual([]);
    expect(reroute.reason).toMatch(/ is closed$/);
    socket.close();
  });

  it('writes its process id to PID_FILE and removes it at the end', async () => {
    const file = join(data, 'run', 'door.pid');
    const door = await startProgram('ingest', { data, args: ['door'], env: { PID_FILE: file } });
    expect(readFileSync(file, 'utf8').trim()).toBe(String(door.pid));
    expect(await door.stop()).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  proves('M-006', {
    asked: 'an acknowledged batch survives kill -9 of every process one by one',
    shown: 'of three processes, ingest killed three times under load: log and store have all batches',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/receive-location-batch.ts',
      change:
        '    this.#appends.add(record, (failure) => {\n      if (failure === undefined) report(accepted);',
      to: '    if (record.key !== "") {\n      report(accepted);\n      setTimeout(() => this.#appends.add(record, () => undefined), 200);\n      return;\n    }\n    this.#appends.add(record, (failure) => {\n      if (failure === undefined) report(accepted);',
    },
  });
  proves('F1', {
    asked: '25 kills at random: nothing lost, recovery within 1 s',
    shown: 'three kills: nothing lost, acknowledged again within 15 s of each',
    scaled: '3 : 25, the long run has 50; 15 s for 1 s, on two processors that other tests use',
    proof: 'ingest-kills',
    control: {
      test: 'F1: the harness detects a server that acknowledges before it appends',
      file: 'tests/programs/early-acknowledgement.test.ts',
    },
    from: 'outside',
  });
  proves('F1', {
    asked: 'recovery within 1 s',
    shown: 'after each of three kills batches are acknowledged again within 15 s',
    scaled: '15 s for 1 s, on two processors that run other tests too',
    settings: ['no rate limits'],
    control: {
      in: 'cli/programs/ingest.ts',
      change: '    listeners.serve({ routes',
      to: '    await new Promise((resolve) => setTimeout(resolve, 20_000));\n    listeners.serve({ routes',
    },
    from: 'outside',
  });
  it('M-006, F1: kill -9 of the ingest server at any moment loses no acknowledged batch', async () => {
    // The other groups are stopped meanwhile: this must not affect the store (M-005).
    expect(await processors.stop()).toBe(0);
    const senders = startSenders(ingest.url, drivers);
    const recoveredMs: number[] = [];
    for (let round = 0; round < 3; round++) {
      await senders.more(10 + Math.floor(Math.random() * 100));
      ingest.signal('SIGKILL');
      expect(await ingest.ended).toBeNull();
      const killedAt = performance.now();
      ingest = await spawnDoor();
      // Each sender may still read one answer of the process that ended.
      await senders.more(drivers.length + 1);
      recoveredMs.push(Math.round(performance.now() - killedAt));
      await ingest.ready();
    }
    await senders.more(20);
    await senders.stop();
    console.log(`acknowledged again after ${recoveredMs.join(', ')} ms`);
    expect(Math.max(...recoveredMs)).toBeLessThan(recoveryMsMax);
    sent.push(...senders.batches);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(sent, inLog)).toEqual([]);
    expect(strangeBatches(sent, inLog)).toEqual([]);
    await allStored(api.url, drivers, sent);
    // Without refused connections the server was not killed under load.
    expect(senders.faults.size).toBeGreaterThan(0);
  });

  proves('F3', {
    asked: 'drains, exits 0 within 10 s, clients that retry see no error and no reset',
    shown: 'one signal under load: only 202 and refused connections, exit 0, all in the store',
    settings: ['no rate limits'],
    control: {
      in: 'platform/lifecycle/run-program.ts',
      change: 'const deadline = performance.now() + options.drainMs;',
      to: 'const deadline = performance.now();',
    },
    from: 'outside',
  });
  it('F3: SIGTERM under load finishes requests in progress, cuts none and exits 0', async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(50);
    // A drain that exceeds its deadline does not exit 0.
    expect(await ingest.stop('SIGTERM')).toBe(0);
    await vi.waitFor(() => expect(senders.faults.get('ECONNREFUSED')).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    expect([...senders.statuses.keys()]).toEqual([202]);
    ingest = await startDoor();
    await senders.more(20);
    await senders.stop();
    sent.push(...senders.batches);
    expect([...senders.faults.keys()]).toEqual(['ECONNREFUSED']);
    // During its start it answers with a retry delay, and nothing that a client treats as final.
    expect([...senders.statuses.keys()].filter((status) => status !== 202 && status !== 503)).toEqual([]);
    expect(senders.retryAfterS.filter((seconds) => !(seconds > 0))).toEqual([]);
    await allStored(api.url, drivers, sent);
  });

  proves('M-005', {
    asked: 'every update in the stream, in order per user; four consumers receive it independently',
    shown: 'all under their user, in order; traffic, ETA and analytics, each run alone, process four topics',
    missing:
      'traffic and closed roads are one group; they and analytics read what matching makes, ETA navigations',
    settings: ['no rate limits'],
    control: {
      in: 'processors/arrival-times/start-finished-trips.ts',
      change: "group: 'finished-trips'",
      to: "group: 'reroute'",
    },
  });
  it('M-005: every group has every record, in order by user, even a group that was stopped', async () => {
    await caughtUp('location-writer');
    const committed = await log.committed('matching', locationBatchRecorded.name);
    // Something for each: a drive over the roads, a navigation, a closed road.
    processors = await startProgram('processors', { data, args: ['matching'] });
    await drive(await ingest.token('passes', 'driver'));
    await caughtUp('matching');
    expect(await log.committed('matching', locationBatchRecorded.name)).not.toEqual(committed);
    expect(await processors.stop()).toBe(0);
    const socket = await openNavSocket(api.url, await api.token('onlooker', 'driver'));
    socket.send({ type: 'start', origin, destination });
    await socket.next('started');
    socket.close();
    expect((await closeRoad(origin)).status).toBe(201);
    const read = async () =>
      new Map(
        await Promise.all(
          consumers.map(
            async ([group, { name }]) => [`${group} ${name}`, await log.committed(group, name)] as const,
          ),
        ),
      );
    for (const alone of ['traffic', 'finished-trips', 'analytics']) {
      const own = consumers.filter(([group]) => group.startsWith(alone));
      for (const [group, { name }] of own)
        expect(await consumerLag(log, group, name), group).toBeGreaterThan(0);
      const before = await read();
      // It is not ready before the metric has the closed road, and another group makes the metric.
      processors = await spawnProgram('processors', { data, args: [alone] });
      for (const [group, { name }] of own) await caughtUp(group, name);
      expect(await processors.stop()).toBe(0);
      const after = await read();
      const moved = [...after].filter(
        ([of, offsets]) => JSON.stringify(offsets) !== JSON.stringify(before.get(of)),
      );
      expect(moved.map(([of]) => of)).toEqual(own.map(([group, { name }]) => `${group} ${name}`));
    }
    processors = await startProgram('processors', { data });
    await caughtUp('matching');
    for (const [group, { name }] of consumers) await caughtUp(group, name);

    const heard: LogRecord[] = [];
    const analyst = await log.consume({
      group: 'analyst',
      topics: [locationBatchRecorded.name],
      startAt: 'earliest',
      onBatch: async ({ records }) => void heard.push(...records),
    });
    const all = await everyRecord();
    await vi.waitFor(() => expect(heard).toHaveLength(all.length), { timeout: 60_000 });
    await analyst.close();
    for (const { userId } of drivers) {
      const of = (records: readonly LogRecord[]): number[] =>
        records.filter(({ key }) => key === userId).map(({ offset }) => offset);
      expect(of(heard)).toEqual(of(all));
      // A retry may duplicate a batch, but a driver who waits for each response never sees two of them change
      // order.
      const own = sent.filter((batch) => batch.userId === userId);
      const sentOrder = own.map(({ batchId }) => batchId);
      const logOrder = [...new Set(await batchesInLog({ MERIDIAN_DATA: data }, [{ userId, token: '' }]))];
      expect(logOrder).toEqual(sentOrder.filter((batchId) => logOrder.includes(batchId)));
      expect(lostBatches(own, new Set(logOrder))).toEqual([]);
    }
  });

  proves('M-006', {
    asked: 'an acknowledged batch survives kill -9 of every process one by one',
    shown: 'processors, then API, each killed once under load: log and store have all batches, groups go on',
    settings: ['no rate limits'],
    control: {
      in: 'platform/event-log/lmdb-event-log.ts',
      change: '(dead) => this.#groups.bury(dead),',
      to: '(dead) => this.#files.partitions.clearAsync().then(() => this.#groups.bury(dead)),',
    },
  });
  it('M-006: kill -9 of the processors and of the API under load loses no acknowledged batch', async () => {
    await driveAndNavigate('before-kills');
    expect((await closeRoad(origin)).status).toBe(201);
    const senders = startSenders(ingest.url, drivers);
    await senders.more(20);
    for (const program of ['processors', 'api'] as const) {
      const killed = program === 'api' ? api : processors;
      killed.signal('SIGKILL');
      expect(await killed.ended).toBeNull();
      await senders.more(20);
      if (program === 'api') api = await startProgram('api', { data, env: unlimited });
      else processors = await startProgram('processors', { data });
      await senders.more(20);
    }
    await senders.stop();
    // Neither is between a phone and the log, so no phone notices.
    expect([...senders.statuses.keys()]).toEqual([202]);
    expect([...senders.faults.keys()]).toEqual([]);
    sent.push(...senders.batches);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(sent, inLog)).toEqual([]);
    await allStored(api.url, drivers, sent);
    await caughtUp('matching');
    for (const [group, { name }] of consumers) await caughtUp(group, name);
  });
});
