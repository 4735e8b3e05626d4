import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { ShiftedClock } from './shifted-clock.js';

const alertRules = fileURLToPath(new URL('../../deploy/prometheus/rules.yml', import.meta.url));
const [minuteMs, dayMs] = [60_000, 86_400_000];

describe('a provider that captures money and sends no settlement file', () => {
  let data: string;
  let clock: ShiftedClock;
  let payment: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-no-file-'));
    clock = new ShiftedClock(join(data, 'shift'));
    payment = await startProgram('payment', { data, env: clock.env });
  });
  afterAll(async () => {
    await payment?.stop();
    await rm(data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });

  /** Resolves when the money is captured. */
  async function pay(): Promise<void> {
    const headers = {
      authorization: `Bearer ${await payment.token('ada', 'customer')}`,
      'content-type': 'application/json',
    };
    const order = { seller_account: 'DE89370400440532013000', amount: '12.00', currency: 'EUR' };
    const id = randomUUID();
    const answer = await fetch(`${payment.url}/v1/payments`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({
        checkout_id: randomUUID(),
        buyer_info: {},
        credit_card_info: {},
        payment_orders: [{ ...order, payment_order_id: id }],
      }),
    });
    const [{ payment_page_url: page } = {}] = ((await answer.json()) as PaymentEvent).payment_orders;
    await browsePage(page!, await certificateIn(data), { number: '4242424242424242' });
    await eventually(async () => {
      const read = await fetch(`${payment.url}/v1/payments/${id}`, { headers });
      expect(await read.json()).toMatchObject({ payment_order_status: 'SUCCESS' });
    });
  }
  async function overdueDays(): Promise<number> {
    const metrics = await (await fetch(`${payment.internalUrl}/metrics`)).text();
    return Number(/^settlement_files_overdue (\d+)$/m.exec(metrics)?.[1]);
  }
  /** The program looks every half minute. */
  const becomes = (days: number) =>
    eventually(async () => expect(await overdueDays()).toBe(days), { deadlineMs: 120_000, everyMs: 250 });

  proves('F28', {
    asked: 'a missing file is found',
    shown: 'a file that never comes: 12 h after the day of the capture the gauge of the alert is 1',
    settings: ['a preload shifts Date in the program'],
    control: {
      in: 'payment/reconciliation/report-proof.ts',
      change: '  await reportSettlements(sql, metrics, deadline);',
      to: '  await reportSettlements(sql, metrics, { ...deadline, now: new Date(0) });',
    },
    from: 'outside',
  });
  it('F28: a file that never comes raises the alert at its deadline', { timeout: 300_000 }, async () => {
    await pay();
    await becomes(0);
    const dueMs =
      (Math.floor(Date.now() / dayMs) + 1) * dayMs + paymentDefaults.settlementDueAfterMs + minuteMs;
    await clock.shift(dueMs - Date.now());
    await becomes(1);
    expect(await readFile(alertRules, 'utf8')).toContain('\n          settlement_files_overdue > 0\n');
  });
});
