import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as limits from '#api/http/limits.js';
import type { WrittenFrame } from '#api/push/frames.js';
import { type FrameSink, NavigationStore } from '#api/push/navigation-store.js';
import type { RouteDecision } from '#api/push/route-decision.js';
import { type NavigationChanged, navigationState, type RouteChanged } from '#schemas/messages.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { openDecisions } from './decisions.js';

const { decisionOf, closeDecisions } = await openDecisions();
afterAll(closeDecisions);

let nowMs = 1_000_000;
const body = (polyline: string) => ({
  polyline,
  distance_m: 10,
  duration_s: 10,
  metric_version: 1,
  edge_ids: ['1:2-3+'],
});
const newBook = () =>
  new NavigationStore(() => nowMs, {
    routeOf: (record) => body(`drawn ${record.routeVersion}`),
    tilesOf: ({ edgeIds }) => [`tile of ${edgeIds[0]}`],
    openPart: (route) => {
      const edge_ids = route.edge_ids.slice(route.edge_ids.findLastIndex((id) => closed.has(id)) + 1);
      return edge_ids.length === 0 ? undefined : { ...route, edge_ids };
    },
  });
/** Names of edges that are closed now. */
const closed = new Set<string>();
afterEach(() => closed.clear());

const session = (
  navigationId: string,
  userId: string,
  over: Partial<NavigationChanged> = {},
): NavigationChanged => ({
  navigationId,
  userId,
  state: navigationState.started,
  tilesetId: 't',
  destinationLatE7: 0,
  destinationLngE7: 0,
  edgeIds: ['1:2-3+'],
  tiles: ['0/1', '1/0'],
  durationS: 60,
  metricVersion: 1,
  routeVersion: 1,
  avoid: [],
  changedMs: nowMs,
  ...over,
});

const better = (navigationId: string, userId: string, over: Partial<RouteChanged> = {}): RouteDecision =>
  decisionOf({
    navigationId,
    userId,
    routeVersion: 2,
    metricVersion: 2,
    tilesetId: 't',
    edgeIds: ['4:5-6+'],
    fromFraction: 0,
    toFraction: 1,
    polyline: 'new',
    durationS: 50,
    distanceM: 400,
    oldDurationS: 90,
    reason: 'Stampgatan is closed',
    evidence: '3 of 3 turned away',
    causedMs: nowMs - 300,
    decidedMs: nowMs,
    unreachable: false,
    ...over,
  });

const frameOf = (frame: WrittenFrame) => JSON.parse(frame.text.toString()) as ServerFrame;

class Client implements FrameSink {
  readonly seen: ServerFrame[] = [];
  send(frame: ServerFrame | WrittenFrame): void {
    this.seen.push('text' in frame ? frameOf(frame) : frame);
  }
  get ids(): number[] {
    return this.seen.flatMap((frame) => ('id' in frame ? [frame.id] : []));
  }
}

const started = (id: string): Extract<ServerFrame, { readonly type: 'started' }> => ({
  type: 'started',
  id: 1,
  navigation_id: id,
  route: body('first'),
  tiles: ['0/1'],
  warnings: [],
});

beforeEach(() => {
  nowMs = 1_000_000;
});

