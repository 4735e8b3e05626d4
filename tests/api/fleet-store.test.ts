import { expect, test } from 'vitest';
import { FleetStore } from '#api/fleet/fleet-store.js';
import * as limits from '#api/http/limits.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';

function batch(userId: string, times: readonly number[], heading?: number): LocationBatch {
  const count = times.length;
  return {
    userId: userId as UserId,
    batchId: `${userId}-${times[0]}`,
    receivedMs: 0,
    points: {
      count,
      // Longer than `count`, like a reused buffer.
      latE7: Int32Array.from({ length: count + 2 }, (_, index) => 577_000_000 + index),
      lngE7: new Int32Array(count + 2).fill(119_000_000),
      timeMs: Float64Array.from([...times, 9e15, 9e15]),
      ...(heading === undefined ? {} : { headingDeg: new Float32Array(count + 2).fill(heading) }),
    },
  };
}

test('shows the newest point of a batch and ignores a late batch', () => {
  const fleet = new FleetStore(() => 0);
  fleet.apply(batch('u1', [10, 30, 20], 90));
  fleet.apply(batch('u1', [5]));
  expect(fleet.latest(10)).toEqual([{ id: 'u1', lat: 57.7000001, lng: 11.9, heading: 90, timestamp: 30 }]);
});

test('evicts drivers that were silent for a minute, and lists the most recent first', () => {
  let nowMs = 0;
  const fleet = new FleetStore(() => nowMs);
  fleet.apply(batch('silent', [1]));
  nowMs = limits.driverShownMs;
  fleet.apply(batch('a', [2]));
  fleet.apply(batch('b', [3]));
  expect(fleet.size).toBe(3);
  nowMs += 1;
  expect(fleet.latest(10).map(({ id }) => id)).toEqual(['a', 'b']);
  fleet.apply(batch('a', [4]));
  expect(fleet.latest(1).map(({ id }) => id)).toEqual(['a']);
});

test('is bounded: the driver with the oldest point is evicted', () => {
  const fleet = new FleetStore(() => 0);
  const one = batch('x', [1]);
  for (let index = 0; index <= limits.driversMax; index += 1)
    fleet.apply({ ...one, userId: `u${index}` as UserId });
  expect(fleet.size).toBe(limits.driversMax);
  expect(fleet.latest(limits.driversMax).some(({ id }) => id === 'u0')).toBe(false);
});

test('counts points per second, and falls to 0 when no points arrive', () => {
  let nowMs = 0;
  const fleet = new FleetStore(() => nowMs);
  for (nowMs = 0; nowMs < 5_000; nowMs += 500) fleet.apply(batch('u1', [nowMs, nowMs + 1]));
  expect(fleet.pointsPerSecond).toBe(4);
  nowMs += 20_000;
  expect(fleet.pointsPerSecond).toBe(0);
});
