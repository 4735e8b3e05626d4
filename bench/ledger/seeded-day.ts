import { createHash } from 'node:crypto';
import type { Sql } from '#platform/sql/sql.js';

/** The nine kinds of differences between a settlement file and our records, in turns. */
const kinds = [
  'missing_at_psp',
  'missing_internally',
  'amount_differs',
  'currency_differs',
  'status_differs',
  'duplicate_line',
  'fee_differs',
  'wrong_day',
  'refund_without_charge',
] as const;

export interface SeededMismatch {
  readonly kind: (typeof kinds)[number];
  readonly paymentOrderId: string;
  readonly operation: string;
}

/** Every tenth operation is a refund of half the previous charge. */
export interface SeededDay {
  readonly operations: number;
  /** One operation in this many has a difference. */
  readonly oneWrongIn: number;
  readonly provider: string;
  readonly from: Date;
}

interface Operation {
  readonly order: string;
  readonly refund: string | undefined;
  readonly amount: number;
  readonly wrong: SeededMismatch['kind'] | undefined;
}

function operationOf({ oneWrongIn }: SeededDay, index: number): Operation {
  const isRefund = index % 10 === 9;
  const charge = isRefund ? index - 1 : index;
  const amount = 1_000 + ((charge * 7_919) % 90_000);
  return {
    order: `order-${charge}`,
    refund: isRefund ? `refund-${index}` : undefined,
    amount: isRefund ? Math.floor(amount / 2) : amount,
    wrong:
      index % oneWrongIn === oneWrongIn >> 1
        ? kinds[Math.floor(index / oneWrongIn) % kinds.length]
        : undefined,
  };
}

const fee = 20;

/**
 * Orders, refunds and their bookings without differences, in the middle of the day. The tables must be empty.
 */
export async function makeOrders(sql: Sql, day: SeededDay): Promise<void> {
  const at = new Date(day.from.getTime() + 12 * 3_600_000);
  const perPage = 50_000;
  for (let first = 0; first < day.operations; first += perPage) {
    const last = Math.min(first + perPage, day.operations) - 1;
    const values = [first, last, at];
    await sql.query(
      `INSERT INTO payment_events (checkout_id, caller, created_at)
       SELECT 'checkout-' || n, 'seeded', $3 FROM generate_series($1::int, $2::int) n WHERE n % 10 <> 9`,
      values,
    );
    await sql.query(
      `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
         payment_order_status, ledger_updated, wallet_updated, is_final, captured_minor, refunding_minor, refunded_minor, expires_at,
         created_at, changed_at)
       SELECT 'order-' || n, 'checkout-' || n, 0, 'buyer', 'seller-' || n % 100, '0', 1000 + n::bigint * 7919 % 90000, 'EUR', 'SUCCESS', true,
         true, true, 1000 + n::bigint * 7919 % 90000, 0, 0, $3, $3, $3
       FROM generate_series($1::int, $2::int) n WHERE n % 10 <> 9`,
      values,
    );
    await sql.query(
      `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, refund_status, reason, requested_by,
         ledger_updated, created_at, changed_at)
       SELECT 'refund-' || n, 'order-' || n - 1, '0', (1000 + (n - 1)::bigint * 7919 % 90000) / 2, 'EUR', 'SUCCESS', 'r', 'seeded', true, $3, $3
       FROM generate_series($1::int, $2::int) n WHERE n % 10 = 9`,
      values,
    );
  }
}

/** The lines of the day's file with their mismatches, and afterwards what they are. */
export class SeededFile {
  readonly truth: SeededMismatch[] = [];
  readonly #day: SeededDay;
  readonly #fileId: string;

  constructor(day: SeededDay, fileId: string) {
    this.#day = day;
    this.#fileId = fileId;
  }

  /** The file in chunks of about 64 KiB. */
  async *bytes(): AsyncIterable<Uint8Array> {
    const { from, provider, operations } = this.#day;
    const to = new Date(from.getTime() + 86_400_000);
    const hash = createHash('sha256');
    let lines = 0;
    let amounts = 0;
    let fees = 0;
    let text = `meridian-settlement,1,${this.#fileId},${provider},${from.toISOString()},${to.toISOString()},${to.toISOString()}\n`;
    for (let index = 0; index < operations; index += 1) {
      for (const line of this.#linesOf(index)) {
        const fields = line.split(',');
        lines += 1;
        amounts += Number(fields[4]);
        fees += Number(fields[5]);
        text += `${line}\n`;
      }
      if (text.length > 65_536) {
        const chunk = Buffer.from(text, 'latin1');
        hash.update(chunk);
        yield chunk;
        text = '';
      }
    }
    hash.update(text, 'latin1');
    yield Buffer.from(`${text}end,${lines},${amounts},${fees},${hash.digest('hex')}\n`, 'latin1');
  }

  #linesOf(index: number): readonly string[] {
    const { order, refund, amount, wrong } = operationOf(this.#day, index);
    const { from } = this.#day;
    const kind = refund === undefined ? 'charge' : 'refund';
    const charged = refund === undefined ? fee : 0;
    const at = new Date(from.getTime() + 12 * 3_600_000 + (index % 3_600) * 1_000);
    const line = (
      change: { amount?: number; fee?: number; currency?: string; status?: string; at?: Date } = {},
    ) =>
      [
        kind,
        order,
        refund ?? order,
        `psp_${index}`,
        change.amount ?? amount,
        change.fee ?? charged,
        change.currency ?? 'EUR',
        change.status ?? 'succeeded',
        (change.at ?? at).toISOString(),
      ].join();
    if (wrong === undefined) return [line()];
    const operation = refund === undefined ? 'capture' : `refund:${refund}`;
    const note = (paymentOrderId: string, what: string) =>
      this.truth.push({ kind: wrong, paymentOrderId, operation: what });
    const ghost = `ghost-${index}`;
    const unknown = (what: string) => `${what},psp_g${index},100,0,EUR,succeeded,${at.toISOString()}`;
    switch (wrong) {
      case 'missing_internally':
        note(ghost, 'capture');
        return [line(), unknown(`charge,${ghost},${ghost}`)];
      case 'refund_without_charge':
        note(ghost, `refund:g-${index}`);
        return [line(), unknown(`refund,${ghost},g-${index}`)];
      case 'missing_at_psp':
        note(order, operation);
        return [];
      case 'amount_differs':
        note(order, operation);
        return [line({ amount: amount + 1 })];
      case 'currency_differs':
        note(order, operation);
        return [line({ currency: 'USD' })];
      case 'status_differs':
        note(order, operation);
        return [line({ status: 'failed' })];
      case 'duplicate_line':
        note(order, operation);
        return [line(), line()];
      case 'fee_differs':
        note(order, operation);
        return [line({ fee: charged + 1 })];
      case 'wrong_day':
        note(order, operation);
        return [line({ at: new Date(from.getTime() - 3_600_000) })];
    }
  }
}

/**
 * Books what `makeOrders` made, with the fee that the provider will withhold, in the order of the operations.
 */
export function* bookings(day: SeededDay) {
  for (let index = 0; index < day.operations; index += 1) {
    const { order, refund, amount } = operationOf(day, index);
    const charge = refund === undefined ? index : index - 1;
    yield { order, refund, amount, seller: `seller-${charge % 100}`, fee: refund === undefined ? fee : 0 };
  }
}
