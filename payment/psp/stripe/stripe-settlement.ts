import type { PspAnswer } from '../psp.js';
import type { PspSettlementLine, SettlementPeriod } from '../psp-settlement.js';
import { fromStripeAmount, fromStripeCurrency } from './stripe-amounts.js';
import { type Fields, fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';
import { eachOf, Unread, unreadable } from './stripe-list.js';
import { metadataOf } from './stripe-payment.js';

/**
 * The balance transactions of a period as settlement lines, oldest first, in the currency in which Stripe
 * settled them; then its payouts to our bank, each followed by what it contains. A payout that failed came
 * back. What is not ours, as a fee of the account, has a line too, named after the transaction: a payout is
 * the sum of all of them.
 */
export async function readSettlement(
  stripe: StripeClient,
  period: SettlementPeriod,
): Promise<PspAnswer<readonly PspSettlementLine[]>> {
  const nonces = new NoncesOfIntents(stripe);
  const created = {
    'created[gte]': String(Math.floor(period.fromMs / 1_000)),
    'created[lt]': String(Math.floor(period.toMs / 1_000)),
  };
  try {
    const lines = await transactions(stripe, created, nonces);
    const payouts: Fields[] = [];
    for await (const payout of eachOf(stripe, '/v1/payouts', created)) payouts.push(payout);
    for (const payout of payouts.toReversed()) {
      const line = payoutLine(payout);
      const parts = await transactions(stripe, { payout: line.nonce }, nonces);
      lines.push(line, ...parts.map((part) => ({ ...part, payout: line.nonce })));
    }
    return { kind: 'known', value: lines };
  } catch (error) {
    if (error instanceof Unread) return error.answer;
    throw error;
  }
}

async function transactions(
  stripe: StripeClient,
  filter: Readonly<Record<string, string>>,
  nonces: NoncesOfIntents,
): Promise<PspSettlementLine[]> {
  const lines: PspSettlementLine[] = [];
  const asked = { ...filter, 'expand[0]': 'data.source' };
  for await (const transaction of eachOf(stripe, '/v1/balance_transactions', asked)) {
    const line = await lineOf(transaction, nonces);
    if (line !== undefined) lines.push(line);
  }
  return lines.toReversed();
}

const kinds: Readonly<Record<string, PspSettlementLine['kind']>> = {
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute_won',
};

const what = 'a balance transaction';

/** Undefined for a payout, which is read from its own list, and for what moved nothing. */
async function lineOf(transaction: Fields, nonces: NoncesOfIntents): Promise<PspSettlementLine | undefined> {
  const { id, reporting_category: category, amount, fee, created } = transaction;
  const currency = fromStripeCurrency(transaction['currency']);
  if (typeof id !== 'string' || typeof category !== 'string' || currency === undefined)
    throw unreadable(what);
  if (typeof amount !== 'number' || typeof created !== 'number') throw unreadable(what);
  if (category === 'payout' || amount === 0) return undefined;
  const amountMinor = fromStripeAmount(Math.abs(amount), currency);
  const feeMinor = fromStripeAmount(fee, currency);
  if (amountMinor === undefined || feeMinor === undefined) throw unreadable(what);
  const money = { amountMinor, feeMinor, currency, succeeded: true, atMs: created * 1_000 };
  const source = fieldsOf(transaction['source']);
  if (category === 'payout_reversal' && amount > 0 && typeof source?.['id'] === 'string') {
    const payout = source['id'];
    return { ...money, kind: 'payout_returned', nonce: payout, operation: payout, reference: id };
  }
  const kind = kinds[category];
  const nonce = kind === undefined || source === undefined ? undefined : await nonces.of(kind, source);
  if (kind === undefined || source === undefined || nonce === undefined) {
    const bring = amount > 0 ? 'charge' : 'refund';
    return { ...money, kind: kind ?? bring, nonce: id, operation: id, reference: id };
  }
  const { id: name, payment_intent: intent } = source;
  if (typeof name !== 'string') throw unreadable(what);
  const refund = metadataOf(source)['nonce'];
  return {
    ...money,
    kind,
    nonce,
    operation: kind === 'charge' ? nonce : kind === 'refund' && typeof refund === 'string' ? refund : name,
    reference: kind === 'charge' && typeof intent === 'string' ? intent : name,
  };
}

/** Also one that failed: its money left the balance, and came back by a transaction of its own. */
function payoutLine({ id, amount, currency: code, created }: Fields): PspSettlementLine {
  const currency = fromStripeCurrency(code);
  const amountMinor = currency === undefined ? undefined : fromStripeAmount(amount, currency);
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || typeof created !== 'number')
    throw unreadable('a payout');
  if (currency === undefined || amountMinor === undefined) throw unreadable('a payout');
  return {
    kind: 'payout',
    nonce: id,
    operation: id,
    reference: id,
    amountMinor,
    feeMinor: 0n,
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
