import type { PinnedHttps } from '../psp/pinned-https.js';
import type { RiskCheck, RiskDecision } from './risk-check.js';

const decisions: readonly RiskDecision['decision'][] = ['allow', 'review', 'block'];
const reason = /^[a-z0-9_]{1,64}$/;

/**
 * A third party that evaluates payment events, over JSON and pinned HTTPS: `POST /v1/assessments` answers
 * with `decision` and `reason`. It gets ids and amounts and nothing about the buyer except the name of the
 * account. An unreadable answer rejects like a missing one: the payment then waits for a person.
 */
export function httpsRiskCheck(https: Pick<PinnedHttps, 'call'>): RiskCheck {
  return {
    name: 'provider',
    async assess({ caller, checkoutId, nowMs, orders }) {
      const reply = await https.call('POST', '/v1/assessments', {
        caller,
        checkout_id: checkoutId,
        at: new Date(nowMs).toISOString(),
        orders: orders.map(({ id, amountMinor }) => ({
          payment_order_id: id,
          amount_minor: amountMinor.toString(),
        })),
      });
      if (reply.kind !== 'reply') throw new Error(`The risk check did not answer: ${reply.reason}`);
      const decision = reply.status === 200 ? decisionOf(reply.body) : undefined;
      if (decision === undefined)
        throw new Error(`The risk check answered ${reply.status}, which cannot be understood.`);
      return decision;
    },
  };
}

function decisionOf(body: unknown): RiskDecision | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { decision, reason: given } = body as { readonly decision?: unknown; readonly reason?: unknown };
  const known = decisions.find((one) => one === decision);
  if (known === undefined || typeof given !== 'string' || !reason.test(given)) return undefined;
  return { decision: known, reason: given };
}

/**
 * Combines our own rules and a provider's result: the stricter one counts, and an unavailable provider is
 * `review`.
 */
export function strictestOf(checks: readonly RiskCheck[]): RiskCheck {
  return {
    name: checks.map(({ name }) => name).join('+'),
    async assess(subject) {
      const judged = await Promise.all(checks.map((check) => check.assess(subject)));
      return judged.reduce((strictest, one) =>
        decisions.indexOf(one.decision) > decisions.indexOf(strictest.decision) ? one : strictest,
      );
    },
  };
}
