import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type CartFaultPoint, cartFaultPoints } from '#payment/faults/fault-points.js';
import { withdrawOrder } from '#payment/orders/withdraw-order.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { Cart, type CartRoom, cards, type ProviderSide } from './cart-fixture.js';
import { CrashingPayment } from './crashing-payment.js';
import type { ArmedFault } from './executor-crash-child.js';
import { paymentBody } from './orders-fixture.js';

/**
 * The program dies, loses its database or its log at every named point of the page that takes one card for a
 * cart: at one after the other in few carts, or with `CRASH_MATRIX=all` at each for itself, once and twice,
 * which writes docs/crash-matrix-carts.md.
 */
const all = process.env['CRASH_MATRIX'] === 'all';
const fates = ['paid', 'unpaid'] as const;
type Fate = (typeof fates)[number];
const actions = ['kill', 'database', 'log'] as const;
type Action = (typeof actions)[number];
/** One fault; the next one is armed when it has struck as often as it should. */
type Strike = ArmedFault & { readonly point: CartFaultPoint };

/** A program that dies forgets what it was armed with, so a second death is another strike. */
const strikesOf = (point: CartFaultPoint, action: Action, times: number): readonly Strike[] =>
  action === 'kill'
    ? Array.from({ length: times }, () => ({ point, action, times: 1 }))
    : [{ point, action, times }];
const cellsOf = (fate: Fate, action: Action): readonly (readonly Strike[])[] => {
  const points = cartFaultPoints[fate];
  return all
    ? points.flatMap((point) => [1, 2].map((times) => strikesOf(point, action, times)))
    : [points.flatMap((point) => strikesOf(point, action, 1))];
};
const titleOf = (strikes: readonly Strike[]): string =>
  all ? `${strikes[0]!.point} ×${timesOf(strikes)}` : `${strikes.length} points`;
const timesOf = (strikes: readonly Strike[]): number => strikes.reduce((sum, { times }) => sum + times, 0);
const cells = actions.flatMap((action) =>
  fates.flatMap((fate) =>
    cellsOf(fate, action).map((strikes) => [fate, action, titleOf(strikes), strikes] as const),
  ),
);

const results = new Map<string, string>();
let program: CrashingPayment;
let room: CartRoom;
let side: ProviderSide;
let over: AbortController | undefined;
let keeper: Promise<void> | undefined;
/** What happens next, and after that. */
let strikes: Strike[] = [];

beforeAll(async () => {
  program = await CrashingPayment.open();
  const count: CartRoom['count'] = (query, values) => eventually(() => program.count(query, values));
  room = {
    sql: patient(program.sql),
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

/** This test loses its connections too when the database ends them. */
const patient = (sql: Sql): Sql => ({
  query: (...given) => eventually(() => sql.query(...given)),
  transaction: (...given) => eventually(() => sql.transaction(...given)),
  copyIn: (...given) => sql.copyIn(...given),
  migrate: (...given) => sql.migrate(...given),
  check: () => sql.check(),
  close: () => sql.close(),
});

/** Starts the program again after each death, and arms the next fault once one has struck. */
async function keepAlive(until: AbortSignal): Promise<void> {
  for (; !until.aborted; await delay(10)) {
    const [now] = strikes;
    const isOver =
      now === undefined || now.action === 'kill' ? program.wasKilled : program.fired >= now.times;
    if (!isOver) continue;
    strikes.shift();
    await armNext();
  }
}

const armNext = (): Promise<void> => (strikes[0] === undefined ? program.revive() : program.arm(strikes[0]));

/** The first card is declined for one of three orders, so that a second page follows. */
async function shop(fate: Fate): Promise<void> {
  const cart = await Cart.submit(room, side);
  const url = await cart.page();
  if (fate === 'unpaid')
    for (const id of cart.ids) await eventually(() => withdrawOrder(program.sql, id, Date.now()));
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
  shown: 'carts whose program dies or loses database or log at 17 points: one charge an order, no card left',
  scaled: 'in few carts, because each death is a start of the program; in the long run each once and twice',
  settings: ['delays and leases of payment/executor-crash'],
  proof: 'cart-crashes',
});
it.each(cells)('P-086: a %s cart × %s × %s', { timeout: 300_000 }, async (fate, action, _, cell) => {
  strikes = [...cell];
  program.buyer = `buyer-${randomUUID()}`;
  over = new AbortController();
  await armNext();
  keeper = keepAlive(over.signal);
  do await shop(fate);
  while (strikes.length > 0);
  const [{ point }] = cell as readonly [Strike];
  results.set(`${point} ${action} ${timesOf(cell)}`, 'holds');
  if (all) await writeTable();
});

async function writeTable(): Promise<void> {
  const rows = fates.flatMap((fate) =>
    cartFaultPoints[fate].map((point) => {
      const held = actions.flatMap((action) =>
        [1, 2].map((times) => results.get(`${point} ${action} ${times}`) ?? 'not shown'),
      );
      return `| \`${point}\` | ${fate} | ${held.join(' | ')} |`;
    }),
  );
  const head = actions.flatMap((action) => [1, 2].map((times) => `${action} ×${times}`));
  const text = `# The crash matrix of carts on one page

Each row is a named point in the code. A fault happens there once, and once more when the work is retried. A
paid cart has three orders, of which the first card can pay two, and a second page; an unpaid cart is
cancelled while its page is open. A cell holds if afterwards the provider's record shows as many charges as
orders that succeeded, one at most for each, every order has ended, each success has one transfer in the
ledger, orders, ledger and wallets agree, and no card is left here or at the provider.

- \`kill\` is SIGKILL of the payment program.
- \`database\` ends all its connections in the server.
- \`log\` makes the log refuse appends for a while.

Reproduce with \`CRASH_MATRIX=all npx vitest run tests/payment/cart-crash\`.

| point | the cart is | ${head.join(' | ')} |
|---|---|${head.map(() => '---|').join('')}
${rows.join('\n')}
`;
  await writeFile(fileURLToPath(new URL('../../docs/crash-matrix-carts.md', import.meta.url)), text);
}
