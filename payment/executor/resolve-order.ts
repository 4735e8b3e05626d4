import { closed } from '../orders/failed-order.js';
import type { Order } from '../orders/order.js';
import type { PspAnswer } from '../psp/psp.js';
import type { PspPayment } from '../psp/psp-payment.js';
import { executeOrder, notConfigured, pspOrderOf, storeAnswer } from './execute-order.js';
import { askAgainMs, type ExecutorDeps, providerOf } from './executor-deps.js';

const source = 'resolver';

/**
 * Finds the outcome of an order in progress by querying the provider with the nonce. It never charges. An
 * order with no time or attempts left is closed at the provider, so that a request still in flight cannot
 * charge it after we reported that it failed.
 */
export async function resolveOrder(deps: ExecutorDeps, orderId: string): Promise<void> {
  const order = await take(deps, orderId);
  if (order === undefined) return;
  if (order.captureMinor > 0n) return capture(deps, order);
  const close = isOver(deps, order);
  // Nobody has it, so there is nothing to ask and nothing to close.
  if (order.provider === undefined) {
    if (close) await end(deps, order);
    else await storeAnswer(deps, order, { kind: 'absent' }, source);
    return;
  }
  const answer = await ask(deps, order, close);
  if (close && answer.kind === 'known' && answer.value.status === 'voided') {
    await end(deps, order, answer.value);
    return;
  }
  if (answer.kind === 'refused' || (close && answer.kind === 'absent')) {
    await storeAnswer(deps, order, { kind: 'unknown', reason: 'the provider gave no result' }, source);
    return;
  }
  await storeAnswer(deps, order, answer, source);
  if (answer.kind === 'known') await askLater(deps, order, answer);
}

/**
 * Repeats the capture until its outcome is known: the provider takes the amount once. If it refuses, the
 * state of the payment says why.
 */
async function capture(deps: ExecutorDeps, order: Order): Promise<void> {
  const psp = providerOf(deps, order);
  await deps.reach('before-psp-call');
  const answer =
    psp === undefined ? notConfigured(order) : await psp.capture(pspOrderOf(order), order.captureMinor);
  await deps.reach('after-psp-call');
  const state = answer.kind === 'refused' && psp !== undefined ? await psp.query(pspOrderOf(order)) : answer;
  const isOpen = state.kind === 'known' && state.value.status === 'authorized';
  const reason = 'the capture has no result yet';
  const outcome = isOpen || state.kind === 'refused' ? ({ kind: 'unknown', reason } as const) : state;
  await storeAnswer(deps, order, outcome, source);
  await deps.reach('after-answer-stored');
}

async function ask(deps: ExecutorDeps, order: Order, close: boolean): Promise<PspAnswer<PspPayment>> {
  const psp = providerOf(deps, order);
  if (psp === undefined) return notConfigured(order);
  return close ? psp.cancel(pspOrderOf(order)) : psp.query(pspOrderOf(order));
}

/** A challenge that the buyer abandons ends with the time of the order, as the page does. */
function isOver({ settings, nowMs }: ExecutorDeps, order: Order): boolean {
  if (order.voidRequested) return true;
  if (order.pending === 'buyer' || order.pending === 'challenge') return order.expiresMs <= nowMs();
  if (order.pending !== 'unknown') return false;
  return order.expiresMs <= nowMs() || order.attempts >= settings.retry.attemptsMax;
}

/** Moves the time of the next query ahead, so that another resolver leaves the order alone meanwhile. */
async function take(deps: ExecutorDeps, orderId: string): Promise<Order | undefined> {
  const nowMs = deps.nowMs();
  const order = await deps.orders.read(orderId);
  const due = order?.nextAttemptMs !== undefined && order.nextAttemptMs <= nowMs;
  if (order?.status !== 'EXECUTING' || !due) return undefined;
  const set = { nextAttemptMs: nowMs + deps.settings.leaseMs };
  return deps.orders.change({ order, change: { set, cause: 'asked' }, context: { nowMs, source } });
}

async function end(deps: ExecutorDeps, order: Order, payment?: PspPayment): Promise<void> {
  const nowMs = deps.nowMs();
  const reported =
    payment === undefined
      ? {}
      : { pspSequence: Math.max(order.pspSequence, payment.sequence), pspReference: payment.reference };
  const { attemptsMax } = deps.settings.retry;
  const change = closed(order, reported, { nowMs, attemptsMax, otherwise: 'retries_exhausted' });
  await deps.orders.change({ order, change, context: { nowMs, source } });
}

/**
 * The provider reported nothing new, but the address of its page may have changed. The time of the next query
 * follows from the order's age.
 */
async function askLater(deps: ExecutorDeps, order: Order, answer: PspAnswer<PspPayment>): Promise<void> {
  if (answer.kind !== 'known' || answer.value.sequence > order.pspSequence) return;
  const { authorizedAskMs } = deps.settings;
  const set = {
    nextAttemptMs: order.pending === 'capture' ? deps.nowMs() + authorizedAskMs : askAgainMs(deps, order),
    ...(order.pending === 'unknown' ? { pending: pendingOf(answer.value, order) } : {}),
    ...(answer.value.pageUrl === undefined ? {} : { pspPageUrl: answer.value.pageUrl }),
  };
  const context = { nowMs: deps.nowMs(), source };
  await deps.orders.change({ order, change: { set, cause: 'nothing_new' }, context });
}

function pendingOf({ status }: PspPayment, { manualCapture }: Order): Order['pending'] {
  if (status === 'authorized' && manualCapture) return 'capture';
  if (status === 'registered') return 'buyer';
  return status === 'review' || status === 'challenge' ? status : 'processing';
}

/** Does what is due for an order: starts it, or queries its outcome. */
export async function workOn(deps: ExecutorDeps, order: Pick<Order, 'id' | 'status'>): Promise<void> {
  if (order.status === 'EXECUTING') await resolveOrder(deps, order.id);
  else await executeOrder(deps, order.id);
}
