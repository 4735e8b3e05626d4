import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { accountOf } from '../ledger/accounts.js';
import type { Leg } from '../ledger/transfer.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import { payoutReturned } from './settlement-line.js';

/**
 * The class of a mismatch: 1 is adjusted automatically by a standard entry, 2 is understood but a person
 * decides, with a proposal, 3 is not understood: what moved is proposed to be held in suspense. The last four
 * compare our records with each other; the others compare the file with our records, or with earlier files.
 */
export const findingClasses = {
  fee_differs: 1,
  wrong_day: 1,
  /** Equal in everything to a line that we have. */
  duplicate_line: 1,
  /** A further line for an operation under another reference: the provider moved the money again. */
  settled_twice: 2,
  /** A line under a known reference differs from the previous one. */
  line_corrected: 2,
  /** A fee that no contract explains, or that differs from what the provider stated before. */
  fee_unusual: 2,
  amount_differs: 2,
  currency_differs: 2,
  status_differs: 2,
  missing_at_psp: 2,
  missing_internally: 3,
  refund_without_charge: 3,
  /** The provider uses another reference than in its answer to us. */
  reference_differs: 3,
  /** An order has succeeded and the ledger does not know: its consumer is late, or has failed. */
  ledger_missing: 2,
  ledger_differs: 2,
  /** Booked without an order that succeeded. */
  order_missing: 3,
  wallet_differs: 2,
  /** The provider owed us money for the file and reports no payout of it. */
  payout_missing: 2,
  /** The provider paid another amount to our bank than the file says that it owes. */
  payout_differs: 2,
  /** A payout that the provider reported before. */
  payout_repeated: 3,
  /** A payout contains what was not settled, not settled so, or paid before. */
  payout_part_differs: 3,
  /** A refund failed, so a buyer still waits for money. Found by the refund itself, not by a file. */
  refund_refused: 2,
  /** The provider captured another amount than was asked, or another currency. Found by its own answer. */
  capture_differs: 2,
} as const satisfies Readonly<Record<string, 1 | 2 | 3>>;

export type FindingKind = keyof typeof findingClasses;
export type FindingState = 'open' | 'awaiting_second' | 'adjusted' | 'settled' | 'healed';

export interface Finding {
  readonly findingNo: bigint;
  /** The file that it was found by. */
  readonly fileNo: number | undefined;
  readonly fileId: string | undefined;
  /** Absent when it is about what the file does not have. */
  readonly lineNo: number | undefined;
  readonly kind: FindingKind;
  readonly class: 1 | 2 | 3;
  readonly paymentOrderId: string | undefined;
  /** As the ledger calls it: `capture`, `refund:<id>`. */
  readonly operation: string | undefined;
  readonly seller: string | undefined;
  readonly currency: Currency;
  /** The PSP's amount in minor units; for a wallet, the wallet's balance. */
  readonly pspMinor: bigint | undefined;
  readonly ourMinor: bigint | undefined;
  /** The currency of `ourMinor` where it is another one. */
  readonly ourCurrency: Currency | undefined;
  readonly state: FindingState;
  readonly foundAt: Date;
  readonly changedAt: Date;
}

