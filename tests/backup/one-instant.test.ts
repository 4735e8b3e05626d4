import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BackupWriter } from '#cli/backup/backup-writer.js';
import { restoreBackup } from '#cli/backup/restore-backup.js';
import { writeBackup } from '#cli/backup/write-backup.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { reservationLifecycle, topics } from '#schemas/topics.js';

const topic = reservationLifecycle.name;
const backups = 2;

let root: string;
let sql: Sql;
let log: EventLog;
const folders = (data: string) => ({
  log: join(data, 'log'),
  schemas: join(data, 'schemas'),
  locations: join(data, 'locations'),
  objects: join(data, 'objects'),
  sql: join(data, 'sql'),
});

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'meridian-instant-'));
  const stores = folders(join(root, 'data'));
  sql = await openSql(`embedded:${stores.sql}`);
  log = await openEventLog(`embedded:${stores.log}`);
  await log.createTopics(topics);
  await sql.query('CREATE TABLE fact (id bigint PRIMARY KEY)');
  await sql.query('CREATE TABLE hotel_outbox (id bigint PRIMARY KEY)');
  await sql.query('CREATE TABLE effect (id bigint PRIMARY KEY)');
}, 120_000);
afterAll(async () => {
  await log?.close();
  await sql?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/**
 * The three steps of every event, as quickly as they go: a fact with its row in the outbox, the relay that
 * appends it and deletes the row, and a consumer that writes its effect and then commits its offset. Once a
 * second, the state of the stream is stored with its offset.
 */
function work(objects: Awaited<ReturnType<typeof openObjectStore>>) {
  const stop = new AbortController();
  const { signal } = stop;
  let last = 0;
  const write = async (): Promise<void> => {
    while (!signal.aborted) {
      const id = ++last;
      await sql.transaction(async (tx) => {
        await tx.query('INSERT INTO fact VALUES ($1)', [id]);
        await tx.query('INSERT INTO hotel_outbox VALUES ($1)', [id]);
      });
    }
  };
  const relay = async (): Promise<void> => {
    while (!signal.aborted) {
      const { rows } = await sql.query<{ id: bigint }>('SELECT id FROM hotel_outbox ORDER BY id LIMIT 50');
      if (rows.length === 0) await delay(1);
      else {
        await log.append(
          topic,
          rows.map(({ id }) => ({ key: String(id), value: Buffer.from(String(id)) })),
        );
        await sql.query('DELETE FROM hotel_outbox WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
      }
    }
  };
  const snapshots = async (): Promise<void> => {
    while (!signal.aborted) {
      const ends = (await log.offsets(topic)).map(({ end }) => end);
      await objects.put('state/test/00000.snapshot', Buffer.from(JSON.stringify(ends)));
      await delay(3);
    }
  };
  const consumer = log.consume({
    group: 'effects',
    topics: [topic],
    startAt: 'earliest',
    onBatch: async ({ records }) => {
      await sql.query('INSERT INTO effect SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING', [
        records.map(({ key }) => BigInt(key)),
      ]);
    },
  });
  const running = Promise.all([write(), write(), write(), relay(), snapshots()]);
  return async () => {
    stop.abort();
    await running;
    await (await consumer).close();
  };
}

it('the log and the database are copied as of one instant', async () => {
  const data = join(root, 'data');
  const stores = folders(data);
  const objects = await openObjectStore(`dir:${stores.objects}`);
  const end = work(objects);
  try {
    for (let n = 1; n <= backups; n += 1) {
      await delay(300);
      const [into, restored] = [join(root, `backup-${n}`), join(root, `restored-${n}`)];
      const { signal } = new AbortController();
      await mkdir(into);
      await mkdir(restored);
      const writer = new BackupWriter({ into, signal, onBytes: () => {} });
      // The log is copied, the database is not: longer than on a quick machine, so that much can happen.
      const slowly = (phase: string) => (phase === 'instant' ? delay(150) : undefined);
      const installation = { installation: 'test', data: 1 };
      const { manifest } = await writeBackup({ MERIDIAN_DATA: data }, stores, installation, writer, slowly);
      await restoreBackup(into, manifest, restored, { signal, onBytes: () => {} });
      await agree(restored, manifest.log[topic]!);
    }
  } finally {
    await end();
    await objects.close();
  }
});

/** Every claim of the database about the log is true of the copies, and the other way round. */
async function agree(data: string, ends: readonly number[]): Promise<void> {
  const stores = folders(data);
  const copy = await openEventLog(`embedded:${stores.log}`);
  const database = await openSql(`embedded:${stores.sql}`);
  try {
    const inLog = new Set<bigint>();
    for (const { partition, earliest, end } of await copy.offsets(topic)) {
      expect(end).toBe(ends[partition]);
      for await (const { key } of copy.read(topic, partition, earliest)) inLog.add(BigInt(key));
    }
    const ids = async (table: string): Promise<Set<bigint>> =>
      new Set((await database.query<{ id: bigint }>(`SELECT id FROM ${table}`)).rows.map(({ id }) => id));
    const [facts, waiting, effects] = [await ids('fact'), await ids('hotel_outbox'), await ids('effect')];
    expect(inLog.size).toBeGreaterThan(20);
    expect(
      [...facts].filter((id) => !waiting.has(id) && !inLog.has(id)),
      'handed over and lost',
    ).toEqual([]);
    expect(
      [...inLog].filter((id) => !facts.has(id)),
      'in the log, unknown to the database',
    ).toEqual([]);
    const done: bigint[] = [];
    for (const { partition, offset } of await copy.committed('effects', topic))
      for await (const record of copy.read(topic, partition, 0))
        if (record.offset < offset) done.push(BigInt(record.key));
    expect(
      done.filter((id) => !effects.has(id)),
      'committed without its effect',
    ).toEqual([]);
    const objects = await openObjectStore(`dir:${stores.objects}`);
    const snapshot = JSON.parse(Buffer.from((await objects.get('state/test/00000.snapshot'))!).toString());
    for (const [partition, end] of ends.entries()) expect(snapshot[partition]).toBeLessThanOrEqual(end);
    await objects.close();
  } finally {
    await database.close();
    await copy.close();
  }
}
