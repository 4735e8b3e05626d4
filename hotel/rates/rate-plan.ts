export const meals = ['none', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;
export type Meal = (typeof meals)[number];

/** Days from `from` to `to`, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Dated prices of its own, or those of another plan, changed by a percentage and then an amount. */
export type PriceRule =
  | { readonly kind: 'own' }
  | {
      readonly kind: 'derived';
      /** Null: from the rate of the room type. */
      readonly from: string | null;
      readonly percent: number;
      /** May be negative; minor units of the hotel's currency. */
      readonly amountMinor: bigint;
    };

export interface RatePlan {
  readonly planId: string;
  readonly name: string;
  readonly meal: Meal;
  /** False: `lateCancelPercent` is kept from the booking on. */
  readonly refundable: boolean;
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
  /** The nights that may be sold under it; ascending and without overlap. Empty: not on sale. */
  readonly valid: readonly DayRange[];
  readonly price: PriceRule;
}

export const ratePlanLimits = {
  /** Plans of one room type. */
  plansMax: 20,
  /** Ranges of days in which a plan is valid. */
  rangesMax: 50,
} as const;

/** The first range that begins before another one has ended. */
export function overlapping(ranges: readonly DayRange[]): DayRange | undefined {
  const sorted = ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return sorted.find((range, index) => index > 0 && range.from <= sorted[index - 1]!.to);
}

/** Whether the derivations of `plans` lead from `planId` back to it. */
export function isInCircle(plans: ReadonlyMap<string, PriceRule>, planId: string): boolean {
  let next: string | null = planId;
  for (let steps = 0; next !== null; steps += 1) {
    const rule: PriceRule | undefined = plans.get(next);
    if (steps > plans.size) return true;
    next = rule?.kind === 'derived' ? rule.from : null;
    if (next === planId) return true;
  }
  return false;
}
