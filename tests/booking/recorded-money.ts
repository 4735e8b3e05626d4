import type { RecordLine } from '#payment-simulator/record.js';
import type { SqlSession } from '#platform/sql/sql.js';

export interface Money {
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** From the provider's own record: the last state of each payment, refund and dispute. */
export function provided(record: readonly RecordLine[]): ReadonlyMap<string, Money> {
  const newest = new Map<string, { readonly order: string; readonly money: Partial<Money> }>();
  for (const line of record) {
    if (line.kind === 'payment') {
      const { nonce, capturedMinor } = line.payment;
      newest.set(`payment ${nonce}`, { order: nonce, money: { capturedMinor: BigInt(capturedMinor) } });
    } else if (line.kind === 'refund') {
      const { nonce, paymentNonce, amountMinor, status } = line.refund;
      const refundedMinor = status === 'refunded' ? BigInt(amountMinor) : 0n;
      newest.set(`refund ${nonce}`, { order: paymentNonce, money: { refundedMinor } });
    } else if (line.kind === 'dispute') {
      const { id, paymentNonce, amountMinor, status } = line.dispute;
      const disputedMinor = status === 'won' ? 0n : BigInt(amountMinor);
      newest.set(`dispute ${id}`, { order: paymentNonce, money: { disputedMinor } });
    }
  }
  const sums = new Map<string, Money>();
  for (const { order, money } of newest.values()) {
    const sum = sums.get(order) ?? { capturedMinor: 0n, refundedMinor: 0n, disputedMinor: 0n };
    sums.set(order, {
      capturedMinor: sum.capturedMinor + (money.capturedMinor ?? 0n),
      refundedMinor: sum.refundedMinor + (money.refundedMinor ?? 0n),
      disputedMinor: sum.disputedMinor + (money.disputedMinor ?? 0n),
    });
  }
  return sums;
}

/** What the ledger says that the provider owes us for each payment order. */
export async function posted(sql: SqlSession): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql.query<{ readonly subject: string; readonly minor: bigint }>(
    `SELECT t.subject, sum(CASE WHEN d.id LIKE 'cash-psp:%' THEN t.amount ELSE -t.amount END)::bigint AS minor
     FROM ledger_transfer t JOIN ledger_account d ON d.account_no = t.debit_account
       JOIN ledger_account c ON c.account_no = t.credit_account
     WHERE d.id LIKE 'cash-psp:%' OR c.id LIKE 'cash-psp:%' GROUP BY t.subject`,
  );
  return new Map(rows.map(({ subject, minor }) => [subject, minor]));
}
