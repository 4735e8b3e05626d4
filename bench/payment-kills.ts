import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { post } from '#payment-simulator/post.js';
import type { RecordLine } from '#payment-simulator/record.js';
import { paymentChange } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { appendResult } from './append-result.js';
import { openPaymentWorld, type PaymentProgram, paymentBody, postPayment } from './payment/payment-world.js';

/**
 * Is every accepted payment charged exactly once? Buyers pay continuously and repeat until they get an
 * answer. Payment programs are killed by SIGKILL repeatedly and restarted. The provider loses one reply in
 * twenty; one request in twenty is sent twice at once; webhooks come twice, late, out of order, to any live
 * program, and forged. Afterwards the faults stop, and the provider's own record, the database and the log
 * are compared.
 */
const cycles = Number(process.argv[2] ?? process.env['CYCLES'] ?? 50);
const programsAtOnce = Number(process.env['PROGRAMS'] ?? 3);
const buyers = 6;
/** Maximum lifetime of a program after it is ready. */
const lifeMsMax = Number(process.env['LIFE_MS'] ?? 1_500);
const settlesWithinMs = 60_000;

const world = await openPaymentWorld({
  settings: {
    retry: { strategy: 'exponential', attemptsMax: 1_000, firstMs: 20, capMs: 500, jitter: 'full' },
    leaseMs: 3_000,
    askAfterMsMin: 100,
    askAfterMsMax: 2_000,
    relayLeaseMs: 2_000,
    answerWaitMs: 2_000,
    overdueMs: 3_600_000,
  },
  roundEveryMs: 50,
  pspTimeoutMs: 1_000,
  standby: true,
});
const { sql, log } = world;
const programs: (PaymentProgram | undefined)[] = Array.from({ length: programsAtOnce }, () => undefined);
const living = (): PaymentProgram | undefined => {
  const alive = programs.filter((program) => program !== undefined);
  return alive[Math.floor(Math.random() * alive.length)];
};
let kills = 0;
let stopped = false;
let forged = 0;
let forgedTaken = 0;
let deliveries = 0;
let permuted = 0;

/**
 * Between the provider and the processes: the live process gets each webhook, some twice, some out of order,
 * with forgeries in between.
 */
const waiting: (() => void)[] = [];
const postOffice = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => name.startsWith('webhook-') || name === 'content-type',
      ),
    ) as Record<string, string>;
    const forward = async () => {
      deliveries += 1;
      const status = await deliver(headers, body);
      if (!response.writableEnded) response.writeHead(status).end();
      if (Math.random() < 0.05) await deliver(headers, body);
      if (Math.random() < 0.05) await forge(headers, body);
      for (const release of waiting.splice(0).toReversed()) release();
    };
    if (!stopped && Math.random() < 0.1) {
      permuted += 1;
      waiting.push(() => void forward());
      setTimeout(() => {
        for (const release of waiting.splice(0).toReversed()) release();
      }, 500);
    } else void forward();
  });
});
await new Promise<void>((resolve) => postOffice.listen(0, '127.0.0.1', resolve));

async function deliver(headers: Record<string, string>, body: Buffer): Promise<number> {
  const program = living();
  if (program === undefined) return 503;
  return post(`${program.url}/v1/psp/webhooks`, headers, body, 5_000).then(
    ({ status }) => status,
    () => 503,
  );
}

/** Another amount under the same signature, and a declined payment without a valid signature. */
async function forge(headers: Record<string, string>, body: Buffer): Promise<void> {
  const text = body.toString().replaceAll('captured', 'declined').replaceAll('"sequence":', '"sequence":9');
  const status = await deliver({ ...headers, 'webhook-id': `msg_forged_${forged}` }, Buffer.from(text));
  forged += 1;
  if (status >= 200 && status < 300) forgedTaken += 1;
}

async function live(slot: number): Promise<void> {
  while (!stopped) {
    const program = await world.start();
    programs[slot] = program;
    await delay(Math.random() * lifeMsMax);
    if (stopped) return;
    programs[slot] = undefined;
    await program.kill();
    kills += 1;
    if (kills % 25 === 0) console.error(`${kills} kills, ${accepted.size} payments`);
    if (kills >= cycles) stopped = true;
  }
}

const accepted = new Set<string>();
const unanswered = new Set<string>();
const refused = new Map<number, number>();
let repeats = 0;

async function buy(buyer: number): Promise<void> {
  for (let number = buyer; !stopped; number += buyers) {
    const body = paymentBody(number);
    unanswered.add(body.id);
    const copies = Math.random() < 0.05 ? 2 : 1;
    repeats += copies - 1;
    await Promise.all(Array.from({ length: copies }, () => untilAnswered(body)));
    await delay(20);
  }
}

