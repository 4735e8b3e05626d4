import { describe, expect, it } from 'vitest';
import {
  type LocationOutcome,
  LocationReceiver,
  type LocationRequest,
  type ReceiverPorts,
} from '#ingest/receive-location-batch.js';
import { LogUnavailable, type NewRecord, type RecordPosition } from '#platform/event-log/event-log.js';
import { locationBatchBody } from '#platform/wire/location-batch-body.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { closedGate } from '../closed-gate.js';

const now = Date.UTC(2026, 10, 30, 12);
const ada = 'ada' as UserId;
const point = { lat: 57.7, lng: 11.9, timestamp: now };
const ten = { accepted: 0, duplicate: 0, rejected: 0, send_every_s: 15 };

/** A receiver whose log and cache are held in memory and fail when they are told to. */
function receiverWith(ports: Partial<ReceiverPorts> = {}) {
  const records: NewRecord[] = [];
  const cached = new Map<string, string>();
  const ttls: number[] = [];
  let failure: Error | undefined;
  let gate: Promise<void> | undefined;
  const receiver = new LocationReceiver({
    log: {
      append: async (topic, appended): Promise<readonly RecordPosition[]> => {
        await gate;
        if (failure !== undefined) throw failure;
        expect(topic).toBe(locationBatchRecorded.name);
        records.push(...appended);
        return [];
      },
    },
    codec: {
      topic: locationBatchRecorded,
      encode: (batch) => locationBatchBody.encode(batch, Buffer.alloc(6)),
      decode: (value) => locationBatchBody.decode(value, true),
      refresh: async () => false,
    },
    cache: {
      get: async (key) => cached.get(key),
      set: async (key, value, ttlMs) => {
        cached.set(key, value);
        ttls.push(ttlMs);
      },
    },
    nowMs: () => now,
    ...ports,
  });
  const send = async (body: unknown, userId = ada): Promise<LocationOutcome> => {
    const request: LocationRequest = {
      userId,
      body: Buffer.from(JSON.stringify(body)),
      contentType: 'application/json',
      queryLocs: undefined,
    };
    const outcome = receiver.receive(request);
    return typeof outcome === 'function' ? await new Promise<LocationOutcome>(outcome) : outcome;
  };
  return {
    ...{ records, cached, ttls, send },
    fail: (error: Error | undefined) => {
      failure = error;
    },
    hold: () => {
      const { opened, open } = closedGate();
      gate = opened;
      return open;
    },
  };
}

