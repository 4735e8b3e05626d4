import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Incident } from '#schemas/http/incidents.js';
import { type TopicContract, topics } from '#schemas/topics.js';
import { eventually } from '../eventually.js';
import { freePort, meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { startGuests } from './booking-load.js';
import { driversOf, unlimited } from './drivers-of.js';
import { allStored, batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));
const env = {
  ...unlimited,
  BOOKINGS_PER_USER: '1000000',
  PAYMENTS_PER_BUYER: '1000000',
  PAYMENTS_PER_BUYER_MAX: '1000000',
};
const pairs = 50;

interface Result {
  readonly files: number;
  readonly log_ends: Readonly<Record<string, readonly number[]>>;
  readonly not_included: readonly string[];
}
/** Rows and answers in an order that does not depend on chance. */
type Table = readonly string[];

/** A platform as users start it, under load, backed up while it runs and restored beside it. */
describe('backup and restore of a running platform', () => {
  let root: string;
  let data: string;
  let restored: string;
  let backup: string;
  let ports: readonly [number, number];
  let up: RunningProgram;
  let drivers: Driver[];
  let closed: Incident;
  let sent: readonly SentBatch[];
  let acknowledgedBefore: readonly SentBatch[];
  let result: Result;
  /** By the guests' own records. */
  let reservedBefore: readonly string[];
  let askedAfter: readonly string[];
  let routes: Table;
  let transfers: Table;
  let reservations: Table;

  const start = (folder: string) =>
    startProgram('up', { data: folder, ports, args: ['--drivers', '0'], env });

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'meridian-backup-'));
    [data, restored, backup] = ['data', 'restored', 'backup'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(data);
    ports = [await freePort(), await freePort()];
    up = await start(data);
    drivers = await driversOf(data, ['u1', 'u2', 'u3']);
    closed = await closeRoad(up);
    const guests = startGuests(
      up.url,
      data,
      await Promise.all(['g1', 'g2', 'g3', 'g4'].map((guest) => up.token(guest, 'customer'))),
    );
    const senders = startSenders(up.url, drivers);
    await Promise.all([senders.more(60), guests.more(6)]);

    const begunMs = Date.now();
    acknowledgedBefore = senders.batches.filter(({ fate }) => fate === 'acknowledged');
    const made = await meridian(['backup', backup, '--json'], { MERIDIAN_DATA: data });
    expect(made.code, made.stderr).toBe(0);
    const endedMs = Date.now();
    result = JSON.parse(made.stdout) as Result;
    await Promise.all([senders.more(30), guests.more(4)]);
    await Promise.all([senders.stop(), guests.stop()]);
    sent = senders.batches;
    reservedBefore = guests.stays
      .filter(({ reservedMs }) => reservedMs !== undefined && reservedMs < begunMs)
      .map(({ id }) => id);
    askedAfter = guests.stays.filter(({ askedMs }) => askedMs > endedMs).map(({ id }) => id);
    expect([reservedBefore.length >= 6, askedAfter.length >= 1]).toEqual([true, true]);

    await proven(data);
    [transfers, reservations] = [await ledgerOf(data), await reservationsOf(data)];
    routes = await routesOf(up);
    expect(await up.stop()).toBe(0);
    const back = await meridian(['restore', backup, '--to', restored, '--json'], { MERIDIAN_DATA: data });
    expect(back.code, back.stderr).toBe(0);
    expect((JSON.parse(back.stdout) as Result).log_ends).toEqual(result.log_ends);
  }, 360_000);
  afterAll(async () => {
    await up?.stop('SIGKILL');
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('has offsets and records of every topic as the log had them', async () => {
    const [before, after] = await Promise.all([recordsOf(data), recordsOf(restored)]);
    for (const { name, retention } of topics) {
      const ends = result.log_ends[name]!;
      expect(
        after.get(name)!.map(({ end }) => end),
        name,
      ).toEqual(ends);
      for (const [partition, { records }] of after.get(name)!.entries()) {
        const all = before.get(name)![partition]!.records.filter(([offset]) => offset < ends[partition]!);
        if (retention.policy === 'delete') expect(records, `${name}/${partition}`).toEqual(all);
      }
    }
    const total = Object.values(result.log_ends)
      .flat()
      .reduce((sum, end) => sum + end, 0);
    expect(total).toBeGreaterThan(100);
  });

  it('has every batch that was acknowledged before it began, and none that was never sent', async () => {
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: restored }, drivers));
    expect(lostBatches(acknowledgedBefore, inLog)).toEqual([]);
    expect(strangeBatches(sent, inLog)).toEqual([]);
  });

  it('has the ledger up to one batch, with the balances of that moment', async () => {
    const kept = await ledgerOf(restored);
    const last = kept.at(-1)!.split(' ')[0]!;
    const upToLast = transfers.filter((transfer) => transfer.split(' ')[0]! <= last);
    expect(kept).toEqual(upToLast);
    expect(balancesOf(kept)).toEqual(balancesOf(upToLast));
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(transfers.length);
  });

  it('has every reservation that was answered before it began, and none that came later', async () => {
    const kept = (await reservationsOf(restored)).map((row) => row.split(' ')[0]!);
    const all = new Set(reservations.map((row) => row.split(' ')[0]!));
    expect(reservedBefore.filter((id) => !kept.includes(id))).toEqual([]);
    expect(kept.filter((id) => !all.has(id) || askedAfter.includes(id))).toEqual([]);
  });

  it('starts, answers as before, and finishes what was half done without charging twice', async () => {
    up = await start(restored);
    const incidents = (await (await fetch(`${up.url}/v1/incidents`)).json()) as { incidents: Incident[] };
    expect(incidents.incidents.map(({ incident_id }) => incident_id)).toContain(closed.incident_id);
    expect(await routesOf(up)).toEqual(routes);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: restored }, drivers));
    const known = sent.map((batch) => ({ ...batch, fate: fateIn(inLog, batch) }));
    await allStored(up.url, drivers, known);
    await proven(restored);
    const verified = await meridian(['ledger', 'verify', '--published'], { MERIDIAN_DATA: restored });
    expect(verified.code, verified.stdout).toBe(0);
    const more = startSenders(up.url, drivers);
    await more.more(20);
    await more.stop();
    const guests = startGuests(up.url, restored, [await up.token('g1', 'customer')]);
    await guests.more(1);
    await guests.stop();
    await proven(restored);
    expect(await up.stop()).toBe(0);
  }, 240_000);

  it('is copied from a stopped platform too; kill -9 leaves nothing, the next attempt works', async () => {
    const target = join(root, 'second');
    await killed(['backup', target], restored, '.second.backup-', 20);
    expect(existsSync(target)).toBe(false);
    const partial = readdirSync(root).find((name) => name.startsWith('.second.backup-'))!;
    const refused = await meridian(['restore', join(root, partial), '--to', join(root, 'x')]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('was never finished')]);
    expect(await killed(['backup', target], restored, '.second.backup-', 20, 'SIGINT')).toBe(130);
    expect(readdirSync(root).filter((name) => name.includes('second'))).toEqual([]);
    const made = await meridian(['backup', target], { MERIDIAN_DATA: restored });
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(root).filter((name) => name.includes('second'))).toEqual(['second']);

    const again = join(root, 'third');
    await killed(['restore', target, '--to', again], restored, '.third.restore-', 20);
    expect(existsSync(again)).toBe(false);
    const back = await meridian(['restore', target, '--to', again]);
    expect(back.code, back.stderr).toBe(0);
    expect(readdirSync(root).filter((name) => name.includes('third'))).toEqual(['third']);
    expect(await ledgerOf(again)).toEqual(await ledgerOf(restored));
  }, 240_000);

  it('asks for a new folder outside of the data, and for embedded stores', async () => {
    const inside = await meridian(['backup', join(data, 'b')], { MERIDIAN_DATA: data });
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('is inside')]);
    const used = await meridian(['restore', backup, '--to', restored]);
    expect([used.code, used.stderr]).toEqual([2, expect.stringContaining('is not empty')]);
    const servers = await meridian(['backup', join(root, 'b')], {
      ...{ MERIDIAN_DATA: data, SQL: 'postgres://u:p@127.0.0.1/x' },
    });
    expect([servers.code, servers.stderr]).toEqual([2, expect.stringContaining('SQL names a server')]);
    const nowhere = await meridian(['backup', join(root, 'b')], { MERIDIAN_DATA: join(root, 'nowhere') });
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining('There is no data folder')]);
  });

  /** Runs a command and ends it when this many files are in its folder; resolves with its exit code. */
  async function killed(
    args: readonly string[],
    folder: string,
    prefix: string,
    files: number,
    signal: NodeJS.Signals = 'SIGKILL',
  ): Promise<number | null> {
    const child = spawn(process.execPath, [command, ...args], {
      env: { ...process.env, MERIDIAN_DATA: folder },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    await eventually(() => {
      const own = readdirSync(root).find((name) => name === `${prefix}${child.pid}`);
      expect(readdirSync(join(root, own!), { recursive: true }).length).toBeGreaterThan(files);
    });
    child.kill(signal);
    const [code, by] = (await ended) as [number | null, NodeJS.Signals | null];
    if (signal === 'SIGKILL') expect(by).toBe('SIGKILL');
    return code;
  }
});

