import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventLog, RecordPosition } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { LocationHistory } from '#schemas/http/locations.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { deadLetter, locationBatchRecorded, trafficEdgeObserved } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { eventually } from '../eventually.js';
import { decodeLine, placesAlong } from '../main-job/drive.js';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { destination, origin } from '../main-job/turning-away.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { postLocations } from '../programs/post-locations.js';
import { allStored, historyOf } from '../programs/read-back.js';
import { type Driver, startSenders } from '../programs/recorded-senders.js';

/** Between a passage that was assumed over a gap and the one that was seen; 34 ms was measured. */
const nearMs = 500;

type Loc = readonly [lat: number, lng: number, timeMs: number];

/** `meridian up` that gets points and records as no well-behaved client or program sends them. */
describe('strange points and records', () => {
  let data: string;
  let up: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-strange-'));
    up = await startProgram('up', { data, args: ['--drivers', '0'], env: unlimited });
  });
  afterAll(async () => {
    await up?.stop();
    await rm(data, { recursive: true, force: true });
  });

  async function tail<Value>(topic: string): Promise<readonly Value[]> {
    const args = ['events', 'tail', topic, '--json', '--from', 'earliest', '--no-follow'];
    const { code, stdout, stderr } = await meridian(args, { MERIDIAN_DATA: data });
    expect(code, stderr).toBe(0);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { readonly value: Value }).value);
  }
  async function send({ token }: Driver, locs: readonly Loc[], batchId: string = randomUUID()) {
    const answer = await postLocations(up.url, token, locs, batchId);
    const { accepted, duplicate, rejected } = (await answer.json()) as Record<string, number>;
    return { status: answer.status, accepted, duplicate, rejected };
  }
  async function stored(driver: Driver): Promise<readonly Loc[]> {
    const { locations } = (await (await historyOf(up.url, driver)).json()) as LocationHistory;
    return locations.map(({ lat, lng, timestamp }) => [lat, lng, timestamp]);
  }

  interface Observed {
    readonly observations: readonly {
      readonly driver: string;
      readonly edgeId: string;
      readonly enteredMs: string;
      readonly leftMs: string;
    }[];
  }
  interface Passage {
    readonly edgeId: string;
    readonly enteredMs: number;
    readonly leftMs: number;
  }
  /** The passages of each driver by their time; a driver is known by a pseudonym only. Fewest first. */
  async function passages(): Promise<readonly (readonly Passage[])[]> {
    const byDriver = new Map<string, Passage[]>();
    for (const { observations } of await tail<Observed>(trafficEdgeObserved.name))
      for (const { driver, edgeId, enteredMs, leftMs } of observations) {
        const own = byDriver.get(driver) ?? [];
        own.push({ edgeId, enteredMs: Number(enteredMs), leftMs: Number(leftMs) });
        byDriver.set(driver, own);
      }
    return [...byDriver.values()]
      .map((own) => own.toSorted((a, b) => a.enteredMs - b.enteredMs || a.leftMs - b.leftMs))
      .toSorted((a, b) => a.length - b.length);
  }
  const laterLoc =
    (byMs: number) =>
    ([lat, lng, timeMs]: Loc): Loc => [lat, lng, timeMs + byMs];
  const laterPassage =
    (byMs: number) =>
    ({ edgeId, enteredMs, leftMs }: Passage): Passage => ({
      edgeId,
      enteredMs: enteredMs + byMs,
      leftMs: leftMs + byMs,
    });

  proves('F11', {
    asked: '10 % copies, disorder within 60 s, late, future, 0, 2^53, negative: as without them',
    shown:
      'batches thrice, shuffled, swapped, odd times, a drive 2 h late: as plain ones, those swapped to 0.5 s',
    settings: ['no rate limits'],
    control: {
      in: 'processors/matching/match-batch.ts',
      change: 'if (isProcessed(taken, timeMs) || ',
      to: 'if ((isProcessed(taken, timeMs) && timeMs < 0) || ',
    },
    from: 'outside',
  });
  it('F11: copies, disorder and odd times change nothing in what is stored and observed', async () => {
    const query = `origin=${origin.lat},${origin.lng}&destination=${destination.lat},${destination.lng}`;
    const answer = (await (await fetch(`${up.url}/v1/nav?${query}`)).json()) as NavAnswer;
    const places = placesAlong(decodeLine(answer.polyline!.points), 0, 3_000, 12);
    const startMs = Date.now() - places.length * 1_000;
    const drive = places.map(({ lat, lng }, i): Loc => {
      const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
      return [round(lat), round(lng), startMs + i * 1_000];
    });
    const batches = Array.from({ length: Math.ceil(drive.length / 20) }, (_, n) =>
      drive.slice(20 * n, 20 * n + 20),
    );
    const users = ['plain', 'noisy', 'swapped', 'late'];
    const [plain, noisy, swapped, late] = (await driversOf(data, users)) as [Driver, Driver, Driver, Driver];
    const hourMs = 3_600_000;
    const accept = async (driver: Driver, batch: readonly Loc[]) =>
      expect(await send(driver, batch)).toMatchObject({ status: 202, accepted: batch.length });
    // The second and the third batch, the fifth and the sixth, …: a later one comes first.
    const order = batches.map((_, n) => (n % 3 === 0 ? n : n % 3 === 1 ? n + 1 : n - 1));
    for (const n of order) if (batches[n] !== undefined) await accept(swapped, batches[n]);
    if (order.at(-1) === batches.length) await accept(swapped, batches.at(-1)!);
    // A drive of two hours ago that was not sent until now.
    const earlyDrive = drive.map(laterLoc(-2 * hourMs));
    for (const batch of [...batches, earlyDrive]) await accept(late, batch);
    for (const [n, batch] of batches.entries()) {
      expect(await send(plain, batch)).toMatchObject({ status: 202, accepted: batch.length });
      const shuffled = batch.toSorted((a, b) => (a[2] % 7_000) - (b[2] % 7_000));
      const odd = [Date.now() + hourMs, 0, 2 ** 53, -5].map((timeMs): Loc => [35.9, 14.5, timeMs]);
      const id = randomUUID();
      const all = { status: 202, accepted: batch.length, rejected: odd.length };
      expect(await send(noisy, [...shuffled, ...odd], id)).toMatchObject(all);
      if (n % 3 !== 0) continue;
      expect(await send(noisy, batch, id)).toMatchObject({ accepted: 0, duplicate: batch.length });
      expect(await send(noisy, batch)).toMatchObject({ status: 202 });
    }
    await eventually(async () => {
      for (const driver of [plain, noisy, swapped]) expect(await stored(driver)).toEqual(drive);
      expect(await stored(late)).toEqual([...earlyDrive, ...drive]);
    });
    const asPlain = async (): Promise<void> => {
      const seen = await passages();
      const [ofPlain, ofNoisy, ofSwapped, ofLate] = seen;
      expect(seen).toHaveLength(4);
      expect(ofPlain!.length).toBeGreaterThan(15);
      expect(ofNoisy).toEqual(ofPlain);
      // A drive that is late ends with its batch. The end of the other stays open: more may come.
      const early = ofLate!.filter(({ leftMs }) => leftMs < startMs);
      expect(early.slice(0, ofPlain!.length)).toEqual(ofPlain!.map(laterPassage(-2 * hourMs)));
      expect(early.length - ofPlain!.length).toBeLessThan(4);
      expect(ofLate!.slice(early.length)).toEqual(ofPlain);
      // Roads of a gap are assumed until its batch comes, and then seen: twice, at nearly the same times.
      const near = (one: Passage, other: Passage) =>
        one.edgeId === other.edgeId &&
        Math.abs(one.enteredMs - other.enteredMs) < nearMs &&
        Math.abs(one.leftMs - other.leftMs) < nearMs;
      for (const one of ofPlain!)
        expect(
          ofSwapped!.some((other) => near(one, other)),
          one.edgeId,
        ).toBe(true);
      for (const one of ofSwapped!)
        expect(
          ofPlain!.some((other) => near(one, other)),
          one.edgeId,
        ).toBe(true);
    };
    await eventually(asPlain, { deadlineMs: 30_000, everyMs: 250 });
    await sleep(2_000);
    await asPlain();
  });

  interface Letter {
    readonly group: string;
    readonly topic: string;
    readonly partition?: number;
    readonly offset: string;
    readonly cause: string;
  }
  proves('F12', {
    asked: 'truncated, wrong schema id, 1 MB, no key: dead-lettered with reason; the lag returns to 0',
    shown: 'five of each kind: one letter each with cause and position; all batches are stored',
    scaled: '20 in some hundred; 900 kB for 1 MB, which the log refuses',
    settings: ['no rate limits'],
    control: {
      in: 'platform/stream/decode-record.ts',
      change: "return deadLetter('undecodable', error);",
      // Still used, or it does not compile.
      to: 'if (deadLetter !== undefined) throw error;',
    },
    from: 'outside',
  });
  it('F12: records that nobody can read become letters, and the partitions move on', async () => {
    const topic = locationBatchRecorded.name;
    const log: EventLog = await openEventLog(`embedded:${join(data, 'log')}`);
    const drivers = await driversOf(data, ['w1', 'w2', 'w3', 'w4']);
    const senders = startSenders(up.url, drivers, { apartMs: 600_000 });
    await senders.more(20);
    const value = await anyValue(log);
    const wrongSchema = Buffer.from(value);
    wrongSchema.writeUInt32BE(0x7fffffff, 1);
    const kinds = [
      { key: 'w1', value: value.subarray(0, value.length >> 1) },
      { key: 'w2', value: wrongSchema },
      { key: 'w3', value: Buffer.concat([value.subarray(0, 5), randomBytes(900_000)]) },
      { key: '', value: Buffer.from([1, 2, 3]) },
    ];
    const poison: RecordPosition[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const record of kinds) poison.push(...(await log.append(topic, [record])));
      await senders.more(20);
    }
    await senders.stop();
    await allStored(up.url, drivers, senders.batches);
    const position = ({ partition = 0, offset }: { partition?: number; offset: string | number }) =>
      `${partition}/${offset}`;
    await eventually(
      async () => {
        const letters = await tail<Letter>(deadLetter.name);
        const own = letters.filter(({ group }) => group === 'location-writer');
        expect(own.map(position).toSorted()).toEqual(poison.map(position).toSorted());
        expect(own.filter((letter) => letter.topic !== topic || letter.cause === '')).toEqual([]);
        for (const group of ['location-writer', 'matching'])
          expect(await consumerLag(log, group, topic)).toBe(0);
      },
      { deadlineMs: 30_000, everyMs: 250 },
    );
    await log.close();

    async function anyValue(of: EventLog): Promise<Buffer> {
      for (const { partition } of await of.offsets(topic))
        for await (const record of of.read(topic, partition, 0)) return Buffer.from(record.value!);
      throw new Error('the log is empty');
    }
  });
});
