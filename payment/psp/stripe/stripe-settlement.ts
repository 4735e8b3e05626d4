import type { PspAnswer } from '../psp.js';
import type { PspSettlementLine, SettlementPeriod } from '../psp-settlement.js';
import { stripeLimits } from './limits.js';
import { fromStripeAmount, fromStripeCurrency } from './stripe-amounts.js';
import { type Fields, fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';
import { metadataOf } from './stripe-payment.js';

/**
 * The balance transactions of a period as settlement lines, oldest first, in the currency in which Stripe
 * settled them. Payouts, fees of the account and charges that are not ours have no line.
 */
export async function readSettlement(
  stripe: StripeClient,
  { fromMs, toMs }: SettlementPeriod,
): Promise<PspAnswer<readonly PspSettlementLine[]>> {
  const lines: PspSettlementLine[] = [];
  const nonces = new NoncesOfIntents(stripe);
  let after = '';
  try {
    for (let page = 0; page < stripeLimits.pagesMax; page += 1) {
      const query = new URLSearchParams({
        'created[gte]': String(Math.floor(fromMs / 1_000)),
        'created[lt]': String(Math.floor(toMs / 1_000)),
        limit: String(stripeLimits.pageSize),
        'expand[0]': 'data.source',
        ...(after === '' ? {} : { starting_after: after }),
      });
      const reply = await stripe.get(`/v1/balance_transactions?${query.toString()}`);
      const list = objectOf(reply);
      const entries = list?.['data'];
      if (!Array.isArray(entries)) return readFailure(reply, true);
      for (const entry of entries) {
        const line = await lineOf(fieldsOf(entry) ?? {}, nonces);
        if (line !== undefined) lines.push(line);
      }
      const last = fieldsOf(entries.at(-1))?.['id'];
      if (list!['has_more'] !== true || typeof last !== 'string')
        return { kind: 'known', value: lines.toReversed() };
      after = last;
    }
  } catch (error) {
    if (error instanceof Unread) return error.answer;
    throw error;
  }
  return { kind: 'unknown', reason: 'the period has too many balance transactions' };
}

/** No settlement is better than one with a line missing. */
class Unread extends Error {
  override readonly name = 'Unread';
  readonly answer: PspAnswer<never>;

  constructor(answer: PspAnswer<never>) {
    super('The settlement could not be read.');
    this.answer = answer;
  }
}

const unreadable = (): Unread =>
  new Unread({ kind: 'unknown', reason: 'a balance transaction cannot be parsed' });

const kinds: Readonly<Record<string, PspSettlementLine['kind']>> = {
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute_won',
};

async function lineOf(transaction: Fields, nonces: NoncesOfIntents): Promise<PspSettlementLine | undefined> {
  const { reporting_category: category, amount, fee, created } = transaction;
  const kind = typeof category === 'string' ? kinds[category] : undefined;
  const source = fieldsOf(transaction['source']);
  if (kind === undefined || source === undefined) return undefined;
  const nonce = await nonces.of(kind, source);
  if (nonce === undefined) return undefined;
  const currency = fromStripeCurrency(transaction['currency']);
  if (currency === undefined || typeof amount !== 'number' || typeof created !== 'number') throw unreadable();
  const amountMinor = fromStripeAmount(Math.abs(amount), currency);
  const feeMinor = fromStripeAmount(fee, currency);
  const { id, payment_intent: intent } = source;
  if (amountMinor === undefined || feeMinor === undefined || typeof id !== 'string') throw unreadable();
  const refund = metadataOf(source)['nonce'];
  return {
    kind,
    nonce,
    operation: kind === 'charge' ? nonce : kind === 'refund' && typeof refund === 'string' ? refund : id,
    reference: kind === 'charge' && typeof intent === 'string' ? intent : id,
    amountMinor,
    feeMinor,
    currency,
    succeeded: true,
    atMs: created * 1_000,
  };
}

/** The payment order: charges carry it, refunds name it, disputes are looked up by their intent. */
class NoncesOfIntents {
  readonly #stripe: StripeClient;
  readonly #known = new Map<string, string | undefined>();

  constructor(stripe: StripeClient) {
    this.#stripe = stripe;
  }

  async of(kind: PspSettlementLine['kind'], source: Fields): Promise<string | undefined> {
    const metadata = metadataOf(source);
    const named =
      kind === 'charge' ? metadata['nonce'] : kind === 'refund' ? metadata['payment_nonce'] : undefined;
    if (typeof named === 'string') return named;
    const { payment_intent: intent } = source;
    if (typeof intent !== 'string') return undefined;
    if (!this.#known.has(intent)) {
      const reply = await this.#stripe.get(`/v1/payment_intents/${encodeURIComponent(intent)}`);
      const payment = objectOf(reply);
      if (payment === undefined) throw new Unread(readFailure(reply, true));
      const nonce = metadataOf(payment)['nonce'];
      this.#known.set(intent, typeof nonce === 'string' ? nonce : undefined);
    }
    return this.#known.get(intent);
  }
}
