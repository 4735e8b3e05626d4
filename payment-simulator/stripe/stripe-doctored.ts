import { availableOn } from './stripe-balance.js';
import { dailyPayouts, type StripePayouts } from './stripe-payouts.js';

type Json = Readonly<Record<string, unknown>>;

/** Possible errors in what Stripe says that it settled, for tests that must find them. */
const wrongCharges = ['amount', 'fee', 'missing', 'foreign', 'reference', 'twice', 'account-fee'] as const;
const wrongPayouts = [
  'payout-amount',
  'payout-missing',
  'payout-part',
  'payout-of-nothing',
  'payout-failed',
  'paid-twice',
] as const;
type WrongCharge = (typeof wrongCharges)[number];
type WrongPayout = (typeof wrongPayouts)[number];
export type StripeMismatch = WrongCharge | WrongPayout;

/** What is wrong with the charge of this nonce, or with the payout that contains it. */
export interface Doctored {
  readonly kind: StripeMismatch;
  readonly nonce: string;
}

/** The balance with what a test asked to be wrong; payouts follow from wrong charges, as they would there. */
export function doctoredBalance(
  honest: readonly Json[],
  doctored: readonly Doctored[],
  nowMs: number,
): StripePayouts {
  const wrongOf = <Kind extends StripeMismatch>(charge: Json, kinds: readonly Kind[]) =>
    kinds.find((kind) => doctored.some((one) => one.kind === kind && one.nonce === nonceOf(charge)));
  const transactions = honest.flatMap((one) => {
    const wrong = isCharge(one) ? wrongOf(one, wrongCharges) : undefined;
    return wrong === undefined ? [one] : wrongCharge(one, wrong);
  });
  return doctored.reduce(
    (books, { kind, nonce }) =>
      wrongPayouts.some((one) => one === kind) ? wrongPayout(books, kind as WrongPayout, nonce) : books,
    dailyPayouts(transactions, nowMs, (parts) =>
      parts.some((one) => isCharge(one) && wrongOf(one, ['payout-failed'])),
    ),
  );
}

const isCharge = (one: Json): boolean => one['reporting_category'] === 'charge';
const nonceOf = (one: Json): string => String((one['source'] as { metadata?: Json }).metadata?.['nonce']);

function wrongCharge(charge: Json, kind: WrongCharge): readonly Json[] {
  const source = charge['source'] as Json;
  const [amount, fee] = [Number(charge['amount']), Number(charge['fee'])];
  const money = (minor: number, kept: number): Json => ({ amount: minor, fee: kept, net: minor - kept });
  const other = { id: `${String(charge['id'])}x` };
  switch (kind) {
    case 'amount':
      return [{ ...charge, ...money(amount + 10, fee) }];
    case 'fee':
      return [{ ...charge, ...money(amount, Math.floor(amount / 2)) }];
    case 'missing':
      return [];
    case 'foreign': {
      const named = {
        ...source,
        id: 'ch_x',
        payment_intent: 'pi_x',
        metadata: { nonce: `${nonceOf(charge)}~x` },
      };
      return [charge, { ...charge, ...other, source: named }];
    }
    case 'reference':
      return [{ ...charge, source: { ...source, payment_intent: `${String(source['payment_intent'])}x` } }];
    case 'twice': {
      const again = { ...source, id: 'ch_y', payment_intent: `${String(source['payment_intent'])}y` };
      return [charge, { ...charge, ...other, source: again }];
    }
    case 'account-fee': {
      const created = Number(charge['created']);
      const taken = { ...charge, ...other, ...money(-500, 0), available_on: availableOn('fee', created) };
      return [charge, { ...taken, reporting_category: 'fee', type: 'stripe_fee', source: null }];
    }
  }
}

function wrongPayout(books: StripePayouts, kind: WrongPayout, nonce: string): StripePayouts {
  const at = books.payouts.findIndex(({ id }) =>
    books.partsOf.get(String(id))!.some((one) => isCharge(one) && nonceOf(one) === nonce),
  );
  const payout = books.payouts[at];
  if (payout === undefined) return books;
  const id = String(payout['id']);
  const parts = books.partsOf.get(id)!;
  const charge = parts.find((one) => isCharge(one) && nonceOf(one) === nonce)!;
  const paying = (changed: Json, consists: readonly Json[]): StripePayouts => ({
    transactions: books.transactions.map((one) =>
      one['id'] === changed['balance_transaction']
        ? { ...one, amount: -Number(changed['amount']), net: -Number(changed['amount']), source: changed }
        : one,
    ),
    payouts: books.payouts.map((one) => (one['id'] === changed['id'] ? changed : one)),
    partsOf: new Map([...books.partsOf, [String(changed['id']), consists]]),
  });
  const more = (one: Json, minor: number): Json => ({ ...one, amount: Number(one['amount']) + minor });
  switch (kind) {
    case 'payout-amount':
      return paying(more(payout, 100), parts);
    case 'payout-part':
      return paying(
        payout,
        parts.filter((one) => one !== charge),
      );
    case 'payout-of-nothing': {
      const named = { ...(charge['source'] as Json), metadata: { nonce: `${nonce}~n` } };
      return paying(more(payout, Number(charge['net'])), [...parts, { ...charge, source: named }]);
    }
    case 'payout-failed':
      return books;
    case 'paid-twice': {
      const next = books.payouts.slice(at + 1).find(({ currency }) => currency === payout['currency']);
      if (next === undefined) return books;
      const consists = [...books.partsOf.get(String(next['id']))!, charge];
      return paying(more(next, Number(charge['net'])), consists);
    }
    case 'payout-missing':
      return {
        transactions: books.transactions.filter((one) => one['id'] !== payout['balance_transaction']),
        payouts: books.payouts.filter((one) => one !== payout),
        partsOf: books.partsOf,
      };
  }
}
