import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type LocationsAccepted,
  locationBodyBytesMax,
  pointsPerBatchMax,
  postLocations,
} from '#schemas/http/locations.js';
import type { Problem } from '#schemas/http/shapes.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { batchesPerUserMax, type IngestRoom, startIngestRoom } from './ingest-fixture.js';

let room: IngestRoom;
beforeAll(async () => {
  room = await startIngestRoom();
});
afterAll(() => room.close());

const now = Date.now();
const patience = { timeout: 60_000, interval: 20 };
const accepted = async (answer: Response): Promise<LocationsAccepted> => {
  expect(answer.status, await answer.clone().text()).toBe(202);
  return (await answer.json()) as LocationsAccepted;
};
const stored = async (user: string, fromMs = 0) =>
  (await room.store.read(user as UserId, { fromMs, toMs: now + 1e9, limit: 1_000 })).locations;

/** Batches of one user in the log, decoded, partition by partition. */
async function logged(user: string) {
  const topic = room.codecs.locationBatchRecorded.topic.name;
  const batches = [];
  for (const { partition } of await room.log.offsets(topic)) {
    for await (const { key, value } of room.log.read(topic, partition, 0)) {
      if (key === user) batches.push({ partition, batch: room.codecs.locationBatchRecorded.decode(value!) });
    }
  }
  return batches;
}