describe('a better route', () => {
  test('M-063: goes only to the sockets of its own navigation', () => {
    const book = newBook();
    const [mine, other] = [new Client(), new Client()];
    book.begin(session('a', 'u1'), started('a'), mine);
    book.begin(session('b', 'u2'), started('b'), other);
    expect(book.reroute(better('a', 'u1'))).toMatchObject({ kind: 'news', sinks: 1 });
    expect(mine.seen.at(-1)).toMatchObject({
      type: 'reroute',
      id: 2,
      reason: 'Stampgatan is closed',
      saves_s: 40,
    });
    expect(other.ids).toEqual([1]);
  });

  test('is refused when it names the navigation of another user', () => {
    const book = newBook();
    const mine = new Client();
    book.begin(session('a', 'u1'), started('a'), mine);
    expect(book.reroute(better('a', 'u2')).kind).toBe('known');
    expect(mine.ids).toEqual([1]);
  });

  test('saves null seconds when the old route is closed, because JSON has no infinity', () => {
    const book = newBook();
    const mine = new Client();
    book.begin(session('a', 'u1'), started('a'), mine);
    book.reroute(better('a', 'u1', { oldDurationS: Number.POSITIVE_INFINITY }));
    expect(mine.seen.at(-1)).toMatchObject({ saves_s: null });
  });

  test('is delivered once, even if its record is redelivered', () => {
    const book = newBook();
    const mine = new Client();
    book.begin(session('a', 'u1'), started('a'), mine);
    book.reroute(better('a', 'u1'));
    expect(book.reroute(better('a', 'u1')).kind).toBe('known');
    expect(mine.ids).toEqual([1, 2]);
  });

  test('gets its own number if it was decided before the previous one was read back', () => {
    const book = newBook();
    const mine = new Client();
    book.begin(session('a', 'u1'), started('a'), mine);
    book.reroute(better('a', 'u1', { decidedMs: 10 }));
    const outcome = book.reroute(better('a', 'u1', { decidedMs: 11, polyline: 'newer' }));
    expect(outcome.kind).toBe('news');
    expect(book.unwritten('a')).toMatchObject({ routeVersion: 3, state: navigationState.rerouted });
    expect(mine.ids).toEqual([1, 2, 3]);
  });

  test('does not restart an ended navigation', () => {
    const book = newBook();
    const mine = new Client();
    const record = session('a', 'u1');
    book.begin(record, started('a'), mine);
    book.finish(book.ending(record));
    expect(book.reroute(better('a', 'u1')).kind).toBe('ended');
    expect(mine.seen.map(({ type }) => type)).toEqual(['started', 'ended']);
  });
});

describe('a destination that cannot be reached', () => {
  const nothing = { unreachable: true, edgeIds: [], polyline: '', reason: 'All roads to it are closed.' };

  test('M-062: is reported once, stays the state of the navigation, and ends with the next route', () => {
    const book = newBook();
    const client = new Client();
    const first = session('a', 'u1');
    book.begin(first, started('a'), client);
    book.reroute(better('a', 'u1', nothing));
    book.reroute(better('a', 'u1', nothing));
    expect(client.seen.slice(1)).toEqual([
      {
        ...{ type: 'unreachable', id: 2, navigation_id: 'a', reason: 'All roads to it are closed.' },
        ...{ evidence: '3 of 3 turned away', metric_version: 2, caused_at: nowMs - 300 },
      },
    ]);
    const record = book.unwritten('a')!;
    const { unreachable, rerouted } = navigationState;
    expect(record).toMatchObject({ state: unreachable, routeVersion: 2, edgeIds: first.edgeIds });
    expect(book.isNavigating('u1')).toBe(true);
    // An instance that knows only the record answers the same.
    const other = newBook();
    other.apply(record);
    const late = other.resume('u1', 'a', 1, new Client());
    expect(late.kind === 'resumed' && late.frames.map(frameOf)).toMatchObject([
      { type: 'unreachable', id: 2, navigation_id: 'a', metric_version: 2 },
    ]);
    book.reroute(better('a', 'u1', { routeVersion: 3 }));
    expect(client.seen.at(-1)).toMatchObject({ type: 'reroute', id: 3 });
    expect(book.find('u1', 'a')).toMatchObject({ state: rerouted, routeVersion: 3, edgeIds: ['4:5-6+'] });
  });

  test('M-063: a replayed frame never contains a route over a road that is closed by then', () => {
    const book = newBook();
    const first = session('a', 'u1');
    book.begin(first, started('a'), new Client());
    book.reroute(better('a', 'u1', { routeVersion: 2, edgeIds: ['x', 'y', 'z'] }));
    book.reroute(better('a', 'u1', { routeVersion: 3, edgeIds: ['p', 'y', 'q', 'r'] }));
    const replayed = () => {
      const outcome = book.resume('u1', 'a', 1, new Client());
      const frames = outcome.kind === 'resumed' ? outcome.frames.map(frameOf) : [];
      return frames.map((frame) => [frame.type, 'route' in frame ? frame.route.edge_ids : []]);
    };
    expect(replayed()).toEqual([
      ['reroute', ['x', 'y', 'z']],
      ['reroute', ['p', 'y', 'q', 'r']],
    ]);
    closed.add('y');
    // A driver who has passed it continues with the rest of the newest route.
    expect(replayed()).toEqual([['reroute', ['q', 'r']]]);
    closed.add('r');
    expect(replayed()).toEqual([]);
    book.reroute(better('a', 'u1', { ...nothing, routeVersion: 4 }));
    expect(replayed()).toEqual([['unreachable', []]]);
    // Only the record, as an instance that has just started has it.
    const other = newBook();
    other.apply(
      session('a', 'u1', { routeVersion: 2, edgeIds: ['1:2-3+'], state: navigationState.rerouted }),
    );
    closed.add('1:2-3+');
    expect(other.resume('u1', 'a', 1, new Client())).toMatchObject({ frames: [] });
  });
});

