import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventLog } from '#platform/event-log/event-log.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { compiledTree } from '../../compiled-tree.js';
import { killedWriter } from '../../contracts/killed-writer.js';

/**
 * Appends from four concurrent callers for ever, and prints each id when it is acknowledged (or, as a
 * control, before).
 */
const writer = `
  import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
  const [folder, round, flush, order] = process.argv.slice(1);
  const log = await LmdbEventLog.open({ folder, flush });
  await log.createTopics([{ name: 'crash.v1', partitions: 3, retention: { policy: 'delete', ageMs: 1e9, bytesPerPartition: 1e9 } }]);
  const value = Buffer.alloc(150, 7);
  const append = async (caller) => {
    for (let n = 0; ; n++) {
      const ids = Array.from({ length: 1 + (n % 5) }, (_, i) => round + '-' + caller + '-' + n + '-' + i);
      if (order === 'before') process.stdout.write(ids.join('\\n') + '\\n');
      await log.append('crash.v1', ids.map((id) => ({ key: id, value })));
      if (order === 'after') process.stdout.write(ids.join('\\n') + '\\n');
    }
  };
  await Promise.all([0, 1, 2, 3].map(append));
`;

describe('embedded log after kill -9', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-crash-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function idsOf(log: EventLog): Promise<Set<string>> {
    const ids = new Set<string>();
    for (const { partition, end } of await log.offsets('crash.v1')) {
      let expected = 0;
      for await (const record of log.read('crash.v1', partition, 0)) {
        expect(record.offset).toBe(expected++);
        expect(record.value).toHaveLength(150);
        ids.add(record.key);
      }
      expect(expected).toBe(end);
    }
    return ids;
  }

  for (const flush of ['every-commit', 'background'] as const) {
    it(`I1: has every acknowledged record, without gaps, after repeated kills (${flush})`, async () => {
      const acknowledged: string[] = [];
      for (let round = 0; round < 3; round++)
        acknowledged.push(
          ...(await killedWriter(writer, [folder, `${round}`, flush, 'after'], 50 + 333 * round)),
        );
      const log = await LmdbEventLog.open({ folder });
      const ids = await idsOf(log);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(1_100);
      await log.close();
    });
  }

  it('I1 control: the same check detects records acknowledged before they were appended', async () => {
    let lost = 0;
    // A kill that comes between two appends shows nothing.
    for (let round = 0; round < 20 && lost === 0; round++) {
      const options = [folder, `${round}`, 'every-commit', 'before'];
      const acknowledged = await killedWriter(writer, options, 200);
      const log = await LmdbEventLog.open({ folder });
      const ids = await idsOf(log);
      lost = acknowledged.filter((id) => !ids.has(id)).length;
      await log.close();
    }
    expect(lost).toBeGreaterThan(0);
  });

  it('truncates a partition before a corrupted record at its end, and continues there', async () => {
    await killedWriter(writer, [folder, '0', 'every-commit', 'after'], 300);
    const damaged = await garble(folder, 'crash.v1', 1, 3);
    const log = await LmdbEventLog.open({ folder });
    const offsets = await log.offsets('crash.v1');
    expect(offsets[1]!.end).toBe(damaged);
    await idsOf(log);
    const key = keyOf(
      await log.append(
        'crash.v1',
        Array.from({ length: 30 }, (_, i) => ({ key: `k${i}`, value: Buffer.alloc(150) })),
      ),
      1,
    );
    expect(key).toBe(damaged);
    await log.close();
  });

  it('reports a corrupted record before the end instead of returning it', async () => {
    const log = await LmdbEventLog.open({ folder });
    await log.createTopics([topic]);
    await log.append(
      'crash.v1',
      Array.from({ length: 60 }, (_, i) => ({ key: `k${i}`, value: Buffer.alloc(150) })),
    );
    await log.close();
    const damaged = await garble(folder, 'crash.v1', 0, 5);
    const reopened = await LmdbEventLog.open({ folder });
    await expect(idsOf(reopened)).rejects.toThrow(
      new RegExp(`offset ${damaged} of crash.v1/0 does not match its checksum`),
    );
    const errors: string[] = [];
    const seen: number[] = [];
    const consumer = await reopened.consume({
      group: 'g',
      topics: ['crash.v1'],
      startAt: 'earliest',
      maxBatchRecords: 1,
      onBatch: async ({ partition, records }) => {
        if (partition === 0) seen.push(...records.map(({ offset }) => offset));
      },
      onError: (error) => errors.push(error.message),
    });
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatch(/does not match its checksum/);
    expect(seen).toEqual(Array.from({ length: damaged }, (_, offset) => offset));
    await consumer.close();
    await reopened.close();
  });

  it('F8: refuses on a full disk, loses nothing, and continues when there is space', async () => {
    const fill = `
      import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
      const log = await LmdbEventLog.open({ folder: process.argv[1] });
      const outcomes = [];
      await log.createTopics([{ name: 'crash.v1', partitions: 3, retention: { policy: 'delete', ageMs: 1e9, bytesPerPartition: 1e9 } }]);
      for (let n = 0, faults = 0; faults < 4 && n < 10_000; n++) {
        const records = Array.from({ length: 100 }, (_, i) => ({ key: n + '-' + i, value: Buffer.alloc(150) }));
        await log.append('crash.v1', records).then(
          () => outcomes.push(...records.map(({ key }) => key)),
          (error) => { faults++; outcomes.push({ name: error.name, retriable: error.retriable, message: error.message }); });
      }
      await log.close();
      console.log(JSON.stringify(outcomes));
    `;
    // No file of this process may grow beyond 2 MiB: for LMDB this is a full disk.
    const run = spawnSync(
      'bash',
      ['-c', 'ulimit -f 2048; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, fill, folder],
      { cwd: compiledTree, encoding: 'utf8' },
    );
    const outcomes = JSON.parse(run.stdout) as Array<string | { readonly message: string }>;
    const faults = outcomes.filter((outcome) => typeof outcome !== 'string');
    expect(faults).toHaveLength(4);
    for (const fault of faults)
      expect(fault).toMatchObject({
        name: 'LogUnavailable',
        retriable: true,
        message: expect.stringMatching(/disk is full or broken/),
      });
    const log = await LmdbEventLog.open({ folder });
    const ids = await idsOf(log);
    const acknowledged = outcomes.filter((outcome) => typeof outcome === 'string');
    expect(acknowledged.length).toBeGreaterThan(1_000);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(await log.append('crash.v1', [{ key: 'again', value: Buffer.alloc(150) }])).toHaveLength(1);
    await log.close();
  });

  it('starts if only free pages are missing at the end of the file, else says what to do', async () => {
    await killedWriter(writer, [folder, '0', 'every-commit', 'after'], 2_000);
    const file = join(folder, 'data.mdb');
    const whole = await readFile(file);
    // In a process of its own: reading past the end of a mapped file ends a process, and that must never
    // happen.
    const openAndRead = `
      import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
      try {
        const log = await LmdbEventLog.open({ folder: process.argv[1] });
        let records = 0;
        for (const { partition, end } of await log.offsets('crash.v1'))
          for await (const record of log.read('crash.v1', partition, 0)) records++;
        await log.append('crash.v1', [{ key: 'again', value: Buffer.from('x') }]);
        await log.close();
        console.log(JSON.stringify({ records }));
      } catch (error) {
        console.log(JSON.stringify({ error: error.message, retriable: error.retriable }));
      }
    `;
    const outcomes: Array<{ records?: number; error?: string; retriable?: boolean }> = [];
    for (const share of [1, 0.99, 0.9, 0.7, 0.5, 0.2, 0.01]) {
      await writeFile(file, whole.subarray(0, Math.floor(whole.length * share)));
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', openAndRead, folder], {
        cwd: compiledTree,
        encoding: 'utf8',
      });
      expect(run.signal, `ended by a signal with ${share} of the file`).toBeNull();
      outcomes.push(JSON.parse(run.stdout) as (typeof outcomes)[number]);
    }
    expect(outcomes[0]!.records).toBeGreaterThanOrEqual(2_000);
    for (const { records, error, retriable } of outcomes) {
      if (records !== undefined) expect(records).toBe(outcomes[0]!.records);
      else {
        expect(error).toMatch(/is damaged: it .*(truncated|start).*Restore the folder from a copy/);
        expect(retriable).toBe(false);
      }
    }
    expect(outcomes.at(-1)!.error).toBeDefined();
  });
});

