import { describe, expect, it } from 'vitest';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { reduceNavigation } from '#web/navigation/navigation-reducer.js';
import { idle, type NavigationEvent, type NavigationState, shownTrip } from '#web/state/navigation-state.js';

const origin = { lat: 57.7, lng: 11.97 };
const destination = { lat: 57.68, lng: 12.0 };
const route = (polyline: string) => ({
  polyline,
  distance_m: 1_000,
  duration_s: 100,
  metric_version: 3,
  edge_ids: ['1:2-3+'],
});
const warnings = ['Your route ends 340 m from your destination: no road for cars leads closer.'];
const started: ServerFrame = {
  ...{ type: 'started', id: 1, navigation_id: 'n1' },
  ...{ route: route('a'), tiles: [], warnings },
};
const reroute = (id: number, polyline = `r${id}`): ServerFrame => ({
  type: 'reroute',
  id,
  navigation_id: 'n1',
  route: route(polyline),
  reason: 'Vasagatan is closed',
  evidence: 'operator: burst main',
  saves_s: null,
  caused_at: 1_000,
});
const frame = (value: ServerFrame, now = 1_250): NavigationEvent => ({ type: 'frame', frame: value, now });

/** Runs events from idle; returns the last state and everything that was sent. */
function run(events: readonly NavigationEvent[], from: NavigationState = idle) {
  let state = from;
  const sent: unknown[] = [];
  for (const event of events) {
    const step = reduceNavigation(state, event);
    state = step.state;
    sent.push(...step.send);
  }
  return { state, sent };
}

const toDriving: NavigationEvent[] = [
  { type: 'asked', origin, destination },
  { type: 'opened', token: 't' },
  frame({ type: 'ready', user_id: 'demo' }),
  frame(started),
];

