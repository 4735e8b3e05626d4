import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personalUsersMax } from '#api/http/limits.js';
import { likelyAt } from '#api/personalization/destination-route.js';
import type { KnownPatterns } from '#api/personalization/known-patterns.js';
import { patternRoutes } from '#api/personalization/pattern-routes.js';
import { Permissions } from '#api/personalization/permissions.js';
import { usualness } from '#api/personalization/usual-route.js';
import type { PlannedRoute } from '#api/ports/planner.js';
import type { LearnedPlace, LearnedRoute } from '#map-data/learned/user-patterns.js';
import { type EventLog, LogUnavailable, type NewRecord } from '#platform/event-log/event-log.js';
import type { HttpAnswer } from '#platform/http/http-types.js';
import { type Ground, openGround } from './served-api.js';

const hourMs = 3_600_000;
/** Monday, 8:30. */
const monday = Date.UTC(2026, 10, 2, 8, 30);

const place = (id: number, arrivals: LearnedPlace['arrivals']): LearnedPlace => ({
  ...{ id, latE7: 577_000_000 + id * 100_000, lngE7: 119_000_000, weight: 5, days: 5, lastDay: 0 },
  ...{ lastMs: monday - hourMs, arrivals, departures: [] },
});

describe('destinations at an hour of the week', () => {
  test('come by this hour, then the hours beside it, then this hour of other days, then any time', () => {
    const places = [place(1, [[40, 9]]), place(2, [[8 + 48, 2]]), place(3, [[9, 2]]), place(4, [[8, 2]])];
    expect(likelyAt(places, monday).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  });

  test('the week has no end: Sunday night is beside Monday morning', () => {
    const midnight = Date.UTC(2026, 10, 2, 0, 10);
    const places = [place(1, [[2, 3]]), place(2, [[167, 3]])];
    expect(likelyAt(places, midnight).map(({ id }) => id)).toEqual([2, 1]);
  });

  test('a place where the user is, is no destination', () => {
    const places = [place(1, [[8, 3]]), place(2, [[8, 1]])];
    expect(likelyAt(places, monday, { lat: 57.71, lng: 11.9 }).map(({ id }) => id)).toEqual([2]);
  });
});

describe('the usual route among alternatives', () => {
  const route = (...edgeIds: readonly string[]) => ({ edgeIds: () => edgeIds }) as PlannedRoute;
  const usual = (edges: string, weight = 3): LearnedRoute => ({
    ...{ from: 1, to: 2, trips: 3, weight, lastMs: monday },
    edges: edges.split('').map((edgeId) => [edgeId, 100] as const),
  });
  const known = (...routes: readonly LearnedRoute[]): KnownPatterns => ({
    places: [place(1, []), place(2, [])],
    routes,
  });
  const ends = { origin: { lat: 57.71, lng: 11.9 }, destination: { lat: 57.72, lng: 11.9 } };

  test('covers four fifths of the length that the user drives', () => {
    const four = route('a', 'b', 'c', 'd');
    const three = route('a', 'b', 'c');
    const found = usualness(known(usual('abcde')), ends, [four, three], monday);
    expect([found(four), found(three)]).toEqual([3, 0]);
  });

  test('begins and ends at usual places, in this direction', () => {
    const all = route('a', 'b');
    const at = (over: Partial<typeof ends>) =>
      usualness(known(usual('ab')), { ...ends, ...over }, [all], monday)(all);
    expect(at({})).toBe(3);
    expect(at({ origin: ends.destination, destination: ends.origin })).toBe(0);
    expect(at({ destination: { lat: 57.725, lng: 11.9 } })).toBe(0);
  });

  test('counts every usual route that it covers', () => {
    const all = route('a', 'b', 'c');
    expect(usualness(known(usual('ab', 2), usual('bc', 1)), ends, [all], monday)(all)).toBe(3);
  });
});

describe('permission', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await openGround();
  });
  afterAll(() => ground.close());

  function served(
    permissions = new Permissions(),
    over: Partial<Pick<EventLog, 'append'>> = {},
    nowMs = monday,
  ) {
    const records: NewRecord[] = [];
    const codec = ground.codecs.userPersonalizationChanged;
    const routes = patternRoutes({
      ...{ permissions, codec, nowMs: () => nowMs, patterns: () => Promise.resolve(undefined) },
      log: {
        append: async (_, some) => {
          records.push(...some);
          return [];
        },
        ...over,
      },
    });
    const call = async (method: string, enabled?: boolean): Promise<HttpAnswer> => {
      const found = routes.find(({ contract }) => contract.method === method)!;
      const request = { params: { id: 'u' }, body: { enabled }, identity: { userId: 'u' } };
      return (await found.handle(request as never)) as HttpAnswer;
    };
    const written = () => records.map(({ key, value }) => [key, value && codec.decode(value).enabled]);
    return { call, permissions, records, written };
  }

  test('that is repeated is one record, so that its time stays', async () => {
    const { call, written, permissions } = served();
    expect((await call('PUT', true)).status).toBe(200);
    expect((await call('PUT', true)).status).toBe(200);
    expect(written()).toEqual([['u', true]]);
    expect(permissions.sinceMs('u')).toBe(monday);
  });

  test.each([
    ['PUT', false, 200],
    ['DELETE', undefined, 202],
  ] as const)(
    'that is revoked with %s is followed by a tombstone, so that nothing remains',
    async (method, enabled, status) => {
      const { call, written, permissions } = served();
      await call('PUT', true);
      expect((await call(method, enabled)).status).toBe(status);
      expect(written()).toEqual([
        ['u', true],
        ['u', false],
        ['u', null],
      ]);
      expect(permissions.sinceMs('u')).toBeUndefined();
    },
  );

  test('that is revoked on a slower clock is revoked after it was given', async () => {
    const permissions = new Permissions();
    permissions.apply({ userId: 'u', enabled: true, changedMs: monday + 5_000 });
    const { call, records } = served(permissions);
    await call('DELETE');
    const { changedMs } = ground.codecs.userPersonalizationChanged.decode(records[0]!.value!);
    expect(changedMs).toBe(monday + 5_001);
  });

  test('of more users than the limit is refused; those who have it may revoke it', async () => {
    const permissions = new Permissions();
    for (let i = 0; i < personalUsersMax; i++)
      permissions.apply({ userId: `u${i}`, enabled: true, changedMs: 1 });
    const { call, written } = served(permissions);
    const refused = await call('PUT', true);
    expect([refused.status, refused.problem?.detail]).toEqual([
      503,
      'No more users can allow this at the moment.',
    ]);
    expect(written()).toEqual([]);
    permissions.apply({ userId: 'u', enabled: true, changedMs: 1 });
    expect((await call('DELETE')).status).toBe(202);
  });

  test('that the log did not confirm is not applied', async () => {
    const { call, permissions } = served(new Permissions(), {
      append: () => Promise.reject(new LogUnavailable('away', { retriable: true })),
    });
    expect((await call('PUT', true)).status).toBe(503);
    expect(permissions.sinceMs('u')).toBeUndefined();
  });
});
