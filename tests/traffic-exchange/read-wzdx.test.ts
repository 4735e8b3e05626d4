import { describe, expect, it } from 'vitest';
import { depthMax, eventsMax, feedBytesMax, positionsMax } from '#traffic-exchange/events/limits.js';
import { InvalidFeed } from '#traffic-exchange/events/road-event.js';
import { readWzdx } from '#traffic-exchange/wzdx/read-wzdx.js';
import { type SampleZone, workZone, wzdxFeed } from './sample-feeds.js';

const read = (...zones: SampleZone[]) => readWzdx(wzdxFeed(zones.map(workZone)));

describe('a WZDx feed', () => {
  it('is read with its closures, times and lines', () => {
    expect(read({})).toEqual({
      events: [
        {
          id: 'zone-1',
          effect: { kind: 'closed' },
          periods: [{ startMs: Date.UTC(2026, 10, 1, 6), endMs: Date.UTC(2026, 11, 1, 6) }],
          places: [
            {
              line: [
                [11.97, 57.7],
                [11.98, 57.7],
              ],
            },
          ],
          bothDirections: false,
          description: 'Storgatan, Rv 40: New pipes',
        },
      ],
      skipped: [],
    });
  });

  it('may be of an earlier 4.x, with points instead of a line, or without events', () => {
    const older = JSON.parse(wzdxFeed([])) as Record<string, unknown>;
    const { feed_info, ...rest } = older;
    const text = JSON.stringify({
      ...rest,
      road_event_feed_info: { ...(feed_info as object), version: '4.0' },
    });
    expect(readWzdx(text)).toEqual({ events: [], skipped: [] });
    expect(read({ geometryType: 'MultiPoint' }).events[0]!.places).toHaveLength(1);
  });

  it('is slow where the limit is reduced and a lane is open', () => {
    const properties = { reduced_speed_limit_kph: 50 };
    const { events } = read({ impact: 'some-lanes-closed', properties });
    expect(events[0]!.effect).toEqual({ kind: 'slow', speedKph: 50 });
    // A limit says nothing of a road that is closed.
    expect(read({ properties }).events[0]!.effect).toEqual({ kind: 'closed' });
  });

  it.each<[string, SampleZone, RegExp]>([
    ['a lane closure without a speed', { impact: 'some-lanes-closed' }, /some-lanes-closed: the road stays/],
    ['alternating traffic', { impact: 'alternating-one-way' }, /the road stays open/],
    ['no impact', { properties: { vehicle_impact: undefined } }, /vehicle_impact is missing/],
    ['a detour', { core: { event_type: 'detour' } }, /detour event type/],
    ['a cancelled event', { properties: { event_status: 'cancelled' } }, /it is cancelled/],
    ['a moving area', { properties: { work_zone_type: 'planned-moving-area' } }, /works move/],
    ['an end before the start', { end: '2026-10-01T06:00:00Z' }, /ends before it starts/],
    ['a local time', { start: '2026-11-01T06:00:00' }, /start_date is not a date and time with a zone/],
    ['a day that does not exist', { start: '2026-13-41T06:00:00Z' }, /start_date is not/],
    ['no end', { properties: { end_date: undefined } }, /end_date is not/],
    ['a polygon', { geometryType: 'Polygon' }, /neither a LineString nor/],
    ['no coordinates', { line: null }, /no coordinates/],
    [
      'one place',
      {
        line: [
          [11.97, 57.7],
          [11.97, 57.7],
        ],
      },
      /fewer than two places/,
    ],
    [
      'a latitude of 91',
      {
        line: [
          [11.97, 57.7],
          [11.97, 91],
        ],
      },
      /not a longitude and a latitude/,
    ],
    [
      'coordinates as text',
      {
        line: [
          ['11.97', '57.7'],
          [1, 2],
        ],
      },
      /not a longitude and a latitude/,
    ],
    ['a limit of 0', { impact: 'all-lanes-open', properties: { reduced_speed_limit_kph: 0 } }, /not between/],
    ['no id', { id: null }, /no usable id/],
    ['an id of 300 characters', { id: 'x'.repeat(300) }, /no usable id/],
    [
      'a line of too many positions',
      { line: Array.from({ length: positionsMax + 1 }, (_, i) => [i / 100_000, 1]) },
      /more than 5000 positions/,
    ],
  ])('names %s and uses the other events', (_name, zone, reason) => {
    const { events, skipped } = read(zone, { id: 'other' });
    expect(events.map(({ id }) => id)).toEqual(['other']);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]!.reason).toMatch(reason);
    expect(skipped[0]!.id).not.toBe('');
  });

  it('uses the first of two events with one id', () => {
    const { events, skipped } = read({}, { impact: 'unknown', id: 'b' }, {});
    expect(events).toHaveLength(1);
    expect(skipped.map(({ id }) => id)).toEqual(['b', 'zone-1']);
  });

  const whole = wzdxFeed([workZone()]);
  it.each<[string, string, RegExp]>([
    ['that is cut off', whole.slice(0, -20), /not JSON/],
    ['of another kind', '[]', /not a JSON object/],
    ['that is no collection', '{"type":"Feature"}', /FeatureCollection/],
    ['without a version', '{"type":"FeatureCollection","features":[]}', /no feed_info/],
    ['of version 3.1', wzdxFeed([], { version: '3.1' }), /WZDx 3.1/],
    ['without features', whole.replace('"features"', '"others"'), /no features/],
    ['with too many events', wzdxFeed(Array.from({ length: eventsMax + 1 }, () => 0)), /more than 20000/],
    ['that is nested too deep', `${'['.repeat(depthMax + 1)}${']'.repeat(depthMax + 1)}`, /deeper than 32/],
    ['that is too long', ' '.repeat(feedBytesMax + 1), /longer than/],
    ['that is empty', '', /not JSON/],
  ])('%s is refused as a whole', (_name, text, reason) => {
    expect(() => readWzdx(text)).toThrow(InvalidFeed);
    expect(() => readWzdx(text)).toThrow(reason);
  });

  it('has ids and texts without control characters in its reports', () => {
    const { skipped } = read({ id: 'a\u0007b\nc', impact: 'unknown' });
    expect(skipped[0]!.id).toBe('a b c');
    expect(read({ core: { description: `x${'y'.repeat(500)}` } }).events[0]!.description).toHaveLength(200);
  });
});
