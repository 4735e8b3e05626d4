import { Type } from 'typebox';
import type { Settings } from './setting.js';
import { between, count, minorUnits } from './setting-shapes.js';

/** Cards, disputes, payouts, letters, webhooks of merchants and settlement. */
export const paymentTopicSettings = {
  CARD_PAGES_MAX: {
    schema: count(100),
    fallback: '5',
    doc: 'Cards that a buyer may try for one checkout on a page for all its payments.',
  },
  CARD_PAGE_LEAST_S: {
    schema: count(3_600),
    fallback: '60',
    doc: 'Seconds that a payment must have left for another card to be asked for.',
  },
  CARD_PAGE_LOOK_MIN_MS: {
    schema: between(10, 60_000),
    fallback: '200',
    doc: 'The shortest interval at which a card page is looked at, which is a quarter of its age.',
  },
  CARD_PAGE_REVIEW_LOOK_MS: {
    schema: between(10, 3_600_000),
    fallback: '60000',
    doc: 'The longest such interval while staff review a payment of the page.',
  },
  CARD_PAGE_CHARGE_LOOK_MS: {
    schema: between(10, 3_600_000),
    fallback: '5000',
    doc: 'The longest such interval while its card is charged.',
  },
  SAVED_CARDS_MAX: {
    schema: count(1_000),
    fallback: '20',
    doc: 'Cards that one buyer keeps with one seller; a payment that would keep another one is refused.',
  },
  SAVED_CARD_LEASE_MS: {
    schema: between(1_000, 3_600_000),
    fallback: '60000',
    doc: 'Milliseconds for which a process that looks up or deletes a saved card has it alone.',
  },
  SAVED_CARD_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '1000',
    doc: 'Milliseconds between searches for saved cards to look up or to delete.',
  },
  SAVED_CARD_LOOK_MIN_MS: {
    schema: between(10, 3_600_000),
    fallback: '500',
    doc: 'The shortest interval at which it is checked whether the payment of a card to keep has ended.',
  },
  SAVED_CARD_LOOK_MAX_MS: {
    schema: between(10, 3_600_000),
    fallback: '60000',
    doc: 'The longest such interval, in milliseconds; between them it is a quarter of the age.',
  },
  SAVED_CARD_LATE_HOURS: {
    schema: count(720),
    fallback: '24',
    doc: 'Hours after a failed payment in which its card is looked for once more, and then deleted.',
  },
  DISPUTE_LEASE_MS: {
    schema: between(1_000, 3_600_000),
    fallback: '60000',
    doc: 'Milliseconds for which a process that sends an answer to a dispute has it alone.',
  },
  DISPUTE_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '1000',
    doc: 'Milliseconds between searches for answers to disputes that must be sent again.',
  },
  DISPUTE_EVIDENCE_DAYS: {
    schema: count(3_650),
    fallback: '90',
    doc: 'Days after the end of a dispute at which its texts and documents are erased.',
  },
  PAYOUT_LEASE_MS: {
    schema: between(1_000, 3_600_000),
    fallback: '60000',
    doc: 'Milliseconds for which a process that sends a payout has it alone.',
  },
  PAYOUT_RETRY_FIRST_MS: {
    schema: count(3_600_000),
    fallback: '1000',
    doc: 'The delay of a retry of a payout is random, up to this; each doubles it.',
  },
  PAYOUT_RETRY_CAP_MS: {
    schema: count(86_400_000),
    fallback: '900000',
    doc: 'The longest delay of a retry of a payout, in milliseconds.',
  },
  PAYOUT_OVERDUE_HOURS: {
    schema: count(8_760),
    fallback: '72',
    doc: 'Hours after which a payout that is still open raises one alert.',
  },
  PAYOUT_SCHEDULE_ROUND_S: {
    schema: count(3_600),
    fallback: '30',
    doc: 'Seconds between searches for payout schedules that are due.',
  },
  PAYMENT_MAIL_LEASE_MS: {
    schema: between(1_000, 3_600_000),
    fallback: '300000',
    doc: 'Milliseconds for which a process that sends letters to buyers has a batch of them alone.',
  },
  PAYMENT_MAIL_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '1000',
    doc: 'Milliseconds between searches for letters to buyers.',
  },
  PAYMENT_MAIL_RETRY_FIRST_MS: {
    schema: count(3_600_000),
    fallback: '30000',
    doc: 'Milliseconds before a letter is sent again for the first time; each retry doubles the delay.',
  },
  PAYMENT_MAIL_ATTEMPTS: {
    schema: count(20),
    fallback: '11',
    doc: 'Attempts before a letter to a buyer is given up.',
  },
  MERCHANT_ACCOUNTS_MAX: {
    schema: count(10_000),
    fallback: '100',
    doc: 'Seller accounts of one merchant; one more is refused.',
  },
  MERCHANT_WEBHOOK_TIMEOUT_MS: {
    schema: between(100, 60_000),
    fallback: '10000',
    doc: 'Milliseconds in which the endpoint of a merchant must answer a webhook.',
  },
  MERCHANT_WEBHOOK_LEASE_MS: {
    schema: between(1_000, 600_000),
    fallback: '30000',
    doc: 'Milliseconds for which a process that delivers a webhook has it alone.',
  },
  MERCHANT_WEBHOOK_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '500',
    doc: 'Milliseconds between searches for webhooks of merchants that are due.',
  },
  MERCHANT_WEBHOOK_RETRIES_S: {
    schema: Type.String({ pattern: '^[1-9]\\d{0,5}(?:,[1-9]\\d{0,5}){0,19}$', maxLength: 140 }),
    fallback: '5,30,120,600,1800,3600,7200,14400,28800',
    doc: 'Seconds before each retry of a webhook, joined by commas, plus up to a tenth; the last repeats.',
  },
  MERCHANT_WEBHOOK_SLOW_MS: {
    schema: count(60_000),
    fallback: '2000',
    doc: 'Milliseconds above which the answer of an endpoint is slow: it gets one webhook at a time.',
  },
  MERCHANT_WEBHOOK_OLD_SECRET_HOURS: {
    schema: count(720),
    fallback: '24',
    doc: 'Hours after the rotation of a secret in which the previous one signs webhooks, too.',
  },
  MERCHANT_WEBHOOK_RETRY_HOURS: {
    schema: count(720),
    fallback: '72',
    doc: 'Hours after which a webhook that no attempt delivered is given up.',
  },
  MERCHANT_WEBHOOK_KEPT_DAYS: {
    schema: count(365),
    fallback: '30',
    doc: 'Days for which webhooks of merchants and the log of their attempts are kept.',
  },
  SETTLEMENT_UPLOADS_MAX: {
    schema: count(64),
    fallback: '2',
    doc: 'Settlement files that one process receives at the same time; a further one gets 503.',
  },
  SETTLEMENT_RETRY_AFTER_S: {
    schema: count(3_600),
    fallback: '10',
    doc: 'Seconds after which callers are asked to try again after that 503, or while a provider is away.',
  },
  SETTLEMENT_IMPORT_AFTER_MINUTES: {
    schema: count(10_080),
    fallback: '60',
    doc: 'Minutes after the end of a day at which a provider is asked what it settled.',
  },
  SETTLEMENT_IMPORT_ROUND_S: {
    schema: count(86_400),
    fallback: '600',
    doc: 'Seconds between searches for days that providers must still be asked for.',
  },
  SETTLEMENT_LOOKBACK_DAYS: {
    schema: count(90),
    fallback: '7',
    doc: 'Days before the period of a file whose operations are reported as missing if no file has them.',
  },
  SETTLEMENT_PAYOUT_DAYS: {
    schema: count(90),
    fallback: '14',
    doc: 'Days after which what a provider settled and has not paid out to our bank is missing.',
  },
  SETTLEMENT_CLOCK_S: {
    schema: between(0, 3_600),
    fallback: '300',
    doc: 'Seconds before the end of a period whose operations may be in the next file.',
  },
  SETTLEMENT_FEE_PERCENT: {
    schema: between(0, 100),
    fallback: '10',
    doc: 'Percent of an amount that a provider may withhold as its fee; a person decides on more.',
  },
  SETTLEMENT_FEE_FLAT: {
    schema: minorUnits,
    fallback: '100',
    doc: 'Minor units that it may withhold in addition.',
  },
  SETTLEMENT_DISPUTE_FEE: {
    schema: minorUnits,
    fallback: '5000',
    doc: 'Minor units that it may withhold for a dispute, in place of SETTLEMENT_FEE_FLAT.',
  },
  SETTLEMENT_STATEMENT_S: {
    schema: count(86_400),
    fallback: '1800',
    doc: 'Seconds after which a settlement file is given up; a million lines take some ten.',
  },
} as const satisfies Settings;
