import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { FaultPlan } from '#payment-simulator/faults.js';
import type { RecordLine } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import type { Payout } from '#schemas/http/payouts.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { providerSettings } from '../provider-settings.js';

const apiKey = 'sk_payouts';
const webhookSecret = `whsec_${Buffer.alloc(24, 4).toString('base64')}`;

let data: string;
let psp: SpawnedPsp;
let provider: Readonly<Record<string, string>>;
let sql: Sql;
let ports: readonly [number, number];
let program: RunningProgram;
let tokens: { readonly shop: string; readonly asks: string; readonly approves: string };

const start = () =>
  startProgram('payment', {
    data,
    ports,
    env: { ...provider, NODE_ENV: 'test' },
  });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-payout-kills-'));
  ports = [await freePort(), await freePort()];
  [psp, sql] = await Promise.all([
    spawnPsp({
      ...{ folder: join(data, 'psp'), seed: 13, apiKey, webhookSecrets: [webhookSecret] },
      webhookUrl: `http://127.0.0.1:${ports[0]}/v1/psp/webhooks`,
    }),
    openSql(`embedded:${join(data, 'sql')}`),
  ]);
  provider = await providerSettings(psp, data, apiKey, webhookSecret);
  program = await start();
  tokens = {
    shop: await program.token('shop', 'customer'),
    asks: await program.token('petra', 'payouts'),
    approves: await program.token('fina', 'finance'),
  };
});
afterAll(async () => {
  await program?.stop();
  await psp?.close();
  await sql?.close();
  await rm(data, { recursive: true, force: true });
});

/** Like a client: repeats the request until it gets an answer. */
const ask = <View>(at: 0 | 1, token: string, method: string, path: string, body?: object, key?: string) =>
  eventually(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${ports[at]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // 409: the decision was recorded before the kill.
      if (!answer.ok && answer.status !== 409) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as View;
    },
    { everyMs: 50 },
  );

const control = async (path: string, body?: Partial<FaultPlan>) =>
  fetch(`${psp.addresses.controlUrl}${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
/** How often the provider has paid, by its own record. */
const paidOf = async (payoutId: string): Promise<number> => {
  const lines = (await (await control('/record')).json()) as RecordLine[];
  return new Set(
    lines.flatMap((line) =>
      line.kind === 'payout' && line.payout.nonce.startsWith(payoutId) ? [line.payout.reference] : [],
    ),
  ).size;
};

async function earn(seller: string): Promise<void> {
  const id = randomUUID();
  const event = await ask<PaymentEvent>(
    0,
    tokens.shop,
    'POST',
    '/v1/payments',
    {
      checkout_id: randomUUID(),
      buyer_info: { name: 'Ada' },
      credit_card_info: {},
      payment_orders: [{ seller_account: seller, amount: '10.50', currency: 'EUR', payment_order_id: id }],
    },
    randomUUID(),
  );
  await browsePage(event.payment_orders[0]!.payment_page_url!, psp.addresses.certificate, {
    ...{ number: '4242424242424242', expiry: '12/39', cvc: '123' },
  });
  await eventually(async () => {
    const { wallet_updated } = await ask<PaymentOrder>(0, tokens.shop, 'GET', `/v1/payments/${id}`);
    expect(wallet_updated).toBe(true);
  });
}

/** Requested by one person, and approved by another unless the program dies first. */
async function request(seller: string): Promise<string> {
  const payoutId = `out-${seller}`;
  await ask(
    1,
    tokens.asks,
    'POST',
    '/v1/payouts',
    {
      ...{ payout_id: payoutId, seller_info: { account: seller }, amount: '10.50', currency: 'EUR' },
    },
    payoutId,
  );
  return payoutId;
}
const approve = (payoutId: string) =>
  ask(1, tokens.approves, 'POST', `/v1/payouts/${payoutId}/review`, { decision: 'approve', reason: 'due' });

/** When the program is killed: before the call, after the provider has paid, after its answer was lost. */
const moments = ['approved', 'charged', 'sent'] as const;
const faults = { approved: undefined, charged: 'delay-after', sent: 'drop-after' } as const;

proves('P-003', {
  asked: 'killed halfway and run again: each seller is paid once',
  shown:
    'killed -9 after the approval, while the provider that has paid delays its answer, and after it lost it',
  control: {
    in: 'payment/payouts/https-payables-provider.ts',
    change: 'nonce: payoutId,',
    to: 'nonce: payoutId + String(Date.now()),',
  },
});
test('P-003: payouts through kill -9 before, during and after the call: each is paid once', async () => {
  const paid: string[] = [];
  for (const [index, moment] of moments.entries()) {
    const seller = `seller-${index}`;
    await earn(seller);
    const payoutId = await request(seller);
    // The provider pays, and answers a second later or closes the connection without an answer.
    const fault = faults[moment];
    if (fault !== undefined)
      await control('/faults', { next: [{ operation: 'payouts', fault }], delayMs: 1_000 });
    const approved = approve(payoutId);
    if (fault === undefined) await approved;
    else {
      await eventually(async () => expect(await paidOf(payoutId)).toBe(1), { everyMs: 10 });
      expect(await (await control('/faults')).json()).toEqual({ left: [] });
    }
    await program.stop('SIGKILL');
    program = await start();
    await approved;
    await control('/faults', {});
    paid.push(payoutId);
  }
  for (const payoutId of paid) {
    await eventually(async () => {
      const { payout_status } = await ask<Payout>(1, tokens.approves, 'GET', `/v1/payouts/${payoutId}`);
      expect(payout_status, payoutId).toBe('paid');
    });
    expect(await paidOf(payoutId), payoutId).toBe(1);
  }
  expect(await proveMoney(sql)).toMatchObject({ ledgerSum: 0n, walletsWrong: 0n });
}, 240_000);
