import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { Reservation } from '../reservations/reservation.js';
import { readStayPayments } from '../reservations/stay-payments.js';
import { type Folio, type FolioEntry, folioOf, type PaymentLine } from './folio.js';

/** Reads in the session of the reservation, so that both are of one moment. */
export type ReadPayments = (session: SqlSession, reservation: Reservation) => Promise<readonly PaymentLine[]>;

/** For hotels without the payment package beside them: what the reservation itself knows of its payments. */
export const paymentsOfReservation: ReadPayments = async (session, { reservationId, updatedAt }) => {
  const payments = await readStayPayments(session, reservationId);
  return payments.toReversed().flatMap((payment) => {
    const of = (kind: PaymentLine['kind'], amountMinor: bigint): PaymentLine => ({
      // The first payment's lines have had these ids since before there were several.
      id: payment.supplementId === null ? kind : `${kind}/${payment.paymentId}`,
      paymentOrderId: payment.paymentId,
      isAccepted: true,
      kind,
      status: 'done',
      at: updatedAt,
      amountMinor,
    });
    return [
      of('capture', payment.capturedMinor),
      of('refund', -payment.refundedMinor),
      of('dispute', -payment.disputedMinor),
    ].filter(({ amountMinor }) => amountMinor !== 0n);
  });
};

/** In a transaction that is `repeatable read`. */
export async function readFolio(
  tx: SqlSession,
  reservation: Reservation,
  readPayments: ReadPayments,
): Promise<Folio> {
  const entries = await readEntries(tx, reservation.reservationId);
  return folioOf(reservation, entries, await readPayments(tx, reservation));
}

/** The balances of several reservations, in minor units by their ids. */
export async function readBalances(
  tx: SqlSession,
  reservations: readonly Reservation[],
  readPayments: ReadPayments,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await tx.query(
    'SELECT * FROM folio_entry WHERE reservation_id = ANY ($1) ORDER BY entry_no',
    [reservations.map(({ reservationId }) => reservationId)],
  );
  const balances = new Map<string, bigint>();
  for (const reservation of reservations) {
    const entries = rows.filter((row) => row['reservation_id'] === reservation.reservationId).map(entryOf);
    const { balanceMinor } = folioOf(reservation, entries, await readPayments(tx, reservation));
    balances.set(reservation.reservationId, balanceMinor);
  }
  return balances;
}

export async function readEntries(sql: SqlSession, reservationId: string): Promise<readonly FolioEntry[]> {
  const { rows } = await sql.query('SELECT * FROM folio_entry WHERE reservation_id = $1 ORDER BY entry_no', [
    reservationId,
  ]);
  return rows.map(entryOf);
}

export const entryOf = (row: SqlRow): FolioEntry => ({
  entryNo: row['entry_no'] as bigint,
  entryId: row['entry_id'] as string,
  voids: row['voids'] as bigint | null,
  name: row['name'] as string,
  amountMinor: row['amount_minor'] as bigint,
  vatBasisPoints: row['vat_basis_points'] as number,
  staffId: row['staff_id'] as string,
  reason: row['reason'] as string,
  at: row['at'] as Date,
});
