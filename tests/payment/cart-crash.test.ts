import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type CartFaultPoint, cartFaultPoints } from '#payment/faults/fault-points.js';
import { withdrawOrder } from '#payment/orders/withdraw-order.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { Cart, type CartRoom, cards, type ProviderSide } from './cart-fixture.js';
import { CrashingPayment } from './crashing-payment.js';
import { paymentBody } from './orders-fixture.js';

/**
 * The program dies at every named point of the page that takes one card for a cart: at one after the other in
 * few carts, or with `CRASH_MATRIX=all` at each for itself, once and twice, which writes
 * docs/crash-matrix-carts.md.
 */
const all = process.env['CRASH_MATRIX'] === 'all';
const fates = ['paid', 'unpaid'] as const;
type Fate = (typeof fates)[number];
const cellsOf = (fate: Fate): readonly (readonly CartFaultPoint[])[] => {
  const points = cartFaultPoints[fate];
  return all ? points.flatMap((point) => [[point], [point, point]]) : [points];
};
const cells = fates.flatMap((fate) => cellsOf(fate).map((points) => [fate, points] as const));

const results = new Map<string, string>();
let program: CrashingPayment;
let room: CartRoom;
let side: ProviderSide;
let over: AbortController | undefined;
let keeper: Promise<void> | undefined;
/** Where the program dies next, and after that. */
let strikes: CartFaultPoint[] = [];

beforeAll(async () => {
  program = await CrashingPayment.open();
  const count: CartRoom['count'] = (query, values) => program.count(query, values);
  room = {
    sql: program.sql,
    body: paymentBody,
    post: (body) => program.submit(body, randomUUID(), () => Promise.resolve()),
    get: (id) => eventually(() => program.get<PaymentOrder>(id)),
    count,
    ledgerTransfers: (id) =>
      count(
        `SELECT count(DISTINCT operation) AS n FROM ledger_transfer
         WHERE subject = $1 AND operation = 'capture'`,
        [id],
      ),
  };
  side = { certificate: () => program.psp.addresses.certificate, lines: () => program.record() };
});
afterEach(async () => {
  over?.abort();
  await keeper;
});
afterAll(() => program?.close());

/** Starts the program again after each death. */
async function keepAlive(until: AbortSignal): Promise<void> {
  for (; !until.aborted; await delay(10)) {
    if (!program.wasKilled) continue;
    strikes.shift();
    await armNext();
  }
}

const armNext = (): Promise<void> =>
  strikes[0] === undefined ? program.revive() : program.arm({ point: strikes[0], action: 'kill', times: 1 });

/** The first card is declined for one of three orders, so that a second page follows. */
async function shop(fate: Fate): Promise<void> {
  const cart = await Cart.submit(room, side);
  const url = await cart.page();
  if (fate === 'unpaid') for (const id of cart.ids) await withdrawOrder(program.sql, id, Date.now());
  else {
    await cart.type(url, cards.littleFunds);
    await cart.until((orders) => orders[2]!.retry_of !== null && orders[2]!.payment_page_url !== null);
    await cart.type(await cart.page());
  }
  const orders = await cart.endsWell();
  expect(orders.map((order) => order.payment_order_status)).toEqual(
    Array(3).fill(fate === 'paid' ? 'SUCCESS' : 'FAILED'),
  );
}

proves('P-086', {
  asked: 'a crash at each of six steps: one charge, one transaction, one wallet change',
  shown:
    'carts whose program dies at each of 17 points of their page: one charge for each order, no card left',
  scaled: 'one after the other in few carts; in the long run each for itself, once and twice',
  proof: 'cart-crashes',
});
it.each(cells)('P-086: a cart that is %s, with deaths at %s', { timeout: 300_000 }, async (fate, points) => {
  strikes = [...points];
  over = new AbortController();
  await armNext();
  keeper = keepAlive(over.signal);
  do await shop(fate);
  while (strikes.length > 0);
  results.set(`${points[0]} ${points.length}`, 'holds');
  if (all) await writeTable();
});

async function writeTable(): Promise<void> {
  const rows = fates.flatMap((fate) =>
    cartFaultPoints[fate].map((point) => {
      const held = [1, 2].map((times) => results.get(`${point} ${times}`) ?? 'not shown');
      return `| \`${point}\` | ${fate} | ${held.join(' | ')} |`;
    }),
  );
  const text = `# The crash matrix of carts on one page

Each row is a named point in the code. The payment program gets SIGKILL there once, and once more when the
work is retried. A paid cart has three orders, of which the first card can pay two, and a second page; an
unpaid cart is cancelled while its page is open. A cell holds if afterwards the provider's record shows as
many charges as orders that succeeded, one at most for each, every order has ended, each success has one
transfer in the ledger, orders, ledger and wallets agree, and no card is left here or at the provider.

Reproduce with \`CRASH_MATRIX=all npx vitest run tests/payment/cart-crash\`.

| point | the cart is | kill ×1 | kill ×2 |
|---|---|---|---|
${rows.join('\n')}
`;
  await writeFile(fileURLToPath(new URL('../../docs/crash-matrix-carts.md', import.meta.url)), text);
}
