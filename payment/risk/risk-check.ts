import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { PaymentSettings } from '../settings/settings.js';
import { countBuyerEvents } from './buyer-events.js';

export interface RiskSubject {
  readonly caller: string;
  readonly checkoutId: string;
  readonly nowMs: number;
  /** The buyer, from `buyerIdentities`: at least one. */
  readonly buyer: readonly string[];
  readonly orders: readonly {
    readonly id: string;
    readonly sellerAccount: string;
    readonly amountMinor: bigint;
  }[];
}

/**
 * `block`: no charge is requested. `review`: a person decides first. One decision for the whole payment
 * event.
 */
export interface RiskDecision {
  readonly decision: 'allow' | 'review' | 'block';
  /** From a closed set. */
  readonly reason: string;
}

/**
 * Evaluates a payment event before any charge: our own rules, or a third party behind HTTP. May reject; the
 * payment then waits for a person (fail closed), because a late payment can be corrected and laundered money
 * cannot.
 */
export interface RiskCheck {
  readonly name: string;
  assess(subject: RiskSubject): Promise<RiskDecision>;
}

export async function assessOrWait(check: RiskCheck, subject: RiskSubject): Promise<RiskDecision> {
  try {
    return await check.assess(subject);
  } catch {
    return { decision: 'review', reason: 'risk_check_unavailable' };
  }
}

/** Limits how many payment events one buyer makes within an hour, and the amount of one order. */
export function rulesRiskCheck(
  sql: SqlSession,
  settings: Pick<
    PaymentSettings,
    'reviewAfterEventsPerHour' | 'blockAfterEventsPerHour' | 'reviewAboveMinor' | 'reviewAboveMinorOf'
  >,
  gathering: Partial<BatcherOptions> = {},
): RiskCheck {
  const { blockAfterEventsPerHour, reviewAfterEventsPerHour, reviewAboveMinor, reviewAboveMinorOf } =
    settings;
  const limitOf = (seller: string) => reviewAboveMinorOf.get(seller) ?? reviewAboveMinor;
  const counts = new Batcher(
    (subjects: readonly RiskSubject[]) => countBuyerEvents(sql, subjects, blockAfterEventsPerHour),
    // One batch after the other: of payments that one buyer makes at the same moment each sees those before
    // it.
    { ...gathering, atOnce: 1 },
  );
  return {
    name: 'rules',
    async assess(subject) {
      const made = await counts.call(subject);
      if (made >= blockAfterEventsPerHour) return { decision: 'block', reason: 'too_many_payments' };
      if (made >= reviewAfterEventsPerHour) return { decision: 'review', reason: 'many_payments' };
      if (subject.orders.some(({ sellerAccount, amountMinor }) => amountMinor > limitOf(sellerAccount)))
        return { decision: 'review', reason: 'large_amount' };
      return { decision: 'allow', reason: 'nothing_unusual' };
    },
  };
}
