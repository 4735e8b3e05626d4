import { Type } from 'typebox';
import { logLevels } from '#platform/telemetry/logger.js';
import type { ConfigOf, Settings } from './setting.js';

const port = Type.Integer({ minimum: 0, maximum: 65_535 });
const count = (maximum: number) => Type.Integer({ minimum: 1, maximum });
const address = (...schemes: string[]) =>
  Type.String({ pattern: `^(?:${schemes.join('|')}):.*$`, maxLength: 2_048 });
/** Whole minor units of whatever currency: 100000 is 1,000.00 EUR. */
const minorUnits = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });
const httpUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 });
const path = Type.String({ minLength: 1, maxLength: 4_096 });

/** Every key of the environment that some program reads. Other keys with our prefix are refused. */
export const settings = {
  HOST: {
    schema: Type.String({ minLength: 1, maxLength: 253 }),
    fallback: '127.0.0.1',
    doc: 'Address that the public listener binds to.',
  },
  INTERNAL_HOST: {
    schema: Type.String({ minLength: 1, maxLength: 253 }),
    fallback: '127.0.0.1',
    doc: 'Address that the staff listener binds to, for staff, finance and /metrics; independent of HOST.',
  },
  PORT: { schema: port, fallback: '8080', doc: 'Port of the public listener; 0 takes a free port.' },
  INTERNAL_PORT: { schema: port, fallback: '8081', doc: 'Port of the staff listener; 0 takes a free port.' },
  HTTP_SERVER: {
    schema: Type.Union([Type.Literal('auto'), Type.Literal('uws'), Type.Literal('node')]),
    fallback: 'auto',
    doc: 'HTTP server: uws (uWebSockets.js), node (node:http), or auto: uws if it loads, else node.',
  },
  MERIDIAN_DATA: { schema: path, fallback: './data', doc: 'Folder of all embedded stores.' },
  EVENT_LOG: {
    schema: address('kafka', 'embedded'),
    doc: 'Event log: kafka://host:port,host:port or embedded:FOLDER. Default: embedded under MERIDIAN_DATA.',
  },
  LOCATIONS: {
    schema: address('cassandra', 'lmdb'),
    doc: 'Location store: cassandra://host:port/keyspace or lmdb:FOLDER. Default: lmdb under MERIDIAN_DATA.',
  },
  CACHE: {
    schema: address('redis', 'memory'),
    fallback: 'memory:',
    doc: 'Live cache: redis://host:port or memory:.',
  },
  SQL: {
    schema: address('postgres', 'postgresql', 'embedded'),
    doc:
      'SQL store: postgres://user:password@host/database or embedded:FOLDER. ' +
      'Default: embedded under MERIDIAN_DATA.',
  },
  OBJECTS: {
    schema: address('s3', 'dir'),
    doc:
      'Object store: s3://bucket?endpoint=URL&region=NAME or dir:FOLDER. ' +
      'Default: a folder under MERIDIAN_DATA.',
  },
  MAIL: {
    schema: address('smtp', 'smtps', 's3', 'dir'),
    secret: true,
    doc:
      'Mail to buyers: smtp://user:password@host:587, smtps://…, or an object store for files. ' +
      'Default: a folder under MERIDIAN_DATA.',
  },
  MAIL_FROM: {
    schema: Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 320 }),
    fallback: 'payments@meridian.invalid',
    doc: 'Sender of that mail.',
  },
  AWS_ACCESS_KEY_ID: { schema: path, secret: true, doc: 'Key of the object store, when it is S3.' },
  AWS_SECRET_ACCESS_KEY: { schema: path, secret: true, doc: 'Secret of that key.' },
  SCHEMA_REGISTRY_URL: {
    schema: httpUrl,
    doc: 'Confluent-compatible schema registry; needed when EVENT_LOG is Kafka.',
  },
  JWKS_URL: {
    schema: httpUrl,
    doc: 'URL of the keys of the token issuer. Default: the development issuer, not in production.',
  },
  TOKEN_ISSUER: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian-development',
    doc: 'Value that `iss` of a token must have.',
  },
  TOKEN_AUDIENCE: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian',
    doc: 'Value that `aud` of a token must contain on the public listener.',
  },
  INTERNAL_TOKEN_AUDIENCE: {
    schema: Type.String({ minLength: 1, maxLength: 256 }),
    fallback: 'meridian-internal',
    doc: 'Value that `aud` of a token must contain on the staff listener.',
  },
  PSP_BASE_URL: {
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2_048 }),
    doc: 'Payment service provider, https only. Default: a simulator, not in production.',
  },
  PSP_STYLE: {
    schema: Type.Union([Type.Literal('hosted'), Type.Literal('direct')]),
    fallback: 'hosted',
    doc: "hosted: buyers pay on the provider's page; direct: a card token of the provider is charged.",
  },
  PSP_API_KEY: { schema: path, secret: true, doc: 'Key for the provider; needed with PSP_BASE_URL.' },
  PSP_PINS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)?$',
      maxLength: 128,
    }),
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
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2_048 }),
    fallback: 'https://api.stripe.com',
    doc: 'Address of the API of Stripe.',
  },
  STRIPE_PINS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)?$',
      maxLength: 128,
    }),
    doc: 'As PSP_PINS. Default: any key signed by an authority, because Stripe changes keys without notice.',
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
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2_048 }),
    doc: 'A third party that rates payments in addition to our rules, https only; the stricter one counts.',
  },
  RISK_API_KEY: {
    schema: path,
    secret: true,
    doc: 'API key of that third party; needed with RISK_BASE_URL.',
  },
  RISK_PINS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)?$',
      maxLength: 128,
    }),
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
    doc: 'Delay before a payment is retried: immediate, fixed, incremental, exponential, cancel.',
  },
  PAYMENT_ATTEMPTS: { schema: count(100), fallback: '8', doc: 'Attempts before a payment is dead-lettered.' },
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
  SETTLEMENT_ACCOUNTS: {
    schema: Type.String({ maxLength: 4_096 }),
    fallback: 'psp',
    doc:
      'Accounts at payment providers whose settlement files are accepted, joined by commas. With ' +
      'currencies as `psp:EUR+USD`, files in others are refused.',
  },
  WEBHOOK_SECRETS: {
    schema: Type.String({ pattern: '^[^,\\s]{16,}(?:,[^,\\s]{16,})?$', maxLength: 512 }),
    secret: true,
    doc: 'One secret, or two joined by a comma during a rotation, each of at least 16 characters.',
  },
  GUEST_DATA_KEYS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=){0,4}$',
      maxLength: 256,
    }),
    secret: true,
    doc:
      'Master keys of guests’ personal data: 32 bytes in base64, the newest first, up to five joined by ' +
      'commas. Default: a file under MERIDIAN_DATA, not in production.',
  },
  OPERATOR_LISTENER: {
    schema: Type.Union([Type.Literal('both'), Type.Literal('internal')]),
    fallback: 'both',
    doc: 'Listeners on which operators add and change hotels: both, or internal only.',
  },
  INVENTORY_GUARD: {
    schema: Type.Union([Type.Literal('row_locks'), Type.Literal('version'), Type.Literal('constraint')]),
    fallback: 'row_locks',
    doc: 'What prevents overbooking by concurrent requests: row_locks, version or constraint (ADR 0060).',
  },
  CORS_ORIGINS: {
    schema: Type.String({ maxLength: 4_096 }),
    fallback: '',
    doc: 'Origins of other pages that may call the public listener, joined by commas.',
  },
  LOG_LEVEL: {
    schema: Type.Union(logLevels.map((level) => Type.Literal(level))),
    fallback: 'info',
    doc: `Least level that is logged: ${logLevels.join(', ')}.`,
  },
  PID_FILE: { schema: path, doc: 'File that holds the process id while the program runs.' },
  DRAIN_MS: {
    schema: count(120_000),
    fallback: '6000',
    doc: 'Milliseconds in which work may finish after SIGTERM; a second later the process is killed.',
  },
  INFLIGHT_MAX: { schema: count(100_000), fallback: '1024', doc: 'Requests handled at the same time.' },
  TURN_BUDGET_MS: {
    schema: count(10_000),
    fallback: '25',
    doc: 'CPU milliseconds of an event-loop turn after which all but its first eight requests are shed.',
  },
  RATE_PER_USER: { schema: count(1_000_000), fallback: '6000', doc: 'Requests per user and minute.' },
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
  RATE_PER_ADDRESS: {
    schema: count(1_000_000),
    fallback: '6000',
    doc: 'Requests without a token per address and minute.',
  },
  TRAFFIC_DRIVERS_MIN: {
    schema: count(100),
    fallback: '5',
    doc: 'Least number of distinct drivers behind a published speed; fewer could reveal a single person.',
  },
  BATCHES_PER_USER: {
    schema: count(10_000_000),
    fallback: '600',
    doc: 'Location batches per user and minute.',
  },
  BOOKINGS_PER_USER: {
    schema: count(1_000_000),
    fallback: '60',
    doc: 'Calls per user and minute that reserve, change or cancel.',
  },
  ROUTING_THREADS: {
    schema: count(256),
    doc: 'Worker threads that search routes. Default: one less than the cores.',
  },
  RETENTION_DAYS: {
    schema: count(3_650),
    fallback: '30',
    doc: 'Days that the location store keeps raw locations.',
  },
} as const satisfies Settings;

export type Config = ConfigOf<typeof settings>;
