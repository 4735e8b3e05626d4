import { type DeliveryTimes, deliveryTimes } from '#platform/webhooks/limits.js';
import {
  type CardPageSettings,
  cardPageDefaults,
  type SavedCardSettings,
  savedCardDefaults,
} from './card-settings.js';
import {
  type DisputeSettings,
  disputeDefaults,
  type MailSettings,
  mailDefaults,
  type PayoutSettings,
  type ProviderSettings,
  payoutDefaults,
  providerDefaults,
} from './delivery-settings.js';
import type { MerchantLimits } from './merchant-limits.js';
import { type RetryPolicy, retryDefaults } from './retry-policy.js';
import { type GroupSettings, groupDefaults, type Rounds, roundDefaults } from './rounds.js';
import { type SettlementSettings, settlementDefaults } from './settlement-settings.js';

/** What a deployment may choose, with the documented defaults (D20, D21, D2, D8). */
export interface PaymentSettings {
  readonly retry: RetryPolicy;
  /**
   * A claimed order is left alone for this long: above the provider's timeout, so that two processes never
   * work on one.
   */
  readonly leaseMs: number;
  /** The provider is queried again after a quarter of the order's age, within these bounds. */
  readonly askAfterMsMin: number;
  readonly askAfterMsMax: number;
  /** An authorized order that waits for its capture is queried this often. Banks keep it for seven days. */
  readonly authorizedAskMs: number;
  /** Reloading the return page does not cause more queries than this. */
  readonly reloadAskMs: number;
  /** Calls to the provider that one process has in flight for due orders. */
  readonly callsAtOnce: number;
  /** How long the buyer may take on the page of the provider. */
  readonly registrationMs: number;
  /** An order that is still open then raises one alert. */
  readonly overdueMs: number;
  /** How long `POST` waits for the provider before it answers 202. */
  readonly answerWaitMs: number;
  /** How often it looks meanwhile, where another process or a webhook may have changed the orders. */
  readonly answerLookMs: number;
  /** `Retry-After` in seconds, while a database or provider is away, and while the first request runs. */
  readonly retryAfterS: number;
  readonly runningRetryAfterS: number;
  /** How long the buyer may pay the order in the place of one that used up its retries. */
  readonly redrivenMs: number;
  /** An equal key with another body is answered with 422 instead of the existing object. */
  readonly strictIdempotency: boolean;
  /** Idempotency keys are kept at least this long; payment order ids are kept forever. */
  readonly keyRetentionMs: number;
  /**
   * A first request without an answer by then counts as lost. A repeated key is answered from what it stored.
   */
  readonly keyRunningMs: number;
  readonly webhookToleranceMs: number;
  /**
   * A webhook about an order whose answer is on its way to this process waits this long for it, because both
   * usually report the same.
   */
  readonly webhookWaitMs: number;
  /** How long messages wait after the death of the process that sends them to the log. */
  readonly relayLeaseMs: number;
  /** Sent messages are kept this long in the outbox. */
  readonly outboxRetentionMs: number;
  /** Above this many minor units a decision of finance needs a second person. */
  readonly secondPersonAboveMinor: bigint;
  /** When staff refund more than this many minor units of one payment order, a second person must agree. */
  readonly refundSecondPersonAboveMinor: bigint;
  /** Minor units of one currency that a person may refund alone in 24 hours, over all payment orders. */
  readonly refundsAloneInADayMinor: bigint;
  /** A settlement file is due this long after its period; then it is overdue, and refused as late. */
  readonly settlementDueAfterMs: number;
  /**
   * Risk: payment events of one buyer in an hour, above which a person decides, and above which nothing is
   * charged.
   */
  readonly reviewAfterEventsPerHour: number;
  readonly blockAfterEventsPerHour: number;
  /** Minor units of one order above which a person decides. */
  readonly reviewAboveMinor: bigint;
  /** The same for single sellers, in place of it. */
  readonly reviewAboveMinorOf: MerchantLimits;
  /** Payment events of one caller for one seller in a minute; further ones are refused with 429. */
  readonly eventsPerSellerAMinute: number;
  /** The same for single sellers, in place of it. */
  readonly eventsPerSellerAMinuteOf: MerchantLimits;
  /** When a person approves a payment of more than this many minor units, a second person must agree. */
  readonly reviewSecondPersonAboveMinor: bigint;
  /** Seller accounts of one merchant; one more is refused. */
  readonly merchantAccountsMax: number;
  readonly rounds: Rounds;
  readonly groups: GroupSettings;
  readonly provider: ProviderSettings;
  readonly cardPages: CardPageSettings;
  readonly savedCards: SavedCardSettings;
  readonly disputes: DisputeSettings;
  readonly payouts: PayoutSettings;
  readonly mails: MailSettings;
  readonly merchantWebhooks: DeliveryTimes;
  readonly settlements: SettlementSettings;
}

export const paymentDefaults: PaymentSettings = {
  retry: retryDefaults,
  leaseMs: 15_000,
  askAfterMsMin: 1_000,
  askAfterMsMax: 15_000,
  authorizedAskMs: 15 * 60_000,
  reloadAskMs: 1_000,
  callsAtOnce: 8,
  registrationMs: 15 * 60_000,
  overdueMs: 10 * 60_000,
  answerWaitMs: 3_000,
  answerLookMs: 20,
  retryAfterS: 2,
  runningRetryAfterS: 1,
  redrivenMs: 24 * 3_600_000,
  strictIdempotency: false,
  keyRetentionMs: 24 * 3_600_000,
  keyRunningMs: 10_000,
  webhookToleranceMs: 300_000,
  webhookWaitMs: 100,
  relayLeaseMs: 5_000,
  outboxRetentionMs: 7 * 24 * 3_600_000,
  secondPersonAboveMinor: 1_000_00n,
  refundSecondPersonAboveMinor: 1_000_00n,
  refundsAloneInADayMinor: 5_000_00n,
  settlementDueAfterMs: 12 * 3_600_000,
  reviewAfterEventsPerHour: 60,
  blockAfterEventsPerHour: 600,
  reviewAboveMinor: 1_000_000_00n,
  reviewAboveMinorOf: new Map(),
  eventsPerSellerAMinute: 60_000,
  eventsPerSellerAMinuteOf: new Map(),
  reviewSecondPersonAboveMinor: 1_000_00n,
  merchantAccountsMax: 100,
  rounds: roundDefaults,
  groups: groupDefaults,
  provider: providerDefaults,
  cardPages: cardPageDefaults,
  savedCards: savedCardDefaults,
  disputes: disputeDefaults,
  payouts: payoutDefaults,
  mails: mailDefaults,
  merchantWebhooks: deliveryTimes,
  settlements: settlementDefaults,
};
