import type { Migration } from '#platform/sql/sql.js';
import { retryDeclinedOrders } from './retry-migration.js';
import { secondPersonForRefunds } from './second-person-migration.js';

/**
 * Tables of events, orders, refunds, disputes and what they tell the world. Numbers 0050 to 0099 of the
 * history `payment`.
 */
export const orderMigrations: readonly Migration[] = [
  {
    name: '0050-create-orders',
    sql: `
CREATE TABLE payment_events (
  checkout_id text PRIMARY KEY CHECK (length(checkout_id) BETWEEN 1 AND 64),
  caller text NOT NULL,
  buyer_info text,
  seller_info text,
  credit_card_info text,
  is_payment_done boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
COMMENT ON COLUMN payment_events.buyer_info IS 'JSON as it was sent; NULL once it is erased';
COMMENT ON COLUMN payment_events.credit_card_info IS 'Token of the provider, brand and last four digits; never a card number';

CREATE TABLE payment_orders (
  payment_order_id text PRIMARY KEY CHECK (length(payment_order_id) BETWEEN 1 AND 64),
  checkout_id text NOT NULL REFERENCES payment_events,
  position smallint NOT NULL,
  buyer_account text NOT NULL,
  seller_account text NOT NULL,
  amount text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  payment_order_status text NOT NULL DEFAULT 'NOT_STARTED'
    CHECK (payment_order_status IN ('NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED')),
  ledger_updated boolean NOT NULL DEFAULT false,
  wallet_updated boolean NOT NULL DEFAULT false,
  is_final boolean NOT NULL DEFAULT false,
  pending text CHECK (pending IN ('review', 'buyer', 'challenge', 'processing', 'unknown')),
  version bigint NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  failure_code text,
  psp_token text UNIQUE,
  psp_page_url text,
  psp_reference text,
  psp_sequence bigint NOT NULL DEFAULT 0,
  captured_minor bigint NOT NULL DEFAULT 0,
  refunding_minor bigint NOT NULL DEFAULT 0,
  refunded_minor bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  notify_buyer boolean NOT NULL DEFAULT false,
  alerted_at timestamptz,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  UNIQUE (checkout_id, position),
  CONSTRAINT refunds_within_capture
    CHECK (0 <= refunded_minor AND refunded_minor <= refunding_minor AND refunding_minor <= captured_minor),
  CONSTRAINT final_is_terminal CHECK (NOT is_final OR payment_order_status IN ('SUCCESS', 'FAILED')),
  CONSTRAINT success_is_captured
    CHECK (payment_order_status <> 'SUCCESS' OR (is_final AND captured_minor = amount_minor)),
  CONSTRAINT final_is_not_due CHECK (NOT is_final OR (next_attempt_at IS NULL AND pending IS NULL))
);
COMMENT ON COLUMN payment_orders.next_attempt_at IS 'When the executor or the resolver may take the order; taking it moves this ahead, as a visibility time-out';
COMMENT ON COLUMN payment_orders.version IS 'Counts the changes; the sequence number of the order''s events';
CREATE INDEX payment_orders_due ON payment_orders (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_orders_open ON payment_orders (created_at) WHERE NOT is_final;
CREATE INDEX payment_orders_buyer ON payment_orders (buyer_account, created_at);

CREATE TABLE payment_order_history (
  payment_order_id text NOT NULL REFERENCES payment_orders,
  version bigint NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  cause text NOT NULL,
  source text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_order_id, version)
);

CREATE FUNCTION payment_order_keeps_its_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.is_final AND (NOT NEW.is_final OR NEW.payment_order_status <> OLD.payment_order_status) THEN
    RAISE EXCEPTION 'payment order % is final', OLD.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.payment_order_status <> OLD.payment_order_status
    AND (OLD.payment_order_status, NEW.payment_order_status) NOT IN (
      ('NOT_STARTED', 'EXECUTING'), ('EXECUTING', 'SUCCESS'), ('EXECUTING', 'FAILED'), ('FAILED', 'EXECUTING')) THEN
    RAISE EXCEPTION 'payment order % cannot go from % to %', OLD.payment_order_id, OLD.payment_order_status,
      NEW.payment_order_status USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.ledger_updated AND NOT NEW.ledger_updated) OR (OLD.wallet_updated AND NOT NEW.wallet_updated)
    OR NEW.payment_order_id <> OLD.payment_order_id OR NEW.checkout_id <> OLD.checkout_id
    OR NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency
    OR NEW.version < OLD.version OR NEW.captured_minor < OLD.captured_minor THEN
    RAISE EXCEPTION 'payment order % keeps what it was made with', OLD.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_order_graph BEFORE UPDATE ON payment_orders
  FOR EACH ROW EXECUTE FUNCTION payment_order_keeps_its_graph();

CREATE FUNCTION payment_event_stays_done() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.is_payment_done AND NOT NEW.is_payment_done THEN
    RAISE EXCEPTION 'payment event % is done', OLD.checkout_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_event_done BEFORE UPDATE ON payment_events
  FOR EACH ROW EXECUTE FUNCTION payment_event_stays_done();

CREATE FUNCTION payment_history_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER payment_order_history_once BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_order_history
  FOR EACH STATEMENT EXECUTE FUNCTION payment_history_is_written_once();
`,
  },
  {
    name: '0051-create-requests-refunds-disputes',
    sql: `
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

CREATE TABLE payment_refunds (
  refund_id text PRIMARY KEY CHECK (length(refund_id) BETWEEN 1 AND 64),
  payment_order_id text NOT NULL REFERENCES payment_orders,
  amount text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  refund_status text NOT NULL DEFAULT 'NOT_STARTED'
    CHECK (refund_status IN ('NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED')),
  reason text NOT NULL,
  requested_by text NOT NULL,
  ledger_updated boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  failure_code text,
  psp_reference text,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX payment_refunds_due ON payment_refunds (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_refunds_order ON payment_refunds (payment_order_id);

CREATE FUNCTION payment_refund_keeps_its_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.refund_status <> OLD.refund_status
    AND (OLD.refund_status, NEW.refund_status) NOT IN (
      ('NOT_STARTED', 'EXECUTING'), ('EXECUTING', 'SUCCESS'), ('EXECUTING', 'FAILED')) THEN
    RAISE EXCEPTION 'refund % cannot go from % to %', OLD.refund_id, OLD.refund_status, NEW.refund_status
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_refund_graph BEFORE UPDATE ON payment_refunds
  FOR EACH ROW EXECUTE FUNCTION payment_refund_keeps_its_graph();

CREATE TABLE payment_disputes (
  dispute_id text PRIMARY KEY CHECK (length(dispute_id) BETWEEN 1 AND 64),
  payment_order_id text NOT NULL REFERENCES payment_orders,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  dispute_status text NOT NULL CHECK (dispute_status IN ('OPENED', 'WON', 'LOST')),
  opened_at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX payment_disputes_order ON payment_disputes (payment_order_id);
`,
  },
  {
    name: '0052-create-messages',
    sql: `
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

CREATE TABLE payment_leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE payment_risk_checks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_order_id text NOT NULL REFERENCES payment_orders,
  decision text NOT NULL CHECK (decision IN ('allow', 'review', 'block', 'approved', 'denied')),
  reason text NOT NULL,
  source text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX payment_risk_checks_order ON payment_risk_checks (payment_order_id);

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
`,
  },
  {
    name: '0053-create-mail-jobs',
    sql: `
CREATE TABLE payment_mail_jobs (
  event_id text PRIMARY KEY,
  payment_order_id text NOT NULL,
  caller text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
COMMENT ON TABLE payment_mail_jobs IS 'Whom to write to, once for each notice; who sends them takes those without sent_at';
CREATE INDEX payment_mail_jobs_open ON payment_mail_jobs (created_at) WHERE sent_at IS NULL;
CREATE INDEX payment_outbox_sent ON payment_outbox (sent_at) WHERE sent_at IS NOT NULL;
ALTER TABLE payout ADD COLUMN alerted_at timestamptz;
`,
  },
  {
    name: '0054-find-events-of-a-caller',
    sql: 'CREATE INDEX payment_events_caller ON payment_events (caller, created_at);',
  },
  {
    name: '0055-send-mails',
    sql: `
ALTER TABLE payment_mail_jobs ADD COLUMN attempts integer NOT NULL DEFAULT 0;
ALTER TABLE payment_mail_jobs ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE payment_mail_jobs ADD COLUMN given_up text;
COMMENT ON COLUMN payment_mail_jobs.given_up IS 'Why nobody will send it: no address, refused, tried too often';
DROP INDEX payment_mail_jobs_open;
CREATE INDEX payment_mail_jobs_open ON payment_mail_jobs (next_attempt_at) WHERE sent_at IS NULL AND given_up IS NULL;
`,
  },
  {
    name: '0080-count-payments-of-a-buyer',
    sql: `
CREATE TABLE payment_buyer_events (
  buyer bytea NOT NULL,
  checkout_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (buyer, checkout_id)
);
COMMENT ON COLUMN payment_buyer_events.buyer IS
  'SHA-256 of one name of the buyer: account, card fingerprint, e-mail or postal address';
CREATE INDEX payment_buyer_events_age ON payment_buyer_events USING brin (at);
`,
  },
  secondPersonForRefunds,
  retryDeclinedOrders,
];
