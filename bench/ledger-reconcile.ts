import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { openSql } from '#platform/sql/open-sql.js';
import { appendResult, spread } from './append-result.js';
import { copyAndJoin, preparePeer } from './ledger/copy-and-join.js';
import { bookings, makeOrders, type SeededDay, SeededFile } from './ledger/seeded-day.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * How long does a settlement file of a million lines take from its bytes to its findings and adjustments,
 * beside COPY by the server and one FULL OUTER JOIN with the orders? Every round finds all seeded mismatches
 * and nothing else, else the figures are void.
 *
 * The first run makes the orders and their bookings, which takes minutes, and keeps them in FOLDER; later
 * runs measure; ROUNDS=0 only makes.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const operations = Number(process.env['LINES'] ?? 1_000_000);
const folder = process.env['FOLDER'] ?? join(tmpdir(), `meridian-bench-reconcile-${operations}`);
const keep = process.env['FOLDER'] !== undefined;
const day: SeededDay = {
  operations,
  oneWrongIn: 500,
  provider: 'psp',
  from: new Date('2026-11-20T00:00:00Z'),
};
const now = new Date('2026-11-21T02:00:00Z');
const currency = parseCurrency('EUR')!;

const isNew = !existsSync(folder);
mkdirSync(folder, { recursive: true });
await chmod(folder, 0o755);
const sql = await openSql(`embedded:${join(folder, 'sql')}`, {
  connectionsMax: 1,
  statementTimeoutMs: 600_000,
});
const files = join(folder, 'files');
mkdirSync(files, { recursive: true });
await chmod(files, 0o755);

async function book(): Promise<void> {
  const known = new AccountCache();
  let batch: Transfer[] = [];
  const flush = async (): Promise<void> => {
    const noon = new Date(day.from.getTime() + 12 * 3_600_000);
    const outcome = await sql.transaction((tx) => post(tx, batch, { at: noon, known }));
    if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]!.detail);
    batch = [];
  };
  const money = (minor: number) => ({ minor: BigInt(minor), currency });
  for (const { order, refund, amount, seller, fee } of bookings(day)) {
    const about = { paymentOrderId: order, seller, amount: money(amount) };
    batch.push(
      refund === undefined
        ? captureOf({ ...about, pspFee: money(fee) })
        : refundOf({ ...about, refundId: refund }),
    );
    if (batch.length === 250) await flush();
  }
  await flush();
}

/** The file as the provider sends it, and the same lines without header and trailer for the peer's COPY. */
async function write(round: number): Promise<{ path: string; copyPath: string; file: SeededFile }> {
  const file = new SeededFile({ ...day, provider: `psp-${Date.now()}-${round}` }, `file-${round}`);
  const path = join(files, 'settlement.txt');
  const copyPath = join(files, 'lines.csv');
  const [whole, lines] = await Promise.all([open(path, 'w', 0o644), open(copyPath, 'w', 0o644)]);
  for await (const chunk of file.bytes()) {
    await whole.write(chunk);
    await lines.write(
      Buffer.from(chunk)
        .toString('latin1')
        .replace(/^meridian-settlement.*\n/, '')
        .replace(/^end,.*\n/m, ''),
    );
  }
  await Promise.all([whole.close(), lines.close()]);
  return { path, copyPath, file };
}

async function measured<Result>(
  work: () => Promise<Result>,
): Promise<{ seconds: number; cpuS: number; result: Result }> {
  const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]!.pid;
  const serverBefore = processCpuSeconds(pid);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuS: (user + system) / 1e6 + processCpuSeconds(pid) - serverBefore, result };
}

async function checkFindings(file: SeededFile): Promise<void> {
  const { rows } = await sql.query<{ key: string }>(
    `SELECT kind || ' ' || payment_order_id || ' ' || operation AS key FROM reconciliation_finding`,
  );
  const truth = new Set(
    file.truth.map(({ kind, paymentOrderId, operation }) => `${kind} ${paymentOrderId} ${operation}`),
  );
  const found = new Set(rows.map(({ key }) => key));
  if (found.size !== rows.length || found.size !== truth.size || [...truth].some((key) => !found.has(key)))
    throw new Error(`Found ${rows.length} mismatches of ${truth.size}: the figures are void.`);
}

try {
  await sql.migrate('payment', paymentMigrations);
  if (isNew) {
    await makeOrders(sql, day);
    await book();
    await preparePeer(sql);
    await sql.query('VACUUM ANALYZE');
  }
  const ours: Array<{ seconds: number; cpuS: number }> = [];
  const peer: Array<{ seconds: number; cpuS: number }> = [];
  for (let round = 0; round < rounds; round += 1) {
    const { path, copyPath, file } = await write(round);
    const runs = [
      async () => {
        peer.push(await measured(() => copyAndJoin(sql, copyPath)));
      },
      async () => {
        const run = await measured(() =>
          reconcileSettlement(sql, { source: path, bytes: createReadStream(path), now }),
        );
        if (run.result.kind !== 'reconciled') throw new Error(run.result.detail);
        ours.push(run);
        await checkFindings(file);
        // The next round has another provider and finds the same again.
        await sql.query('DELETE FROM reconciliation_finding');
      },
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const peak = (pid: number | 'self') =>
    Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
  const figures = rounds > 0 && {
    rounds,
    lines: operations,
    seconds: { ours: spread(ours.map((one) => one.seconds)), peer: spread(peer.map((one) => one.seconds)) },
    cpuS: { ours: spread(ours.map((one) => one.cpuS)), peer: spread(peer.map((one) => one.cpuS)) },
    timesPeer: spread(ours.map((one, round) => one.seconds / peer[round]!.seconds)),
    timesPeerCpu: spread(ours.map((one, round) => one.cpuS / peer[round]!.cpuS)),
    /**
     * Greatest resident memory of our process and of its server process, which both measured subjects share.
     */
    peakMib: { ours: peak('self'), server: peak(rows[0]!.pid) },
    precision: 1,
    recall: 1,
  };
  if (figures !== false) {
    if (process.env['TRIAL'] === undefined) appendResult('ledger-reconcile', figures);
    console.log(JSON.stringify(figures, null, 2));
  }
} finally {
  await sql.close();
  if (!keep) rmSync(folder, { recursive: true });
}
