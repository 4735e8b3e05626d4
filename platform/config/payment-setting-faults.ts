import type { paymentSettings } from './payment-settings.js';
import type { ConfigOf } from './setting.js';

type PaymentConfig = ConfigOf<typeof paymentSettings>;
/** A number, or a list of numbers of which the first is compared. */
type Name =
  | { [K in keyof PaymentConfig]: PaymentConfig[K] extends number ? K : never }[keyof PaymentConfig]
  | 'MERCHANT_WEBHOOK_RETRIES_S';

/** `more` is at least `less`, or so many times as much; otherwise: what would go wrong. */
interface Relation {
  readonly more: Name;
  readonly less: Name;
  readonly times?: number;
  readonly otherwise: string;
}

const relations: readonly Relation[] = [
  {
    more: 'PAYMENTS_PER_BUYER_MAX',
    less: 'PAYMENTS_PER_BUYER',
    otherwise: 'payments would fail before any is reviewed',
  },
  {
    more: 'PAYMENT_LEASE_MS',
    less: 'PROVIDER_TIMEOUT_MS',
    times: 2,
    otherwise: 'a second process would work on a payment while the first still waits for two calls',
  },
  {
    more: 'SAVED_CARD_LEASE_MS',
    less: 'PROVIDER_TIMEOUT_MS',
    otherwise: 'a second process would ask about a card while the first still waits',
  },
  {
    more: 'DISPUTE_LEASE_MS',
    less: 'PROVIDER_TIMEOUT_MS',
    times: 6,
    otherwise: 'a second process would send an answer while the first still sends its five documents',
  },
  {
    more: 'PAYOUT_LEASE_MS',
    less: 'PROVIDER_TIMEOUT_MS',
    otherwise: 'a second process would work on a payout while the first still waits',
  },
  {
    more: 'MERCHANT_WEBHOOK_LEASE_MS',
    less: 'MERCHANT_WEBHOOK_TIMEOUT_MS',
    otherwise: 'a webhook would be delivered again while its endpoint may still answer',
  },
  {
    more: 'MERCHANT_WEBHOOK_TIMEOUT_MS',
    less: 'MERCHANT_WEBHOOK_SLOW_MS',
    otherwise: 'no answer would count as slow',
  },
  {
    more: 'MERCHANT_WEBHOOK_RETRY_HOURS',
    less: 'MERCHANT_WEBHOOK_RETRIES_S',
    otherwise: 'no webhook would be delivered again',
  },
  {
    more: 'PAYMENT_RELAY_LEASE_MS',
    less: 'PAYMENT_ROUND_MS',
    times: 2,
    otherwise: 'the lease would end before its process renews it',
  },
  {
    more: 'PAYMENT_RETRY_CAP_MS',
    less: 'PAYMENT_RETRY_FIRST_MS',
    otherwise: 'the first delay would be cut',
  },
  {
    more: 'PAYOUT_RETRY_CAP_MS',
    less: 'PAYOUT_RETRY_FIRST_MS',
    otherwise: 'the first delay would be cut',
  },
  {
    more: 'PAYMENT_QUERY_MAX_MS',
    less: 'PAYMENT_QUERY_MIN_MS',
    otherwise: 'no interval fits both',
  },
  {
    more: 'CARD_PAGE_REVIEW_LOOK_MS',
    less: 'CARD_PAGE_LOOK_MIN_MS',
    otherwise: 'no interval fits both',
  },
  {
    more: 'CARD_PAGE_CHARGE_LOOK_MS',
    less: 'CARD_PAGE_LOOK_MIN_MS',
    otherwise: 'no interval fits both',
  },
  {
    more: 'SAVED_CARD_LOOK_MAX_MS',
    less: 'SAVED_CARD_LOOK_MIN_MS',
    otherwise: 'no interval fits both',
  },
  {
    more: 'PAYMENT_ANSWER_WAIT_MS',
    less: 'PAYMENT_ANSWER_LOOK_MS',
    otherwise: 'a request would wait longer than it may',
  },
  {
    more: 'PAYMENT_KEY_RUNNING_MS',
    less: 'PAYMENT_ANSWER_WAIT_MS',
    otherwise: 'a request would count as lost while it is being answered',
  },
  {
    more: 'PAYMENT_KEY_HOURS',
    less: 'PAYMENT_PAGE_S',
    otherwise: 'the key of a payment would be deleted while it may still be retried',
  },
  {
    more: 'PAYMENT_PAGE_S',
    less: 'CARD_PAGE_LEAST_S',
    otherwise: 'no buyer would get to try another card',
  },
  {
    more: 'MERCHANT_WEBHOOK_KEPT_DAYS',
    less: 'MERCHANT_WEBHOOK_RETRY_HOURS',
    otherwise: 'attempts would leave the log before the last one is made',
  },
  {
    more: 'SETTLEMENT_DUE_HOURS',
    less: 'SETTLEMENT_IMPORT_AFTER_MINUTES',
    otherwise: 'each day would be overdue before its provider is asked',
  },
  {
    more: 'SETTLEMENT_IMPORT_AFTER_MINUTES',
    less: 'SETTLEMENT_CLOCK_S',
    otherwise: 'a provider would be asked while operations of the day may still come',
  },
];

const unitMs: readonly (readonly [ending: string, ms: number])[] = [
  ['_MS', 1],
  ['_S', 1_000],
  ['_MINUTES', 60_000],
  ['_HOURS', 3_600_000],
  ['_DAYS', 86_400_000],
];
/** Numbers without a unit are compared as they are. */
const unitOf = (name: Name): number => unitMs.find(([ending]) => name.endsWith(ending))?.[1] ?? 1;
const comparable = (config: PaymentConfig, name: Name): number =>
  Number.parseInt(String(config[name]), 10) * unitOf(name);

/** Which of these settings contradict each other, in one sentence each. */
export function paymentFaults(config: PaymentConfig): readonly string[] {
  return relations
    .filter(({ more, less, times = 1 }) => comparable(config, more) < times * comparable(config, less))
    .map(
      ({ more, less, times, otherwise }) =>
        `${more} is ${config[more]}, but must be at least ${times === undefined ? '' : `${times} times `}` +
        `${less}, which is ${config[less]}: otherwise ${otherwise}.`,
    );
}
