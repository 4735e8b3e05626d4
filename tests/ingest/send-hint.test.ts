import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  coveredEveryS,
  hardPressedFromWaiting,
  matchedDriversMax,
  matchedKnownMs,
  navigatingEveryS,
  parkedEveryS,
  pressedFromWaiting,
  probesEnough,
  usualEveryS,
} from '#ingest/limits.js';
import { followMatchedEdges, MatchedEdgesState } from '#ingest/matched-edges.js';
import { SendHints } from '#ingest/send-hint.js';
import { Shedding } from '#ingest/shedding.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { LocationsAccepted } from '#schemas/http/locations.js';
import { observationKind } from '#schemas/messages.js';
import { type IngestRoom, startIngestRoom } from './ingest-fixture.js';

const now = Date.UTC(2026, 10, 21, 12);
const driverOf = (userId: string) => Number(userId.slice(1));
const passage = (driver: number, edgeId: string, leftMs = now, kind: number = observationKind.passed) => ({
  edgeId,
  kind,
  enteredMs: leftMs - 5_000,
  leftMs,
  driver,
  receivedMs: leftMs,
});
const seen = (...observations: ReturnType<typeof passage>[]) => ({ tilesetId: 't', cell: 1, observations });
const points = (...latE7: number[]) => ({
  count: latE7.length,
  latE7: Int32Array.from(latE7),
  lngE7: new Int32Array(latE7.length),
  timeMs: Float64Array.from(latE7.keys()),
});
const moving = points(0, 100_000);
const parked = points(0, 1);

describe('the value of a point', () => {
  it('is for the edge that the user drove last, if that is recent', () => {
    const state = new MatchedEdgesState(driverOf);
    expect(state.of('u1', now)).toBeUndefined();
    state.take(seen(passage(1, 'a', now - 10_000), passage(2, 'b'), passage(1, 'c', now - 1_000)));
    state.take(
      seen(passage(1, 'late', now - 20_000), passage(1, 'not driven', now, observationKind.turnedAway)),
    );
    expect(state.of('u1', now)).toEqual({ edge: 'c', leftMs: now - 1_000 });
    expect(state.of('u3', now)).toBeUndefined();
    expect(state.of('u1', now + matchedKnownMs)).toBeUndefined();
  });

  it('requests a pseudonym once per day and user, and none while nothing is known', () => {
    const asked: string[] = [];
    const state = new MatchedEdgesState((userId) => {
      asked.push(userId);
      return driverOf(userId);
    });
    state.of('u1', now);
    expect(asked).toEqual([]);
    state.take(seen(passage(1, 'a')));
    for (let i = 0; i < 10; i++) state.of('u1', now);
    expect(asked).toEqual(['u1']);
    state.of('u1', now + 86_400_000);
    expect(asked).toEqual(['u1', 'u1']);
  });

  it('evicts the least recently seen users when there are too many', () => {
    const state = new MatchedEdgesState(driverOf);
    for (let from = 0; from <= matchedDriversMax; from += 1_000)
      state.take(seen(...Array.from({ length: 1_000 }, (_, i) => passage(from + i, `edge ${i}`))));
    expect(state.of('u0', now)).toBeUndefined();
    expect(state.of('u999', now)).toBeUndefined();
    expect(state.of(`u${matchedDriversMax}`, now)).toBeDefined();
  });
});

describe('the recommended send interval', () => {
  const state = new MatchedEdgesState(driverOf);
  for (let driver = 0; driver < probesEnough; driver++) state.take(seen(passage(driver, 'busy')));
  state.take(seen(passage(100, 'quiet')));
  const hints = new SendHints({ isNavigating: (userId) => userId === 'u7', matches: state });

  it('depends on what its points add: navigation, parking, an edge with many drivers', () => {
    expect(hints.of('u7', moving, now).everyS).toBe(navigatingEveryS);
    expect(hints.of('u7', parked, now).everyS).toBe(navigatingEveryS);
    expect(hints.of('u1', parked, now).everyS).toBe(parkedEveryS);
    expect(hints.of('u1', moving, now)).toEqual({
      everyS: coveredEveryS,
      matched: { edge: 'busy', leftMs: now },
    });
    expect(hints.of('u100', moving, now).everyS).toBe(usualEveryS);
    expect(hints.of('u999', moving, now)).toEqual({ everyS: usualEveryS, matched: undefined });
  });

  it('under pressure the least useful points are dropped first: parked, then crowded roads', () => {
    const shedding = new Shedding((userId) => userId === 'u7', createMetrics());
    const leftOut = (user: string, which: typeof moving, waiting: number) =>
      shedding.leavesOut(user, which, waiting, hints.of(user, which, now));
    expect(leftOut('u1', moving, hardPressedFromWaiting - 1)).toBe(false);
    expect(leftOut('u1', moving, hardPressedFromWaiting)).toBe(true);
    expect(leftOut('u1', parked, pressedFromWaiting)).toBe(true);
    expect(leftOut('u100', moving, hardPressedFromWaiting * 10)).toBe(false);
    expect(leftOut('u7', parked, hardPressedFromWaiting * 10)).toBe(false);
  });
});

describe('the response to a batch', () => {
  let room: IngestRoom;
  beforeAll(async () => {
    room = await startIngestRoom({ driverOf });
  });
  afterAll(() => room.close());

  it('always has a hint, and the matched edge as soon as the topic has reported it', async () => {
    const time = Date.now();
    const send = async () => {
      const answer = await room.post('u5', {
        locs: [
          [1, 2, time],
          [1.01, 2, time + 1],
        ],
      });
      return (await answer.json()) as LocationsAccepted;
    };
    const first = await send();
    expect(first.send_every_s).toBe(usualEveryS);
    expect(first.matched).toBeUndefined();
    const codec = room.codecs.trafficEdgeObserved;
    const value = codec.encode(seen(passage(5, 'w1/2', time)));
    await expect
      .poll(async () => {
        await room.log.append(codec.topic.name, [{ key: '1', value }]);
        return (await send()).matched;
      })
      .toEqual({ edge: 'w1/2', left: time });
  });

  it('is not delayed by an observation that cannot be read', async () => {
    const codec = room.codecs.trafficEdgeObserved;
    const heard: string[] = [];
    const matches = await followMatchedEdges({
      log: room.log,
      codec,
      driverOf: (userId) => {
        heard.push(userId);
        return driverOf(userId);
      },
      logger: silentLogger,
    });
    await expect
      .poll(async () => {
        await room.log.append(codec.topic.name, [{ key: '1', value: Buffer.from('nonsense') }]);
        await room.log.append(codec.topic.name, [{ key: '1', value: codec.encode(seen(passage(6, 'x'))) }]);
        return matches.of('u6', now)?.edge;
      })
      .toBe('x');
    expect(heard).toContain('u6');
    await matches.close();
  });
});
