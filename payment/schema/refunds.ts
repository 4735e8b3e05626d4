/**
 * Refunds and disputes. A large refund of staff waits for a second person and keeps the parameters of the
 * request.
 */
export const refunds = `
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
  changed_at timestamptz NOT NULL,
  needs_second boolean NOT NULL DEFAULT false,
  reviewed_by text,
  reviewed_at timestamptz,
  review_reason text,
  CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by),
  CONSTRAINT second_person_comes_first CHECK (NOT needs_second
    OR (refund_status = 'NOT_STARTED' AND next_attempt_at IS NULL)
    OR (reviewed_by IS NOT NULL AND review_reason <> ''))
);
CREATE INDEX payment_refunds_due ON payment_refunds (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_refunds_order ON payment_refunds (payment_order_id);
CREATE INDEX payment_refunds_awaiting_second ON payment_refunds (created_at)
  WHERE needs_second AND reviewed_by IS NULL;

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

CREATE FUNCTION payment_refund_keeps_its_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.refund_id, NEW.payment_order_id, NEW.amount_minor, NEW.currency, NEW.requested_by, NEW.reason,
    NEW.needs_second) IS DISTINCT FROM
  (OLD.refund_id, OLD.payment_order_id, OLD.amount_minor, OLD.currency, OLD.requested_by, OLD.reason,
    OLD.needs_second)
  OR OLD.reviewed_by IS NOT NULL AND (NEW.reviewed_by, NEW.reviewed_at, NEW.review_reason)
    IS DISTINCT FROM (OLD.reviewed_by, OLD.reviewed_at, OLD.review_reason) THEN
  RAISE EXCEPTION 'refund % keeps what it was asked with', OLD.refund_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_refund_request BEFORE UPDATE ON payment_refunds
  FOR EACH ROW EXECUTE FUNCTION payment_refund_keeps_its_request();

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
`;