describe('POST /v1/locations', () => {
  proves('M-001', {
    asked: 'a JSON array of tuples: 202 with counts; the tuples read back are equal to the ones sent',
    shown: 'two tuples on both hemispheres: 202, accepted 2, rejected 0, duplicate 0; equal in the store',
    control: {
      in: 'ingest/scan-json-batch.ts',
      change: 'latE7[count] = Math.round(lat * E7);',
      to: 'latE7[count] = 10 * Math.round(lat * 1e6);',
    },
  });
  it('M-001: acknowledged points read back from the store as they were sent', async () => {
    const locs = [
      [57.7089123, 11.9746456, now - 2_000],
      [-33.8568001, 151.2152999, now - 1_000],
    ];
    expect(await accepted(await room.post('anna', { locs }))).toMatchObject({
      accepted: 2,
      rejected: 0,
      duplicate: 0,
    });
    await vi.waitFor(async () => {
      expect((await stored('anna')).map(({ lat, lng, timestamp }) => [lat, lng, timestamp])).toEqual(locs);
    }, patience);
  });

  proves('M-002', {
    asked: 'a form field and the query',
    shown: 'three points by each, equal in the store to those sent, with the counts of the answer',
    control: {
      in: 'ingest/json-locations.ts',
      change: "form.get('locs')",
      to: "form.get('locations')",
    },
  });
  it('M-002: accepts the parameter form, in a form field and in the query', async () => {
    const points = [
      [57.7089123, 11.9746456, now - 2_000],
      [-33.8568001, 151.2152999, now - 1_000],
      [0, 0, now],
    ];
    const locs = JSON.stringify(points);
    const form = await room.post('form', new URLSearchParams({ locs }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(await accepted(form)).toMatchObject({ accepted: 3, rejected: 0 });
    const query = await fetch(`${room.url}?${new URLSearchParams({ locs })}`, {
      method: 'POST',
      headers: { authorization: 'Bearer query' },
    });
    expect(await accepted(query)).toMatchObject({ accepted: 3, rejected: 0 });
    await vi.waitFor(async () => {
      for (const user of ['form', 'query'])
        expect((await stored(user)).map(({ lat, lng, timestamp }) => [lat, lng, timestamp])).toEqual(points);
    }, patience);
  });

  proves('M-003', {
    asked: 'one user in time order from one partition; two users never share one',
    shown: 'three points of one user out of order, one of another; 300 over days in the store contract',
    missing: 'a partition has one day of one user, so days are read one after the other',
    control: {
      in: 'platform/location-store/lmdb-location-store.ts',
      change: 'points.toSorted((a, b) => a.timeMs - b.timeMs)',
      to: '[...points]',
    },
  });
  proves('M-007', {
    asked: 'late and out-of-order points are stored at their own time',
    shown: 'points of an hour and of a minute ago, sent after a newer one, at their times and in order',
    control: {
      in: 'ingest/scan-json-batch.ts',
      change: 'timeMs[count] = time;',
      to: 'timeMs[count] = Math.max(time, latestMs - 1_800_000);',
    },
  });
  it('M-003, M-007: points are returned in order of time, however sent, separately by user', async () => {
    await accepted(
      await room.post('late', {
        locs: [
          [1, 1, now],
          [2, 2, now - 3_600_000],
        ],
      }),
    );
    await accepted(await room.post('late', { locs: [[3, 3, now - 60_000]] }));
    await accepted(await room.post('other', { locs: [[9, 9, now]] }));
    await vi.waitFor(async () => {
      expect((await stored('late')).map(({ lat, timestamp }) => [lat, now - timestamp])).toEqual([
        [2, 3_600_000],
        [3, 60_000],
        [1, 0],
      ]);
      expect((await stored('other')).map(({ lat }) => lat)).toEqual([9]);
    }, patience);
  });

  proves('M-004', {
    asked: '1, 10, 100, the maximum; one more is 413 and nothing is stored',
    shown: 'all four (the API description has 1,000) are stored; of one more nothing, in log or store',
    control: {
      in: 'ingest/json-locations.ts',
      change: 'if (locs.length > pointsPerBatchMax)',
      to: 'if (locs.length > pointsPerBatchMax + 1)',
    },
  });
  it('M-004: accepts the documented maximum, rejects one more with 413 and stores none of it', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => [1, 2, now - i]);
    expect(pointsPerBatchMax).toBe(1_000);
    expect(postLocations.responses[413]!.description).toMatch(/^More than 1000 points/);
    const counts = [1, 10, 100, pointsPerBatchMax];
    for (const count of counts) {
      expect((await accepted(await room.post(`many-${count}`, { locs: many(count) }))).accepted).toBe(count);
    }
    const refused = await room.post('too-many', { locs: many(pointsPerBatchMax + 1) });
    expect(refused.status).toBe(413);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await logged('too-many')).toEqual([]);
    // The writer has come past the batch that was refused.
    await accepted(await room.post('after-too-many', { locs: many(1) }));
    await vi.waitFor(async () => {
      for (const count of counts) expect(await stored(`many-${count}`)).toHaveLength(count);
      expect(await stored('after-too-many')).toHaveLength(1);
    }, patience);
    expect([await stored('too-many'), await logged('too-many')]).toEqual([[], []]);
  });

  proves('M-005', {
    asked: 'every accepted update reaches the event stream, keyed by user, in order per user',
    shown: 'five batches of each of six users, in turns: each under its user, all in order in one partition',
    control: {
      in: 'ingest/receive-location-batch.ts',
      change: 'const record = { key: userId, value,',
      to: 'const record = { key: batchId, value,',
    },
  });
  it('M-005: one user is in one partition, in the order of acceptance', async () => {
    const users = [1, 2, 3, 4, 5, 6].map((number) => `ordered-${number}`);
    for (let i = 0; i < 5; i++)
      for (const user of users) await accepted(await room.post(user, { locs: [[i, i, now + i]] }));
    const partitions = new Set<number>();
    for (const user of users) {
      const batches = await logged(user);
      expect(new Set(batches.map(({ partition }) => partition)).size).toBe(1);
      expect(
        batches.map(({ batch }) => [batch.userId, batch.points.latE7[0], batch.points.timeMs[0]]),
      ).toEqual([0, 1, 2, 3, 4].map((i) => [user, i * 1e7, now + i]));
      partitions.add(batches[0]!.partition);
    }
    // Not because there is only one.
    expect(partitions.size).toBeGreaterThan(1);
  });

  it('answers a retried batch id as a duplicate and appends it once', async () => {
    const body = {
      locs: [
        [1, 2, now],
        [1, 2, now + 1],
      ],
      batch_id: 'retry-1',
    };
    expect(await accepted(await room.post('retrier', body))).toMatchObject({ accepted: 2, duplicate: 0 });
    expect(await accepted(await room.post('retrier', body))).toMatchObject({ accepted: 0, duplicate: 2 });
    expect(await logged('retrier')).toHaveLength(1);
    // Another user's batch with the same id is another batch.
    expect(await accepted(await room.post('retrier-2', body))).toMatchObject({ accepted: 2 });
  });

  it.each(['own', 'ours'])(
    'a batch with unknown outcome is stored once after a retry with the same batch_id (%s)',
    async (whose) => {
      const away = await startIngestRoom({ lostConfirmations: 1 });
      const copies = new Map<string, number>();
      try {
        const locs = [
          [57.7, 11.97, now - 1],
          [57.7, 11.97, now],
        ];
        const body = whose === 'own' ? { locs, batch_id: 'own "1"' } : { locs };
        const unknown = await away.post('unsure', body);
        const problem = (await unknown.json()) as Problem;
        expect([unknown.status, problem.code]).toEqual([503, 'log-unavailable']);
        expect(unknown.headers.get('retry-after')).toBe('2');
        expect(JSON.stringify(problem)).not.toMatch(/nothing/i);
        const named = JSON.parse(/batch_id (".*")\.$/.exec(problem.detail!)![1]!) as string;
        if (whose === 'own') expect(named).toBe('own "1"');
        const again = await accepted(await away.post('unsure', { locs, batch_id: named }));
        expect(again).toMatchObject({ accepted: 2, duplicate: 0, batch_id: named });
        expect(await accepted(await away.post('unsure', { locs, batch_id: named }))).toMatchObject({
          accepted: 0,
          duplicate: 2,
        });
        const topic = away.codecs.locationBatchRecorded.topic.name;
        for (const { partition } of await away.log.offsets(topic))
          for await (const { value } of away.log.read(topic, partition, 0)) {
            const { batchId } = away.codecs.locationBatchRecorded.decode(value!);
            copies.set(batchId, (copies.get(batchId) ?? 0) + 1);
          }
        // The log has it twice with one id, by which consumers ignore the second (F11 in
        // matching-step.test.ts).
        expect([...copies]).toEqual([[named, 2]]);
        await vi.waitFor(async () => {
          const page = { fromMs: 0, toMs: now + 1e9, limit: 10 };
          expect((await away.store.read('unsure' as UserId, page)).locations).toHaveLength(2);
          const read = await away.log.committed('location-writer', topic);
          expect(read.filter(({ offset }) => offset > 0).map(({ offset }) => offset)).toEqual([2]);
        }, patience);
      } finally {
        await away.close();
      }
    },
  );

  it('stores the good points of a partly bad batch and reports the bad ones by index', async () => {
    const answer = await accepted(
      await room.post('partly', {
        locs: [
          [1, 2, now],
          [91, 0, now],
          [1, 2, now + 1e8],
        ],
      }),
    );
    expect(answer).toMatchObject({ accepted: 1, rejected: 2 });
    expect(answer.errors!.map(({ index }) => index)).toEqual([1, 2]);
    const [only] = await logged('partly');
    expect(only!.batch.points.count).toBe(1);
  });

  it.each([
    ['malformed JSON', '{"locs": [[1,', 400, 'malformed-request'],
    ['a wrong type', { locs: 'x' }, 400, 'malformed-request'],
    ['an empty batch', { locs: [] }, 400, 'malformed-request'],
    ['a latitude of 91', { locs: [[91, 0, now]] }, 400, 'no-good-point'],
    ['NaN', '{"locs": [[NaN, 0, 1]]}', 400, 'malformed-request'],
    ['a timestamp far in the future', { locs: [[1, 1, now + 3_600_000]] }, 400, 'no-good-point'],
    ['seconds instead of milliseconds', { locs: [[1, 1, Math.round(now / 1_000)]] }, 400, 'no-good-point'],
    ['a body past the limit', ' '.repeat(locationBodyBytesMax + 1), 413, 'body-too-large'],
  ])('F37: answers %s with one clear problem and stores nothing', async (what, body, status, code) => {
    const user = `bad-${what.replaceAll(' ', '-')}`;
    const answer = await room.post(user, body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await answer.json()) as Problem;
    expect(problem.code).toBe(code);
    expect(problem.detail ?? problem.title).not.toMatch(/\bat .*\.[jt]s\b/);
    expect(await logged(user)).toEqual([]);
  });

  it('rejects a request without a token', async () => {
    const answer = await fetch(room.url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(401);
  });

  proves('M-008', {
    asked: '429 with Retry-After for each user',
    shown:
      'batch 601 of a minute is refused, while another user is accepted; after the delay so is the first',
    settings: ['the clock of the limiter stands still, and moves by the delay'],
    control: {
      in: 'platform/http/admission/memory-rate-limiter.ts',
      change: 'const allowed = level >= 1;',
      to: 'const allowed = level >= 0;',
    },
  });
  it('M-008: a user who sends too many batches gets a retry delay; others are not affected', async () => {
    const send = () => room.post('eager', { locs: [[1, 2, now]] });
    expect(batchesPerUserMax).toBe(600);
    for (let i = 0; i < batchesPerUserMax; i++) expect((await send()).status).toBe(202);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await accepted(await room.post('calm', { locs: [[1, 2, now]] }));
    expect((await send()).status).toBe(429);
    room.passTime(Number(refused.headers.get('retry-after')));
    await accepted(await send());
  });
});

