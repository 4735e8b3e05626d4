import type { PaymentSettings } from '#payment/settings/settings.js';
import type { Config } from '#platform/config/settings.js';

type Topics = Pick<
  PaymentSettings,
  | 'provider'
  | 'cardPages'
  | 'savedCards'
  | 'disputes'
  | 'payouts'
  | 'mails'
  | 'merchantWebhooks'
  | 'settlements'
>;

/** Of providers, cards, disputes, payouts, letters, webhooks of merchants and settlement. */
export const paymentTopicSettingsOf = (config: Config): Topics => ({
  provider: {
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
    connectionsMax: config.PROVIDER_CONNECTIONS,
    failuresInARowMax: config.PROVIDER_FAILURES_MAX,
    restMs: config.PROVIDER_REST_MS,
  },
  cardPages: {
    pagesMax: config.CARD_PAGES_MAX,
    leastMs: 1_000 * config.CARD_PAGE_LEAST_S,
    lookEveryMsMin: config.CARD_PAGE_LOOK_MIN_MS,
    wantedMsMax: config.CARD_PAGE_REVIEW_LOOK_MS,
    chargingMsMax: config.CARD_PAGE_CHARGE_LOOK_MS,
  },
  savedCards: {
    keptMax: config.SAVED_CARDS_MAX,
    leaseMs: config.SAVED_CARD_LEASE_MS,
    lookEveryMsMin: config.SAVED_CARD_LOOK_MIN_MS,
    lookEveryMsMax: config.SAVED_CARD_LOOK_MAX_MS,
    lateMs: 3_600_000 * config.SAVED_CARD_LATE_HOURS,
  },
  disputes: {
    leaseMs: config.DISPUTE_LEASE_MS,
    keptAfterEndMs: 86_400_000 * config.DISPUTE_EVIDENCE_DAYS,
  },
  payouts: {
    leaseMs: config.PAYOUT_LEASE_MS,
    retryMs: config.PAYOUT_RETRY_FIRST_MS,
    retryMsMax: config.PAYOUT_RETRY_CAP_MS,
    overdueMs: 3_600_000 * config.PAYOUT_OVERDUE_HOURS,
  },
  mails: {
    leaseMs: config.PAYMENT_MAIL_LEASE_MS,
    retryMs: config.PAYMENT_MAIL_RETRY_FIRST_MS,
    attemptsMax: config.PAYMENT_MAIL_ATTEMPTS,
  },
  merchantWebhooks: {
    timeoutMs: config.MERCHANT_WEBHOOK_TIMEOUT_MS,
    leaseMs: config.MERCHANT_WEBHOOK_LEASE_MS,
    retryAfterMs: config.MERCHANT_WEBHOOK_RETRIES_S.split(',').map((seconds) => 1_000 * Number(seconds)),
    retryForMs: 3_600_000 * config.MERCHANT_WEBHOOK_RETRY_HOURS,
    slowMs: config.MERCHANT_WEBHOOK_SLOW_MS,
    oldSecretMs: 3_600_000 * config.MERCHANT_WEBHOOK_OLD_SECRET_HOURS,
    keptMs: 86_400_000 * config.MERCHANT_WEBHOOK_KEPT_DAYS,
  },
  settlements: {
    uploadsMax: config.SETTLEMENT_UPLOADS_MAX,
    retryAfterS: config.SETTLEMENT_RETRY_AFTER_S,
    importAfterMs: 60_000 * config.SETTLEMENT_IMPORT_AFTER_MINUTES,
    lookbackDays: config.SETTLEMENT_LOOKBACK_DAYS,
    payoutDueDays: config.SETTLEMENT_PAYOUT_DAYS,
    clockToleranceMs: 1_000 * config.SETTLEMENT_CLOCK_S,
    feePercentMax: config.SETTLEMENT_FEE_PERCENT,
    flatFeeMinorMax: BigInt(config.SETTLEMENT_FEE_FLAT),
    disputeFeeMinorMax: BigInt(config.SETTLEMENT_DISPUTE_FEE),
    statementTimeoutMs: 1_000 * config.SETTLEMENT_STATEMENT_S,
  },
});
