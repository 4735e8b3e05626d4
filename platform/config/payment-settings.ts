import { Type } from 'typebox';
import { paymentTopicSettings } from './payment-topic-settings.js';
import { paymentWorkSettings } from './payment-work-settings.js';
import type { Settings } from './setting.js';
import { count, httpsUrl, httpUrl, minorUnits, path, pins } from './setting-shapes.js';

/** What payment and its providers read from the environment. */
export const paymentSettings = {
  PSP_BASE_URL: {
    schema: httpsUrl,
    doc: 'Payment service provider, https only. Default: a simulator, not in production.',
  },
  PSP_STYLE: {
    schema: Type.Union([Type.Literal('hosted'), Type.Literal('direct')]),
    fallback: 'hosted',
    doc: "hosted: buyers pay on the provider's page; direct: a card token of the provider is charged.",
  },
  PSP_API_KEY: { schema: path, secret: true, doc: 'Key for the provider; needed with PSP_BASE_URL.' },
  PSP_PINS: {
    schema: pins,
    doc: "SHA-256 of the provider's public key in base64, or two joined by a comma during a rotation.",
  },
  PSP_AUTHORITIES: {
    schema: path,
    doc: "PEM file of the authorities that may sign the provider's certificate. Default: the system's.",
  },
  STRIPE_API_KEY: {
    schema: Type.String({ pattern: '^[\\w-]{8,256}$' }),
    secret: true,
    doc: 'Key of Stripe; with it, Stripe is a provider. Needs STRIPE_WEBHOOK_SECRETS.',
  },
  STRIPE_WEBHOOK_SECRETS: {
    schema: Type.String({ pattern: '^[^,\\s]{16,}(?:,[^,\\s]{16,}){0,3}$', maxLength: 1_024 }),
    secret: true,
    doc: 'Secrets that sign the webhooks of Stripe, at most four joined by commas.',
  },
  STRIPE_BASE_URL: {
    schema: httpsUrl,
    fallback: 'https://api.stripe.com',
    doc: 'Address of the API of Stripe.',
  },
  STRIPE_FILES_URL: {
    schema: httpsUrl,
    fallback: 'https://files.stripe.com',
    doc: 'Where Stripe takes documents for disputes.',
  },
  STRIPE_PINS: {
    schema: pins,
    doc: 'As PSP_PINS, for both addresses of Stripe. Default: any key signed by an authority; keys change.',
  },
  STRIPE_AUTHORITIES: {
    schema: path,
    doc: "PEM file of the authorities that may sign Stripe's certificate. Default: the system's.",
  },
  PAYMENT_ROUTES: {
    schema: Type.String({ minLength: 1, maxLength: 4_096 }),
    doc:
      'Providers by currency and country, the first rule that fits: "EUR in DE,AT: stripe,psp; *: psp". ' +
      'Default: all configured providers for everything, psp first.',
  },
  RISK_BASE_URL: {
    schema: httpsUrl,
    doc: 'A third party that rates payments in addition to our rules, https only; the stricter one counts.',
  },
  RISK_API_KEY: {
    schema: path,
    secret: true,
    doc: 'API key of that third party; needed with RISK_BASE_URL.',
  },
  RISK_PINS: {
    schema: pins,
    doc: 'SHA-256 of its public key in base64, or two joined by a comma; needed with RISK_BASE_URL.',
  },
  PAYMENT_RETURN_URL: {
    schema: httpUrl,
    doc: "URL to which the provider's page returns buyers. Default: /v1/payment-return of this program.",
  },
  PAYMENT_STRICT_KEYS: {
    schema: Type.Boolean(),
    fallback: 'false',
    doc:
      'Whether an idempotency key with another body is refused with 422; otherwise the existing object ' +
      'is returned.',
  },
  PAYMENT_RETRY: {
    schema: Type.Union(
      ['immediate', 'fixed', 'incremental', 'exponential', 'cancel'].map((name) => Type.Literal(name)),
    ),
    fallback: 'exponential',
    doc:
      'Delay before the n-th retry of a payment: immediate (none), fixed (PAYMENT_RETRY_FIRST_MS), ' +
      'incremental (n times that), exponential (that times 2 to the power of n − 1); cancel makes none.',
  },
  PAYMENT_ATTEMPTS: { schema: count(100), fallback: '8', doc: 'Attempts before a payment is dead-lettered.' },
  PAYMENT_RETRY_FIRST_MS: {
    schema: count(3_600_000),
    fallback: '1000',
    doc: 'Milliseconds before the first retry; later delays follow from it by PAYMENT_RETRY.',
  },
  PAYMENT_RETRY_CAP_MS: {
    schema: count(86_400_000),
    fallback: '900000',
    doc: 'The longest delay of a retry in milliseconds, unless the provider asks for a longer one.',
  },
  PROVIDER_TIMEOUT_MS: {
    schema: count(10_000),
    fallback: '5000',
    doc: 'Milliseconds for a call of a payment provider or of RISK_BASE_URL; then its outcome is unknown.',
  },
  PAYMENT_ANSWER_WAIT_MS: {
    schema: count(30_000),
    fallback: '3000',
    doc: 'Milliseconds for which a new payment waits for the provider before it is answered with 202.',
  },
  PAYMENT_PAGE_S: {
    schema: count(86_400),
    fallback: '900',
    doc: "Seconds that a buyer has on the provider's page before the payment expires.",
  },
  PAYMENT_OVERDUE_S: {
    schema: count(604_800),
    fallback: '600',
    doc: 'Seconds after which a payment that is still open raises one alert.',
  },
  WEBHOOK_TOLERANCE_S: {
    schema: count(3_600),
    fallback: '300',
    doc: 'Seconds by which the time in a signed webhook may differ from ours.',
  },
  RATE_PER_MERCHANT: {
    schema: count(10_000_000),
    fallback: '600000',
    doc: 'Requests per minute of a merchant or service, in place of RATE_PER_USER.',
  },
  RATE_PER_MERCHANT_OF: {
    schema: Type.String({ maxLength: 16_384 }),
    fallback: '',
    doc: 'The same for single merchants, in place of it: `subject of the token=requests`, joined by commas.',
  },
  PAYMENTS_PER_BUYER: {
    schema: count(1_000_000),
    fallback: '60',
    doc: 'Payment events per buyer and hour; further ones wait for a review by staff.',
  },
  PAYMENTS_PER_BUYER_MAX: {
    schema: count(1_000_000),
    fallback: '600',
    doc: 'Payment events per buyer and hour; further ones fail. At least PAYMENTS_PER_BUYER.',
  },
  PAYMENTS_PER_SELLER: {
    schema: count(10_000_000),
    fallback: '60000',
    doc: 'Payment events of one caller for one seller, per minute and process; further ones get 429.',
  },
  PAYMENTS_PER_SELLER_OF: {
    schema: Type.String({ maxLength: 16_384 }),
    fallback: '',
    doc: 'The same for single sellers, in place of it: `account=events`, joined by commas.',
  },
  PAYMENT_REVIEW_ABOVE: {
    schema: minorUnits,
    fallback: '100000000',
    doc: 'Amount of a payment order, in minor units of its currency, above which staff reviews it first.',
  },
  PAYMENT_REVIEW_ABOVE_OF: {
    schema: Type.String({ maxLength: 16_384 }),
    fallback: '',
    doc:
      'The same for single sellers, in place of PAYMENT_REVIEW_ABOVE: `account=minor units`, joined by ' +
      'commas.',
  },
  REVIEW_SECOND_PERSON_ABOVE: {
    schema: minorUnits,
    fallback: '100000',
    doc: 'Minor units of a payment under review above which a second person must approve it, too.',
  },
  SECOND_PERSON_ABOVE: {
    schema: minorUnits,
    fallback: '100000',
    doc: 'Minor units above which a decision of finance needs a second person; for sellers it always does.',
  },
  REFUND_SECOND_PERSON_ABOVE: {
    schema: minorUnits,
    fallback: '100000',
    doc: 'Minor units of one payment order above which a refund by staff needs a second person.',
  },
  REFUNDS_ALONE_IN_A_DAY: {
    schema: minorUnits,
    fallback: '500000',
    doc: 'Minor units of one currency that a person may refund in 24 hours without a second person.',
  },
  SETTLEMENT_DUE_HOURS: {
    schema: count(168),
    fallback: '12',
    doc:
      'Hours after the end of its period within which a settlement file is due. Then it is overdue, and ' +
      'is refused as late unless a person accepts it.',
  },
  SETTLEMENT_ACCOUNTS: {
    schema: Type.String({ maxLength: 4_096 }),
    fallback: 'psp',
    doc:
      'Accounts at payment providers whose settlement files are accepted, joined by commas. With ' +
      'currencies as `psp:EUR+USD`, files in others are refused.',
  },
  ...paymentWorkSettings,
  ...paymentTopicSettings,
} as const satisfies Settings;
