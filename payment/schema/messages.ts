/** What comes in and goes out: requests, webhooks, the outbox, dead letters and mails. */
export const messages = `
CREATE TABLE payment_requests (
  caller text NOT NULL,
  operation text NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id text NOT NULL,
  created_at timestamptz NOT NULL,
  answered_at timestamptz,
  CONSTRAINT one_request_per_key PRIMARY KEY (caller, operation, idempotency_key)
);
CREATE INDEX payment_requests_age ON payment_requests (created_at);

CREATE TABLE payment_webhooks (
  webhook_id text PRIMARY KEY CHECK (length(webhook_id) BETWEEN 1 AND 128),
  kind text NOT NULL,
  payment_order_id text,
  effect text NOT NULL,
  received_at timestamptz NOT NULL
);

CREATE TABLE payment_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  topic text NOT NULL,
  key text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX payment_outbox_waiting ON payment_outbox (id) WHERE sent_at IS NULL;
CREATE INDEX payment_outbox_sent ON payment_outbox (sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE payment_leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE payment_dead_letters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  subject_id text NOT NULL,
  cause text NOT NULL,
  attempts integer NOT NULL,
  at timestamptz NOT NULL,
  redriven_at timestamptz,
  redriven_by text
);
CREATE INDEX payment_dead_letters_open ON payment_dead_letters (id) WHERE redriven_at IS NULL;

CREATE TABLE payment_mail_jobs (
  event_id text PRIMARY KEY,
  payment_order_id text NOT NULL,
  caller text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT '-infinity',
  given_up text
);
COMMENT ON TABLE payment_mail_jobs IS
  'Whom to write to, once for each notice; who sends them takes those without sent_at';
COMMENT ON COLUMN payment_mail_jobs.given_up IS
  'Why nobody will send it: no address, refused, tried too often';
CREATE INDEX payment_mail_jobs_open ON payment_mail_jobs (next_attempt_at)
  WHERE sent_at IS NULL AND given_up IS NULL;
`;