describe('resume', () => {
  test('answers a foreign navigation like an unknown one', () => {
    const book = newBook();
    book.begin(session('a', 'u1'), started('a'), new Client());
    expect(book.resume('u2', 'a', 0, new Client())).toEqual(book.resume('u2', 'nobody', 0, new Client()));
    expect(book.find('u2', 'a')).toBeUndefined();
  });

  test('after a restart returns the reroutes that are still in the log', () => {
    const book = newBook();
    book.apply(session('a', 'u1', { routeVersion: 2, state: navigationState.rerouted }));
    book.reroute(better('a', 'u1', { routeVersion: 2 }));
    book.reroute(better('a', 'u1', { routeVersion: 3, decidedMs: nowMs + 1 }));
    const outcome = book.resume('u1', 'a', 1, new Client());
    expect(outcome).toMatchObject({
      kind: 'resumed',
      frames: [{ id: 2 }, { id: 3 }],
    });
    expect(book.unwritten('a')).toMatchObject({ routeVersion: 3 });
    book.written(book.unwritten('a')!);
    expect(book.unwritten('a')).toBeUndefined();
  });

  test('renders the route of the record when the frame itself is evicted', () => {
    const book = newBook();
    book.apply(session('a', 'u1', { routeVersion: 4, state: navigationState.rerouted }));
    const outcome = book.resume('u1', 'a', 2, new Client());
    const frames = outcome.kind === 'resumed' ? outcome.frames.map(frameOf) : [];
    expect(frames).toMatchObject([{ type: 'reroute', id: 4, route: { polyline: 'drawn 4' } }]);
    expect(book.resume('u1', 'a', 4, new Client())).toMatchObject({ frames: [] });
  });

  test('F33: keeps a bounded backlog in which the newest route wins', () => {
    const book = newBook();
    book.begin(session('a', 'u1'), started('a'), new Client());
    for (let version = 2; version <= 40; version += 1)
      book.reroute(better('a', 'u1', { routeVersion: version, decidedMs: version }));
    const outcome = book.resume('u1', 'a', 1, new Client());
    const ids = outcome.kind === 'resumed' ? outcome.frames.map(({ id }) => id) : [];
    expect(ids.length).toBe(limits.backlogFramesMax);
    expect(ids.at(-1)).toBe(40);
  });

  test('M-063: after duplicates, drops and resumes a client handles every route once and in order', () => {
    const step = fc.oneof(
      fc.constant('reroute' as const),
      fc.constant('redeliver' as const),
      fc.constant('drop' as const),
      fc.constant('resume' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const book = newBook();
        let client: Client | undefined = new Client();
        const handled: number[] = [];
        const drain = () => handled.push(...(client?.ids ?? []));
        book.begin(session('a', 'u1'), started('a'), client);
        let version = 1;
        const reconnect = () => {
          if (client !== undefined) return;
          drain();
          client = new Client();
          const outcome = book.resume('u1', 'a', handled.at(-1) ?? 0, client);
          if (outcome.kind === 'resumed') for (const frame of outcome.frames) client.send(frame);
        };
        const disconnect = () => {
          if (client === undefined) return;
          drain();
          book.detach(client, 'a');
          client = undefined;
        };
        for (const each of steps) {
          if (each === 'reroute') version += 1;
          if (each === 'reroute' || (each === 'redeliver' && version > 1))
            book.reroute(better('a', 'u1', { routeVersion: version, decidedMs: version }));
          if (each === 'drop') disconnect();
          if (each === 'resume') reconnect();
        }
        reconnect();
        disconnect();
        expect(handled).toEqual(handled.toSorted((a, b) => a - b));
        expect(new Set(handled).size).toBe(handled.length);
        expect(handled.at(-1)).toBe(version);
      }),
    );
  });
});