async function untilAnswered(body: ReturnType<typeof paymentBody>): Promise<void> {
  while (!stopped || unanswered.has(body.id)) {
    const program = living();
    const response = program && (await postPayment(program.url, body, 5_000).catch(() => undefined));
    if (response !== undefined) {
      if (response.status < 300) {
        accepted.add(body.id);
        unanswered.delete(body.id);
        return;
      }
      if (response.status !== 409 && response.status < 500)
        refused.set(response.status, (refused.get(response.status) ?? 0) + 1);
    }
    repeats += 1;
    await delay(50);
  }
}

async function one(text: string): Promise<number> {
  const { rows } = await sql.query<{ n: bigint | string | null }>(text);
  return Number(rows[0]!.n);
}

try {
  await world.control('POST', '/webhooks', {
    url: `http://127.0.0.1:${(postOffice.address() as AddressInfo).port}/v1/psp/webhooks`,
  });
  await world.control('POST', '/faults', {
    calls: { 'drop-after': 0.05, 'error-after': 0.01, 'drop-before': 0.01, busy: 0.01 },
    webhooks: { lost: 0.05, doubled: 0.05, held: 0.05, late: 0.05 },
    delayMs: 1_500,
    retryAfterS: 1,
  });
  const startedAt = performance.now();
  const killing = Array.from({ length: programsAtOnce }, (_, slot) => live(slot));
  const buying = Array.from({ length: buyers }, (_, buyer) => buy(buyer));
  await Promise.all(killing);
  const minutes = (performance.now() - startedAt) / 60_000;

  await world.control('POST', '/faults', {});
  await world.control('POST', '/webhooks/release');
  for (const [slot, program] of programs.entries()) programs[slot] = program ?? (await world.start());
  await Promise.all(buying);
  const quietAt = performance.now();
  const open = `SELECT (SELECT count(*) FROM payment_orders WHERE NOT is_final) + (SELECT count(*) FROM payment_outbox WHERE sent_at IS NULL)
    + (SELECT count(*) FROM payment_events WHERE NOT is_payment_done) AS n`;
  let unresolved = await one(open);
  while (unresolved > 0 && performance.now() - quietAt < settlesWithinMs) {
    await delay(100);
    unresolved = await one(open);
  }
  const settledS = (performance.now() - quietAt) / 1_000;

  const record = await world.control<RecordLine[]>('GET', '/record');
  const charges = new Map<string, number>();
  let capturedMinor = 0;
  for (const line of record) {
    if (line.kind !== 'payment' || line.payment.status !== 'captured' || line.payment.refundedMinor !== '0')
      continue;
    charges.set(line.payment.nonce, (charges.get(line.payment.nonce) ?? 0) + 1);
    capturedMinor += Number(line.payment.capturedMinor);
  }
  const { rows: orders } = await sql.query<{ id: string; status: string }>(
    'SELECT payment_order_id AS id, payment_order_status AS status FROM payment_orders',
  );
  const statusOf = new Map(orders.map(({ id, status }) => [id, status]));
  const { rows: histories } = await sql.query<{ path: string }>(
    `SELECT DISTINCT string_agg(from_status || '>' || to_status, ' ' ORDER BY version) AS path FROM payment_order_history
     GROUP BY payment_order_id`,
  );
  const published = new Map<string, number[]>();
  const eventIds = new Set<string>();
  /** Of these orders only: a log of the network may have others. */
  const ourEventIds = new Set<string>();
  for (const { partition, earliest } of await log.offsets(paymentOrderLifecycle.name))
    for await (const { key, headers } of log.read(paymentOrderLifecycle.name, partition, earliest)) {
      const id = headers['ce_id'] ?? '';
      if (eventIds.has(id)) continue;
      eventIds.add(id);
      if (statusOf.has(key)) ourEventIds.add(id);
      const sequences = published.get(key) ?? [];
      sequences.push(Number(id.slice(id.lastIndexOf(':') + 1)));
      published.set(key, sequences);
    }
  // The outbox keeps what was sent for a week, so all of it is still here.
  const { rows: announced } = await sql.query<{ id: string }>(
    'SELECT event_id AS id FROM payment_outbox WHERE topic = $1',
    [paymentOrderLifecycle.name],
  );
  const inOutbox = new Set(announced.map(({ id }) => id));
  const { started, succeeded, failed, retryScheduled, created, settled } = paymentChange;
  /** Rows of one side without one of the same order and number on the other. */
  const unmatched = (changes: string, kinds: readonly number[], missing: 'event' | 'change') =>
    one(
      `SELECT count(*) AS n FROM (${changes}) c (key, sequence) FULL JOIN (
         SELECT key, (payload ->> 'sequence')::bigint AS sequence FROM payment_outbox
         WHERE topic = '${paymentOrderLifecycle.name}' AND (payload ->> 'kind')::int IN (${kinds.join()})
       ) e USING (key, sequence) WHERE ${missing === 'event' ? 'e' : 'c'} IS NULL`,
    );
  const moves = 'SELECT payment_order_id, version FROM payment_order_history';
  const movesTold = [started, succeeded, failed, retryScheduled];
  const births = 'SELECT payment_order_id, 1::bigint FROM payment_orders';
  const ours = [...published].filter(([id]) => statusOf.has(id));
  const verdict = await verifyLedger(sql);
  const graph = /^NOT_STARTED>EXECUTING( EXECUTING>FAILED FAILED>EXECUTING)* EXECUTING>(SUCCESS|FAILED)$/;
  const broken = {
    /** Accepted orders that the provider did not charge exactly once. */
    'charged other than once': [...accepted].filter((id) => charges.get(id) !== 1).length,
    'charges without an order': [...charges.keys()].filter((id) => statusOf.get(id) !== 'SUCCESS').length,
    'I3 accepted and not there': [...accepted].filter((id) => !statusOf.has(id)).length,
    'I4 cash of the ledger beside the provider':
      capturedMinor -
      (await one(
        `SELECT coalesce(sum(balance), 0) AS n FROM ledger_trial_balance WHERE id = 'cash-psp:EUR'`,
      )),
    'I5 faults of the ledger': verdict.faultsTotal,
    'I5 sum of all postings': await one('SELECT coalesce(sum(balance), 0) AS n FROM ledger_trial_balance'),
    'I6 wallets': await one(
      `SELECT count(*) AS n FROM wallet w JOIN ledger_trial_balance h USING (account_no) WHERE w.balance <> -h.balance OR w.sequence <> h.sequence`,
    ),
    'I7 paid and not captured whole': await one(
      `SELECT count(*) AS n FROM payment_orders WHERE (payment_order_status = 'SUCCESS') <> (captured_minor = amount_minor)`,
    ),
    'I8 ways off the graph': histories.filter(({ path }) => !graph.test(path)).length,
    'I9 events of the outbox that the log has not': [...inOutbox].filter((id) => !eventIds.has(id)).length,
    'I9 events of the log that the outbox has not': [...ourEventIds].filter((id) => !inOutbox.has(id)).length,
    'I9 changes of a state without an event': await unmatched(moves, movesTold, 'event'),
    'I9 events of a state without a change': await unmatched(moves, movesTold, 'change'),
    'I9 orders without an event of their birth': await unmatched(births, [created], 'event'),
    'I9 events of a birth without an order': await unmatched(births, [created], 'change'),
    'I9 settled orders told otherwise than once': await one(
      `SELECT count(*) AS n FROM payment_orders o LEFT JOIN (
         SELECT key, count(*) AS told FROM payment_outbox
         WHERE topic = '${paymentOrderLifecycle.name}' AND (payload ->> 'kind')::int = ${settled} GROUP BY key
       ) e ON key = payment_order_id
       WHERE coalesce(told, 0) <>
         CASE WHEN payment_order_status = 'SUCCESS' AND ledger_updated AND wallet_updated THEN 1 ELSE 0 END`,
    ),
    'I9 orders told out of order': ours.filter(([, seen]) => seen.some((n, at) => n < (seen[at - 1] ?? 0)))
      .length,
    'I10 card numbers': await one(
      `SELECT count(*) AS n FROM payment_events WHERE coalesce(buyer_info, '') || coalesce(credit_card_info, '') ~ '4242'`,
    ),
    'I11 unresolved 60 s after the faults stopped': unresolved,
    'forged webhooks that were taken': forgedTaken,
    'definite refusals': [...refused.values()].reduce((sum, count) => sum + count, 0),
  };
  const figures = {
    kills,
    programsAtOnce,
    log: process.env['LOG']?.split(':')[0] ?? 'embedded',
    minutes: Number(minutes.toPrecision(3)),
    payments: accepted.size,
    repeats,
    webhooks: { deliveries, permuted, forged },
    settledS: Number(settledS.toPrecision(3)),
    broken,
  };
  const holds = Object.values(broken).every((count) => count === 0);
  console.log(JSON.stringify({ holds, ...figures }, null, 2));
  if (process.env['TRIAL'] === undefined) appendResult('payment-kills', { holds, ...figures });
  if (!holds) process.exitCode = 1;
} finally {
  stopped = true;
  postOffice.closeAllConnections();
  postOffice.close();
  for (const program of programs) await program?.kill();
  await world.close();
}
