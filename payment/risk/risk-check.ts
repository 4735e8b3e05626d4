import type { SqlSession } from '#platform/sql/sql.js';
import type { PaymentSettings } from '../settings.js';

export interface RiskSubject {
  readonly caller: string;
  readonly checkoutId: string;
  readonly nowMs: number;
  readonly orders: readonly { readonly id: string; readonly amountMinor: bigint }[];
}

/** `block`: no money is asked for. `review`: a person decides first. One decision for the whole payment event. */
export interface RiskDecision {
  readonly decision: 'allow' | 'review' | 'block';
  /** From a closed set. */
  readonly reason: string;
}

/**
 * Judges a payment event before anybody is charged: rules of ours, or a third party behind HTTP. May reject; the payment then waits for a
 * person (fail closed), since a payment that is late can be mended and money that was laundered cannot.
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

/** How many payment events one buyer made within the hour, and how much one order is about. */
export function rulesRiskCheck(
  sql: SqlSession,
  settings: Pick<
    PaymentSettings,
    'reviewAfterEventsPerHour' | 'blockAfterEventsPerHour' | 'reviewAboveMinor'
  >,
): RiskCheck {
  return {
    name: 'rules',
    async assess({ caller, nowMs, orders }) {
      const { rows } = await sql.query<{ readonly made: bigint }>(
        'SELECT count(*) AS made FROM payment_events WHERE caller = $1 AND created_at > $2',
        [caller, new Date(nowMs - 3_600_000)],
      );
      const made = Number(rows[0]!.made);
      if (made >= settings.blockAfterEventsPerHour) return { decision: 'block', reason: 'too_many_payments' };
      if (made >= settings.reviewAfterEventsPerHour) return { decision: 'review', reason: 'many_payments' };
      if (orders.some(({ amountMinor }) => amountMinor > settings.reviewAboveMinor))
        return { decision: 'review', reason: 'large_amount' };
      return { decision: 'allow', reason: 'nothing_unusual' };
    },
  };
}