describe('a log that is full', () => {
  proves('F4', {
    asked: 'an outage of Kafka for 30 s: 503 with Retry-After, memory bounded, no 202',
    shown: 'the log is closed: 503, Retry-After; Kafka itself, with memory, in faults/kafka',
  });
  it('F4: gets 503 with Retry-After and no 202, and nothing is stored', async () => {
    const full = await startIngestRoom();
    await full.log.close();
    const answer = await full.post('unlucky', { locs: [[1, 2, now]] });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(((await answer.json()) as Problem).code).toBe('log-unavailable');
    await full.close();
  });
});

describe('the location writer', () => {
  proves('F12', {
    asked: 'truncated, wrong schema, 1 MB, no key: dead-lettered with its cause; the partition continues',
    shown:
      'a record of three bytes: dead-lettered with cause and position; all kinds in faults/strange-records',
  });
  it('F12: dead-letters an invalid record with its cause and position, and continues', async () => {
    const topic = room.codecs.locationBatchRecorded.topic.name;
    const [position] = await room.log.append(topic, [{ key: 'poison', value: Uint8Array.of(1, 2, 3) }]);
    await accepted(await room.post('poison', { locs: [[4, 5, now]] }));
    await vi.waitFor(async () => {
      expect(await stored('poison')).toHaveLength(1);
      const letters = [];
      for await (const { value } of room.log.read(room.codecs.deadLetter.topic.name, 0, 0)) {
        letters.push(room.codecs.deadLetter.decode(value!));
      }
      expect(letters).toMatchObject([{ group: 'location-writer', topic, ...position, attempts: 1 }]);
      expect(letters[0]!.cause).not.toBe('');
    }, patience);
  });
});

describe('an outage of the location store', () => {
  proves('F14', {
    asked: 'an outage of Cassandra for five minutes: ingest continues, the writer catches up',
    shown: 'the store fails six times: nothing lost or dead-lettered; on Cassandra in servers-go-and-come',
    scaled: 'seconds for five minutes',
  });
  it('F14: delays the writer, and loses and dead-letters nothing', async () => {
    const away = await startIngestRoom({ storeFailures: 6 });
    await accepted(await away.post('patient', { locs: [[1, 2, now]] }));
    await vi.waitFor(async () => {
      const { locations } = await away.store.read('patient' as UserId, {
        fromMs: 0,
        toMs: now + 1,
        limit: 10,
      });
      expect(locations).toHaveLength(1);
    }, patience);
    expect(await away.log.offsets(away.codecs.deadLetter.topic.name)).toMatchObject([{ end: 0 }]);
    await away.close();
  });
});
