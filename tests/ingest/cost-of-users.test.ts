import { describe, expect, it } from 'vitest';
import { MatchedEdgesState } from '#ingest/matched-edges.js';
import { LocationReceiver } from '#ingest/receive-location-batch.js';
import { SendHints } from '#ingest/send-hint.js';
import { encodeUpload } from '#location-client/encode-upload.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { locationBatchBody } from '#platform/wire/location-batch-body.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';

const now = Date.now();
const fixes = Array.from({ length: 10 }, (_, i) => ({
  lat: 57.7 + i / 1_000,
  lng: 11.9,
  timestamp: now - i,
}));
const body = encodeUpload(fixes);
const header = Buffer.alloc(6);
const batches = 60_000;

/**
 * CPU microseconds of a batch from its bytes to the log, admission by rate included, with so many users in
 * turn.
 */
async function costOf(users: number): Promise<number> {
  let records = 0;
  const receiver = new LocationReceiver({
    log: {
      append: async (_, appended) => {
        records += appended.length;
        return [];
      },
    },
    codec: {
      topic: locationBatchRecorded,
      encode: (batch) => locationBatchBody.encode(batch, header),
      decode: (value) => locationBatchBody.decode(value, true),
      refresh: async () => false,
    },
    cache: { get: async () => undefined, set: async () => undefined },
    nowMs: () => now,
    hints: new SendHints({ isNavigating: () => false, matches: new MatchedEdgesState(Number) }),
  });
  const limiter = new MemoryRateLimiter(() => now, 1);
  const policy = { name: 'locations', limit: 1_000_000, windowS: 60 };
  const names = Array.from({ length: users }, (_, i) => `user-${i}` as UserId);
  const before = process.cpuUsage();
  for (let from = 0; from < batches; from += 1_000) {
    const told: Promise<unknown>[] = [];
    for (let i = from; i < from + 1_000; i++) {
      const userId = names[i % users]!;
      limiter.take(userId, policy);
      const late = receiver.receive({
        userId,
        body,
        contentType: 'application/x-protobuf',
        queryLocs: undefined,
      });
      if (typeof late === 'function') told.push(new Promise(late));
    }
    await Promise.all(told);
  }
  const { user, system } = process.cpuUsage(before);
  expect(records).toBe(batches);
  return (user + system) / batches;
}

describe('many users', () => {
  proves('M-121', {
    asked: 'cost per point does not grow with the number of users',
    shown: 'CPU of a batch from its bytes to the log, rate limit included: 60,000 users, less than twice 10',
    control: {
      in: 'platform/http/admission/memory-rate-limiter.ts',
      change: 'const now = this.#now();',
      to: 'const now = this.#now();\n    const seen = ((globalThis as { seen?: string[] }).seen ??= []);\n    if (!seen.includes(key)) seen.push(key);',
    },
  });
  it('M-121: the cost of a point does not grow with the number of users', async () => {
    await costOf(10);
    const few: number[] = [];
    const many: number[] = [];
    for (let round = 0; round < 3; round++) {
      few.push(await costOf(10));
      many.push(await costOf(batches));
    }
    // 6,000 times as many users; what is left for them are colder caches of the processor.
    expect(Math.min(...many) / Math.min(...few)).toBeLessThan(2);
  });
});