describe('the navigation store', () => {
  test('a new navigation of a user ends the previous one and notifies its socket', () => {
    const book = newBook();
    const before = new Client();
    book.begin(session('a', 'u1'), started('a'), before);
    expect(book.endingOf('u1')).toMatchObject({ navigationId: 'a', state: navigationState.ended });
    book.begin(session('b', 'u1'), started('b'), new Client());
    expect(before.seen.at(-1)).toMatchObject({ type: 'ended', navigation_id: 'a', id: 2 });
    expect(book.active).toBe(1);
    expect(book.isNavigating('u1')).toBe(true);
  });

  test('own records read back from the log change nothing', () => {
    const book = newBook();
    const mine = new Client();
    const record = session('a', 'u1');
    book.begin(record, started('a'), mine);
    book.reroute(better('a', 'u1'));
    book.apply(record);
    expect(book.find('u1', 'a')).toMatchObject({ routeVersion: 2 });
    expect(mine.ids).toEqual([1, 2]);
  });

  test('returns a record as it was written, also of a better route whose frame was released', () => {
    const book = newBook();
    const record = session('a', 'u1', { edgeIds: ['1:2-3+', 'with "quotes", comma', ''], tiles: [] });
    book.begin(record, started('a'), new Client());
    expect(book.find('u1', 'a')).toEqual(record);
    expect(book.isUnderWay('u1', 'a')).toBe(true);
    expect(book.isUnderWay('u2', 'a')).toBe(false);
    book.reroute(better('a', 'u1'));
    const rerouted = book.find('u1', 'a');
    expect(rerouted).toMatchObject({ edgeIds: ['4:5-6+'], tiles: ['tile of 4:5-6+'], durationS: 50 });
    nowMs += limits.backlogKeptMs + 1;
    book.sweep();
    expect(book.find('u1', 'a')).toEqual(rerouted);
    book.finish(book.ending(rerouted!));
    expect(book.find('u1', 'a')).toEqual({ ...rerouted, state: navigationState.ended, changedMs: nowMs });
    expect(book.isUnderWay('u1', 'a')).toBe(false);
  });

  test('evicts ended navigations soon', () => {
    const book = newBook();
    const record = session('a', 'u1');
    const client = new Client();
    book.begin(record, started('a'), client);
    book.finish(book.ending(record));
    book.detach(client, 'a');
    nowMs += limits.endedKeptMs + 1;
    expect(book.sweep()).toEqual([]);
    expect(book.find('u1', 'a')).toBeUndefined();
  });

  test('ends a navigation whose client is disconnected for long, and none that has a socket', () => {
    const book = newBook();
    const [gone, here] = [new Client(), new Client()];
    book.begin(session('a', 'u1'), started('a'), gone);
    book.begin(session('b', 'u2'), started('b'), here);
    book.detach(gone, 'a');
    nowMs += limits.abandonedMs;
    expect(book.sweep()).toEqual([]);
    nowMs += 1;
    // A reroute does not show that the client is connected.
    book.reroute(better('a', 'u1'));
    expect(book.sweep()).toMatchObject([{ navigationId: 'a', state: navigationState.ended }]);
    expect(book.isNavigating('u1')).toBe(false);
    expect(here.ids).toEqual([1]);
  });

  test('ends navigations of other instances only after a longer time', () => {
    const book = newBook();
    book.apply(session('a', 'u1'));
    nowMs += limits.abandonedMs + 1;
    expect(book.sweep()).toEqual([]);
    nowMs += limits.navigationKeptMs;
    expect(book.sweep().length).toBe(1);
  });

  test('sends a reroute after the start even if it overtakes the log; its record stays newest', () => {
    const book = newBook();
    const mine = new Client();
    const record = session('a', 'u1');
    book.apply(record);
    book.reroute(better('a', 'u1'));
    book.begin(record, started('a'), mine);
    expect(mine.ids).toEqual([1, 2]);
    expect(book.unwritten('a')).toMatchObject({ routeVersion: 2, tiles: ['tile of 4:5-6+'] });
  });

  test('ignores navigations of last week from the compacted topic', () => {
    const book = newBook();
    book.apply(session('a', 'u1', { changedMs: nowMs - limits.navigationKeptMs - 1 }));
    expect(book.active).toBe(0);
  });
});
