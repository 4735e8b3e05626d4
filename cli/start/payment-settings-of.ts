import type { RetryStrategy } from '#payment/settings/retry-policy.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import type { Config } from '#platform/config/settings.js';
import { CommandFailed, exitCode } from '../exit.js';
import { merchantLimits } from './merchant-limits.js';

/** What the environment says about payments; the rest are defaults. */
export function paymentSettingsOf(config: Config): PaymentSettings {
  const strategy = config.PAYMENT_RETRY as RetryStrategy;
  if (config.PAYMENTS_PER_BUYER_MAX < config.PAYMENTS_PER_BUYER)
    throw new CommandFailed(
      `PAYMENTS_PER_BUYER_MAX must be at least PAYMENTS_PER_BUYER, which is ${config.PAYMENTS_PER_BUYER}.`,
      exitCode.usage,
    );
  const limits = merchantLimits('PAYMENT_REVIEW_ABOVE_OF', config.PAYMENT_REVIEW_ABOVE_OF, 0n);
  const rates = merchantLimits('PAYMENTS_PER_SELLER_OF', config.PAYMENTS_PER_SELLER_OF, 1n);
  return {
    ...paymentDefaults,
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
    settlementDueAfterMs: 3_600_000 * config.SETTLEMENT_DUE_HOURS,
    retry: {
      ...paymentDefaults.retry,
      strategy,
      attemptsMax: config.PAYMENT_ATTEMPTS,
      firstMs: config.PAYMENT_RETRY_FIRST_MS,
      capMs: config.PAYMENT_RETRY_CAP_MS,
    },
    registrationMs: 1_000 * config.PAYMENT_PAGE_S,
    overdueMs: 1_000 * config.PAYMENT_OVERDUE_S,
    answerWaitMs: config.PAYMENT_ANSWER_WAIT_MS,
    webhookToleranceMs: 1_000 * config.WEBHOOK_TOLERANCE_S,
  };
}
