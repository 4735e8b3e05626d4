import { Type } from 'typebox';
import type { Settings } from './setting.js';
import { between, count } from './setting-shapes.js';

/** How long payments are held, how often they are looked at, and how long what is over is kept. */
export const paymentWorkSettings = {
  PAYMENT_RETRY_JITTER: {
    schema: Type.Union([Type.Literal('full'), Type.Literal('none')]),
    fallback: 'full',
    doc: 'Whether the delay of a retry is random up to the computed one (full) or is that one (none).',
  },
  PAYMENT_LEASE_MS: {
    schema: between(1_000, 600_000),
    fallback: '15000',
    doc: 'Milliseconds for which a process that works on a payment, refund or card page has it alone.',
  },
  PAYMENT_CALLS_AT_ONCE: {
    schema: count(256),
    fallback: '8',
    doc: 'Due payments and refunds that one process works on at the same time.',
  },
  PAYMENT_ANSWER_LOOK_MS: {
    schema: count(1_000),
    fallback: '20',
    doc: 'Milliseconds between looks at a new payment, within PAYMENT_ANSWER_WAIT_MS.',
  },
  PAYMENT_RETRY_AFTER_S: {
    schema: count(3_600),
    fallback: '2',
    doc: 'Seconds after which callers are asked to try again while a database or provider is away (503).',
  },
  PAYMENT_RUNNING_RETRY_AFTER_S: {
    schema: count(600),
    fallback: '1',
    doc: 'Seconds after which they are asked to try again while their first request is in progress (409).',
  },
  PAYMENT_REDRIVEN_HOURS: {
    schema: count(168),
    fallback: '24',
    doc: 'Hours in which a buyer can pay the order in the place of one that used up its retries.',
  },
  PAYMENT_GATHER_MS: {
    schema: between(0, 1_000),
    fallback: '5',
    doc: 'Milliseconds in which events for the ledger, wallets and merchants gather into one batch.',
  },
  WALLET_LOOKS_MAX: {
    schema: count(1_000),
    fallback: '50',
    doc: 'Times that a wallet looks for a posting of the ledger before the event is delivered again.',
  },
  WALLET_LOOK_MS: {
    schema: count(1_000),
    fallback: '20',
    doc: 'Milliseconds between these looks.',
  },
  PAYMENT_QUERY_MIN_MS: {
    schema: between(10, 3_600_000),
    fallback: '1000',
    doc: 'The shortest interval of queries about an open payment, which is a quarter of its age.',
  },
  PAYMENT_QUERY_MAX_MS: {
    schema: between(10, 3_600_000),
    fallback: '15000',
    doc: 'The longest interval of queries about an open payment, in milliseconds.',
  },
  PAYMENT_AUTHORIZED_QUERY_S: {
    schema: count(86_400),
    fallback: '900',
    doc: 'Seconds between queries about an authorized payment that waits for its capture.',
  },
  PAYMENT_RELOAD_QUERY_MS: {
    schema: between(0, 60_000),
    fallback: '1000',
    doc: 'Milliseconds between two queries about one payment that reloads of the return page may cause.',
  },
  PAYMENT_KEY_HOURS: {
    schema: count(8_760),
    fallback: '24',
    doc: 'Hours for which idempotency keys are kept; ids of payment orders are kept forever.',
  },
  PAYMENT_KEY_RUNNING_MS: {
    schema: between(100, 600_000),
    fallback: '10000',
    doc: 'Milliseconds until a request without an answer counts as lost; before, repeating it gets 409.',
  },
  PAYMENT_WEBHOOK_WAIT_MS: {
    schema: between(0, 10_000),
    fallback: '100',
    doc: 'Milliseconds that a webhook waits for the answer of a call about the same payment.',
  },
  PAYMENT_RELAY_LEASE_MS: {
    schema: between(100, 600_000),
    fallback: '5000',
    doc: 'Milliseconds after which another process sends messages to the log, if the one that did has died.',
  },
  PAYMENT_OUTBOX_DAYS: {
    schema: count(365),
    fallback: '7',
    doc: 'Days for which messages are kept after they were sent to the log.',
  },
  PAYMENT_OUTBOX_REST_MS: {
    schema: between(0, 1_000),
    fallback: '30',
    doc: 'Milliseconds between batches of messages to the log; what is written meanwhile forms one batch.',
  },
  PAYMENT_ROUND_MS: {
    schema: between(10, 60_000),
    fallback: '200',
    doc: 'Milliseconds between searches for due payments, refunds, card pages, payouts and messages.',
  },
  PAYMENT_ALERT_ROUND_MS: {
    schema: between(100, 3_600_000),
    fallback: '5000',
    doc: 'Milliseconds between searches for overdue payments and payouts, and missed deadlines of disputes.',
  },
  PAYMENT_CLEANUP_ROUND_S: {
    schema: count(86_400),
    fallback: '3600',
    doc: 'Seconds between deletions of what has been kept for long enough.',
  },
  PAYMENT_PROOF_ROUND_S: {
    schema: count(86_400),
    fallback: '30',
    doc: 'Seconds between two proofs of the money, which are published as gauges.',
  },
  LEDGER_ROOT_ROUND_S: {
    schema: count(86_400),
    fallback: '60',
    doc: 'Seconds between publications of the chain head of the ledger; one that has not changed is not.',
  },
  WALLET_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '1000',
    doc: 'Milliseconds between searches for wallets that are behind the ledger.',
  },
  MERCHANT_ENTRIES_ROUND_MS: {
    schema: between(10, 3_600_000),
    fallback: '5000',
    doc: 'Milliseconds between additions to the index from which merchants read their entries.',
  },
  PROVIDER_CONNECTIONS: {
    schema: count(1_024),
    fallback: '32',
    doc: 'Calls of one process to one provider at the same time; further ones wait, within their time-out.',
  },
  PROVIDER_FAILURES_MAX: {
    schema: count(1_000),
    fallback: '5',
    doc: 'Failed calls in a row after which another provider gets new payments.',
  },
  PROVIDER_REST_MS: {
    schema: between(0, 3_600_000),
    fallback: '30000',
    doc: 'Milliseconds after which a provider that failed gets new payments again.',
  },
} as const satisfies Settings;
