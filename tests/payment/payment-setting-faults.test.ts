import { expect, it } from 'vitest';
import { checkSettings } from '#cli/doctor/configuration.js';
import { exitCode } from '#cli/exit.js';
import { refuseLongPages } from '#cli/long-pages.js';
import { readSettings } from '#cli/read-settings.js';
import { proves } from '#tools/acceptance/proves.js';

proves('P-130', {
  asked: 'limits are configuration: those that contradict each other must not start',
  shown: 'each of 22 relations: the start and the doctor refuse with one sentence that names both settings',
  control: {
    in: 'platform/config/payment-setting-faults.ts',
    change: '* unitOf(name);',
    to: ';',
  },
});
it.each([
  ['PAYMENTS_PER_BUYER_MAX', '59', 'PAYMENTS_PER_BUYER', '60'],
  ['PAYMENT_LEASE_MS', '9999', '2 times PROVIDER_TIMEOUT_MS', '5000'],
  ['SAVED_CARD_LEASE_MS', '4999', 'PROVIDER_TIMEOUT_MS', '5000'],
  ['DISPUTE_LEASE_MS', '29999', '6 times PROVIDER_TIMEOUT_MS', '5000'],
  ['PAYOUT_LEASE_MS', '4999', 'PROVIDER_TIMEOUT_MS', '5000'],
  ['MERCHANT_WEBHOOK_LEASE_MS', '9999', 'MERCHANT_WEBHOOK_TIMEOUT_MS', '10000'],
  ['MERCHANT_WEBHOOK_TIMEOUT_MS', '1999', 'MERCHANT_WEBHOOK_SLOW_MS', '2000'],
  ['MERCHANT_WEBHOOK_RETRY_HOURS', '1', 'MERCHANT_WEBHOOK_RETRIES_S', '3601,5'],
  ['PAYMENT_RELAY_LEASE_MS', '399', '2 times PAYMENT_ROUND_MS', '200'],
  ['PAYMENT_RETRY_CAP_MS', '999', 'PAYMENT_RETRY_FIRST_MS', '1000'],
  ['PAYOUT_RETRY_CAP_MS', '999', 'PAYOUT_RETRY_FIRST_MS', '1000'],
  ['PAYMENT_QUERY_MAX_MS', '999', 'PAYMENT_QUERY_MIN_MS', '1000'],
  ['CARD_PAGE_REVIEW_LOOK_MS', '199', 'CARD_PAGE_LOOK_MIN_MS', '200'],
  ['CARD_PAGE_CHARGE_LOOK_MS', '199', 'CARD_PAGE_LOOK_MIN_MS', '200'],
  ['SAVED_CARD_LOOK_MAX_MS', '499', 'SAVED_CARD_LOOK_MIN_MS', '500'],
  ['PAYMENT_ANSWER_WAIT_MS', '49', 'PAYMENT_ANSWER_LOOK_MS', '50'],
  ['PAYMENT_KEY_RUNNING_MS', '2999', 'PAYMENT_ANSWER_WAIT_MS', '3000'],
  ['PAYMENT_KEY_HOURS', '1', 'PAYMENT_PAGE_S', '3601'],
  ['PAYMENT_PAGE_S', '59', 'CARD_PAGE_LEAST_S', '60'],
  ['MERCHANT_WEBHOOK_KEPT_DAYS', '2', 'MERCHANT_WEBHOOK_RETRY_HOURS', '72'],
  ['SETTLEMENT_DUE_HOURS', '1', 'SETTLEMENT_IMPORT_AFTER_MINUTES', '61'],
  ['SETTLEMENT_IMPORT_AFTER_MINUTES', '4', 'SETTLEMENT_CLOCK_S', '300'],
])('P-130: %s=%s is refused beside %s=%s', (more, text, less, than) => {
  const environment = { [more]: text, [less.replace(/^\d times /, '')]: than };
  const start = `${more} is ${text}, but must be at least ${less}, which is ${than}: otherwise `;
  let refusal: unknown;
  try {
    readSettings(environment);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: exitCode.usage });
  const { message } = refusal as Error;
  expect(message.startsWith(start), message).toBe(true);
  expect(message.split('\n')).toHaveLength(1);
  const failed = checkSettings(environment).findings.filter(({ state }) => state === 'failed');
  expect(failed).toMatchObject([{ check: 'settings', state: 'failed', detail: message.slice(0, -1) }]);
  const oneMore = { ...environment, [more]: String(Number(text) + 1) };
  expect(readSettings(oneMore)).toMatchObject({ [more]: Number(text) + 1 });
});

proves('P-130', {
  asked: 'limits that contradict each other must not start',
  shown: 'a page of 901 s beside rooms that are held 900 s: a start with hotels refuses, the doctor warns',
  control: {
    in: 'cli/long-pages.ts',
    change: 'if (pageS > holdSeconds)',
    to: 'if (pageS > 2 * holdSeconds)',
  },
});
it('P-130: a page that outlives the hold of the rooms is refused beside hotels', () => {
  expect(() => refuseLongPages(readSettings())).not.toThrow();
  const detail = 'PAYMENT_PAGE_S is 901, but must be at most 900: hotels hold unpaid rooms for that long';
  const environment = { PAYMENT_PAGE_S: '901' };
  expect(() => refuseLongPages(readSettings(environment))).toThrow(`${detail}.`);
  expect(checkSettings(environment).findings).toMatchObject([{ state: 'warning', detail }]);
});
