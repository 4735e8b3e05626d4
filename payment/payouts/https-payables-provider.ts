import type { HttpsReply, PinnedHttps } from '../psp/pinned-https.js';
import type { PayableState, PayablesProvider } from './payables-provider.js';

/**
 * A payables provider over JSON and pinned HTTPS: `POST /v1/payouts` with our id as its nonce, `GET
 * /v1/payouts/{nonce}`. Only a readable state of the payout itself counts; every other response, also a
 * refusal of the request, is `unknown` and queried later.
 */
export function httpsPayablesProvider(https: PinnedHttps): PayablesProvider {
  return {
    pay: async ({ payoutId, sellerAccount, amount }) =>
      stateOf(
        await https.call('POST', '/v1/payouts', {
          nonce: payoutId,
          account: sellerAccount,
          amount_minor: amount.minor.toString(),
          currency: amount.currency,
        }),
        payoutId,
      ),
    find: async (payoutId) => {
      const reply = await https.call('GET', `/v1/payouts/${encodeURIComponent(payoutId)}`);
      const isAbsent =
        reply.kind === 'reply' && reply.status === 404 && fieldsOf(reply)['code'] === 'unknown_nonce';
      return isAbsent ? { kind: 'absent' } : stateOf(reply, payoutId);
    },
  };
}

function stateOf(reply: HttpsReply, payoutId: string): PayableState {
  if (reply.kind !== 'reply') return { kind: 'unknown', reason: reply.reason };
  const { nonce, reference, status, code } = fieldsOf(reply);
  const isReadable = reply.status === 200 || reply.status === 201;
  if (!isReadable || nonce !== payoutId || typeof reference !== 'string' || reference === '')
    return { kind: 'unknown', reason: `the provider returned status ${reply.status}` };
  switch (status) {
    case 'paid':
    case 'processing':
      return { kind: status, reference };
    case 'refused':
      return {
        kind: 'failed',
        code: typeof code === 'string' ? code : 'refused',
        reason: 'The provider refused the payout.',
      };
    case 'returned':
      return { kind: 'returned', reference, reason: typeof code === 'string' ? code : 'returned' };
    default:
      return { kind: 'unknown', reason: 'the answer of the provider cannot be parsed' };
  }
}

function fieldsOf({ body }: { readonly body: unknown }): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
}
