import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import { settlementDefaults } from '#payment/settings/settlement-settings.js';
import { type RunningSimulator, startPspSimulator } from '#payment-simulator/psp-simulator.js';
import type { Doctored, StripeMismatch } from '#payment-simulator/stripe/stripe-doctored.js';
import { eventually } from '../eventually.js';
import { runs } from '../property-runs.js';
import { apiKey, OrdersRoom, webhookSecret } from './orders-fixture.js';
import { captured } from './settlement-order.js';

const dayMs = 86_400_000;
const histories = Number(process.env['STRIPE_HISTORIES'] ?? runs(10));
let room: OrdersRoom;
let stripe: RunningSimulator;
let clockMs = 0;
const nowMs = () => Date.now() + clockMs;

beforeAll(async () => {
  stripe = await startPspSimulator({ seed: 3, apiKey, webhookSecrets: [webhookSecret] });
  const https = pinnedHttps({
    baseUrl: stripe.url,
    apiKey,
    pins: [stripe.pin],
    authorities: stripe.certificate,
    timeoutMs: 10_000,
  });
  const urls = { success: 'https://shop.invalid/', failure: 'https://shop.invalid/' };
  const psp = stripePsp(https, { webhookSecrets: [webhookSecret], urls, nowMs });
  room = await OrdersRoom.open({ nowMs, providers: (own) => openProviders([psp, own]) });
  await control('/webhooks', { stripe_url: `${room.url}/v1/psp/stripe/webhooks` });
  // In the morning, so that what happens in a minute is of one day.
  await sleep(dayMs - (nowMs() % dayMs) + dayMs / 2);
  await importDay();
});
afterAll(async () => {
  await room?.close();
  await stripe?.close();
});

const control = async <Answer>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(stripe.controlUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
};
async function sleep(ms: number): Promise<void> {
  await control('/clock', { advance_ms: ms });
  clockMs += ms;
}
const dayAgo = (days: number) => new Date(nowMs() - days * dayMs).toISOString().slice(0, 10);

interface Report {
  readonly file_no: number;
  readonly lines: number;
  readonly found: Readonly<Record<string, number>>;
}
const askFor = (body: object) =>
  room.post(body, { token: 'finance.fin', base: room.internalUrl, path: '/v1/finance/settlement-imports' });
async function importDay(): Promise<Report> {
  const response = await askFor({ provider: 'stripe', day: dayAgo(1) });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Report;
}
/** The findings that people are asked about; the fees of the provider are booked by themselves. */
const asked = ({ found }: Report) =>
  Object.entries(found).flatMap(([kind, count]) =>
    kind === 'fee_differs' ? [] : Array<string>(count).fill(kind),
  );

async function pay(amount: string, currency: string): Promise<string> {
  const { payment_order_id: id } = await room.pay({ amount, currency }, 'tok_captured');
  await room.settled(id);
  return id;
}
async function refund(id: string, amount: string): Promise<void> {
  const { refunded_amount: before } = await room.get(id);
  await room.refund(id, { refund_id: randomUUID(), amount });
  await room.until(id, (order) => order.refunded_amount !== before);
}
async function dispute(id: string, isWon: boolean): Promise<void> {
  const { rows } = await room.sql.query<{ nonce: string }>(
    'SELECT psp_reference AS nonce FROM payment_orders WHERE payment_order_id = $1',
    [id],
  );
  const { nonce } = rows[0]!;
  const { id: name } = await control<{ id: string }>('/disputes', { nonce });
  await control('/disputes/close', { id: name, status: isWon ? 'won' : 'lost' });
  await room.until(id, (order) => order.disputes[0]?.dispute_status === (isWon ? 'WON' : 'LOST'));
}
/** The ledger has what the orders have, so that nothing is late in the comparison. */
const booked = () =>
  eventually(async () =>
    expect(
      await room.count(
        `WITH done AS (
           SELECT payment_order_id AS id, 'refund:' || refund_id AS operation FROM payment_refunds
           WHERE refund_status = 'SUCCESS'
           UNION ALL SELECT payment_order_id, 'dispute:' || dispute_id || ':opened' FROM payment_disputes
           UNION ALL SELECT payment_order_id, 'dispute:' || dispute_id || ':won' FROM payment_disputes
           WHERE dispute_status = 'WON')
         SELECT count(*) AS n FROM done d WHERE NOT EXISTS (
           SELECT FROM ledger_transfer t WHERE t.subject = d.id AND t.operation = d.operation)`,
      ),
    ).toBe(0),
  );

