import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultPoint, faultPoints } from '#payment/faults/fault-points.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { paymentChange } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { CrashingPayment } from './crashing-payment.js';
import type { ArmedFault } from './executor-crash-child.js';

/**
 * The crash matrix: each named point × what fails there × once, or again when the work is retried.
 * `CRASH_MATRIX=all` runs every cell and writes docs/crash-matrix.md; otherwise a few cells of each kind run,
 * because time is limited.
 */
const all = process.env['CRASH_MATRIX'] === 'all';
const actions = ['kill', 'database', 'log'] as const;
const sample: readonly (readonly [FaultPoint, ArmedFault['action'], number])[] = [
  // The six steps of P-086: key, before and after the provider, status, ledger, wallet.
  ['after-submit', 'kill', 1],
  ['before-psp-call', 'kill', 1],
  ['after-psp-call', 'kill', 1],
  ['after-answer-stored', 'kill', 1],
  ['ledger-after-commit', 'kill', 1],
  ['wallet-after-commit', 'kill', 1],
  ['ledger-before-commit', 'kill', 2],
  ['before-psp-call', 'database', 1],
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

const results = new Map<string, string>();
let program: CrashingPayment;

beforeAll(async () => {
  program = await CrashingPayment.open();
});
afterAll(() => program?.close());

describe('the crash matrix', () => {
  proves('P-086', {
    asked: 'a crash at each of six steps, then the same key: one charge, one transaction, one wallet change',
    shown: 'kill -9 at each of the six, before the ledger twice; the key again returns the finished order',
    settings: [
      'firstMs 20',
      'capMs 200',
      'no jitter',
      'leaseMs 1,200',
      'askAfterMs 50 to 300',
      'answerWaitMs, relayLeaseMs and the time-out of calls 1 s',
      'workMs and outboxRestMs 20',
    ],
    proof: 'crash-matrix',
    control: {
      in: 'payment/ledger/payment-transfers.ts',
      change: "operation: 'capture', kind: 'capture',",
      to: "operation: 'capture:' + Date.now(), kind: 'capture',",
    },
  });
  proves('P-122', {
    asked: 'no event without its change and the reverse over 1,000 kill -9',
    shown: 'twelve cells, in seven of them eight kill -9: one event for each change, none left unsent',
    scaled: '8 : 1,000, because each kill starts a program; the long run compares ids after 1,000',
    settings: [
      'firstMs 20',
      'capMs 200',
      'no jitter',
      'leaseMs 1,200',
      'askAfterMs 50 to 300',
      'answerWaitMs, relayLeaseMs and the time-out of calls 1 s',
      'workMs and outboxRestMs 20',
    ],
    proof: 'payment-kills',
    control: {
      in: 'payment/outbox/relay.ts',
      change: '    for (const topic of new Set(rows.map((row) => row.topic))) {',
      to: `    await sql.query('UPDATE payment_outbox SET sent_at = now() WHERE id = ANY($1::bigint[])', [
      rows.map(({ id }) => id),
    ]);
    for (const topic of new Set(rows.map((row) => row.topic))) {`,
    },
  });
  proves('F25', {
    asked: 'kill -9 at every named step, each ten times',
    shown: 'twelve cells: eleven points × kill, database, log × once, twice in the long run',
    scaled: 'twelve of 66 cells, once each',
    proof: 'crash-matrix',
    control: {
      in: 'payment/executor/execute-order.ts',
      change: '  nonce: order.id,',
      to: '  nonce: crypto.randomUUID(),',
    },
    from: 'outside',
  });
  it.each(cells)('P-086, P-122, F25: %s × %s × %i', { timeout: 180_000 }, async (point, action, times) => {
    let kills = action === 'kill' ? times : 0;
    let fired = 0;
    await program.arm({ point, action, times: action === 'kill' ? 1 : times });
    const countFired = () => {
      fired = Math.max(fired, program.fired);
    };
    /** Killed: restarted, with the same fault if it is to strike twice. */
    const revive = async () => {
      countFired();
      if (!program.wasKilled) return;
      kills -= 1;
      if (kills > 0) await program.arm({ point, action, times: 1 });
      else await program.revive();
    };
    const id = randomUUID();
    // One for each cell, so that a wrong wallet is that of its cell.
    const seller = `S${id.replaceAll('-', '')}`;
    const body = {
      checkout_id: randomUUID(),
      buyer_info: {},
      credit_card_info: { token: 'tok_captured' },
      payment_orders: [{ seller_account: seller, amount: '10.00', currency: 'EUR', payment_order_id: id }],
    };
    const key = randomUUID();
    await program.submit(body, key, revive);
    await eventually(
      async () => {
        await revive();
        const order = await program.get<PaymentOrder>(id);
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
    const again = await program.submit(body, key, revive);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toMatchObject({
      payment_orders: [{ payment_order_id: id, payment_order_status: 'SUCCESS', captured_amount: '10.00' }],
    });
    await holds(id, body.checkout_id, seller, revive);
    // Repeated work does not pass every point again: what was answered is only asked for.
    if (!all) expect(kills).toBe(0);
    results.set(`${point} ${action} ${times}`, kills === 0 ? 'holds' : 'holds, struck once');
    if (all) await writeTable();
  });
});

/** One charge, one transfer, one wallet change, one path of the state graph, one event id for each change. */
async function holds(
  id: string,
  checkoutId: string,
  seller: string,
  revive: () => Promise<void>,
): Promise<void> {
  const captures = (await program.record()).filter(
    (line) => line.kind === 'payment' && line.payment.nonce === id && line.payment.status === 'captured',
  );
  expect(captures).toHaveLength(1);
  const one = (query: string, ...values: string[]) => program.count(query, values);
  // What was booked twice does not go away, so nothing is waited for.
  const transfers = `SELECT count(DISTINCT operation) AS n FROM ledger_transfer WHERE subject = $1`;
  expect(await eventually(() => one(transfers, id))).toBe(1);
  // The second strike may come after the payment is complete: a group that restarts passes the point again.
  const again = (attempt: () => Promise<void>) =>
    eventually(async () => {
      await revive();
      await attempt();
    });
  await again(async () => {
    expect(await one(transfers, id)).toBe(1);
    expect(await one('SELECT sum(amount) AS n FROM ledger_entry WHERE subject = $1', id)).toBe(0);
    expect(
      await one(
        `SELECT count(*) AS n FROM payment_events WHERE checkout_id = $1 AND is_payment_done`,
        checkoutId,
      ),
    ).toBe(1);
    expect(await one(`SELECT count(DISTINCT operation) AS n FROM ledger_entry WHERE subject = $1`, id)).toBe(
      1,
    );
    expect(await one('SELECT balance AS n FROM wallet WHERE seller_account = $1', seller)).toBe(1_000);
  });
  const { rows } = await program.sql.query<{ from_status: string; to_status: string; version: bigint }>(
    `SELECT from_status, to_status, version FROM payment_order_history
     WHERE payment_order_id = $1 ORDER BY version`,
    [id],
  );
  let at = 'NOT_STARTED';
  for (const { from_status, to_status } of rows) {
    expect(from_status).toBe(at);
    at = to_status;
  }
  expect(at).toBe('SUCCESS');
  const { started, succeeded, failed, retryScheduled, created, settled } = paymentChange;
  const told = async (...kinds: readonly number[]) =>
    (
      await program.sql.query<{ version: bigint }>(
        `SELECT (payload->>'sequence')::bigint AS version FROM payment_outbox
         WHERE key = $1 AND topic = $2 AND (payload->>'kind')::int IN (${kinds.join()}) ORDER BY version`,
        [id, paymentOrderLifecycle.name],
      )
    ).rows.map(({ version }) => version);
  expect(await told(started, succeeded, failed, retryScheduled)).toEqual(rows.map(({ version }) => version));
  expect(await told(created, settled)).toHaveLength(2);
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
