import { traced } from '#platform/telemetry/tracing.js';
import { noticeKind } from '#schemas/messages.js';
import { paymentNotice } from '#schemas/topics.js';
import { changeOrder, type OrderChange } from '../orders/change-order.js';
import { actionOf } from '../orders/code-actions.js';
import { failed } from '../orders/failed-order.js';
import type { Order } from '../orders/order.js';
import { addToOutbox } from '../outbox/outbox.js';
import { providerCodes } from '../psp/provider-codes.js';
import type { PspAnswer, PspOrder } from '../psp/psp.js';
import type { PspPayment } from '../psp/psp-payment.js';
import { retryAfter } from '../settings/retry-policy.js';
import { paymentOrderAttribute, providerAttribute } from '../settings/trace-attributes.js';
import { applyContext, askAgainMs, type ExecutorDeps, providerOf } from './executor-deps.js';

const source = 'executor';

/** Starts an order by its id; see `beginOrder`. */
export async function executeOrder(deps: ExecutorDeps, orderId: string): Promise<void> {
  const order = await deps.orders.read(orderId);
  if (order !== undefined) await beginOrder(deps, order);
}

/**
 * Sends one order to the provider. Payments start only here. The order is moved to EXECUTING by
 * compare-and-set, so two executors never both call, and an order that changed since it was read is left
 * alone. Whatever happens after the call, the nonce keeps a second call without effect. An order goes to
 * another provider only if none has it: each provider that was asked, and only in this attempt, declared that
 * it accepted nothing, or no byte reached it. Resolves when the answer is stored, with the resulting order;
 * with nothing when the order is not due, or when another process changed it meanwhile.
 */
export async function beginOrder(deps: ExecutorDeps, order: Order): Promise<Order | undefined> {
  const isFree = order.provider === undefined;
  const [first, ...others] = isFree ? deps.providers.routeOf(order) : [];
  let taken = await take(deps, order, order.provider ?? first?.name);
  for (const next of [...others, undefined]) {
    if (taken === undefined) return undefined;
    await deps.reach('before-psp-call');
    const called = await call(deps, taken);
    await deps.reach('after-psp-call');
    const mayMove = next !== undefined && called.order === taken && didNothing(called.answer);
    if (!mayMove) {
      const mayForget = isFree && called.order === taken;
      const stored = await storeAnswer(deps, called.order, called.answer, source, mayForget);
      await deps.reach('after-answer-stored');
      return stored;
    }
    taken = await deps.orders.change({
      order: taken,
      change: { set: { provider: next.name }, cause: 'failed_over' },
      context: { nowMs: deps.nowMs(), source },
    });
  }
  return taken;
}

/** A refusal before anything was accepted, or before anything was sent. An unknown outcome never is one. */
const didNothing = (answer: PspAnswer<PspPayment>): boolean =>
  answer.kind === 'refused' && providerCodes.has(answer.code);

/** The order is another one when the provider's reference was stored before money could move. */
async function call(
  deps: ExecutorDeps,
  taken: Order,
): Promise<{ readonly order: Order; readonly answer: PspAnswer<PspPayment> }> {
  const psp = providerOf(deps, taken);
  if (psp === undefined) return { order: taken, answer: notConfigured(taken) };
  let order = taken;
  const attributes = { [paymentOrderAttribute]: taken.id, [providerAttribute]: psp.name };
  const options = { kind: 'client', attributes } as const;
  const answer = await traced('call payment provider', options, () => psp.begin(pspOrderOf(taken), keep));
  return { order, answer };

  async function keep(pspReference: string): Promise<boolean> {
    const change = { set: { pspReference }, cause: 'reference_stored' };
    const kept = await deps.orders.change({ order, change, context: { nowMs: deps.nowMs(), source } });
    if (kept === undefined) return false;
    order = kept;
    return true;
  }
}

export const notConfigured = ({ provider }: Order) =>
  ({ kind: 'unknown', reason: `the provider ${provider ?? ''} is not configured` }) as const;

export const pspOrderOf = ({ card, ...order }: Order): PspOrder => ({
  nonce: order.id,
  amountMinor: order.amountMinor,
  currency: order.currency,
  expiresMs: order.expiresMs,
  attempt: order.attempts,
  ...(order.pspReference === undefined ? {} : { reference: order.pspReference }),
  ...(card.cardToken === undefined ? {} : { cardToken: card.cardToken }),
  ...(card.savedCard === undefined ? {} : { savedCard: card.savedCard }),
  ...(card.keepCard && { keepCard: true }),
  ...(card.offSession && { offSession: true }),
  ...(order.manualCapture ? { manual: true } : {}),
});

