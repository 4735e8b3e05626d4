import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { postInOneRoundTrip } from '#payment/ledger/post-in-one-round-trip.js';
import { PostingBatcher } from '#payment/ledger/posting-batcher.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { appendResult, spread } from './append-result.js';
import { freshDatabase, waitsForTheDisk } from './fresh-database.js';
import { insertPostings, preparePeers } from './ledger/insert-postings.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * How many postings a second does the ledger commit, compared with one `INSERT … SELECT unnest` of as many
 * rows into a plain table, with and without the keys of a ledger? Same server, same connection, in turns. And
 * how much does it cost that every transfer uses one account? Afterwards the complete ledger is verified and
 * counted, else the figures are void.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const callsPerRound = Number(process.env['CALLS'] ?? 30);
/**
 * Warm-up calls before each measured run: enough for every seller, so that every poster has posted before.
 */
const callsBefore = 20;
const postingsPerCall = 1_000;
/**
 * Neighbours of a batch are different sellers, so a batch of 500 transfers touches 500 of 10,000: as many
 * accounts as it can.
 */
const sellers = Number(process.env['SELLERS'] ?? 10_000);
const callers = 400;
const currency = parseCurrency('EUR')!;

let made = 0;
/** `hot`: all debit one account. `uniform`: both sides are any two of the sellers. */
function transferOf(kind: 'hot' | 'uniform'): Transfer {
  made += 1;
  // Two multiplicative orders, so that adjacent transfers of a batch have unrelated accounts.
  const one = (made * 7_919) % sellers;
  const other = (one + 1 + ((made * 104_729) % (sellers - 1))) % sellers;
  const debit = kind === 'hot' ? `cash-psp:${currency}` : `seller:bench-${other}:${currency}`;
  const credit = `seller:bench-${one}:${currency}`;
  return {
    subject: `0190a0c0-0000-7000-8000-${made.toString(16).padStart(12, '0')}`,
    operation: 'capture',
    kind: 'capture',
    legs: [{ debit, credit, amount: { minor: BigInt(1 + (made % 9_999)), currency } }],
  };
}

const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-ledger-'));
/** A separate server, or the embedded one. */
const server = process.env['SQL'];
const address =
  server === undefined ? `embedded:${folder}` : await freshDatabase(server, 'meridian_bench_ledger');
const sql = await openSql(address, { connectionsMax: 1 });
await waitsForTheDisk(sql);

interface Measured {
  readonly perSecond: number;
  /** Of this process and of the server's. */
  readonly cpuUs: number;
  readonly serverCpuUs: number;
  readonly walBytes: number;
}

async function serverStands(): Promise<{ readonly pid: number; readonly wal: bigint }> {
  const { rows } = await sql.query<{ pid: number; wal: bigint }>(
    `SELECT pg_backend_pid() AS pid, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS wal`,
  );
  return rows[0]!;
}

async function measured(work: () => Promise<number>): Promise<Measured> {
  const { pid, wal } = await serverStands();
  const serverBefore = processCpuSeconds(pid);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const postings = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const server = (processCpuSeconds(pid) - serverBefore) * 1e6;
  return {
    perSecond: postings / seconds,
    cpuUs: (user + system + server) / postings,
    serverCpuUs: server / postings,
    walBytes: Number((await serverStands()).wal - wal) / postings,
  };
}

const known = new AccountCache();

/** `within`: in a transaction of the caller, as orders are booked. */
async function inBatches(kind: 'hot' | 'uniform', calls: number, within = false): Promise<number> {
  for (let call = 0; call < calls; call += 1) {
    const transfers = Array.from({ length: postingsPerCall / 2 }, () => transferOf(kind));
    const outcome = within
      ? await sql.transaction((tx) => post(tx, transfers, { known }))
      : await postInOneRoundTrip(sql, transfers, known);
    if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]!.detail);
  }
  return calls * postingsPerCall;
}

const queue = new PostingBatcher(sql);