describe('reduceNavigation', () => {
  it('starts along the chosen alternative, also after the server lost it; after a reroute no more', () => {
    const along = [{ lat: 57.69, lng: 11.98 }];
    const [, ...rest] = toDriving;
    const { state, sent } = run([{ type: 'asked', origin, destination, along }, ...rest]);
    expect(sent).toContainEqual({ type: 'start', origin, destination, along });
    const lost = frame({ type: 'error', code: 'unknown-navigation', detail: '' });
    expect(run([lost], state).sent).toContainEqual({ type: 'start', origin, destination, along });
    expect(run([frame(reroute(2)), lost], state).sent.at(-1)).toEqual({ type: 'start', origin, destination });
  });

  it('M-062: shows once why there is no route now, until the next route arrives', () => {
    const reason = 'Your destination cannot be reached right now: all roads to it are closed.';
    const told = frame({
      ...{ type: 'unreachable', id: 2, navigation_id: 'n1', reason, evidence: '' },
      ...{ metric_version: 4, caused_at: 1_000 },
    });
    const { state } = run([...toDriving, told]);
    expect(shownTrip(state)).toMatchObject({ unreachable: reason, lastId: 2, route: { polyline: 'a' } });
    const again = run([frame(reroute(3)), told], state).state;
    expect(shownTrip(again)).toMatchObject({ unreachable: null, lastId: 3, route: { polyline: 'r3' } });
  });

  it('sends hello, starts when the server is ready, and drives', () => {
    const { state, sent } = run(toDriving);
    expect(sent).toEqual([
      { type: 'hello', token: 't' },
      { type: 'start', origin, destination },
    ]);
    expect(state.phase).toBe('driving');
    expect(shownTrip(state)).toMatchObject({
      ...{ navigationId: 'n1', lastId: 1, warnings },
      route: { polyline: 'a' },
    });
  });

  it('handles a reroute with its reason and the measured milliseconds from cause to here', () => {
    const { state } = run([...toDriving, frame(reroute(2), 1_312)]);
    expect(shownTrip(state)).toMatchObject({
      lastId: 2,
      reroutes: 1,
      route: { polyline: 'r2' },
      reroute: {
        reason: 'Vasagatan is closed',
        evidence: 'operator: burst main',
        savesS: null,
        causeToPushMs: 312,
      },
    });
  });

  it('sends positions only during a navigation, and only of that one', () => {
    const position = { lat: 57.69, lng: 11.98 };
    const { sent } = run([...toDriving, { type: 'moved', position, now: 5_000 }]);
    expect(sent.at(-1)).toEqual({ type: 'position', navigation_id: 'n1', ...position, timestamp: 5_000 });
    expect(run([{ type: 'moved', position, now: 5_000 }]).sent).toEqual([]);
  });

  it('M-063: resumes from the last id after a lost connection; a replayed reroute has one effect', () => {
    const events: NavigationEvent[] = [
      ...toDriving,
      frame(reroute(2)),
      { type: 'lost' },
      { type: 'retrying' },
      { type: 'opened', token: 't2' },
      frame({ type: 'ready', user_id: 'demo' }),
      frame(reroute(2, 'again')),
      frame(reroute(3)),
    ];
    const { state, sent } = run(events);
    expect(sent.slice(2)).toEqual([
      { type: 'hello', token: 't2' },
      { type: 'resume', navigation_id: 'n1', last_id: 2 },
      { type: 'ping' },
    ]);
    expect(shownTrip(state)).toMatchObject({ lastId: 3, reroutes: 2, route: { polyline: 'r3' } });
  });

  it('keeps the route on the screen while the connection is lost', () => {
    const { state } = run([...toDriving, { type: 'lost' }]);
    expect(state.phase).toBe('waiting');
    expect(shownTrip(state)?.route?.polyline).toBe('a');
  });

  it('restarts from the current position when the server has evicted the navigation', () => {
    const position = { lat: 57.69, lng: 11.98 };
    const { state, sent } = run([
      ...toDriving,
      { type: 'moved', position, now: 5_000 },
      { type: 'lost' },
      { type: 'retrying' },
      { type: 'opened', token: 't' },
      frame({ type: 'ready', user_id: 'demo' }),
      frame({ type: 'error', code: 'unknown-navigation', detail: 'You have no navigation with this id.' }),
    ]);
    expect(sent.at(-1)).toEqual({ type: 'start', origin: position, destination });
    expect(state.phase).toBe('starting');
  });

  it('fails with the sentence of the server if there is no route', () => {
    const detail = 'No route connects these two places.';
    const { state } = run([...toDriving.slice(0, 3), frame({ type: 'error', code: 'no-route', detail })]);
    expect(state).toEqual({ phase: 'failed', detail });
  });

  it('does not end after an error about one frame, nor after frames of another navigation', () => {
    const { state } = run([
      ...toDriving,
      frame({ type: 'error', code: 'bad-timestamp', detail: 'x' }),
      frame({ ...reroute(2), navigation_id: 'other' } as ServerFrame),
      frame({ type: 'ended', id: 9, navigation_id: 'other' }),
    ]);
    expect(state.phase).toBe('driving');
    expect(shownTrip(state)).toMatchObject({ reroutes: 0, route: { polyline: 'a' } });
  });

  it('recognizes an accepted resume by the pong after it', () => {
    const events: NavigationEvent[] = [{ type: 'lost' }, { type: 'opened', token: 't' }];
    const { state } = run([...toDriving, ...events, frame({ type: 'ready', user_id: 'demo' })]);
    expect(state.phase).toBe('resuming');
    expect(run([frame({ type: 'pong' })], state).state.phase).toBe('driving');
  });

  it('ends by the user, by arrival, and by the server', () => {
    const end = { type: 'end', navigation_id: 'n1' };
    expect(run([...toDriving, { type: 'stopped' }])).toEqual({
      state: idle,
      sent: expect.arrayContaining([end]),
    });
    expect(run([...toDriving, { type: 'arrived' }]).state.phase).toBe('arrived');
    expect(run([...toDriving, frame({ type: 'ended', id: 2, navigation_id: 'n1' })]).state.phase).toBe(
      'arrived',
    );
  });

  it('ignores events when it is idle', () => {
    expect(run([{ type: 'opened', token: 't' }, frame(started), { type: 'lost' }])).toEqual({
      state: idle,
      sent: [],
    });
  });
});