const topic = {
  name: 'crash.v1',
  partitions: 3,
  retention: { policy: 'delete', ageMs: 1e9, bytesPerPartition: 1e9 },
  proto: { file: '', message: '' },
  key: '',
  owner: '',
  summary: '',
} as const;

/**
 * Changes one byte of the record that lies `back` records before the end of a partition; returns its offset.
 */
async function garble(folder: string, name: string, partition: number, back: number): Promise<number> {
  const change = `
    import { open } from 'lmdb';
    const [folder, name, partition, back] = process.argv.slice(1);
    const env = open({ path: folder, maxDbs: 2048, overlappingSync: true, noSubdir: false });
    const [end] = env.openDB('partitions', {}).get([name, Number(partition)]);
    const table = env.openDB('records/' + name + '/' + partition, { encoding: 'binary' });
    const offset = end - Number(back);
    const bytes = Buffer.from(table.get(offset));
    bytes[40] ^= 0xff;
    await table.put(offset, bytes);
    await env.flushed;
    await env.close();
    console.log(offset);
  `;
  const run = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', change, folder, name, `${partition}`, `${back}`],
    { cwd: compiledTree, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  return Number(run.stdout);
}

function keyOf(positions: ReadonlyArray<{ partition: number; offset: number }>, partition: number): number {
  return positions.find((position) => position.partition === partition)!.offset;
}