/** Many callers with one transfer each at a time, as the services have them. */
async function throughQueue(kind: 'hot' | 'uniform', transfers: number): Promise<number> {
  let left = transfers;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { kind: outcome } = await queue.submit(transferOf(kind));
      if (outcome !== 'posted') throw new Error(`a transfer was ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return transfers * 2;
}

async function openSellers(database: Sql): Promise<void> {
  for (let first = 0; first < sellers; first += 1_000)
    await database.query(
      `INSERT INTO ledger_account (id, type, currency, overdraft_refused)
       SELECT 'seller:bench-' || n || ':EUR', 'liability', 'EUR', false FROM generate_series($1::int, $2::int) n`,
      [first, Math.min(first + 1_000, sellers) - 1],
    );
}

const subjects = {
  bare: (calls: number) => insertPostings(sql, 'bare', calls, postingsPerCall, sellers),
  keyed: (calls: number) => insertPostings(sql, 'keyed', calls, postingsPerCall, sellers),
  hot: (calls: number) => inBatches('hot', calls),
  within: (calls: number) => inBatches('hot', calls, true),
  uniform: (calls: number) => inBatches('uniform', calls),
  queueHot: (calls: number) => throughQueue('hot', (calls * postingsPerCall) / 2),
  queueUniform: (calls: number) => throughQueue('uniform', (calls * postingsPerCall) / 2),
};
type Subject = keyof typeof subjects;
const names = Object.keys(subjects) as Subject[];

try {
  await sql.migrate('payment', paymentMigrations);
  await preparePeers(sql);
  await openSellers(sql);
  for (const name of names) await subjects[name](callsBefore);
  const results = new Map<Subject, Measured[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await subjects[name](callsBefore);
      results.get(name)!.push(await measured(() => subjects[name](callsPerRound)));
    }

  const verdict = await verifyLedger(sql);
  const calls = callsBefore + rounds * (callsBefore + callsPerRound);
  const expected = BigInt((names.length - 2) * calls * (postingsPerCall / 2));
  if (verdict.faultsTotal > 0 || verdict.transfers !== expected)
    throw new Error(`The ledger is wrong, the figures are void: ${JSON.stringify(verdict.faults[0])}`);

  const over = (name: Subject, against: Subject) => {
    const own = results.get(name)!;
    const other = results.get(against)!;
    return {
      perSecond: spread(own.map((one, round) => one.perSecond / other[round]!.perSecond)),
      cpu: spread(own.map((one, round) => other[round]!.cpuUs / one.cpuUs)),
    };
  };
  const { rows: versions } = await sql.query<{ server_version: string }>('SHOW server_version');
  const figures = {
    server: `${server === undefined ? 'embedded ' : ''}${versions[0]!.server_version}`,
    rounds,
    postingsPerCall,
    callsPerRound,
    sellers,
    walBytesPerPosting: Object.fromEntries(
      names.map((name) => [name, spread(results.get(name)!.map((one) => one.walBytes))]),
    ),
    perSecond: Object.fromEntries(
      names.map((name) => [name, spread(results.get(name)!.map((one) => one.perSecond))]),
    ),
    cpuUsPerPosting: Object.fromEntries(
      names.map((name) => [name, spread(results.get(name)!.map((one) => one.cpuUs))]),
    ),
    serverCpuUsPerPosting: Object.fromEntries(
      names.map((name) => [name, spread(results.get(name)!.map((one) => one.serverCpuUs))]),
    ),
    hotOverKeyed: over('hot', 'keyed'),
    uniformOverKeyed: over('uniform', 'keyed'),
    hotOverBare: over('hot', 'bare'),
    withinOverBare: over('within', 'bare'),
    uniformOverBare: over('uniform', 'bare'),
    hotOverUniform: over('hot', 'uniform'),
    queueHotOverUniform: over('queueHot', 'queueUniform'),
    transfersVerified: Number(verdict.transfers),
  };
  if (process.env['TRIAL'] === undefined) appendResult('ledger-postings', figures);
  console.log(JSON.stringify(figures, null, 2));
} finally {
  await sql.close();
  rmSync(folder, { recursive: true });
}
