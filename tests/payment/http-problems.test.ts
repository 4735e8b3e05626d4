import { expect, it } from 'vitest';
import { paymentHttp } from '#payment/http/payment-http.js';
import { proves } from '#tools/acceptance/proves.js';
import { everyFailureIsAProblem, everyRefusalIsAProblem, type ProblemsOf } from '../http-problems.js';
import { OrdersRoom } from './orders-fixture.js';

proves('P-128', {
  asked: 'one problem schema everywhere',
  shown: 'all operations × no token, other method, broken bodies, ids of nobody; without tables all but four',
  control: {
    in: 'platform/http/server/request-pipeline.ts',
    change: "    const list = allow.join(', ');\n",
    to: `    const list = allow.join(', ');
    if (list !== '') return { status: 405, headers: { allow: list }, body: { error: 'no such method' } };
`,
  },
});
it('P-128: every refusal and failure of every operation is one kind of problem document', async () => {
  const room = await OrdersRoom.open({ groups: [] });
  try {
    const currency = { query: '?currency=EUR' };
    const seller = { seller_account: 'S1', currency: 'EUR' };
    const endpoint = { url: 'https://example.com/hook', event_types: ['payment.created'] };
    const order = { ...seller, amount: '10.00', payment_order_id: 'o1' };
    const valid: ProblemsOf['valid'] = {
      postPayment: {
        body: { checkout_id: 'c1', buyer_info: {}, credit_card_info: {}, payment_orders: [order] },
      },
      postPayout: {
        body: { payout_id: 'p1', seller_info: { account: 'S1' }, amount: '1.00', currency: 'EUR' },
      },
      postPayoutSchedule: {
        body: { ...seller, interval: 'daily', time_zone: 'Europe/Stockholm', reason: 'as agreed' },
      },
      postSellerFee: { body: { ...seller, basis_points: 100, reason: 'as agreed' } },
      postWebhookEndpoint: { body: endpoint },
      putWebhookEndpoint: { body: { ...endpoint, state: 'active' } },
      postWebhookReplay: { body: { event_id: 'e1' } },
      ...{ getMerchantEntries: currency, getMerchantStatement: { query: '?currency=EUR&month=2026-11' } },
      getPaymentReturn: { query: '?tokenID=reg_1&payResult=success' },
    };
    const problems = {
      valid,
      contracts: paymentHttp(room.service).map(({ contract }) => contract),
      tokenOf: (scope: string) => `${scope}.ada`,
      call: async (
        method: string,
        path: string,
        asked: { listener: 'public' | 'internal'; token?: string; body?: unknown },
      ) => {
        const { listener, token, body } = asked;
        const response = await fetch((listener === 'internal' ? room.internalUrl : room.url) + path, {
          method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined
              ? {}
              : {
                  'content-type': 'application/json',
                  'idempotency-key': '1f9a7c52-7a0e-4a55-8f5b-5a3c9b1d2e60',
                }),
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        });
        const text = await response.text();
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        return { status: response.status, json: isJson ? (JSON.parse(text) as unknown) : text };
      },
    };
    expect(problems.contracts.length).toBeGreaterThan(40);
    await everyRefusalIsAProblem(problems);
    const failed = await everyFailureIsAProblem(problems, room.sql);
    expect(
      problems.contracts.map(({ operationId }) => operationId).filter((name) => !failed.includes(name)),
    ).toEqual([
      // Refused before the database is asked: a body of unknown bytes, no signature, no such provider.
      ...['putDisputeDocument', 'postPspWebhook', 'postProviderWebhook', 'postSettlementImport'],
    ]);
  } finally {
    await room.close();
  }
});
