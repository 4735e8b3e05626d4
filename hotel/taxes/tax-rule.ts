import type { FieldError } from '#platform/http/problem.js';

/** Nights from `from` to `to`, both inclusive; without them, all nights. */
interface Dated {
  /** Stable, for programs: `vat`, `city-tax`. */
  readonly code: string;
  /** For people, on pages and invoices. */
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
}

/** `vat` is included in the price of the nights. All others are charged on top of it. */
export type TaxRule = Dated &
  (
    | { readonly kind: 'vat' | 'fee' /** Hundredths of a percent. */; readonly basisPoints: number }
    | {
        readonly kind: 'room-night' | 'person-night';
        /** In minor units of the hotel's currency. */
        readonly amountMinor: number;
        /** Of one stay, at most so many nights count. */
        readonly nightsMax?: number;
      }
  );

export const taxLimits = { rulesMax: 20, basisPointsMax: 10_000, amountMinorMax: 1_000_000_000 } as const;

/** What rules that are each right do wrong together; `pointer` is of the list. */
export function taxFaults(rules: readonly TaxRule[], pointer = '/rules'): readonly FieldError[] {
  const faults: FieldError[] = [];
  for (const [index, rule] of rules.entries()) {
    const at = `${pointer}/${index}`;
    // Two taxes that are included in one price would each be computed from the whole of it.
    const other = rules
      .slice(0, index)
      .find(
        (one) =>
          overlap(one, rule) && (one.code === rule.code || (one.kind === 'vat' && rule.kind === 'vat')),
      );
    if (other !== undefined)
      faults.push({ pointer: at, message: `must not have nights in common with ${other.code}` });
  }
  return faults;
}

const overlap = (one: Dated, other: Dated): boolean =>
  (one.from ?? '') <= (other.to ?? '9999') && (other.from ?? '') <= (one.to ?? '9999');
