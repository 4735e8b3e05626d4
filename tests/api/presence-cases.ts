import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as limits from '#api/http/limits.js';
import { NavigationStore } from '#api/push/navigation-store.js';
import { Presence, type PresenceDeps } from '#api/push/presence.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { until } from '../contracts/until.js';

export const keyOf = (navigationId: string): string => `nav:presence:${navigationId}`;

/**
 * A gateway as far as presence is concerned: its store and the events it sent and received, on a given clock.
 */
export function instanceOn(cache: PresenceDeps['cache'], nowMs: () => number = Date.now) {
  const elsewhere: string[] = [];
  const metrics = createMetrics({ processMetrics: false });
  const presence = new Presence({
    cache,
    metrics,
    nowMs,
    onElsewhere: (id) => {
      elsewhere.push(id);
      book.attendedElsewhere(id);
    },
  });
  const drawing = { routeOf: () => undefined, tilesOf: () => undefined, openPart: () => undefined };
  const book = new NavigationStore(nowMs, drawing, presence);
  return { presence, book, elsewhere, metrics };
}

const record = (navigationId: string, nowMs: number): NavigationChanged => ({
  navigationId,
  userId: `driver of ${navigationId}`,
  state: navigationState.started,
  tilesetId: 't',
  destinationLatE7: 0,
  destinationLngE7: 0,
  edgeIds: ['1:2-3+'],
  tiles: ['0/1'],
  durationS: 60,
  metricVersion: 1,
  routeVersion: 1,
  avoid: [],
  changedMs: nowMs,
});

const started = (navigationId: string): Extract<ServerFrame, { readonly type: 'started' }> => ({
  type: 'started',
  id: 1,
  navigation_id: navigationId,
  route: { polyline: '', distance_m: 10, duration_s: 10, metric_version: 1, edge_ids: ['1:2-3+'] },
  tiles: ['0/1'],
  warnings: [],
});
const socket = () => ({ send: () => undefined });

/** Two instances side by side, on a shared cache. */
export function presenceCases(
  adapter: string,
  open: () => Promise<{ readonly one: LiveCache; readonly other: LiveCache; dispose(): Promise<void> }>,
): void {
  describe(`presence of navigations: ${adapter}`, () => {
    let caches: Awaited<ReturnType<typeof open>>;
    let one: ReturnType<typeof instanceOn>;
    let other: ReturnType<typeof instanceOn>;
    let nowMs = Date.now();

    beforeAll(async () => {
      caches = await open();
    });
    afterEach(async () => {
      await one.presence.close();
      await other.presence.close();
    });
    afterAll(() => caches.dispose());

    const openTwo = async (): Promise<void> => {
      one = instanceOn(caches.one, () => nowMs);
      other = instanceOn(caches.other, () => nowMs);
      await one.presence.tick();
      await other.presence.tick();
    };

    test('is in the cache with its instance and start time until the last socket closes', async () => {
      await openTwo();
      const id = randomUUID();
      const [phone, tablet] = [socket(), socket()];
      one.book.begin(record(id, nowMs), started(id), phone);
      one.book.resume(`driver of ${id}`, id, 1, tablet);
      const sinceMs = nowMs;
      nowMs += 1_000;
      await one.presence.tick();
      expect(await caches.other.get(keyOf(id))).toMatch(new RegExp(`^[-0-9a-f]{36} ${sinceMs}$`));
      one.book.detach(phone, id);
      await one.presence.tick();
      expect(await caches.other.get(keyOf(id))).toBeDefined();
      one.book.detach(tablet, id);
      await one.presence.tick();
      expect(await caches.other.get(keyOf(id))).toBeUndefined();
    });

    test('the late end of an old socket leaves a driver at the instance they returned to', async () => {
      await openTwo();
      const id = randomUUID();
      one.presence.came(id);
      await one.presence.tick();
      const before = await caches.one.get(keyOf(id));
      other.presence.came(id);
      await other.presence.tick();
      const now = await caches.one.get(keyOf(id));
      expect(now).not.toBe(before);
      one.presence.left(id);
      await one.presence.tick();
      expect(await caches.one.get(keyOf(id))).toBe(now);
      // The read before the removal showed it, even if the message was lost.
      expect(one.elsewhere).toContain(id);
    });

    test('an ended navigation has no presence, even if its socket stays open', async () => {
      await openTwo();
      const id = randomUUID();
      const begun = record(id, nowMs);
      one.book.begin(begun, started(id), socket());
      await one.presence.tick();
      one.book.finish(one.book.ending(begun));
      one.book.resume(begun.userId, id, 0, socket());
      await one.presence.tick();
      expect(await caches.one.get(keyOf(id))).toBeUndefined();
      expect(one.presence.connected).toBe(0);
    });

    test('every instance knows the total number of connected navigations', async () => {
      await openTwo();
      for (const { presence } of [one, other, other]) presence.came(randomUUID());
      await one.presence.tick();
      await other.presence.tick();
      await until('the count of both', () => [one, other].every(({ presence }) => presence.connected === 3));
      await other.presence.close();
      await until('the count without one', () => one.presence.connected === 1);
    });

    test('a driver who leaves one instance keeps the navigation while connected to another', async () => {
      await openTwo();
      const id = randomUUID();
      const begun = record(id, nowMs);
      const first = socket();
      one.book.begin(begun, started(id), first);
      other.book.apply(begun);
      await one.presence.tick();
      one.book.detach(first, id);
      other.book.resume(begun.userId, id, 1, socket());
      await other.presence.tick();
      await until('the event', () => one.elsewhere.includes(id));
      nowMs += limits.abandonedMs + 1;
      expect(one.book.sweep()).toEqual([]);
      expect(other.book.isNavigating(begun.userId)).toBe(true);
    });
  });
}
