import type { Reservation, ReservationStatus } from '../reservations/reservation.js';
import { addDays } from '../reservations/stay-days.js';
import { taxLines } from '../taxes/tax-lines.js';

export interface ChargeLine {
  /** The same in every reading: `night/2027-07-01`, `tax/city-tax`, `entry/12`. */
  readonly key: string;
  readonly kind: 'night' | 'tax' | 'extra' | 'void' | 'cancellation' | 'no-show' | 'reduction';
  readonly name: string;
  /** `YYYY-MM-DD` of a night. */
  readonly date?: string;
  readonly amountMinor: bigint;
}

/** VAT that is a part of the charges. */
export interface IncludedTax {
  readonly key: string;
  readonly name: string;
  readonly amountMinor: bigint;
}

/** Money of a payment order; what goes back is negative. */
export interface PaymentLine {
  readonly id: string;
  readonly paymentOrderId: string;
  /** False: it came too late or was another amount, and all of it goes back. */
  readonly isAccepted: boolean;
  readonly kind: 'capture' | 'refund' | 'dispute';
  /** `pending`: requested, and on its way. */
  readonly status: 'done' | 'pending';
  readonly at: Date;
  readonly amountMinor: bigint;
}

/** An extra that staff posted, or the counter line that takes one back. */
export interface FolioEntry {
  readonly entryNo: bigint;
  readonly entryId: string;
  readonly voids: bigint | null;
  readonly name: string;
  readonly amountMinor: bigint;
  readonly vatBasisPoints: number;
  readonly staffId: string;
  readonly reason: string;
  readonly at: Date;
}

export interface Folio {
  readonly reservation: Reservation;
  readonly charges: readonly ChargeLine[];
  readonly includedTaxes: readonly IncludedTax[];
  readonly payments: readonly PaymentLine[];
  readonly entries: readonly FolioEntry[];
  readonly chargesMinor: bigint;
  readonly paymentsMinor: bigint;
  /** Charges − payments: above zero the guest owes it, below zero the hotel does. */
  readonly balanceMinor: bigint;
}

const staying: ReadonlySet<ReservationStatus> = new Set([
  'pending_payment',
  'paid',
  'payment_returned',
  'checked_in',
  'completed',
]);

/**
 * All that a stay costs and all that was paid for it.
 *
 * - While the stay is booked, its nights and what is charged on top of them. When rooms or nights were given
 *   up late, what was kept of their price.
 * - After a cancellation or a no-show, only what was kept: paid − granted.
 * - What was refunded beyond what policy and staff granted lowers the charges: the price was reduced.
 */
export function folioOf(
  reservation: Reservation,
  entries: readonly FolioEntry[],
  payments: readonly PaymentLine[],
): Folio {
  const stay = staying.has(reservation.status) ? nightsAndTaxes(reservation) : [];
  const reducedMinor = reductionOf(reservation, payments);
  const charges = [
    ...stay,
    ...keptOf(reservation, sumOf(stay)),
    ...(reducedMinor === 0n
      ? []
      : [line('reduction', 'reduction', 'Refunded beyond the policy', -reducedMinor)]),
    ...entries.map((entry) =>
      line(`entry/${entry.entryNo}`, entry.voids === null ? 'extra' : 'void', entry.name, entry.amountMinor),
    ),
  ];
  const chargesMinor = sumOf(charges);
  const paymentsMinor = sumOf(payments);
  return {
    reservation,
    charges,
    includedTaxes: [...vatOfNights(reservation, stay, reducedMinor), ...vatOfEntries(entries)],
    payments,
    entries,
    chargesMinor,
    paymentsMinor,
    balanceMinor: chargesMinor - paymentsMinor,
  };
}

const line = (key: string, kind: ChargeLine['kind'], name: string, amountMinor: bigint): ChargeLine => ({
  key,
  kind,
  name,
  amountMinor,
});

const sumOf = (lines: readonly { readonly amountMinor: bigint }[]): bigint =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

function nightsAndTaxes(reservation: Reservation): readonly ChargeLine[] {
  const { startDate, roomCount, nightPricesMinor } = reservation;
  const nights = nightPricesMinor.map((price, night): ChargeLine => {
    const date = addDays(startDate, night);
    const name = roomCount === 1 ? 'Room' : `${roomCount} rooms`;
    return { ...line(`night/${date}`, 'night', name, price * BigInt(roomCount)), date };
  });
  const onTop = taxLines(reservation).filter(({ isIncluded }) => !isIncluded);
  // A rule may change within a stay: both parts have the same code.
  return [
    ...nights,
    ...onTop.map(({ code, name, amountMinor }, at) => line(`tax/${code}/${at}`, 'tax', name, amountMinor)),
  ];
}

/** What the hotel keeps of nights that nobody spends. */
function keptOf(reservation: Reservation, stayMinor: bigint): readonly ChargeLine[] {
  const { status, paymentId, paidMinor, extrasPaidMinor, refundGrantedMinor } = reservation;
  if (paymentId === null) return [];
  const keptMinor = paidMinor - extrasPaidMinor - refundGrantedMinor - stayMinor;
  if (keptMinor <= 0n) return [];
  return status === 'no_show'
    ? [line('no-show', 'no-show', 'No-show', keptMinor)]
    : [line('cancellation', 'cancellation', 'Cancellation', keptMinor)];
}

function reductionOf({ refundGrantedMinor }: Reservation, payments: readonly PaymentLine[]): bigint {
  const refundedMinor = -sumOf(payments.filter(({ kind, isAccepted }) => kind === 'refund' && isAccepted));
  return refundedMinor > refundGrantedMinor ? refundedMinor - refundGrantedMinor : 0n;
}

/** A reduction lowers the VAT of the nights in proportion. What is kept of a cancelled stay has none. */
function vatOfNights(
  reservation: Reservation,
  stay: readonly ChargeLine[],
  reducedMinor: bigint,
): readonly IncludedTax[] {
  const nightsMinor = sumOf(stay.filter(({ kind }) => kind === 'night'));
  if (nightsMinor === 0n) return [];
  const leftMinor = nightsMinor > reducedMinor ? nightsMinor - reducedMinor : 0n;
  return taxLines(reservation)
    .filter(({ isIncluded }) => isIncluded)
    .map(({ code, name, amountMinor }, at) => ({
      key: `${code}/${at}`,
      name,
      amountMinor: (2n * amountMinor * leftMinor + nightsMinor) / (2n * nightsMinor),
    }));
}

/** Of each entry by itself, rounded half up, so that a void takes back exactly what its entry had. */
function vatOfEntries(entries: readonly FolioEntry[]): readonly IncludedTax[] {
  const byRate = new Map<number, bigint>();
  for (const { vatBasisPoints, amountMinor } of entries) {
    const points = BigInt(vatBasisPoints);
    const by = 10_000n + points;
    const size = amountMinor < 0n ? -amountMinor : amountMinor;
    const vat = (2n * size * points + by) / (2n * by);
    byRate.set(vatBasisPoints, (byRate.get(vatBasisPoints) ?? 0n) + (amountMinor < 0n ? -vat : vat));
  }
  return [...byRate]
    .filter(([points, amountMinor]) => points > 0 && amountMinor !== 0n)
    .map(([points, amountMinor]) => ({
      key: `extras/${points}`,
      name: `VAT ${points / 100} % on extras`,
      amountMinor,
    }));
}
