import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLocations } from '#ingest/parse-locations.js';
import { encodeUpload, type Fix } from '#location-client/encode-upload.js';
import { memoryBuffer, storedBuffer } from '#location-client/fix-buffer.js';
import { createLocationClient, type LocationClientOptions } from '#location-client/location-client.js';
import { thin } from '#location-client/thin.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { batchesPerUserMax, type IngestRoom, startIngestRoom } from '../ingest/ingest-fixture.js';

const now = Date.now();
const fix = (i: number): Fix => ({ lat: 57.7 + i / 1_000, lng: 11.9, timestamp: now - 100_000 + i * 1_000 });

/** Timers that a test fires itself. */
function handTimers() {
  const set: Array<{ readonly action: () => void; readonly ms: number }> = [];
  return {
    set,
    setTimer: (action: () => void, ms: number) => set.push({ action, ms }),
    fireLast: () => set.at(-1)!.action(),
  };
}

/** A service with configurable responses. */
function scripted(answers: ReadonlyArray<number | 'no network' | Response>) {
  const bodies: Uint8Array[] = [];
  const left = [...answers];
  const send = (async (_url: unknown, init: RequestInit) => {
    bodies.push(init.body as Uint8Array);
    const next = left.shift() ?? 202;
    if (next === 'no network') throw new TypeError('fetch failed');
    return next instanceof Response ? next : Response.json({}, { status: next });
  }) as typeof fetch;
  return { bodies, send };
}

const clientOf = (more: Partial<LocationClientOptions>) => {
  const timers = handTimers();
  const client = createLocationClient({
    url: 'http://service',
    token: () => 't',
    batchFixes: 3,
    random: () => 0.5,
    setTimer: timers.setTimer,
    ...more,
  });
  return { client, timers };
};

