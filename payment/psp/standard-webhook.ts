import { verifyWebhook } from '#platform/webhooks/verify-webhook.js';
import type { PspDispute, PspEvent, WebhookReading, WebhookRequest } from './psp-event.js';
import { isDisputeReason, paymentOf, refundOf } from './read-answer.js';

type Fields = Readonly<Record<string, unknown>>;

/** A webhook as Standard Webhooks describes it. `secrets` are one, or two while they rotate. */
export function readStandardWebhook(
  request: WebhookRequest,
  secrets: readonly string[],
  nowMs: number,
  toleranceMs: number,
): WebhookReading {
  const signed = {
    id: request.header('webhook-id'),
    timestamp: request.header('webhook-timestamp'),
    signature: request.header('webhook-signature'),
    body: request.body,
  };
  const verified = verifyWebhook(signed, secrets, nowMs, toleranceMs);
  if (!verified.ok) return { kind: 'refused', reason: verified.reason };
  const message = parse(request.body);
  if (message === undefined) return { kind: 'malformed', reason: 'The body is not a webhook of this API.' };
  return { kind: 'read', id: verified.id, type: message.type, event: eventOf(message) };
}

interface Message {
  readonly type: string;
  readonly data: Fields;
  readonly created: unknown;
}

function parse(body: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, data, created } = value as Fields;
  if (typeof type !== 'string' || !/^[a-z]{1,20}\.[a-z_]{1,20}$/.test(type)) return undefined;
  if (typeof data !== 'object' || data === null) return undefined;
  return { type, data: data as Fields, created };
}

function eventOf({ type, data, created }: Message): PspEvent {
  const named = data['payment_nonce'] ?? data['nonce'];
  const nonce = typeof named === 'string' ? { nonce: named.slice(0, 64) } : {};
  const unreadable = { kind: 'nothing', effect: 'unreadable', ...nonce } as const;
  const ofNoInterest = { kind: 'nothing', effect: 'of no interest', ...nonce } as const;
  const own = String(data['nonce'] ?? '');
  const [subject = '', what = ''] = type.split('.');
  switch (subject) {
    case 'payment': {
      const payment = paymentOf(data, own);
      return payment === undefined ? unreadable : { kind: 'payment', payment };
    }
    case 'refund': {
      const refund = refundOf(data, own);
      return refund === undefined ? unreadable : { kind: 'refund', refund };
    }
    case 'dispute': {
      if (what !== 'opened' && what !== 'won' && what !== 'lost') return ofNoInterest;
      const dispute = disputeOf(data, what, instantOf(created));
      return dispute === undefined ? unreadable : { kind: 'dispute', dispute };
    }
    case 'page':
      return /^[\w.:-]{1,64}$/.test(own) ? { kind: 'card page', nonce: own } : unreadable;
    default:
      return ofNoInterest;
  }
}

function disputeOf(
  data: Fields,
  status: PspDispute['status'],
  saidMs: number | undefined,
): PspDispute | undefined {
  const { dispute_id: id, payment_nonce: nonce, amount_minor: amount, currency } = data;
  if (typeof id !== 'string' || !/^[\w.:-]{1,64}$/.test(id) || typeof nonce !== 'string') return undefined;
  if (typeof amount !== 'string' || !/^[1-9]\d{0,17}$/.test(amount)) return undefined;
  if (typeof currency !== 'string') return undefined;
  const dueMs = instantOf(data['evidence_due_at']);
  const { reason } = data;
  return {
    id,
    nonce,
    status,
    amountMinor: BigInt(amount),
    currency,
    ...(dueMs === undefined ? {} : { dueMs }),
    ...(saidMs === undefined ? {} : { saidMs }),
    ...(isDisputeReason(reason) ? { reason } : {}),
  };
}

/** RFC 3339; an instant that cannot be read is none, because the money has moved anyway. */
function instantOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
