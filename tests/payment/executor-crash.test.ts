import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultPoint, faultPoints } from '#payment/faults/fault-points.js';
import { paymentMigrations } from '#payment/migrations.js';
import type { RecordLine } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { topics } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { freePort } from '../main-job/running-platform.js';
import type { ArmedFault, ChildConfig } from './executor-crash-child.js';

/**
 * The crash matrix: each named point × what fails there × once, or again when the work is retried.
 * `CRASH_MATRIX=all` runs every cell and writes docs/crash-matrix.md; otherwise a few cells of each kind run,
 * because time is limited.
 */
const all = process.env['CRASH_MATRIX'] === 'all';
const actions = ['kill', 'database', 'log'] as const;
const sample: readonly (readonly [FaultPoint, ArmedFault['action'], number])[] = [
  ['after-submit', 'kill', 1],
  ['after-psp-call', 'kill', 2],
  ['ledger-before-commit', 'kill', 1],
  ['after-submit', 'database', 1],
  ['before-psp-call', 'database', 1],
  ['after-psp-call', 'database', 2],
  ['webhook-before-commit', 'database', 1],
  ['wallet-before-commit', 'database', 2],
  ['outbox-after-append', 'log', 1],
  ['after-submit', 'log', 2],
];
const cells = all
  ? faultPoints.flatMap((point) =>
      actions.flatMap((action) => [1, 2].map((times) => [point, action, times] as const)),
    )
  : sample;

const child = fileURLToPath(new URL('../../dist/tests/payment/executor-crash-child.js', import.meta.url));
const seller = 'DE89370400440532013000';
let folder: string;
let sql: Sql;
let log: LmdbEventLog;
let psp: SpawnedPsp;
let config: ChildConfig;
let running: ChildProcess | undefined;
let lines: string[] = [];
const results = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-crash-'));
  const apiKey = 'sk';
  const webhookSecret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const port = await freePort();
  [psp, sql, log] = await Promise.all([
    spawnPsp({
      folder: join(folder, 'psp'),
      seed: 5,
      apiKey,
      webhookSecrets: [webhookSecret],
      webhookUrl: `http://127.0.0.1:${port}/v1/psp/webhooks`,
    }),
    openSql(`embedded:${join(folder, 'sql')}`),
    LmdbEventLog.open({ folder: join(folder, 'log') }),
  ]);
  await sql.migrate('payment', paymentMigrations);
  await log.createTopics(topics);
  const { url: pspUrl, pin: pspPin, certificate: pspCertificate } = psp.addresses;
  config = { folder, port, pspUrl, pspPin, pspCertificate, apiKey, webhookSecret };
});
afterAll(async () => {
  if (running !== undefined && running.exitCode === null && running.signalCode === null) {
    const closed = once(running, 'close');
    running.stdin!.end();
    await closed;
  }
  await psp?.close();
  await log?.close();
  await sql?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The payment program, restarted after each kill. */
async function alive(): Promise<ChildProcess> {
  if (running !== undefined && running.exitCode === null && running.signalCode === null) return running;
  lines = [];
  const started = spawn(process.execPath, [child], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], CRASH_CHILD: JSON.stringify(config) },
  });
  createInterface({ input: started.stdout }).on('line', (line) => lines.push(line));
  running = started;
  const ended = once(started, 'close').then(([code]: unknown[]) => {
    throw new Error(`The program ended with ${String(code)} before it was ready.`);
  });
  ended.catch(() => {});
  await Promise.race([ended, eventually(() => expect(lines).toContain('ready'))]);
  return started;
}

async function arm(fault: ArmedFault): Promise<void> {
  const target = await alive();
  lines = ['ready'];
  target.stdin!.write(`${JSON.stringify(fault)}\n`);
  await eventually(() => expect(lines).toContain('armed'));
}