describe('the location client', () => {
  it('writes bytes that the service reads as the same fixes', () => {
    const fixes: readonly Fix[] = [
      { ...fix(0), accuracy: 5, heading: 359.9, mode: 'bicycling' },
      { ...fix(1), lng: -179.9999999 },
      { ...fix(2), lng: 180, speed: 12.5 },
    ];
    const parsed = parseLocations(encodeUpload(fixes, 'b-1'), 'application/x-protobuf', undefined, now);
    if (parsed.outcome !== 'ok') throw new Error(JSON.stringify(parsed));
    const { points, batchId } = parsed;
    expect(batchId).toBe('b-1');
    expect([...points.lngE7.subarray(0, 3)]).toEqual([119_000_000, -1_799_999_999, 1_800_000_000]);
    expect([...points.timeMs.subarray(0, 3)]).toEqual(fixes.map(({ timestamp }) => timestamp));
    expect(points.speedMps![2]).toBe(12.5);
    expect(points.accuracyM![0]).toBe(5);
    expect(points.accuracyM![1]).toBeNaN();
    expect([...points.modeIndex!.subarray(0, 3)]).toEqual([2, Number.NaN, Number.NaN]);
  });

  it('sends a mode that does not exist as one that the service refuses', () => {
    const bytes = encodeUpload([fix(0), { ...fix(1), mode: 'flying' as 'driving' }], 'b-1');
    const parsed = parseLocations(bytes, 'application/x-protobuf', undefined, now);
    expect(parsed).toMatchObject({
      points: { count: 1 },
      rejected: [{ index: 1, reason: 'mode must be one of driving, walking, bicycling.' }],
    });
  });

  proves('M-008', {
    asked: 'the client library obeys 429 and Retry-After',
    shown: 'after 429 or 503 with 7 s the next request is due in 7.5 s, none before, with the same bytes',
    settings: ['the test fires the timers'],
    control: {
      in: 'location-client/location-client.ts',
      change: 'wakeIn(retryAfterMs + random() * ceiling);',
      to: 'wakeIn(Math.min(0, retryAfterMs) + random() * ceiling);',
    },
  });
  proves('P-126', {
    asked: 'the client library obeys Retry-After',
    shown: 'after 429 or 503 with 7 s: the next request 7.5 s later, not before; it is that of locations',
    control: {
      in: 'location-client/location-client.ts',
      change: 'wakeIn(retryAfterMs + random() * ceiling);',
      to: 'wakeIn(Math.min(0, retryAfterMs) + random() * ceiling);',
    },
  });
  it.each([429, 503])(
    'M-008, P-126: obeys Retry-After of %i, adds jitter, sends the same bytes again',
    async (status) => {
      const busy = new Response('{}', { status, headers: { 'retry-after': '7' } });
      const { bodies, send } = scripted([busy, 429, 202]);
      const { client, timers } = clientOf({ fetch: send });
      for (let i = 0; i < 3; i++) client.add(fix(i));
      await client.flush();
      expect(timers.set.at(-1)!.ms).toBe(7_000 + 500);
      await client.flush();
      expect(bodies).toHaveLength(1);
      timers.fireLast();
      await expect.poll(() => bodies.length).toBe(2);
      await expect.poll(() => timers.set.at(-1)!.ms).toBe(1_000);
      timers.fireLast();
      await expect.poll(() => client.waiting).toBe(0);
      expect(bodies[1]).toEqual(bodies[0]);
      expect(bodies[2]).toEqual(bodies[0]);
    },
  );

  it('obeys the requested interval, and sends the fixes collected meanwhile in one batch', async () => {
    let clockMs = 0;
    const told: number[] = [];
    const { bodies, send } = scripted([Response.json({ send_every_s: 60 })]);
    const { client, timers } = clientOf({
      fetch: send,
      nowMs: () => clockMs,
      onSampling: (everyS) => told.push(everyS),
    });
    for (let i = 0; i < 3; i++) client.add(fix(i));
    await expect.poll(() => client.waiting).toBe(0);
    expect(told).toEqual([60]);
    for (let i = 3; i < 13; i++) client.add(fix(i));
    expect(timers.set.at(-1)!.ms).toBe(60_000);
    clockMs = 59_000;
    timers.fireLast();
    expect(timers.set.at(-1)!.ms).toBe(1_000);
    expect(bodies).toHaveLength(1);
    clockMs = 60_000;
    timers.fireLast();
    await expect.poll(() => client.waiting).toBe(0);
    expect(bodies).toHaveLength(2);
  });

  it('keeps fixes while there is no network, and doubles the delay after each failure', async () => {
    const { send } = scripted(['no network', 'no network', 'no network', 202]);
    const { client, timers } = clientOf({ fetch: send });
    for (let i = 0; i < 3; i++) client.add(fix(i));
    await client.flush();
    const pauses = [timers.set.at(-1)!.ms];
    for (let i = 0; i < 2; i++) {
      const before = timers.set.length;
      timers.fireLast();
      await expect.poll(() => timers.set.length).toBeGreaterThan(before);
      pauses.push(timers.set.at(-1)!.ms);
    }
    expect(pauses).toEqual([500, 1_000, 2_000]);
    expect(client.waiting).toBe(3);
    timers.fireLast();
    await expect.poll(() => client.waiting).toBe(0);
  });

  it('drops a batch that the service rejects permanently, and reports why', async () => {
    const refused: string[] = [];
    const { send } = scripted([Response.json({ detail: 'Every point is bad.' }, { status: 400 })]);
    const { client } = clientOf({ fetch: send, onRefused: (reason) => refused.push(reason) });
    client.add(fix(0));
    await client.flush();
    expect(refused).toEqual(['Every point is bad.']);
    expect(client.waiting).toBe(0);
  });

  it('continues with the same batch id after the page was closed', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const first = storedBuffer(storage, 'fixes');
    for (let i = 0; i < 5; i++) first.add(fix(i), thin);
    const batch = first.batch(3)!;
    const second = storedBuffer(storage, 'fixes');
    expect(second.batch(3)).toEqual(batch);
    second.acknowledge(batch.id);
    expect(second.size).toBe(2);
  });

  it('thins the older half when its buffer is full, and keeps the first and the newest', () => {
    const buffer = memoryBuffer(100);
    for (let i = 0; i < 1_000; i++) {
      buffer.add(fix(i), thin);
      expect(buffer.size).toBeLessThanOrEqual(100);
    }
    const { fixes } = buffer.batch(100)!;
    expect(fixes[0]).toEqual(fix(0));
    expect(fixes.at(-1)).toEqual(fix(999));
    expect(fixes.every((one, i) => i === 0 || one.timestamp > fixes[i - 1]!.timestamp)).toBe(true);
  });
});

