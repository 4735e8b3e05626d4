/** Payment events, their orders, and the history of each order. */
export const orders = `
CREATE TABLE payment_events (
  checkout_id text PRIMARY KEY CHECK (length(checkout_id) BETWEEN 1 AND 64),
  caller text NOT NULL,
  buyer_info text,
  seller_info text,
  credit_card_info text,
  is_payment_done boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  takes_retries boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN payment_events.buyer_info IS 'JSON as it was sent; NULL once it is erased';
COMMENT ON COLUMN payment_events.credit_card_info IS
  'Token of the provider, brand and last four digits; never a card number';
COMMENT ON COLUMN payment_events.takes_retries IS
  'A declined order may be followed by another one: done with the first success, or once it is closed';
CREATE INDEX payment_events_caller ON payment_events (caller, created_at);

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
  retry_of text REFERENCES payment_orders,
  UNIQUE (checkout_id, position),
  CONSTRAINT refunds_within_capture
    CHECK (0 <= refunded_minor AND refunded_minor <= refunding_minor AND refunding_minor <= captured_minor),
  CONSTRAINT final_is_terminal CHECK (NOT is_final OR payment_order_status IN ('SUCCESS', 'FAILED')),
  CONSTRAINT success_is_captured
    CHECK (payment_order_status <> 'SUCCESS' OR (is_final AND captured_minor = amount_minor)),
  CONSTRAINT final_is_not_due CHECK (NOT is_final OR (next_attempt_at IS NULL AND pending IS NULL))
);
COMMENT ON COLUMN payment_orders.next_attempt_at IS
  'When the executor or the resolver may take the order; taking it moves this ahead, as a visibility '
  'time-out';
COMMENT ON COLUMN payment_orders.version IS 'Counts the changes; the sequence number of the order''s events';
COMMENT ON COLUMN payment_orders.retry_of IS
  'The declined order in whose place this one is; each has one follower at most';
CREATE INDEX payment_orders_due ON payment_orders (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_orders_open ON payment_orders (created_at) WHERE NOT is_final;
CREATE INDEX payment_orders_buyer ON payment_orders (buyer_account, created_at);
CREATE UNIQUE INDEX payment_orders_retried_once ON payment_orders (retry_of) WHERE retry_of IS NOT NULL;

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

-- What is final stays so, so of a chain of retries only the last can succeed.
CREATE FUNCTION payment_retry_follows_a_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = NEW.retry_of AND o.checkout_id = NEW.checkout_id
      AND e.takes_retries AND NOT e.is_payment_done
      AND o.is_final AND o.payment_order_status = 'FAILED') THEN
  RAISE EXCEPTION 'payment order % retries one that may still succeed, or whose checkout is over',
    NEW.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_retry_follows BEFORE INSERT ON payment_orders FOR EACH ROW
  WHEN (NEW.retry_of IS NOT NULL) EXECUTE FUNCTION payment_retry_follows_a_failure();

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
`;