/** Like a client: repeats the same key until it gets an answer. */
async function submit(body: object, key: string, rearm: () => Promise<void>): Promise<PaymentEvent> {
  return eventually(
    async () => {
      await rearm();
      const response = await fetch(`http://127.0.0.1:${config.port}/v1/payments`, {
        method: 'POST',
        headers: { authorization: 'Bearer ada', 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as PaymentEvent;
    },
    { everyMs: 50 },
  );
}

describe('the crash matrix', () => {
  proves('P-086', {
    asked: 'a crash at each of six steps: one charge, one transaction, one wallet change',
    shown: 'ten cells of the crash matrix',
    scaled: 'ten of 66 cells; a cell takes seconds',
    proof: 'crash-matrix',
  });
  proves('P-122', {
    asked: 'no event without its change and the reverse over 1,000 kill -9',
    shown: 'ten cells: one event for each change, the outbox empty',
    scaled: 'ten strikes; 1,000 take hours',
    proof: 'payment-kills',
  });
  proves('F25', {
    asked: 'kill -9 at every named step, each ten times',
    shown: 'ten cells: eleven points × kill, database, log × once, twice in the long run',
    scaled: 'ten of 66 cells, once each',
    proof: 'crash-matrix',
  });
  it.each(cells)('P-086, P-122, F25: %s × %s × %i', { timeout: 180_000 }, async (point, action, times) => {
    let kills = action === 'kill' ? times : 0;
    let fired = 0;
    await arm({ point, action, times: action === 'kill' ? 1 : times });
    const countFired = () => {
      fired = Math.max(fired, lines.filter((line) => line.startsWith('fired')).length);
    };
    /** Killed: restarted, with the same fault if it is to strike twice. */
    const revive = async () => {
      countFired();
      if (running?.signalCode !== 'SIGKILL') return;
      kills -= 1;
      await alive();
      if (kills > 0) await arm({ point, action, times: 1 });
    };
    const id = randomUUID();
    const body = {
      checkout_id: randomUUID(),
      buyer_info: {},
      credit_card_info: { token: 'tok_captured' },
      payment_orders: [{ seller_account: seller, amount: '10.00', currency: 'EUR', payment_order_id: id }],
    };
    await submit(body, randomUUID(), revive);
    await eventually(
      async () => {
        await revive();
        const response = await fetch(`http://127.0.0.1:${config.port}/v1/payments/${id}`, {
          headers: { authorization: 'Bearer ada' },
        });
        const order = (await response.json()) as PaymentOrder;
        countFired();
        expect(order).toMatchObject({
          payment_order_status: 'SUCCESS',
          ledger_updated: true,
          wallet_updated: true,
        });
        expect(fired).toBeGreaterThanOrEqual(1);
      },
      { everyMs: 50 },
    );
    await holds(id, body.checkout_id, revive);
    results.set(`${point} ${action} ${times}`, 'holds');
    if (all) await writeTable();
  });
});

/** One charge, one transfer, one wallet change, one path of the state graph, one event id for each change. */
async function holds(id: string, checkoutId: string, revive: () => Promise<void>): Promise<void> {
  const record = (await (await fetch(`${psp.addresses.controlUrl}/record`)).json()) as RecordLine[];
  const captures = record.filter(
    (line) => line.kind === 'payment' && line.payment.nonce === id && line.payment.status === 'captured',
  );
  expect(captures).toHaveLength(1);
  const one = async (query: string, ...values: string[]) =>
    Number((await sql.query<{ n: bigint | string | null }>(query, values)).rows[0]!.n);
  // The second strike may come after the payment is complete: a group that restarts passes the point again.
  const again = (attempt: () => Promise<void>) =>
    eventually(async () => {
      await revive();
      await attempt();
    });
  await again(async () => {
    expect(
      await one(`SELECT count(DISTINCT operation) AS n FROM ledger_transfer WHERE subject = $1`, id),
    ).toBe(1);
    expect(await one('SELECT sum(amount) AS n FROM ledger_entry WHERE subject = $1', id)).toBe(0);
    expect(
      await one(
        `SELECT count(*) AS n FROM payment_events WHERE checkout_id = $1 AND is_payment_done`,
        checkoutId,
      ),
    ).toBe(1);
    const orders = await one(
      `SELECT sum(captured_minor - refunded_minor) AS n FROM payment_orders WHERE ledger_updated AND wallet_updated`,
    );
    expect(await one('SELECT sum(balance) AS n FROM wallet')).toBe(orders);
  });
  const { rows } = await sql.query<{ from_status: string; to_status: string }>(
    'SELECT from_status, to_status FROM payment_order_history WHERE payment_order_id = $1 ORDER BY version',
    [id],
  );
  let at = 'NOT_STARTED';
  for (const { from_status, to_status } of rows) {
    expect(from_status).toBe(at);
    at = to_status;
  }
  expect(at).toBe('SUCCESS');
  await again(async () =>
    expect(await one('SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND sent_at IS NULL', id)).toBe(
      0,
    ),
  );
}

async function writeTable(): Promise<void> {
  const head = actions.flatMap((action) => [1, 2].map((times) => `${action} ×${times}`));
  const rows = faultPoints.map((point) => {
    const cellsOf = actions.flatMap((action) =>
      [1, 2].map((times) => results.get(`${point} ${action} ${times}`) ?? 'not shown'),
    );
    return `| \`${point}\` | ${cellsOf.join(' | ')} |`;
  });
  const text = `# The crash matrix of payments

Each row is a named point in the code. A fault happens there once, and once more when the work is retried. A
cell holds if afterwards the provider's record shows one charge, the ledger has one transfer that sums to
zero, wallets equal the captured amount, the order's history is a path of the state graph, the event is done
and the outbox is empty.

- \`kill\` is SIGKILL of the payment program.
- \`database\` ends all its connections in the server.
- \`log\` makes the log refuse appends for a while.

Reproduce with \`CRASH_MATRIX=all npx vitest run tests/payment/executor-crash\`.

| point | ${head.join(' | ')} |
|---|${head.map(() => '---|').join('')}
${rows.join('\n')}
`;
  await writeFile(fileURLToPath(new URL('../../docs/crash-matrix.md', import.meta.url)), text);
}
