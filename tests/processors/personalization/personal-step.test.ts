import { expect, test } from 'vitest';
import { patternLimits, type UserPatterns } from '#map-data/learned/user-patterns.js';
import { type PersonalState, PersonalStep } from '#processors/personalization/personal-step.js';
import type { LocationBatch } from '#schemas/location.js';
import { batchOf, type Fix } from '../drivers.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(3, 3, 400);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 10, 2);
const [home, work] = [
  grid.place(grid.edge([0, 0], [1, 0]), 0),
  grid.place(grid.edge([1, 2], [2, 2]), 1),
] as const;

function newGround() {
  const stored = new Map<string, UserPatterns>();
  const step = new PersonalStep(grid.network, {
    read: async (userId) => stored.get(userId),
    write: async (userId, patterns) => void stored.set(userId, patterns),
    delete: async (userId) => void stored.delete(userId),
  });
  return { stored, step };
}
const newState = (): PersonalState => ({ users: new Map(), streamMs: 0 });

/** A day at two places, accepted at its end. */
function day(index: number): LocationBatch {
  const atMs = startMs + index * dayMs;
  const fixes: Fix[] = Array.from({ length: 96 }, (_, i) => ({
    ...(i >= 32 && i < 64 ? work : home),
    timeMs: atMs + i * (dayMs / 96),
  }));
  return batchOf('u', `day-${index}`, fixes, atMs + dayMs);
}

/** Permission, two days, an erasure, four days. */
async function history(step: PersonalStep, state: PersonalState): Promise<void> {
  step.allow(state, 'u', startMs);
  for (const index of [0, 1]) await step.addBatch(state, state.users.get('u')!, day(index));
  await step.erase(state, 'u');
  for (const index of [2, 3, 4, 5]) await step.addBatch(state, state.users.get('u')!, day(index));
}

test('what was learned after an erasure is all there is', async () => {
  const { stored, step } = newGround();
  await history(step, newState());
  const { sinceMs, places } = stored.get('u')!;
  expect(sinceMs).toBe(startMs);
  // The last evening at home is not over.
  expect(places.map(({ days }) => days)).toEqual([4, 3]);
});

test('the log read again has the same result: no stay twice, all after the erasure', async () => {
  const { stored, step } = newGround();
  await history(step, newState());
  const before = stored.get('u')!;
  const seen: unknown[] = [];
  const again = newState();
  step.allow(again, 'u', startMs);
  for (const index of [0, 1]) await step.addBatch(again, again.users.get('u')!, day(index));
  seen.push(stored.get('u'));
  await step.erase(again, 'u');
  seen.push(stored.get('u'));
  for (const index of [2, 3, 4, 5]) await step.addBatch(again, again.users.get('u')!, day(index));
  seen.push(stored.get('u'));
  expect(seen).toEqual([before, undefined, before]);
});

test('a revocation that is read again deletes nothing of a later permission', async () => {
  const { stored, step } = newGround();
  const state = newState();
  step.allow(state, 'u', startMs);
  await step.addBatch(state, state.users.get('u')!, day(0));
  await step.revoke(state, 'u', startMs + 1.5 * dayMs);
  expect(stored.size).toBe(0);
  step.allow(state, 'u', startMs + 1.6 * dayMs);
  for (const index of [2, 3]) await step.addBatch(state, state.users.get('u')!, day(index));
  expect(stored.get('u')!.sinceMs).toBe(startMs + 1.6 * dayMs);
  const later = stored.get('u');
  const again = newState();
  step.allow(again, 'u', startMs);
  for (const index of [0, 1]) await step.addBatch(again, again.users.get('u')!, day(index));
  expect(stored.get('u')).toBe(later);
  await step.revoke(again, 'u', startMs + 1.5 * dayMs);
  expect(stored.get('u')).toBe(later);
});

test('patterns of a user who sends nothing for 90 days are deleted; the permission stays', async () => {
  const { stored, step } = newGround();
  const state = newState();
  step.allow(state, 'u', startMs);
  for (const index of [0, 1]) await step.addBatch(state, state.users.get('u')!, day(index));
  const heardMs = startMs + 2 * dayMs;
  expect(await step.sweep(state, heardMs + patternLimits.keptMs - hourMs)).toBe(0);
  expect(stored.size).toBe(1);
  expect(await step.sweep(state, heardMs + patternLimits.keptMs)).toBe(1);
  expect(stored.size).toBe(0);
  expect(state.users.has('u')).toBe(true);
  expect(await step.sweep(state, heardMs + patternLimits.keptMs + dayMs)).toBe(0);
});

test('a store that does not answer leaves the state as it was, so the record is read again', async () => {
  const { step } = newGround();
  const state = newState();
  step.allow(state, 'u', startMs);
  await step.addBatch(state, state.users.get('u')!, day(0));
  const before = state.users.get('u');
  const away = new PersonalStep(grid.network, {
    read: () => Promise.reject(new Error('away')),
    write: () => Promise.reject(new Error('away')),
    delete: () => Promise.reject(new Error('away')),
  });
  await expect(away.addBatch(state, before!, day(1))).rejects.toThrow('away');
  await expect(away.erase(state, 'u')).rejects.toThrow('away');
  await expect(away.revoke(state, 'u', startMs + dayMs)).rejects.toThrow('away');
  expect(state.users.get('u')).toBe(before);
});

test('a walk is a way to a place and on no route', async () => {
  const { stored, step } = newGround();
  const state = newState();
  step.allow(state, 'u', startMs);
  const edges = grid.way([0, 0], [1, 0], [2, 0], [2, 1], [2, 2]);
  const walks = (index: number, mode: number): LocationBatch => {
    const atMs = startMs + index * dayMs;
    const fixes: Fix[] = [];
    for (let i = 0; i < 30; i++) fixes.push({ ...home, timeMs: atMs + i * 60_000 });
    for (let i = 0; i < 240; i++) {
      const along = (i / 240) * edges.length;
      const edge = edges[Math.floor(along)]!;
      fixes.push({ ...grid.place(edge, along % 1, 2), timeMs: atMs + 30 * 60_000 + i * 4_000 });
    }
    for (let i = 0; i < 60; i++) fixes.push({ ...work, timeMs: atMs + 46 * 60_000 + i * 60_000 });
    for (let i = 0; i < 60; i++) fixes.push({ ...home, timeMs: atMs + 4 * hourMs + i * 240_000 });
    const batch = batchOf('u', `${index}`, fixes, atMs + dayMs);
    const modeIndex = new Float32Array(fixes.length).fill(mode);
    return { ...batch, points: { ...batch.points, modeIndex } };
  };
  for (const index of [0, 1]) await step.addBatch(state, state.users.get('u')!, walks(index, 1));
  expect(stored.get('u')!.places).toHaveLength(2);
  expect(stored.get('u')!.routes).toEqual([]);
  for (const index of [2, 3]) await step.addBatch(state, state.users.get('u')!, walks(index, 0));
  expect(stored.get('u')!.routes.length).toBeGreaterThan(0);
});
