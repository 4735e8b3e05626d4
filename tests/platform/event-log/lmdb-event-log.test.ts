import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LmdbEventLog, type LmdbEventLogOptions } from '#platform/event-log/lmdb-event-log.js';
import type { TopicContract } from '#schemas/topics.js';
import { compiledTree } from '../../compiled-tree.js';
import { contract } from '../../contracts/event-log.contract.js';
import { eventually } from '../../eventually.js';

describe('embedded log', () => {
  let folder: string;
  const open_: LmdbEventLog[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-'));
  });
  afterEach(async () => {
    await Promise.all(open_.splice(0).map((log) => log.close()));
    await rm(folder, { recursive: true });
  });

  async function open(options: Partial<LmdbEventLogOptions> = {}): Promise<LmdbEventLog> {
    const log = await LmdbEventLog.open({ folder, ...options });
    open_.push(log);
    return log;
  }

  async function keysAndOffsets(log: LmdbEventLog, topic: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key, offset, value } of log.read(topic, 0, 0))
      found.push(`${offset}:${key}${value === null ? ' gone' : ''}`);
    return found;
  }

  const deleting = (ageMs: number, bytesPerPartition: number): TopicContract =>
    contract('t.v1', 1, { policy: 'delete', ageMs, bytesPerPartition });

  it('deletes records past their age, and keeps the offsets of the others', async () => {
    let now = 1_000_000;
    const log = await open({ clock: () => now });
    await log.createTopics([deleting(60_000, 1e9)]);
    for (let minute = 0; minute < 4; minute++) {
      await log.append(
        't.v1',
        Array.from({ length: 700 }, () => ({ key: `m${minute}`, value: Buffer.alloc(10) })),
      );
      now += 30_000;
    }
    await log.enforceRetention();
    expect(await log.offsets('t.v1')).toEqual([{ partition: 0, earliest: 1_400, end: 2_800 }]);
    expect((await keysAndOffsets(log, 't.v1'))[0]).toBe('1400:m2');
    now += 1e9;
    await log.enforceRetention();
    // The newest record stays, and the next one gets the next offset.
    expect(await log.offsets('t.v1')).toEqual([{ partition: 0, earliest: 2_799, end: 2_800 }]);
    expect(await log.append('t.v1', [{ key: 'k', value: Buffer.alloc(1) }])).toEqual([
      { partition: 0, offset: 2_800 },
    ]);
  });

  it('deletes the oldest records past its size, and moves consumers to the oldest left', async () => {
    const log = await open();
    await log.createTopics([deleting(1e12, 50_000)]);
    await log.append(
      't.v1',
      Array.from({ length: 1_000 }, (_, i) => ({ key: `${i}`, value: Buffer.alloc(500) })),
    );
    await log.enforceRetention();
    const { earliest, end } = (await log.offsets('t.v1'))[0]!;
    expect(end).toBe(1_000);
    expect(end - earliest).toBeGreaterThan(90);
    expect(end - earliest).toBeLessThan(100);
    const seen: number[] = [];
    const errors: string[] = [];
    const consumer = await log.consume({
      group: 'g',
      topics: ['t.v1'],
      startAt: 'latest',
      onAssigned: async (partitions) => partitions.map((place) => ({ ...place, offset: 10 })),
      onBatch: async ({ records }) => void seen.push(...records.map(({ offset }) => offset)),
      onError: (error) => errors.push(error.message),
    });
    await eventually(() => expect(seen).toHaveLength(end - earliest));
    expect(seen[0]).toBe(earliest);
    expect(errors).toEqual([expect.stringMatching(/wants offset 10 of t.v1\/0.*starts at/)]);
    await consumer.close();
  });

  it.runIf(process.platform === 'linux')('maps its file once, however much it grows', async () => {
    const log = await open();
    await log.createTopics([deleting(60_000, 1e9)]);
    const records = Array.from({ length: 500 }, () => ({ key: 'k', value: Buffer.alloc(10_000) }));
    for (let i = 0; i < 4; i++) await log.append('t.v1', records);
    const file = join(folder, 'data.mdb');
    expect((await stat(file)).size).toBeGreaterThan(20e6);
    const maps = (await readFile('/proc/self/maps', 'utf8')).split('\n');
    expect(maps.filter((line) => line.endsWith(file))).toHaveLength(1);
  });

  it('compacts: keeps the latest record of each key, and drops tombstones after a day', async () => {
    let now = 1_000_000;
    const log = await open({ clock: () => now, tombstoneMs: 1_000 });
    await log.createTopics([contract('c.v1', 1, { policy: 'compact' })]);
    const put = (key: string, value: string | null) => ({
      key,
      value: value === null ? null : Buffer.from(value),
    });
    await log.append('c.v1', [
      put('a', '1'),
      put('b', '1'),
      put('a', '2'),
      put('c', '1'),
      put('b', null),
      put('d', '1'),
    ]);
    await log.enforceRetention();
    expect(await keysAndOffsets(log, 'c.v1')).toEqual(['2:a', '3:c', '4:b gone', '5:d']);
    now += 2_000;
    await log.append('c.v1', [put('c', '2')]);
    await log.enforceRetention();
    expect(await keysAndOffsets(log, 'c.v1')).toEqual(['2:a', '5:d', '6:c']);
    const seen: string[] = [];
    const consumer = await log.consume({
      group: 'g',
      topics: ['c.v1'],
      startAt: 'earliest',
      onBatch: async ({ records, nextOffset }) =>
        void seen.push(...records.map(({ key }) => key), `${nextOffset}`),
    });
    await eventually(() => expect(seen).toEqual(['a', 'd', 'c', '7']));
    await consumer.close();
  });

  it('F4: rejects at its limit, immediately and as retriable, and accepts records later', async () => {
    const log = await open({ queuedRecordsMax: 100 });
    await log.createTopics([deleting(1e12, 1e12)]);
    const batch = Array.from({ length: 10 }, () => ({ key: 'k', value: Buffer.alloc(10) }));
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => log.append('t.v1', batch)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(20);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        name: 'LogUnavailable',
        retriable: true,
        message: expect.stringMatching(/its limit/),
      });
    expect(await log.append('t.v1', batch)).toHaveLength(10);
    expect((await log.offsets('t.v1'))[0]!.end).toBe(110);
  });

  it('reports what is wrong with a folder that cannot be a log', async () => {
    await expect(LmdbEventLog.open({ folder: '/dev/null/log' })).rejects.toMatchObject({
      name: 'LogUnavailable',
      retriable: false,
      message: expect.stringMatching(/must be writable/),
    });
  });

  it('rejects every call after close, with a sentence', async () => {
    const log = await open();
    await log.createTopics([deleting(1, 1)]);
    await log.close();
    await expect(log.append('t.v1', [{ key: 'k', value: null }])).rejects.toThrow(/is closed/);
    await expect(log.check()).rejects.toThrow(/is closed/);
  });

  describe('shared by processes', () => {
    const script = `
      import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
      const [folder, role] = process.argv.slice(1);
      const log = await LmdbEventLog.open({ folder });
      if (role === 'append') {
        for (let n = 0; n < 50; n++) await log.append('t.v1', [{ key: 'k' + n, value: Buffer.from('child') }]);
        await log.close();
      } else {
        await log.consume({ group: 'shared', topics: ['t.v1'], startAt: 'earliest',
          onBatch: async ({ partition, records }) => { for (const { key } of records) console.log(partition + ' ' + key); } });
      }
    `;

    function child(role: 'append' | 'consume') {
      const process_ = spawn(process.execPath, ['--input-type=module', '-e', script, folder, role], {
        cwd: compiledTree,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      createInterface({ input: process_.stdout }).on('line', (line) => lines.push(line));
      return { process: process_, lines, closed: once(process_, 'close') };
    }

    it('gives both processes one log with gapless offsets, and wakes consumers of the other', async () => {
      const log = await open();
      await log.createTopics([contract('t.v1', 2)]);
      const seen: string[] = [];
      const consumer = await log.consume({
        group: 'g',
        topics: ['t.v1'],
        startAt: 'earliest',
        onBatch: async ({ records }) =>
          void seen.push(...records.map(({ value }) => Buffer.from(value!).toString())),
      });
      const { closed } = child('append');
      const own = [];
      for (let n = 0; n < 50; n++)
        own.push(...(await log.append('t.v1', [{ key: `k${n}`, value: Buffer.from('own') }])));
      await closed;
      await eventually(() => expect(seen).toHaveLength(100));
      expect(seen.filter((who) => who === 'child')).toHaveLength(50);
      const ends = (await log.offsets('t.v1')).map(({ end }) => end);
      expect(ends[0]! + ends[1]!).toBe(100);
      expect(new Set(own.map(({ partition, offset }) => `${partition}/${offset}`)).size).toBe(50);
      await consumer.close();
    });

    it('F10: shares a group, and takes over from a killed process', async () => {
      const log = await open();
      await log.createTopics([contract('t.v1', 4)]);
      const other = child('consume');
      const seen: string[] = [];
      const consumer = await log.consume({
        group: 'shared',
        topics: ['t.v1'],
        startAt: 'earliest',
        onBatch: async ({ partition, records }) =>
          void seen.push(...records.map(({ key }) => `${partition} ${key}`)),
      });
      let sent = 0;
      const append = async (): Promise<void> => {
        await log.append(
          't.v1',
          Array.from({ length: 20 }, () => ({ key: `k${sent++}`, value: null })),
        );
      };
      const partitionsOf = (lines: readonly string[]) => new Set(lines.slice(-20).map((line) => line[0]));
      await eventually(async () => {
        await append();
        // Records in progress when a partition moved to the other process are redelivered.
        await eventually(() => expect(new Set([...seen, ...other.lines]).size).toBe(sent));
        expect(partitionsOf(seen).size).toBe(2);
        expect(partitionsOf(other.lines).size).toBe(2);
      });
      expect(new Set([...partitionsOf(seen), ...partitionsOf(other.lines)]).size).toBe(4);
      other.process.kill('SIGKILL');
      await other.closed;
      await append();
      await eventually(() => expect(new Set([...seen, ...other.lines]).size).toBe(sent));
      await consumer.close();
    });
  });
});