const sum = { EUR: '40.00', JPY: '4000', KWD: '40.000' } as const;
const part = { EUR: '10.50', JPY: '1050', KWD: '10.500' } as const;
const deal = fc.record({
  currency: fc.constantFrom('EUR' as const, 'JPY' as const, 'KWD' as const),
  fate: fc.constantFrom('kept' as const, 'refunded' as const, 'won' as const, 'lost' as const),
  days: fc.nat(3),
});
type Deal = typeof deal extends fc.Arbitrary<infer One> ? One : never;

async function nextDay(): Promise<Report> {
  await booked();
  await sleep(dayMs);
  return importDay();
}

/** Payments of one day and what becomes of them on this day and the next ones; every day is imported. */
async function live(deals: readonly Deal[], days: number): Promise<{ ids: string[]; reports: Report[] }> {
  const ids: string[] = [];
  for (const { currency } of deals) ids.push(await pay(sum[currency], currency));
  const reports: Report[] = [];
  for (let day = 0; day < days; day += 1) {
    for (const [at, { fate, currency, days: after }] of deals.entries()) {
      if (after !== day || fate === 'kept') continue;
      if (fate === 'refunded') await refund(ids[at]!, part[currency]);
      else await dispute(ids[at]!, fate === 'won');
    }
    reports.push(await nextDay());
  }
  return { ids, reports };
}

describe('what Stripe says that it settled', () => {
  it(
    'is all known: honest histories ask nobody, and their payouts are booked to our bank',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deal, { minLength: 1, maxLength: 4 }), async (deals) => {
          const { reports } = await live(deals, 6);
          expect(reports.flatMap(asked)).toEqual([]);
        }),
        { numRuns: histories, seed: 22, endOnFailure: true },
      );
      const { rows } = await room.sql.query(
        `SELECT count(*) FILTER (WHERE t.subject IS NULL) AS unbooked, count(*) AS payouts
       FROM settlement_payout p LEFT JOIN ledger_transfer t ON t.subject = p.payout_id`,
      );
      expect(rows[0]!['unbooked']).toBe(0n);
      expect(rows[0]!['payouts']).toBeGreaterThan(2n);
    },
    Math.max(600_000, histories * 10_000),
  );

  it('a debt of months ago is deducted from the payouts of today: none of them is missing', async () => {
    const nonce = await pay('4000', 'JPY');
    for (let day = 0; day < 3; day += 1) await nextDay();
    // The payout has left; its bank takes the money and the fee of the dispute.
    await dispute(nonce, false);
    const reports = [await nextDay()];
    for (let day = 0; day < 55; day += 1) reports.push(await nextDay());
    await pay('1000', 'JPY');
    for (let day = 0; day < settlementDefaults.payoutDueDays + 2; day += 1) reports.push(await nextDay());
    expect(reports.flatMap(asked)).toEqual([]);
  });

  const due = settlementDefaults.payoutDueDays + 1;
  const planted: readonly (readonly [StripeMismatch, readonly string[], number])[] = [
    ['amount', ['amount_differs'], 4],
    ['fee', ['fee_unusual'], 4],
    ['missing', ['missing_at_psp'], 4],
    ['foreign', ['missing_internally'], 4],
    ['reference', ['reference_differs'], 4],
    ['twice', ['settled_twice'], 4],
    ['account-fee', ['refund_without_charge'], 4],
    ['payout-amount', ['payout_differs'], 4],
    ['payout-missing', ['payout_missing'], due],
    ['payout-part', ['payout_differs', 'payout_missing'], due],
    ['payout-of-nothing', ['payout_part_differs'], 4],
    ['payout-failed', [], 5],
    ['paid-twice', ['payout_part_differs'], 5],
  ];
  it.each(planted)(
    'a doctored line of the kind %s is found as %s, and nothing else is',
    async (kind, found, days) => {
      const nonce = await pay('40.00', 'EUR');
      await pay('20.00', 'EUR');
      await control('/stripe-settlement', { doctored: [{ kind, nonce } satisfies Doctored] });
      const reports: Report[] = [];
      for (let day = 0; day < days; day += 1) {
        reports.push(await nextDay());
        // Of another payout.
        if (day === 0) await pay('30.00', 'EUR');
      }
      await control('/stripe-settlement', { doctored: [] });
      expect(reports.flatMap(asked)).toEqual(found);
    },
  );

  it('a payout that failed is booked back, once, and its money leaves with the next payout', async () => {
    const { rows } = await room.sql.query<{ payout_id: string; amount: bigint; next: bigint }>(
      `SELECT l.payment_order_id AS payout_id, l.amount_minor AS amount,
         (SELECT count(*) FROM settlement_line n WHERE n.kind = 'payout_returned'
           AND n.payment_order_id = l.payment_order_id AND n.payout_id IS NOT NULL) AS next
       FROM settlement_line l WHERE l.kind = 'payout_returned' AND l.payout_id IS NULL`,
    );
    expect(rows).toHaveLength(1);
    const { payout_id: id, amount, next } = rows[0]!;
    expect(next).toBe(1n);
    const { rows: booked } = await room.sql.query<{
      operation: string;
      amount: bigint;
      from: string;
      to: string;
    }>(
      `SELECT operation, amount, credit_account AS from, debit_account AS to FROM ledger_transfer
       WHERE subject = $1 ORDER BY length(operation)`,
      [id],
    );
    expect(booked.map(({ operation }) => operation.split(':')[0])).toEqual(['payout', 'payout-returned']);
    expect(booked.map((one) => one.amount)).toEqual([amount, amount]);
    expect([booked[0]!.from, booked[0]!.to]).toEqual([booked[1]!.to, booked[1]!.from]);
  });
});

