import type { RetryStrategy } from '#payment/settings/retry-policy.js';
import type { PaymentSettings } from '#payment/settings/settings.js';
import type { Config } from '#platform/config/settings.js';
import { merchantLimits } from './merchant-limits.js';
import { paymentTopicSettingsOf } from './payment-topic-settings-of.js';

/** What the environment says about payments. */
export function paymentSettingsOf(config: Config): PaymentSettings {
  const limits = merchantLimits('PAYMENT_REVIEW_ABOVE_OF', config.PAYMENT_REVIEW_ABOVE_OF, 0n);
  const rates = merchantLimits('PAYMENTS_PER_SELLER_OF', config.PAYMENTS_PER_SELLER_OF, 1n);
  return {
    ...paymentTopicSettingsOf(config),
    strictIdempotency: config.PAYMENT_STRICT_KEYS,
    reviewAfterEventsPerHour: config.PAYMENTS_PER_BUYER,
    blockAfterEventsPerHour: config.PAYMENTS_PER_BUYER_MAX,
    secondPersonAboveMinor: BigInt(config.SECOND_PERSON_ABOVE),
    refundSecondPersonAboveMinor: BigInt(config.REFUND_SECOND_PERSON_ABOVE),
    refundsAloneInADayMinor: BigInt(config.REFUNDS_ALONE_IN_A_DAY),
    reviewAboveMinor: BigInt(config.PAYMENT_REVIEW_ABOVE),
    reviewAboveMinorOf: limits,
    eventsPerSellerAMinute: config.PAYMENTS_PER_SELLER,
    eventsPerSellerAMinuteOf: rates,
    reviewSecondPersonAboveMinor: BigInt(config.REVIEW_SECOND_PERSON_ABOVE),
    merchantAccountsMax: config.MERCHANT_ACCOUNTS_MAX,
    settlementDueAfterMs: 3_600_000 * config.SETTLEMENT_DUE_HOURS,
    retry: {
      strategy: config.PAYMENT_RETRY as RetryStrategy,
      attemptsMax: config.PAYMENT_ATTEMPTS,
      firstMs: config.PAYMENT_RETRY_FIRST_MS,
      capMs: config.PAYMENT_RETRY_CAP_MS,
      jitter: config.PAYMENT_RETRY_JITTER,
    },
    leaseMs: config.PAYMENT_LEASE_MS,
    callsAtOnce: config.PAYMENT_CALLS_AT_ONCE,
    askAfterMsMin: config.PAYMENT_QUERY_MIN_MS,
    askAfterMsMax: config.PAYMENT_QUERY_MAX_MS,
    authorizedAskMs: 1_000 * config.PAYMENT_AUTHORIZED_QUERY_S,
    reloadAskMs: config.PAYMENT_RELOAD_QUERY_MS,
    registrationMs: 1_000 * config.PAYMENT_PAGE_S,
    overdueMs: 1_000 * config.PAYMENT_OVERDUE_S,
    answerWaitMs: config.PAYMENT_ANSWER_WAIT_MS,
    answerLookMs: config.PAYMENT_ANSWER_LOOK_MS,
    retryAfterS: config.PAYMENT_RETRY_AFTER_S,
    runningRetryAfterS: config.PAYMENT_RUNNING_RETRY_AFTER_S,
    redrivenMs: 3_600_000 * config.PAYMENT_REDRIVEN_HOURS,
    keyRetentionMs: 3_600_000 * config.PAYMENT_KEY_HOURS,
    keyRunningMs: config.PAYMENT_KEY_RUNNING_MS,
    webhookToleranceMs: 1_000 * config.WEBHOOK_TOLERANCE_S,
    webhookWaitMs: config.PAYMENT_WEBHOOK_WAIT_MS,
    relayLeaseMs: config.PAYMENT_RELAY_LEASE_MS,
    outboxRetentionMs: 86_400_000 * config.PAYMENT_OUTBOX_DAYS,
    groups: {
      gatherMs: config.PAYMENT_GATHER_MS,
      looksMax: config.WALLET_LOOKS_MAX,
      lookEveryMs: config.WALLET_LOOK_MS,
    },
    rounds: {
      workMs: config.PAYMENT_ROUND_MS,
      outboxRestMs: config.PAYMENT_OUTBOX_REST_MS,
      savedCardsMs: config.SAVED_CARD_ROUND_MS,
      disputesMs: config.DISPUTE_ROUND_MS,
      mailsMs: config.PAYMENT_MAIL_ROUND_MS,
      merchantWebhooksMs: config.MERCHANT_WEBHOOK_ROUND_MS,
      alertsMs: config.PAYMENT_ALERT_ROUND_MS,
      cleanupMs: 1_000 * config.PAYMENT_CLEANUP_ROUND_S,
      proofMs: 1_000 * config.PAYMENT_PROOF_ROUND_S,
      rootMs: 1_000 * config.LEDGER_ROOT_ROUND_S,
      walletsMs: config.WALLET_ROUND_MS,
      merchantEntriesMs: config.MERCHANT_ENTRIES_ROUND_MS,
      payoutSchedulesMs: 1_000 * config.PAYOUT_SCHEDULE_ROUND_S,
      settlementsMs: 1_000 * config.SETTLEMENT_IMPORT_ROUND_S,
    },
  };
}