/** The standard entry of class 1, and the proposal of class 2; empty where there is none. */
export function adjustmentOf(finding: Finding): readonly Leg[] {
  const { kind, currency, pspMinor = 0n, ourMinor = 0n, operation = '' } = finding;
  const account = (name: Parameters<typeof accountOf>[0]) => accountOf(name, currency);
  const leg = (debit: string, credit: string, minor: bigint, of = currency): readonly Leg[] => {
    if (minor === 0n) return [];
    const amount = { minor: minor < 0n ? -minor : minor, currency: of };
    return [minor < 0n ? { debit: credit, credit: debit, amount } : { debit, credit, amount }];
  };
  const ours = (minor: bigint): readonly Leg[] =>
    leg(
      accountOf('cash-psp', finding.ourCurrency ?? currency),
      accountOf('differences', finding.ourCurrency ?? currency),
      minor,
      finding.ourCurrency,
    );
  // Charges bring money; refunds and disputes take it.
  const sign =
    operation === 'capture' || operation === payoutReturned || operation.endsWith(':won') ? 1n : -1n;
  switch (kind) {
    case 'fee_differs':
    case 'fee_unusual':
      return leg(account('psp-fees'), account('psp-fees-due'), pspMinor - ourMinor);
    case 'duplicate_line':
    case 'settled_twice':
      return leg(account('settlement-difference'), account('psp-suspense'), sign * pspMinor);
    case 'wrong_day':
      // From one day into the other: no account changes in total, and the ledger shows that it crossed the
      // cut-off.
      return [
        ...leg(account('psp-cut-off'), account('cash-psp'), sign * pspMinor),
        ...leg(account('cash-psp'), account('psp-cut-off'), sign * pspMinor),
      ];
    case 'amount_differs':
    case 'line_corrected':
      return leg(account('cash-psp'), account('differences'), sign * (pspMinor - ourMinor));
    case 'missing_at_psp':
      return leg(account('differences'), account('cash-psp'), sign * ourMinor);
    case 'status_differs':
      // Either the provider moved the money or we booked it, never both.
      return pspMinor === 0n
        ? leg(account('differences'), account('cash-psp'), sign * ourMinor)
        : leg(account('settlement-difference'), account('psp-suspense'), sign * pspMinor);
    // Held in suspense until its cause is known.
    case 'missing_internally':
    case 'refund_without_charge':
      return leg(account('settlement-difference'), account('psp-suspense'), sign * pspMinor);
    case 'currency_differs':
      // What we booked leaves, what the provider moved arrives: in differences the two meet.
      return [
        ...ours(sign * -ourMinor),
        ...leg(account('cash-psp'), account('differences'), sign * pspMinor),
      ];
    case 'payout_differs':
      return leg(account('cash-bank'), account('cash-psp'), pspMinor);
    case 'payout_missing':
    case 'payout_repeated':
    case 'payout_part_differs':
    case 'reference_differs':
    case 'ledger_missing':
    case 'ledger_differs':
    case 'order_missing':
    case 'wallet_differs':
    // No money has moved.
    case 'refund_refused':
    // What was captured is booked and refunded already, or is not ours.
    case 'capture_differs':
      return [];
  }
}

export const findingColumns = `f.finding_no, f.file_no, s.file_id, f.line_no, f.kind, f.class, f.payment_order_id, f.operation,
  f.seller_account, f.currency, f.psp_minor, f.our_minor, f.our_currency, f.state, f.found_at, f.changed_at`;

/** One finding, held until the transaction ends. */
export async function lockFinding(tx: SqlSession, findingNo: bigint): Promise<Finding | undefined> {
  const { rows } = await tx.query(
    `SELECT ${findingColumns} FROM reconciliation_finding f LEFT JOIN settlement_file s USING (file_no)
     WHERE f.finding_no = $1 FOR UPDATE OF f`,
    [findingNo],
  );
  return rows[0] === undefined ? undefined : findingOfRow(rows[0]);
}

export function findingOfRow(row: SqlRow): Finding {
  const given = <Value>(name: string) => (row[name] ?? undefined) as Value | undefined;
  return {
    findingNo: row['finding_no'] as bigint,
    fileNo: given('file_no'),
    fileId: given('file_id'),
    lineNo: given('line_no'),
    kind: row['kind'] as FindingKind,
    class: row['class'] as 1 | 2 | 3,
    paymentOrderId: given('payment_order_id'),
    operation: given('operation'),
    seller: given('seller_account'),
    currency: parseCurrency(row['currency'])!,
    pspMinor: given('psp_minor'),
    ourMinor: given('our_minor'),
    ourCurrency: parseCurrency(row['our_currency']),
    state: row['state'] as FindingState,
    foundAt: row['found_at'] as Date,
    changedAt: row['changed_at'] as Date,
  };
}