describe('the import', () => {
  it('of a known day repeats the first report; of what cannot be imported it says why', async () => {
    const again = await askFor({ provider: 'stripe', day: dayAgo(1) });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const answers = await Promise.all(
      [
        { provider: 'stripe', day: dayAgo(0) },
        { provider: 'psp', day: dayAgo(1) },
        { provider: 'nobody', day: dayAgo(1) },
        { provider: 'stripe', day: '2026-02-31' },
      ].map(async (body) => {
        const response = await askFor(body);
        return [response.status, ((await response.json()) as { detail?: string }).detail];
      }),
    );
    expect(answers).toEqual([
      [409, 'The day is not over.'],
      [409, 'This provider sends settlement files. Upload them.'],
      [404, 'No provider of this name is configured.'],
      [400, expect.any(String)],
    ]);
  });

  it('stores nothing while the provider does not answer, and everything afterwards', async () => {
    await pay('40.00', 'EUR');
    await booked();
    await sleep(dayMs);
    await control('/faults', { next: [{ operation: 'settlement', fault: 'error-before' }] });
    const failed = await askFor({ provider: 'stripe', day: dayAgo(1) });
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '10']);
    expect(asked(await importDay())).toEqual([]);
  });

  it('leaves the orders of another provider alone, and asks about money of theirs', async () => {
    const nonce = await pay('40.00', 'EUR');
    const theirs = [`${nonce}~x`, randomUUID()];
    for (const id of theirs) await captured(room.sql, id, 4_000, new Date(nowMs()));
    await room.sql.query(`UPDATE payment_orders SET provider = 'psp' WHERE payment_order_id = ANY ($1)`, [
      theirs,
    ]);
    await control('/stripe-settlement', { doctored: [{ kind: 'foreign', nonce } satisfies Doctored] });
    await booked();
    await sleep(dayMs);
    expect(asked(await importDay())).toEqual(['missing_internally']);
  });
});
