import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailable } from '#platform/event-log/event-log.js';
import { partitionOf } from '#platform/event-log/murmur2.js';
import { batches, each } from '#platform/stream/input.js';
import { deadLetter, drop, ok } from '#platform/stream/outcome.js';
import { startProcessor } from '#platform/stream/start-processor.js';
import { type NavigationChanged, type NavigationProgress, navigationState } from '#schemas/messages.js';
import { eventually } from '../../eventually.js';
import { countingGauges, progress, type StreamWorld, streamWorld } from './stream-world.js';

const TOPIC = 'nav.progress.v1';
const quick = { backOffFirstMs: 1, backOffLastMs: 5, lagEveryMs: 20, attemptsMax: 3 };

describe('processor', () => {
  let world: StreamWorld;
  beforeEach(async () => {
    world = await streamWorld();
  });
  afterEach(() => world.close());

  it('F12: dead-letters one poison record in a thousand with reason and offset; lag falls to 0', async () => {
    const poison = new Map<string, string>();
    for (let block = 0; block < 5; block++) {
      const good = Array.from({ length: 999 }, (_, i) => progress(`u${i}`, block * 1_000 + i));
      await world.appendProgress(good);
      const values = [
        Buffer.alloc(0),
        Buffer.from(world.codecs.navProgress.encode(progress('u', 1))).subarray(0, 12),
        Buffer.concat([Buffer.from([0, 0, 0, 0x7f, 0xff, 0]), Buffer.alloc(20)]),
        Buffer.alloc(999_000, 0x41),
        Buffer.from('{"userId":"u1"}'),
      ];
      const reasons = [/too few/, /is not a meridian/, /schema 32767/, /magic byte/, /magic byte/];
      const [position] = await world.log.append(TOPIC, [
        { key: block === 4 ? '' : `p${block}`, value: values[block]! },
      ]);
      poison.set(`${position!.partition}/${position!.offset}`, reasons[block]!.source);
    }
    const gauges = countingGauges();
    let handled = 0;
    const processor = await startProcessor(
      {
        group: 'poisoned',
        startAt: 'earliest',
        inputs: [
          each(world.codecs.navProgress, () => {
            handled++;
            return ok;
          }),
        ],
      },
      { ...world.deps, gauges, limits: quick },
    );
    await processor.ready;
    await eventually(async () => expect((await processor.lag()).get(TOPIC)).toBe(0));
    await eventually(() => expect(gauges.figures.get(`lag ${TOPIC}`)).toBe(0));
    expect(handled).toBe(5 * 999);
    const letters = await world.letters();
    expect(letters).toHaveLength(5);
    for (const letter of letters) {
      expect(letter).toMatchObject({ group: 'poisoned', topic: TOPIC });
      expect(letter.cause).toMatch(new RegExp(poison.get(`${letter.partition}/${letter.offset}`)!));
    }
    expect(gauges.figures.get(`dead ${TOPIC}`)).toBe(5);
    expect(gauges.figures.get(`records ${TOPIC}`)).toBe(5_000);
    await processor.close();
    const ends = await world.log.offsets(TOPIC);
    expect(await world.log.committed('poisoned', TOPIC)).toEqual(
      ends.map(({ partition, end }) => ({ partition, offset: end === 0 ? -1 : end })),
    );
  });

  it('retries a failing step with back-off, then dead-letters the record and continues', async () => {
    const attempts = new Map<string, number>();
    const gauges = countingGauges();
    const copies: string[] = [];
    const processor = await startProcessor(
      {
        group: 'failing',
        startAt: 'earliest',
        inputs: [
          each(world.codecs.navProgress, ({ message }, { emit }) => {
            attempts.set(message.userId, (attempts.get(message.userId) ?? 0) + 1);
            emit(world.codecs.navRouteChanged, message.userId, routeOf(message));
            if (message.userId === 'never') throw new Error('broken for good');
            if (message.userId === 'later' && attempts.get('later')! < 3) throw new Error('not yet');
            if (message.userId === 'odd') return deadLetter('odd user');
            return message.userId === 'parked' ? drop('parked') : ok;
          }),
        ],
      },
      { ...world.deps, gauges, limits: quick },
    );
    await processor.ready;
    await world.appendProgress(['fine', 'never', 'later', 'odd', 'parked'].map((user) => progress(user, 1)));
    await eventually(async () => {
      expect((await processor.lag()).get(TOPIC)).toBe(0);
      expect(await world.letters()).toHaveLength(2);
    });
    expect(Object.fromEntries(attempts)).toEqual({ fine: 1, never: 3, later: 3, odd: 1, parked: 1 });
    expect((await world.letters()).map(({ cause, attempts: tried }) => [cause, tried]).toSorted()).toEqual([
      ['failed: broken for good', 3],
      ['odd user', 1],
    ]);
    expect(gauges.figures.get(`dropped ${TOPIC} parked`)).toBe(1);
    expect(gauges.figures.get(`retried ${TOPIC}`)).toBe(4);
    for (let partition = 0; partition < 8; partition++)
      for await (const record of world.log.read('nav.route.changed.v1', partition, 0))
        copies.push(record.key);
    // A failed attempt leaves no output behind.
    expect(copies.toSorted()).toEqual(['fine', 'later', 'odd', 'parked']);
    await processor.close();
  });

  it('retries a record whose step failed for an external reason, as long as it takes', async () => {
    let refusals = 12;
    let handled = 0;
    const processor = await startProcessor(
      {
        group: 'patient',
        startAt: 'earliest',
        inputs: [
          each(world.codecs.navProgress, () => {
            if (refusals-- > 0) throw new LogUnavailable('the store is away', { retriable: true });
            handled++;
            return ok;
          }),
        ],
      },
      { ...world.deps, limits: quick },
    );
    await processor.ready;
    await world.appendProgress([progress('u', 1)]);
    refusals = 4;
    await eventually(() => expect(handled).toBe(1));
    expect(await world.letters()).toEqual([]);
    await processor.close();
  });

  it('finds the poison record in a batch that fails as a whole', async () => {
    const written: number[] = [];
    const processor = await startProcessor(
      {
        group: 'bulk',
        startAt: 'earliest',
        inputs: [
          batches(world.codecs.navProgress, async (records) => {
            if (records.some(({ message }) => message.timeMs % 100 === 7))
              throw new Error('value out of range');
            written.push(...records.map(({ message }) => message.timeMs));
            return ok;
          }),
        ],
      },
      { ...world.deps, limits: quick },
    );
    await processor.ready;
    await processor.ready;
    await world.appendProgress(Array.from({ length: 300 }, (_, i) => progress(`u${i % 20}`, i)));
    await eventually(async () => expect((await processor.lag()).get(TOPIC)).toBe(0));
    expect(written.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 100 !== 7),
    );
    expect((await world.letters()).map(({ cause }) => cause)).toEqual(
      Array(3).fill('failed: value out of range'),
    );
    await processor.close();
  });

  it('decodes records of a newer writer, after a query to the registry', async () => {
    const { protoText } = await import('#platform/wire/proto-files.js');
    const newer = protoText('nav.proto').replace(
      'int64 time_ms = 5;',
      'int64 time_ms = 5;\n  string added = 6;',
    );
    const seen: NavigationProgress[] = [];
    const processor = await startProcessor(
      {
        group: 'older-reader',
        startAt: 'earliest',
        inputs: [
          each(world.codecs.navProgress, ({ message }) => {
            seen.push(message);
            return ok;
          }),
        ],
      },
      world.deps,
    );
    await processor.ready;
    const id = await world.registry.register(`${TOPIC}-value`, newer);
    const value = Buffer.from(world.codecs.navProgress.encode(progress('u', 5)));
    value.writeUInt32BE(id, 1);
    await world.log.append(TOPIC, [{ key: 'u', value }]);
    await eventually(() => expect(seen).toEqual([progress('u', 5)]));
    await processor.close();
  });

  it('derives the watermark from event time, and ignores silent and faulty clocks', async () => {
    let now = 1_000_000;
    const ticks: number[] = [];
    const processor = await startProcessor(
      {
        group: 'marks',
        startAt: 'earliest',
        inputs: [each(world.codecs.navProgress, () => ok, { eventTimeMs: ({ timeMs }) => timeMs })],
        tick: {
          everyMs: 10,
          run: ({ watermarkMs, partition }) => {
            if (partition === partitionOf('a', 8)) ticks.push(watermarkMs);
          },
        },
      },
      { ...world.deps, clock: () => now },
    );
    await processor.ready;
    const a = 'a';
    const b = Array.from({ length: 50 }, (_, i) => `b${i}`).find(
      (key) => partitionOf(key, 8) !== partitionOf(a, 8),
    )!;
    await world.appendProgress([progress(a, 900_000), progress(b, 950_000)]);
    await eventually(() => expect(processor.watermarkMs()).toBe(900_000));
    await world.appendProgress([progress(a, 2 ** 50), progress(a, 940_000), progress(a, 10)]);
    const nothingWaits = () => eventually(async () => expect((await processor.lag()).get(TOPIC)).toBe(0));
    await nothingWaits();
    expect(processor.watermarkMs()).toBe(940_000);
    now += 9_000;
    await world.appendProgress([progress(b, 980_000)]);
    await nothingWaits();
    now += 2_000;
    expect(processor.watermarkMs()).toBe(980_000);
    await eventually(() => expect(ticks.at(-1)).toBe(940_000));
    await processor.close();
  });

  it('takes the inputs of a partition in the order of time while it catches up', async () => {
    const { log, codecs, deps } = world;
    const startMs = Date.now() - 600_000;
    const change = (sequence: number): NavigationChanged => ({
      ...{ navigationId: 'n', userId: 'u1', state: navigationState.started, routeVersion: sequence },
      ...{ tilesetId: 't', edgeIds: [], tiles: [], avoid: [], changedMs: sequence },
      ...{ destinationLatE7: 0, destinationLngE7: 0, durationS: 0, metricVersion: 0 },
    });
    for (let minute = 0; minute < 8; minute++) {
      const at = (second: number) => ({ key: 'u1', timestampMs: startMs + minute * 60_000 + second * 1_000 });
      await log.append(
        TOPIC,
        Array.from({ length: 30 }, (_, i) => ({
          ...at(2 * i),
          value: codecs.navProgress.encode(progress('u1', minute * 60 + 2 * i)),
        })),
      );
      await log.append('nav.session.changed.v1', [
        { ...at(31), value: codecs.navSessionChanged.encode(change(minute * 60 + 31)) },
      ]);
    }
    const seen: number[] = [];
    const processor = await startProcessor(
      {
        group: 'ordered',
        startAt: 'earliest',
        state: { fresh: () => undefined, encode: () => Buffer.alloc(0), decode: () => undefined },
        inputs: [
          each(codecs.navSessionChanged, ({ message }) => {
            seen.push(message.changedMs);
            return ok;
          }),
          each(codecs.navProgress, ({ message }) => {
            seen.push(message.timeMs);
            return ok;
          }),
        ],
      },
      { ...deps, limits: { ...quick, batchRecordsMax: 7 } },
    );
    await eventually(() => expect(seen).toHaveLength(8 * 31));
    await processor.close();
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('waits with every partition of its inputs at once, without a warning of leaking listeners', async () => {
    const { log, codecs, deps } = world;
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    let waiting = 0;
    const listen = vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (
      this: EventTarget,
      ...args: Parameters<EventTarget['addEventListener']>
    ) {
      if (args[0] === 'abort') waiting++;
      addEventListener.apply(this, args);
    });
    const users = Array.from({ length: 8 }, (_, partition) => keyOf(partition));
    const route = (userId: string) => codecs.navRouteChanged.encode(routeOf(progress(userId, 1)));
    await log.append(
      'nav.session.changed.v1',
      users.map((key) => ({ key, value: codecs.navSessionChanged.encode(sessionOf(key)) })),
    );
    await world.appendProgress(users.map((userId) => progress(userId, 1)));
    await log.append(
      'nav.route.changed.v1',
      users.map((key) => ({ key, value: route(key) })),
    );
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let handled = 0;
    const count = () => {
      handled++;
      return ok;
    };
    const processor = await startProcessor(
      {
        group: 'patient',
        startAt: 'earliest',
        inputs: [
          each(codecs.navSessionChanged, () => begun.then(count)),
          each(codecs.navProgress, count),
          each(codecs.navRouteChanged, count),
        ],
      },
      // Every record counts as old, so that the later inputs wait for the first.
      { ...deps, limits: { ...quick, liveMs: -1 } },
    );
    try {
      await eventually(() => expect(waiting).toBeGreaterThanOrEqual(2 * users.length));
      begin();
      await eventually(() => expect(handled).toBe(3 * users.length));
    } finally {
      begin();
      await processor.close();
      listen.mockRestore();
      process.off('warning', warn);
    }
    expect(warnings).toEqual([]);
  });
});

const { addEventListener } = EventTarget.prototype;

/** A key of one partition of eight. */
function keyOf(partition: number): string {
  for (let n = 0; ; n++) if (partitionOf(`u${n}`, 8) === partition) return `u${n}`;
}

const sessionOf = (userId: string): NavigationChanged => ({
  ...{ navigationId: 'n', userId, state: navigationState.started, tilesetId: 't', edgeIds: [], tiles: [] },
  ...{ destinationLatE7: 0, destinationLngE7: 0, durationS: 1, metricVersion: 1, routeVersion: 1 },
  ...{ avoid: [], changedMs: 1 },
});

function routeOf({ userId }: NavigationProgress) {
  return {
    navigationId: 'n',
    userId,
    routeVersion: 1,
    metricVersion: 1,
    tilesetId: 't',
    edgeIds: [],
    fromFraction: 0,
    toFraction: 1,
    polyline: '',
    durationS: 1,
    distanceM: 1,
    oldDurationS: 1,
    reason: '',
    evidence: '',
    causedMs: 1,
    decidedMs: 1,
    unreachable: false,
  };
}