// An answer that never comes is noticed soon.
describe('the receiver of location batches', { timeout: 20_000 }, () => {
  it('each batch is a record of its user at the time of its receipt, and has an id of its own', async () => {
    const { records, send, cached } = receiverWith();
    const outcomes = [
      await send({ locs: [point] }),
      await send({ locs: [point, { ...point, timestamp: now - 1_000 }] }),
    ];
    expect(outcomes).toMatchObject([
      { outcome: 'accepted', answer: { ...ten, accepted: 1 } },
      { outcome: 'accepted', answer: { ...ten, accepted: 2 } },
    ]);
    const ids = outcomes.map((outcome) =>
      outcome.outcome === 'accepted' ? outcome.answer.batch_id : outcome.outcome,
    );
    // Tests before this one may have counted in the same process.
    const [prefix, count] = [ids[0]!.slice(0, 13), Number.parseInt(ids[0]!.slice(13), 36)];
    expect(prefix).toMatch(/^[\w-]{12}-$/);
    expect(ids).toEqual([count, count + 1].map((n) => prefix + n.toString(36)));
    expect(records).toMatchObject([
      { key: ada, timestampMs: now },
      { key: ada, timestampMs: now },
    ]);
    expect(records[0]).not.toHaveProperty('headers');
    const read = locationBatchBody.decode(records[1]!.value!.subarray(6), true);
    expect(read).toMatchObject({ userId: ada, batchId: ids[1], receivedMs: now });
    expect(read.points.count).toBe(2);
    expect([...cached]).toEqual([]);
  });

  it('an id that was sent before is a duplicate for ten minutes, of this user only', async () => {
    const { records, send, cached, ttls } = receiverWith();
    const body = { batch_id: 'b-1', locs: [point, point] };
    expect(await send(body)).toMatchObject({
      answer: { ...ten, accepted: 1, duplicate: 1, batch_id: 'b-1' },
    });
    expect(await send(body)).toMatchObject({ answer: { ...ten, duplicate: 2, batch_id: 'b-1' } });
    expect(await send(body, 'bob' as UserId)).toMatchObject({ answer: { accepted: 1 } });
    expect(records.map(({ key }) => key)).toEqual([ada, 'bob']);
    expect([...cached]).toEqual([
      ['batch:ada:b-1', '1'],
      ['batch:bob:b-1', '1'],
    ]);
    expect(ttls).toEqual([600_000, 600_000]);
  });

  it('of two copies at once one is appended, and both have the outcome of that one', async () => {
    const { records, send, hold, fail, cached } = receiverWith();
    const open = hold();
    const body = { batch_id: 'b-1', locs: [point] };
    const both = Promise.all([send(body), send(body)]);
    open();
    expect(await both).toMatchObject([
      { outcome: 'accepted', answer: { accepted: 1, duplicate: 0 } },
      { outcome: 'accepted', answer: { accepted: 0, duplicate: 1 } },
    ]);
    expect(records).toHaveLength(1);
    fail(new LogUnavailable('full', { retriable: true }));
    const other = { ...body, batch_id: 'b-2' };
    expect(await Promise.all([send(other), send(other)])).toMatchObject([
      { outcome: 'unavailable', batchId: 'b-2' },
      { outcome: 'unavailable', batchId: 'b-2' },
    ]);
    // It was not stored as seen: the log never had it.
    expect([...cached.keys()]).toEqual(['batch:ada:b-1']);
    fail(undefined);
    expect(await send(other)).toMatchObject({ outcome: 'accepted', answer: { accepted: 1 } });
  });

  it.each([
    [true, 2],
    [false, 30],
  ])('a log without an answer (retriable: %s) asks for a retry after %i s', async (retriable, seconds) => {
    const { send, fail } = receiverWith();
    fail(new LogUnavailable('the log is away', { retriable }));
    expect(await send({ locs: [point] })).toEqual({
      outcome: 'unavailable',
      reason: 'the log is away',
      batchId: expect.stringMatching(/-\w+$/),
      retryAfterS: seconds,
    });
  });

  it('another error of the log is passed on', async () => {
    const { send, fail } = receiverWith();
    fail(new TypeError('a fault of ours'));
    await expect(send({ locs: [point] })).rejects.toThrow('a fault of ours');
    await expect(send({ locs: [point], batch_id: 'b-3' })).rejects.toThrow('a fault of ours');
  });

  it('a cache that fails loses no batch', async () => {
    const failing = async () => {
      throw new Error('the cache is away');
    };
    const { send, records } = receiverWith({ cache: { get: failing, set: failing } });
    for (const _ of [1, 2]) {
      const outcome = await send({ batch_id: 'b-1', locs: [point] });
      expect(outcome).toMatchObject({ outcome: 'accepted', answer: { accepted: 1 } });
    }
    expect(records).toHaveLength(2);
  });

  it('the first twenty rejected points are named, and the rest counted', async () => {
    const { send, records } = receiverWith();
    const bad = Array.from({ length: 25 }, () => ({ ...point, lat: 91 }));
    const none = await send({ locs: bad });
    expect(none).toMatchObject({ outcome: 'all-rejected', rejected: 25 });
    expect(none.outcome === 'all-rejected' && none.errors).toHaveLength(20);
    expect(records).toEqual([]);
    const some = await send({ locs: [...bad, point] });
    expect(some).toMatchObject({ outcome: 'accepted', answer: { accepted: 1, rejected: 25 } });
    expect(some.outcome === 'accepted' && some.answer.errors).toHaveLength(20);
    const good = await send({ locs: [point] });
    expect(good.outcome === 'accepted' && Object.keys(good.answer).toSorted()).toEqual(
      ['accepted', 'batch_id', 'duplicate', 'rejected', 'send_every_s'].toSorted(),
    );
  });

  it('the answer says how often to send, and which edge was matched last', async () => {
    const { send } = receiverWith({
      hints: { of: () => ({ everyS: 5, matched: { edge: '7+', leftMs: 90 } }) },
    });
    expect(await send({ locs: [point] })).toMatchObject({
      answer: { accepted: 1, send_every_s: 5, matched: { edge: '7+', left: 90 } },
    });
    const silent = receiverWith({ hints: { of: () => ({ everyS: 60, matched: undefined }) } });
    const outcome = await silent.send({ locs: [point] });
    expect(outcome.outcome === 'accepted' && outcome.answer).not.toHaveProperty('matched');
  });

  it('a batch that is shed is answered as such and not appended', async () => {
    const { send, records } = receiverWith({ shedding: { leavesOut: () => true } });
    expect(await send({ locs: [point, { ...point, timestamp: now - 1_000 }] })).toMatchObject({
      outcome: 'accepted',
      answer: { accepted: 0, shed: 2, send_every_s: 15 },
    });
    expect(records).toEqual([]);
    const kept = receiverWith({ shedding: { leavesOut: () => false } });
    const outcome = await kept.send({ locs: [point] });
    expect(outcome.outcome === 'accepted' && outcome.answer).not.toHaveProperty('shed');
    expect(kept.records).toHaveLength(1);
  });
});
