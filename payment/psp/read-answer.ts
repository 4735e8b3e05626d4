import { paymentLimits } from '../settings/limits.js';
import type { HttpsReply } from './pinned-https.js';
import type { PspAnswer } from './psp.js';
import type { PspCard } from './psp-card.js';
import { type PspPayment, type PspRefund, pspStatuses } from './psp-payment.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a reply about a payment means. A reply that cannot be read proves nothing, whatever its status. */
export const readPayment = (reply: HttpsReply, nonce: string): PspAnswer<PspPayment> =>
  readReply(reply, (fields) => paymentOf(fields, nonce));

export const readRefund = (reply: HttpsReply, nonce: string): PspAnswer<PspRefund> =>
  readReply(reply, (fields) => refundOf(fields, nonce));

/** What a reply to an answer of ours about a dispute means. */
export const readReceived = (reply: HttpsReply): PspAnswer<'received'> =>
  readReply(reply, ({ received }) => (received === true ? 'received' : undefined));

/** `cardOf` reads what the payment says of the card that it left behind. */
export function readKeptCard(
  reply: HttpsReply,
  nonce: string,
  cardOf: (saved: unknown) => PspCard | undefined,
): PspAnswer<PspCard> {
  const answer = readReply(reply, (fields) =>
    paymentOf(fields, nonce) === undefined ? undefined : { saved: fields['saved_card'] },
  );
  if (answer.kind !== 'known') return answer;
  if (answer.value.saved === undefined) return { kind: 'absent' };
  const card = cardOf(answer.value.saved);
  return card === undefined
    ? { kind: 'unknown', reason: 'the card of the provider cannot be parsed' }
    : { kind: 'known', value: card };
}

/** A card that the provider does not know can be charged no more, either. */
export function readDeleted(reply: HttpsReply): PspAnswer<'deleted'> {
  const answer = readReply(reply, ({ deleted }) => (deleted === true ? ('deleted' as const) : undefined));
  const isGone = answer.kind === 'refused' && answer.code === 'unknown_card_token';
  return isGone ? { kind: 'known', value: 'deleted' } : answer;
}

export function readReply<Value>(
  reply: HttpsReply,
  parse: (fields: Fields) => Value | undefined,
): PspAnswer<Value> {
  switch (reply.kind) {
    case 'not-sent':
      return { kind: 'refused', code: 'provider_unreachable' };
    case 'lost':
      return { kind: 'unknown', reason: reply.reason };
    case 'suspect':
      return { kind: 'suspect', reason: reply.reason };
    case 'reply':
      return readHttps(reply, parse);
  }
}

function readHttps<Value>(
  { status, body, retryAfterMs }: HttpsReply & { kind: 'reply' },
  parse: (fields: Fields) => Value | undefined,
): PspAnswer<Value> {
  const fields = typeof body === 'object' && body !== null ? (body as Fields) : {};
  if (status === 200 || status === 201) {
    const value = parse(fields);
    return value === undefined
      ? { kind: 'unknown', reason: 'the answer of the provider cannot be parsed' }
      : { kind: 'known', value };
  }
  const code = codeOf(fields['code']);
  if (status === 404 && code === 'unknown_nonce') return { kind: 'absent' };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return { kind: 'refused', code: code ?? 'rate_limited', ...wait };
  // Only a provider that states when to retry has clearly not started; any other fault may have come after
  // the effect.
  if (status === 503 && retryAfterMs !== undefined)
    return { kind: 'refused', code: code ?? 'provider_unavailable', ...wait };
  if (status >= 400 && status < 500) return { kind: 'refused', code: code ?? `http_${status}` };
  return { kind: 'unknown', reason: `the provider answered ${status}` };
}

export function paymentOf(fields: Fields, nonce: string): PspPayment | undefined {
  const { status, token, page_url: pageUrl, currency, sequence } = fields;
  const amountMinor = minor(fields['amount_minor']);
  const capturedMinor = minor(fields['captured_minor']);
  const reference = text(fields['reference']);
  const code = codeOf(fields['code']);
  if (fields['nonce'] !== nonce || reference === undefined) return undefined;
  if (amountMinor === undefined || capturedMinor === undefined) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1) return undefined;
  const known = pspStatuses.find((one) => one === status);
  if (known === undefined) return undefined;
  // A captured amount of zero cannot be booked or refunded: the answer is unusable and must be repeated.
  if (known === 'captured' && capturedMinor === 0n) return undefined;
  return {
    nonce,
    reference,
    status: known,
    amountMinor,
    capturedMinor,
    currency,
    sequence,
    ...(text(token) === undefined ? {} : { token: token as string }),
    ...(text(pageUrl) === undefined ? {} : { pageUrl: pageUrl as string }),
    ...(code === undefined ? {} : { code }),
  };
}

export function refundOf(fields: Fields, nonce: string): PspRefund | undefined {
  const { status, currency } = fields;
  const amountMinor = minor(fields['amount_minor']);
  const reference = text(fields['reference']);
  const code = codeOf(fields['code']);
  if (fields['nonce'] !== nonce || reference === undefined || amountMinor === undefined) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (status !== 'processing' && status !== 'refunded' && status !== 'refused') return undefined;
  return {
    nonce,
    reference,
    status,
    amountMinor,
    currency,
    ...(code === undefined ? {} : { code }),
  };
}

export const isDisputeReason = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9_]{0,47}$/.test(value);

/** Of a closed shape, since it becomes a label and a line in a log. */
function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9_]{1,47}$/.test(value) ? value : undefined;
}

/** As many digits as we can book. */
function minor(value: unknown): bigint | undefined {
  const isAmount =
    typeof value === 'string' && /^\d+$/.test(value) && value.length <= paymentLimits.amountDigitsMax;
  return isAmount ? BigInt(value) : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.length >= 1 && value.length <= 512 ? value : undefined;
}