describe('the location client and the service', () => {
  let room: IngestRoom;
  beforeAll(async () => {
    room = await startIngestRoom();
  });
  afterAll(() => room.close());

  proves('M-008', {
    asked: '429 + Retry-After, which the client library obeys',
    shown: 'batch 601: the next is due half a second after Retry-After, none before; then all are accepted',
    settings: ['the clock of the limiter stands still, and moves by the delay', 'the test fires the timers'],
    control: {
      in: 'location-client/location-client.ts',
      change: 'new Set([401, 408, 425, 429, 500,',
      to: 'new Set([401, 408, 425, 500,',
    },
  });
  it('M-008: a client over the limit waits as long as the service says, and keeps its fixes', async () => {
    const answers: Response[] = [];
    let clockMs = 0;
    const early = (i: number): Fix => ({ ...fix(i), timestamp: now - 1_000_000 + i * 1_000 });
    const { client, timers } = clientOf({
      url: new URL(room.url).origin,
      token: () => 'too-eager',
      batchFixes: 1,
      nowMs: () => clockMs,
      fetch: async (...request) => {
        const answer = await fetch(...request);
        answers.push(answer);
        return answer;
      },
    });
    expect(batchesPerUserMax).toBe(600);
    for (let i = 0; i <= batchesPerUserMax; i++) {
      client.add(early(i));
      await client.flush();
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(batchesPerUserMax).fill(202), 429]);
    const afterMs = 1_000 * Number(answers.at(-1)!.headers.get('retry-after'));
    expect(afterMs).toBeGreaterThan(0);
    expect(timers.set.at(-1)!.ms).toBe(afterMs + 500);
    client.add(early(batchesPerUserMax + 1));
    await client.flush();
    expect(answers).toHaveLength(batchesPerUserMax + 1);
    expect(client.waiting).toBe(2);

    // Time for both, until the timer that was set last.
    const passTime = () => {
      const { ms } = timers.set.at(-1)!;
      clockMs += ms;
      room.passTime(ms / 1_000);
      timers.fireLast();
    };
    passTime();
    // The rest of the interval at which the service wants batches.
    expect(timers.set.at(-1)!.ms).toBe(15_000 - afterMs - 500);
    passTime();
    await expect.poll(() => client.waiting, { timeout: 60_000 }).toBe(0);
    expect(answers.slice(batchesPerUserMax + 1).map(({ status }) => status)).toEqual([202, 202]);
    await expect
      .poll(
        async () => {
          const page = { fromMs: 0, toMs: now + 1, limit: 1_000 };
          const { locations } = await room.store.read('too-eager' as UserId, page);
          return locations.map(({ timestamp }) => timestamp);
        },
        { timeout: 60_000 },
      )
      .toEqual(Array.from({ length: batchesPerUserMax + 2 }, (_, i) => early(i).timestamp));
  });

  it('stores each fix once, although every second response is lost', async () => {
    let calls = 0;
    const lossy: typeof fetch = async (...request) => {
      const answer = await fetch(...request);
      if (calls++ % 2 === 0) throw new TypeError('the answer was lost');
      return answer;
    };
    const { client, timers } = clientOf({
      url: new URL(room.url).origin,
      token: () => 'lossy',
      fetch: lossy,
    });
    for (let i = 0; i < 9; i++) client.add(fix(i));
    await expect
      .poll(async () => {
        timers.set.at(-1)?.action();
        await client.flush();
        return client.waiting;
      })
      .toBe(0);
    const topic = room.codecs.locationBatchRecorded.topic.name;
    let logged = 0;
    for (const { partition } of await room.log.offsets(topic))
      for await (const { key, value } of room.log.read(topic, partition, 0))
        if (key === 'lossy') logged += room.codecs.locationBatchRecorded.decode(value!).points.count;
    expect(logged).toBe(9);
    await expect
      .poll(
        async () =>
          (await room.store.read('lossy' as UserId, { fromMs: 0, toMs: now + 1, limit: 100 })).locations
            .length,
      )
      .toBe(9);
  });
});