/** An order that may begin: new and let through by the risk check, or failed in a way that may pass. */
export function mayBegin(order: Order, nowMs: number): boolean {
  const open = order.status === 'NOT_STARTED' || (order.status === 'FAILED' && !order.isFinal);
  return open && order.nextAttemptMs !== undefined && order.nextAttemptMs <= nowMs;
}

async function take(
  deps: ExecutorDeps,
  order: Order,
  provider: string | undefined,
): Promise<Order | undefined> {
  const nowMs = deps.nowMs();
  if (!mayBegin(order, nowMs)) return undefined;
  // An order of a page never begins without its card: it would open a page of its own.
  const hasNoCard = order.pageId !== undefined && order.card.savedCard === undefined;
  const expired = order.expiresMs <= nowMs || hasNoCard;
  const started = await deps.orders.change({
    order,
    change: {
      set: {
        status: 'EXECUTING',
        pending: 'unknown',
        attempts: order.attempts + (expired ? 0 : 1),
        nextAttemptMs: expired ? nowMs : nowMs + deps.settings.leaseMs,
        ...(expired ? {} : { provider }),
      },
      cause: expired ? 'expired' : order.attempts === 0 ? 'started' : 'tried_again',
      event: { kind: 'started' },
    },
    context: { nowMs, source },
  });
  // Too late to begin: the resolver closes the nonce at the provider and ends it.
  return expired ? undefined : started;
}

/**
 * What an answer to any call about an order means for it; resolves as `beginOrder` does. `isFree`: before
 * this attempt no provider could have the order.
 */
export async function storeAnswer(
  deps: ExecutorDeps,
  order: Order,
  answer: PspAnswer<PspPayment>,
  by: string,
  isFree = false,
): Promise<Order | undefined> {
  const nowMs = deps.nowMs();
  const context = { nowMs, source: by };
  // If another process changed the order meanwhile, a webhook knew more than a refusal does.
  const change = (to: OrderChange) => deps.orders.change({ order, change: to, context });
  switch (answer.kind) {
    case 'known': {
      return deps.orders.apply({ order, payment: answer.value, context: applyContext(deps, by) });
    }
    case 'refused':
      return change(
        refused(deps, order, answer.code, answer.retryAfterMs, nowMs, isFree && didNothing(answer)),
      );
    case 'absent':
      return change(refused(deps, order, 'never_arrived', undefined, nowMs));
    case 'unknown':
      deps.logger.warn('the outcome of a call to the provider is unknown', {
        paymentOrderId: order.id,
        cause: answer.reason,
      });
      return change(waiting(deps, order, 'outcome_unknown'));
    case 'suspect':
      deps.logger.error('the certificate of the provider is not pinned; nothing was sent', {
        paymentOrderId: order.id,
        cause: answer.reason,
      });
      return deps.sql.transaction(async (tx) => {
        const changed = await changeOrder(tx, order, waiting(deps, order, 'provider_suspect'), context);
        await addToOutbox(tx, paymentNotice.name, order.id, {
          eventId: `${order.id}:suspect`,
          kind: noticeKind.providerSuspect,
          paymentOrderId: order.id,
          caller: order.caller,
          detail: answer.reason.slice(0, 200),
          occurredMs: nowMs,
        });
        return changed;
      });
  }
}

function waiting(deps: ExecutorDeps, order: Order, cause: string): OrderChange {
  return { set: { pending: 'unknown', nextAttemptMs: askAgainMs(deps, order), failureCode: cause }, cause };
}

/**
 * The provider did nothing, so we retry later or stop. Before we stop, the resolver closes the nonce, because
 * requests may still be in flight.
 */
function refused(
  deps: ExecutorDeps,
  order: Order,
  code: string,
  askedMs: number | undefined,
  nowMs: number,
  isFree = false,
): OrderChange {
  const action = actionOf(code, 'manual');
  if (action !== 'retry') return failed({}, code, action === 'manual');
  const waitMs = retryAfter(deps.settings.retry, order.attempts, deps.random(), askedMs);
  const free = isFree ? { provider: undefined } : {};
  if (waitMs === undefined)
    return {
      set: { ...free, pending: 'unknown', nextAttemptMs: nowMs, failureCode: code },
      cause: 'giving_up',
    };
  return {
    set: { ...free, status: 'FAILED', pending: undefined, nextAttemptMs: nowMs + waitMs, failureCode: code },
    cause: code,
    event: { kind: 'retryScheduled' },
  };
}