async function closeRoad(up: RunningProgram): Promise<Incident> {
  const answer = await fetch(`${up.url}/v1/incidents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await up.token('op', 'operator')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ kind: 'closed', at: { lat: 35.9006, lng: 14.4935 }, expires_in_s: 7_200 }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Incident;
}

/** The answers of routes between places that lie all over the map, one of them over the closed road. */
async function routesOf(up: RunningProgram): Promise<Table> {
  await eventually(async () => expect((await fetch(`${up.url}/readyz`)).status).toBe(200));
  const answers: string[] = [];
  for (let n = 0; n < pairs; n += 1) {
    const [from, to] =
      n === 0
        ? ['35.9016,14.4925', '35.8996,14.4945']
        : [
            `${35.86 + ((n * 37) % 50) / 1_000},${14.42 + ((n * 53) % 90) / 1_000}`,
            `${35.86 + ((n * 71) % 50) / 1_000},${14.42 + ((n * 29) % 90) / 1_000}`,
          ];
    const answer = await fetch(`${up.url}/v1/nav?origin=${from}&destination=${to}`);
    const { routes = [] } = (await answer.json()) as {
      routes?: { overview_polyline?: unknown; legs: { distance: { value: number } }[] }[];
    };
    const shown = routes.map(({ overview_polyline, legs }) => [
      overview_polyline,
      legs.map((leg) => leg.distance),
    ]);
    answers.push(`${answer.status} ${JSON.stringify(shown)}`);
  }
  expect(answers.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(pairs / 2);
  return answers;
}

/** Waits until the three records of money, rooms and stays agree. */
const proven = (folder: string): Promise<void> =>
  eventually(
    async () => {
      const { code, stdout, stderr } = await meridian(['payment', 'proof'], { MERIDIAN_DATA: folder });
      expect(code, stdout + stderr).toBe(0);
      await delay(200);
    },
    { deadlineMs: 60_000, everyMs: 500 },
  );

async function rowsOf(folder: string, query: string): Promise<Table> {
  const sql = await openSql(`embedded:${join(folder, 'sql')}`);
  try {
    const { rows } = await sql.query(query);
    return rows.map((row) => Object.values(row).map(String).join(' '));
  } finally {
    await sql.close();
  }
}

const ledgerOf = (folder: string): Promise<Table> =>
  rowsOf(
    folder,
    `SELECT lpad(batch_no::text, 12, '0'), subject, operation, leg, amount, debit_account, credit_account
     FROM ledger_transfer ORDER BY batch_no, subject, operation, leg`,
  );

const reservationsOf = (folder: string): Promise<Table> =>
  rowsOf(folder, 'SELECT reservation_id, status FROM reservation ORDER BY 1');

function balancesOf(transfers: Table): Readonly<Record<string, number>> {
  const balances: Record<string, number> = {};
  for (const transfer of transfers) {
    const [amount, debit, credit] = transfer.split(' ').slice(-3) as [string, string, string];
    balances[debit] = (balances[debit] ?? 0) + Number(amount);
    balances[credit] = (balances[credit] ?? 0) - Number(amount);
  }
  return balances;
}

type Records = readonly { readonly end: number; readonly records: readonly (readonly [number, string])[] }[];

async function recordsOf(folder: string): Promise<ReadonlyMap<string, Records>> {
  const log = await openEventLog(`embedded:${join(folder, 'log')}`);
  try {
    const found = new Map<string, Records>();
    for (const topic of topics) found.set(topic.name, await partitionsOf(topic));
    return found;
  } finally {
    await log.close();
  }

  async function partitionsOf({ name }: TopicContract): Promise<Records> {
    const partitions = [];
    for (const { partition, earliest, end } of await log.offsets(name)) {
      const records: (readonly [number, string])[] = [];
      for await (const { offset, key, value } of log.read(name, partition, earliest))
        records.push([offset, `${key} ${value === null ? '' : Buffer.from(value).toString('base64')}`]);
      partitions.push({ end, records });
    }
    return partitions;
  }
}

/** What the copy of the log has is there; of all else, the copy of the locations may have some. */
const fateIn = (inLog: ReadonlySet<string>, { batchId, fate }: SentBatch): SentBatch['fate'] =>
  inLog.has(batchId) ? 'acknowledged' : fate === 'refused' || fate === 'unsent' ? fate : 'unknown';
