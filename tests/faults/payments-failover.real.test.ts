import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordLine } from '#payment-simulator/record.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { provided } from '../booking/recorded-money.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { WireCut } from '../contracts/wire-cut.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { issuerOf, unlimited } from '../programs/drivers-of.js';
import { PostgresPair } from './postgres-pair.js';

const buyersAtOnce = 6;
const amountMinor = 1_200n;

let pair: PostgresPair;
let wire: WireCut;
let data: string;
let program: RunningProgram;
beforeAll(async () => {
  pair = await PostgresPair.open();
  // The address of the database, which moves to the standby.
  wire = new WireCut({ host: '127.0.0.1', port: pair.primary.port });
  await wire.mend();
  data = await mkdtemp(join(tmpdir(), 'meridian-payments-failover-'));
  const env = {
    ...unlimited,
    CACHE: 'memory:',
    EVENT_LOG: `embedded:${join(data, 'log')}`,
    OBJECTS: `dir:${join(data, 'objects')}`,
    SQL: `postgres://meridian@127.0.0.1:${wire.port}/meridian`,
  };
  program = await startProgram('payment', { data, env });
});
afterAll(async () => {
  await program?.stop();
  await wire?.cut();
  await pair?.close();
  if (data !== undefined) await rm(data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

/** What only the buyer knows; each step is noted when its answer was read. */
interface Bought {
  readonly id: string;
  readonly token: string;
  succeeded?: true;
}

async function ask(method: string, path: string, token: string, key?: string, body?: object) {
  const answer = await fetch(program.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Each buyer pays one order after the other on the page, and repeats a request until it is answered. */
async function startBuyers() {
  const all: Bought[] = [];
  const [issuer, certificate] = [await issuerOf(data), await certificateIn(data)];
  let open = true;
  const buy = async (): Promise<void> => {
    while (open) {
      const token = await issuer.issueToken({ sub: randomUUID(), scopes: ['customer'], ttlS: 3_600 });
      const one: Bought = { id: randomUUID(), token };
      all.push(one);
      const key = randomUUID();
      const order = { seller_account: 'DE89370400440532013000', amount: '12.00', currency: 'EUR' };
      const body = {
        ...{ checkout_id: randomUUID(), buyer_info: {}, credit_card_info: {} },
        payment_orders: [{ ...order, payment_order_id: one.id }],
      };
      await eventually(async () => (await ask('POST', '/v1/payments', token, key, body)) as PaymentEvent);
      const read = async () => (await ask('GET', `/v1/payments/${one.id}`, token)) as PaymentOrder;
      const page = await eventually(async () => {
        const { payment_page_url } = await read();
        if (typeof payment_page_url !== 'string') throw new Error('no page yet');
        return payment_page_url;
      });
      const { status } = await browsePage(page, certificate, { number: '4242424242424242' });
      expect(status).toBe(303);
      await eventually(async () => expect((await read()).payment_order_status).toBe('SUCCESS'));
      one.succeeded = true;
    }
  };
  const running = Promise.all(Array.from({ length: buyersAtOnce }, buy));
  const succeeded = () => all.filter((one) => one.succeeded === true).length;
  return {
    all,
    more: (wanted: number) => {
      const goal = succeeded() + wanted;
      return Promise.race([
        running,
        eventually(() => expect(succeeded()).toBeGreaterThanOrEqual(goal), { everyMs: 10 }),
      ]);
    },
    async stop() {
      open = false;
      await running;
    },
  };
}

proves('F19', {
  asked: 'failover to a synchronous standby while it writes: nothing lost, at most 5 s, no second charge',
  shown: 'six buyers pay meanwhile: every accepted order is there and paid, with one charge at the provider',
  scaled: '30 s for 5 s until seven more are paid, for processors that other tests use: it took 1 s',
  settings: ['no rate limits'],
  control: {
    in: 'platform/sql/postgres-sql.ts',
    change: "options: '-c synchronous_commit=on',",
    to: "options: '-c synchronous_commit=local',",
  },
  from: 'outside',
});
it('F19: a failover loses no accepted payment, and charges none twice', async () => {
  const buyers = await startBuyers();
  await buyers.more(12);
  const from = await pair.failOver(wire);
  // Each buyer may still read one answer from before.
  await buyers.more(buyersAtOnce + 1);
  const tookMs = performance.now() - from;
  await buyers.more(12);
  await buyers.stop();
  console.log(
    `${buyers.all.length} payments; seven more were paid ${Math.round(tookMs)} ms after the failover`,
  );
  const issued = buyers.all.map(({ id }) => id);
  // Also those that were paid before the failover are read again.
  for (const { id, token } of buyers.all) {
    const { payment_order_status } = (await ask('GET', `/v1/payments/${id}`, token)) as PaymentOrder;
    expect([id, payment_order_status]).toEqual([id, 'SUCCESS']);
  }
  const lines = (await readFile(join(data, 'psp', 'record.ndjson'), 'utf8')).trim().split('\n');
  const record = lines.map((line) => JSON.parse(line) as RecordLine);
  const charged = [...provided(record)].map(([id, { capturedMinor }]) => [id, capturedMinor] as const);
  expect(charged.toSorted()).toEqual(issued.map((id) => [id, amountMinor] as const).toSorted());
  expect(tookMs).toBeLessThan(30_000);
}, 240_000);
