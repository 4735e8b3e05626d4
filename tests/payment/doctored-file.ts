import { post } from '#payment/ledger/ledger.js';
import { captureOf, disputeOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import type { Currency } from '#payment/money/currency.js';
import type { Sql } from '#platform/sql/sql.js';

export interface Line {
  readonly kind: 'charge' | 'refund' | 'dispute' | 'dispute_won' | 'payout' | 'payout_returned';
  readonly order: string;
  readonly operation: string;
  readonly reference: string;
  readonly minor: number;
  readonly fee: number;
  readonly currency: string;
  readonly status: 'succeeded' | 'failed';
  readonly at: Date;
}

/** The six lines of an honest file, each by its name. */
export interface Honest {
  /** A charge of 4,000 minor units. */
  readonly a: Line;
  /** A charge of 5,000, with a refund of 1,000 and a dispute of 700 that was won. */
  readonly b: Line;
  readonly refund: Line;
  readonly dispute: Line;
  readonly won: Line;
  /** A charge of 900. */
  readonly c: Line;
}

export interface Doctoring {
  /** The findings, one for each time that a kind is named. */
  readonly found: readonly string[];
  /** What the provider says moved, less what an honest file says; absent where no entry can express it. */
  readonly moved?: number;
  /** The same in the currency of the doctored line. */
  readonly converted?: number;
  /** The provider pays out what it owes for each file. */
  readonly pays?: true;
  readonly lines: (honest: Honest, before?: Honest) => readonly Line[];
  /** Changes our own records instead of the file. */
  readonly ours?: (sql: Sql, honest: Honest) => Promise<unknown>;
}

const hourMs = 3_600_000;
const replaced = (honest: Honest, change: Partial<Record<keyof Honest, readonly Line[]>>): readonly Line[] =>
  (Object.keys(honest) as (keyof Honest)[]).flatMap((name) => change[name] ?? [honest[name]]);
const later = (line: Line, hours: number): Date => new Date(line.at.getTime() + hours * hourMs);
/** One line is replaced by others, which differ from it in some fields. */
const instead =
  (name: keyof Honest, ...others: ((line: Line) => Partial<Line>)[]): Doctoring['lines'] =>
  (honest) =>
    replaced(honest, { [name]: others.map((other) => ({ ...honest[name], ...other(honest[name]) })) });
const same = () => ({});
export const other = ({ currency }: Pick<Line, 'currency'>): string => (currency === 'USD' ? 'CHF' : 'USD');

/** Every way in which the files of the corpus lie. */
export const doctorings: Readonly<Record<string, Doctoring>> = {
  'a charge is missing': { found: ['missing_at_psp'], moved: -4_000, lines: instead('a') },
  'a refund is missing': { found: ['missing_at_psp'], moved: 1_000, lines: instead('refund') },
  'a dispute is missing': { found: ['missing_at_psp'], moved: 700, lines: instead('dispute') },
  'a won dispute is missing': { found: ['missing_at_psp'], moved: -700, lines: instead('won') },
  'a minor unit more': {
    found: ['amount_differs'],
    moved: 1,
    lines: instead('a', ({ minor }) => ({ minor: minor + 1 })),
  },
  'a minor unit less': {
    found: ['amount_differs'],
    moved: -1,
    lines: instead('a', ({ minor }) => ({ minor: minor - 1 })),
  },
  'ten times the amount': {
    found: ['amount_differs'],
    moved: 36_000,
    lines: instead('a', ({ minor }) => ({ minor: minor * 10 })),
  },
  'a larger refund': {
    found: ['amount_differs'],
    moved: -1,
    lines: instead('refund', () => ({ minor: 1_001 })),
  },
  'a larger dispute': {
    found: ['amount_differs'],
    moved: -1,
    lines: instead('dispute', () => ({ minor: 701 })),
  },
  'another currency': {
    found: ['currency_differs'],
    moved: -4_000,
    converted: 4_000,
    lines: instead('a', (line) => ({ currency: other(line) })),
  },
  'a converted amount': {
    found: ['currency_differs'],
    moved: -4_000,
    converted: 4_512,
    lines: instead('a', (line) => ({ currency: other(line), minor: 4_512 })),
  },
  'a refund in another currency': {
    found: ['currency_differs'],
    moved: 1_000,
    converted: -1_000,
    lines: instead('refund', (line) => ({ currency: other(line) })),
  },
  'a charge failed': {
    found: ['status_differs'],
    moved: -4_000,
    lines: instead('a', () => ({ status: 'failed' })),
  },
  'a refund failed': {
    found: ['status_differs'],
    moved: 1_000,
    lines: instead('refund', () => ({ status: 'failed' })),
  },
  'a failed order was charged': {
    found: ['status_differs'],
    moved: 300,
    lines: (honest) => [...replaced(honest, {}), { ...honest.a, ...named(honest.a, 'f'), minor: 300 }],
    ours: (sql, { a }) => storeOrder(sql, { ...a, ...named(a, 'f'), minor: 300 }, 'FAILED'),
  },
  'a small fee': { found: ['fee_differs'], moved: 0, lines: instead('a', () => ({ fee: 25 })) },
  'an implausible fee': { found: ['fee_unusual'], moved: 0, lines: instead('a', () => ({ fee: 501 })) },
  'an implausible fee of a dispute': {
    found: ['fee_unusual'],
    moved: 0,
    lines: instead('dispute', () => ({ fee: 5_071 })),
  },
  'the same line twice': { found: ['duplicate_line'], moved: 4_000, lines: instead('a', same, same) },
  'a second charge': {
    found: ['settled_twice'],
    moved: 4_000,
    lines: instead('a', same, (line) => ({ reference: 'second', at: later(line, 1) })),
  },
  'a second charge of another amount': {
    found: ['settled_twice'],
    moved: 3_900,
    lines: instead('a', same, () => ({ reference: 'second', minor: 3_900 })),
  },
  'a second refund': {
    found: ['settled_twice'],
    moved: -1_000,
    lines: instead('refund', same, () => ({ reference: 'second' })),
  },
  'a corrected amount': {
    found: ['line_corrected'],
    moved: -100,
    lines: instead('a', same, () => ({ minor: 3_900 })),
  },
  'a corrected time': {
    found: ['line_corrected'],
    moved: 0,
    lines: instead('a', same, (line) => ({ at: later(line, 1) })),
  },
  'a corrected fee': { found: ['fee_unusual'], moved: 0, lines: instead('a', same, () => ({ fee: 40 })) },
  'a corrected currency': {
    found: ['currency_differs'],
    moved: -4_000,
    converted: 4_000,
    lines: instead('a', same, (line) => ({ currency: other(line) })),
  },
  'a wrong amount that is corrected to another one': {
    found: ['amount_differs', 'line_corrected'],
    moved: -2_500,
    lines: instead(
      'a',
      () => ({ minor: 2_500 }),
      () => ({ minor: 1_500 }),
    ),
  },
  'a foreign reference': {
    found: ['reference_differs'],
    moved: 0,
    lines: instead('a', () => ({ reference: 'foreign' })),
  },
  'two swapped references': {
    found: ['reference_differs', 'reference_differs'],
    moved: 0,
    lines: (honest) =>
      replaced(honest, {
        a: [{ ...honest.a, reference: honest.c.reference }],
        c: [{ ...honest.c, reference: honest.a.reference }],
      }),
  },
  'two swapped amounts': {
    found: ['amount_differs', 'amount_differs'],
    moved: 0,
    lines: (honest) =>
      replaced(honest, {
        a: [{ ...honest.a, minor: honest.c.minor }],
        c: [{ ...honest.c, minor: honest.a.minor }],
      }),
  },
  'a time before the day': {
    found: ['wrong_day'],
    moved: 0,
    lines: instead('a', (line) => ({ at: later(line, -24) })),
  },
  'a time after the day': {
    found: ['wrong_day'],
    moved: 0,
    lines: instead('a', (line) => ({ at: later(line, 24) })),
  },
  'an unknown charge': {
    found: ['missing_internally'],
    moved: 4_000,
    lines: instead('a', same, (line) => named(line, 'x')),
  },
  'an unknown charge that failed': {
    found: ['missing_internally'],
    moved: 0,
    lines: instead('a', same, (line) => ({ ...named(line, 'x'), status: 'failed' })),
  },
  'an unknown refund': {
    found: ['missing_internally'],
    moved: -300,
    lines: instead('refund', same, ({ operation }) => ({
      operation: `${operation}-x`,
      reference: 'x',
      minor: 300,
    })),
  },
  'a refund without a charge': {
    found: ['refund_without_charge'],
    moved: -300,
    lines: instead('refund', same, (line) => ({ ...named(line, 'y'), minor: 300 })),
  },
  'a refund of another order': {
    found: ['missing_at_psp', 'missing_internally'],
    moved: 0,
    lines: (honest) => replaced(honest, { refund: [{ ...honest.refund, order: honest.c.order }] }),
  },
  'an unknown dispute': {
    found: ['missing_internally'],
    moved: -300,
    lines: instead('dispute', same, ({ operation }) => ({ operation: `${operation}-x`, minor: 300 })),
  },
  'an unknown won dispute': {
    found: ['missing_internally'],
    moved: 300,
    lines: instead('won', same, ({ operation }) => ({ operation: `${operation}-x`, minor: 300 })),
  },
  'a charge that the ledger lacks': {
    found: ['ledger_missing'],
    lines: (honest) => [...replaced(honest, {}), { ...honest.a, ...named(honest.a, 'l') }],
    ours: (sql, { a }) => storeOrder(sql, { ...a, ...named(a, 'l') }, 'SUCCESS'),
  },
  'a booking without an order': {
    found: ['order_missing'],
    lines: (honest) => [...replaced(honest, {}), { ...honest.a, ...named(honest.a, 'o') }],
    ours: (sql, { a }) => book(sql, [{ ...a, ...named(a, 'o') }]),
  },
  'a failed charge in another currency': {
    found: ['currency_differs'],
    moved: -4_000,
    converted: 0,
    lines: instead('a', (line) => ({ currency: other(line), status: 'failed' })),
  },
  'no payout': {
    found: ['payout_missing'],
    moved: 8_900,
    pays: true,
    lines: (honest) => Object.values(honest),
  },
  'a payout that failed': {
    found: ['payout_missing'],
    moved: 8_900,
    pays: true,
    lines: (honest) => [...Object.values(honest), { ...payoutOf(honest), status: 'failed' }],
  },
  'a smaller payout': {
    found: ['payout_differs'],
    moved: 1,
    pays: true,
    lines: (honest) => [...Object.values(honest), { ...payoutOf(honest), minor: 8_899 }],
  },
  'a larger payout': {
    found: ['payout_differs'],
    moved: -100,
    pays: true,
    lines: (honest) => [...Object.values(honest), { ...payoutOf(honest), minor: 9_000 }],
  },
  'a payout of another day again': {
    found: ['payout_repeated'],
    moved: 0,
    pays: true,
    lines: (honest, before) => [
      ...Object.values(honest),
      payoutOf(honest),
      ...(before === undefined ? [] : [payoutOf(before)]),
    ],
  },
  'the same payout twice': {
    found: ['payout_repeated'],
    moved: 0,
    pays: true,
    lines: (honest) => [...Object.values(honest), payoutOf(honest), payoutOf(honest)],
  },
  'a payout of another amount beside a larger charge': {
    found: ['amount_differs', 'payout_differs'],
    moved: 2,
    pays: true,
    lines: (honest) => [...replaced(honest, { a: [{ ...honest.a, minor: 4_002 }] }), payoutOf(honest)],
  },
  'a payout of another day that came back': {
    found: [],
    moved: 0,
    pays: true,
    lines: (honest, before) => withReturned(honest, [returnOf(before!)]),
  },
  'a part of a payout that came back': {
    found: ['missing_internally'],
    pays: true,
    lines: (honest, before) => {
      const whole = returnOf(before!);
      return withReturned(honest, [{ ...whole, minor: whole.minor - 1 }]);
    },
  },
  'a payout that came back twice': {
    found: ['missing_internally'],
    pays: true,
    lines: (honest, before) =>
      withReturned(honest, [returnOf(before!), { ...returnOf(before!), reference: 'back-2' }]),
  },
  'a payout of nobody that came back': {
    found: ['missing_internally'],
    pays: true,
    lines: (honest, before) =>
      withReturned(honest, [{ ...returnOf(before!), ...named(before!.a, 'nobody') }]),
  },
  'a booking of another amount': {
    found: ['ledger_differs'],
    lines: (honest) => [...replaced(honest, {}), { ...honest.a, ...named(honest.a, 'd') }],
    ours: async (sql, { a }) => {
      await storeOrder(sql, { ...a, ...named(a, 'd') }, 'SUCCESS');
      await book(sql, [{ ...a, ...named(a, 'd'), minor: 4_001 }]);
    },
  },
};

/** What the provider owes us for an honest file, paid to our bank. */
export function payoutOf(honest: Honest): Line {
  const { a } = honest;
  const id = `${a.order}-payout`;
  const minor = sumOf(Object.values(honest));
  return { ...a, kind: 'payout', order: id, operation: id, reference: 'po', minor, at: later(a, 2) };
}

/** Our bank sent the payout of an honest day back, a day later. */
export function returnOf(before: Honest): Line {
  const payout = payoutOf(before);
  return { ...payout, kind: 'payout_returned', reference: 'back', at: later(payout, 24) };
}

/** The next payout contains what came back. */
export function withReturned(honest: Honest, returned: readonly Line[]): readonly Line[] {
  const payout = payoutOf(honest);
  return [...Object.values(honest), ...returned, { ...payout, minor: payout.minor + sumOf(returned) }];
}

/** The same operation of another order. */
function named({ order, operation, reference }: Line, by: string) {
  return { order: `${order}-${by}`, operation: `${operation}-${by}`, reference: `${reference}-${by}` };
}

/** What the provider should settle on this day, stored as our program stores it. */
export async function honestDay(sql: Sql, run: string, currency: Currency, day: Date): Promise<Honest> {
  const line = (over: Partial<Line> & Pick<Line, 'order' | 'minor'>): Line => ({
    kind: 'charge',
    operation: over.order,
    reference: `ref-${over.operation ?? over.order}`,
    fee: 0,
    currency,
    status: 'succeeded',
    at: new Date(day.getTime() + 12 * hourMs),
    ...over,
  });
  const b = `${run}-b`;
  const honest: Honest = {
    a: line({ order: `${run}-a`, minor: 4_000 }),
    b: line({ order: b, minor: 5_000 }),
    refund: line({ kind: 'refund', order: b, operation: `${run}-r`, minor: 1_000 }),
    dispute: line({ kind: 'dispute', order: b, operation: `${run}-d`, reference: `${run}-d`, minor: 700 }),
    won: line({ kind: 'dispute_won', order: b, operation: `${run}-d`, reference: `${run}-d`, minor: 700 }),
    c: line({ order: `${run}-c`, minor: 900 }),
  };
  for (const one of [honest.a, honest.b, honest.c]) await storeOrder(sql, one, 'SUCCESS');
  const { refund, dispute } = honest;
  await sql.query(
    `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, refund_status,
       reason, requested_by, ledger_updated, created_at, changed_at, psp_reference)
     VALUES ($1, $2, '0', $3, $4, 'SUCCESS', 'r', 'caller', true, $5, $5, $6)`,
    [refund.operation, refund.order, refund.minor, currency, refund.at, refund.reference],
  );
  await sql.query(
    `INSERT INTO payment_disputes (dispute_id, payment_order_id, amount_minor, currency, dispute_status,
       opened_at, closed_at) VALUES ($1, $2, $3, $4, 'WON', $5, $5)`,
    [dispute.operation, dispute.order, dispute.minor, currency, dispute.at],
  );
  await book(sql, Object.values(honest));
  return honest;
}

async function storeOrder(sql: Sql, line: Line, status: 'SUCCESS' | 'FAILED'): Promise<void> {
  const { order, minor, currency, at, reference } = line;
  const isPaid = status === 'SUCCESS';
  await sql.query(
    `INSERT INTO payment_events (checkout_id, caller, is_payment_done, created_at)
     VALUES ($1, 'caller', true, $2)`,
    [order, at],
  );
  await sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account,
       amount, amount_minor, currency, payment_order_status, ledger_updated, wallet_updated, is_final,
       captured_minor, expires_at, created_at, changed_at, psp_reference)
     VALUES ($1, $1, 0, 'buyer', 'DE02', '0', $2, $3, $4, $5, $5, true, $6, $7, $7, $7, $8)`,
    [order, minor, currency, status, isPaid, isPaid ? minor : 0, at, reference],
  );
}

async function book(sql: Sql, lines: readonly Line[]): Promise<void> {
  const transfers = lines.map((line): Transfer => {
    const amount = { minor: BigInt(line.minor), currency: line.currency as Currency };
    const about = { paymentOrderId: line.order, seller: 'DE02', amount };
    if (line.kind === 'charge') return captureOf(about);
    if (line.kind === 'refund') return refundOf({ ...about, refundId: line.operation });
    const state = line.kind === 'dispute' ? 'opened' : 'won';
    return disputeOf({ ...about, disputeId: line.operation, state });
  });
  const outcome = await sql.transaction((tx) => post(tx, transfers, { at: lines[0]!.at }));
  if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]!.detail);
}

export const textOf = ({
  kind,
  order,
  operation,
  reference,
  minor,
  fee,
  currency,
  status,
  at,
}: Line): string =>
  [kind, order, operation, reference, minor, fee, currency, status, at.toISOString()].join();

/** What the provider moved by these lines, signed. */
export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce(
    (sum, { kind, minor }) =>
      sum + (['charge', 'dispute_won', 'payout_returned'].includes(kind) ? minor : -minor),
    0,
  );
