import { describe, expect, it } from 'vitest';
import type { RoadEvent } from '#traffic-exchange/events/road-event.js';
import {
  edgesPerIncidentMax,
  heldMs,
  incidentsPerFeedMax,
  openEndedHeldMs,
} from '#traffic-exchange/feeds/limits.js';
import {
  type FeedIncident,
  type ImportDeps,
  incidentIdOf,
  planImport,
} from '#traffic-exchange/feeds/plan-import.js';

const now = Date.UTC(2026, 10, 2);
const hour = 3_600_000;

const event = (id: string, over: Partial<RoadEvent> = {}): RoadEvent => ({
  id,
  effect: { kind: 'closed' },
  periods: [{ startMs: now - hour, endMs: now + hour }],
  places: [],
  bothDirections: false,
  description: `works ${id}`,
  ...over,
});

const plan = (events: readonly RoadEvent[], over: Partial<ImportDeps> = {}) =>
  planImport(
    { events, skipped: [] },
    {
      name: 'city',
      present: [],
      match: () => ({ kind: 'edges', edges: [2, 1] }),
      edgeId: (edge) => `e${edge}`,
      nowMs: now,
      ...over,
    },
  );

describe('an import', () => {
  it('writes an incident for an event that holds now', () => {
    const { writes, removes, active, unchanged } = plan([event('a')]);
    expect(writes).toEqual([
      {
        id: incidentIdOf('city', 'a', 0),
        kind: 'closed',
        edgeIds: ['e1', 'e2'],
        expiresMs: now + hour,
        note: 'works a',
      },
    ]);
    expect({ removes, active, unchanged }).toEqual({ removes: [], active: 1, unchanged: 0 });
  });

  it('changes nothing when it is repeated, whatever the id and the speed of the event are', () => {
    const slow = event('b/"?é', { effect: { kind: 'slow', speedKph: 48.2803 }, description: '' });
    const { writes } = plan([event('a'), slow]);
    // As the platform lists them: a speed comes back as the nearest 32-bit number.
    const present = writes.map((each) =>
      each.speedKph === undefined ? each : { ...each, speedKph: Math.fround(each.speedKph) },
    );
    const again = plan([event('a'), slow], { present, nowMs: now + 1_000 });
    expect(again).toMatchObject({ writes: [], removes: [], unchanged: 2, active: 2 });
    expect(present.every(({ id }) => /^city:[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  it.each<[string, Partial<RoadEvent>, Partial<ImportDeps>]>([
    ['its end', { periods: [{ startMs: now - hour, endMs: now + 2 * hour }] }, {}],
    ['its effect', { effect: { kind: 'slow', speedKph: 30 } }, {}],
    ['its text', { description: 'more works' }, {}],
    ['its roads', {}, { match: () => ({ kind: 'edges', edges: [1, 3] }) }],
  ])('writes an event again that has changed %s', (_what, over, deps) => {
    const present = plan([event('a')]).writes;
    const { writes, removes } = plan([event('a', over)], { present, ...deps });
    expect([writes.length, removes.length]).toEqual([1, 0]);
  });

  it('removes what the feed dropped, and never what another feed or an operator wrote', () => {
    const present = plan([event('a'), event('b')]).writes;
    const others: FeedIncident[] = [
      { ...present[0]!, id: incidentIdOf('town', 'a', 0) },
      { ...present[0]!, id: 'cityhall:0' },
      { ...present[0]!, id: '6f0a6d4e-0000-4000-8000-000000000000' },
      { ...present[0]!, id: 'detected-1' },
    ];
    const { removes, unchanged } = plan([event('b')], { present: [...present, ...others] });
    expect(removes).toEqual([incidentIdOf('city', 'a', 0)]);
    expect(unchanged).toBe(1);
  });

  it('begins and ends events by the clock', () => {
    const later = event('later', { periods: [{ startMs: now + hour, endMs: now + 2 * hour }] });
    const nights = event('nights', {
      periods: [
        { startMs: now - 3 * hour, endMs: now - hour },
        { startMs: now + hour / 2, endMs: now + hour },
      ],
    });
    const over = event('over', { periods: [{ startMs: now - 2 * hour, endMs: now }] });
    const first = plan([later, nights, over]);
    expect(first).toMatchObject({ writes: [], active: 0, planned: 2, ended: 1 });
    expect(first.nextStartMs).toBe(now + hour / 2);
    const second = plan([later, nights, over], { nowMs: first.nextStartMs! });
    expect(second.writes.map(({ expiresMs }) => expiresMs)).toEqual([now + hour]);
    expect(second.nextStartMs).toBe(now + hour);
  });

  it('holds a far end and an open one for a while, and renews them when half of it is over', () => {
    const far = event('far', { periods: [{ startMs: now, endMs: now + 400 * 24 * hour }] });
    const open = event('open', { periods: [{ startMs: now, endMs: undefined }] });
    const { writes: present } = plan([far, open]);
    expect(present.map(({ expiresMs }) => expiresMs - now)).toEqual([heldMs, openEndedHeldMs]);
    expect(plan([far, open], { present, nowMs: now + hour }).writes).toEqual([]);
    const noon = now + openEndedHeldMs / 2;
    expect(plan([far, open], { present, nowMs: noon }).writes.map(({ expiresMs }) => expiresMs)).toEqual([
      noon + openEndedHeldMs,
    ]);
    // One that something else holds for longer is cut to what the feed says.
    const endless = present.map((each) => ({ ...each, expiresMs: Number.POSITIVE_INFINITY }));
    expect(plan([far], { present: endless }).writes).toHaveLength(1);
  });

  it('splits an event with many roads, and removes the parts that it no longer needs', () => {
    const match = (count: number) => () => ({
      kind: 'edges' as const,
      edges: Array.from({ length: count }, (_, i) => i),
    });
    const { writes } = plan([event('a')], { match: match(edgesPerIncidentMax + 1) });
    expect(writes.map(({ edgeIds }) => edgeIds.length)).toEqual([edgesPerIncidentMax, 1]);
    expect(new Set(writes.map(({ id }) => id)).size).toBe(2);
    const { removes } = plan([event('a')], { present: writes, match: match(3) });
    expect(removes).toEqual([writes[1]!.id]);
  });

  it('names what is on no road, and what is too much', () => {
    const { skipped, removes } = plan([event('a')], {
      present: plan([event('a')]).writes,
      match: () => ({ kind: 'unmatched', reason: 'no road' }),
    });
    expect(skipped).toEqual([{ id: 'a', reason: 'no road' }]);
    expect(removes).toHaveLength(1);
    const many = Array.from({ length: incidentsPerFeedMax + 2 }, (_, i) => event(`e${i}`));
    const full = plan(many);
    expect(full.writes).toHaveLength(incidentsPerFeedMax);
    expect(full.skipped.map(({ id }) => id)).toEqual([
      `e${incidentsPerFeedMax}`,
      `e${incidentsPerFeedMax + 1}`,
    ]);
  });
});
