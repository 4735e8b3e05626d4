import type { UpgradeStep } from '#platform/sql/sql.js';

/** A large refund of staff waits for another person, and keeps the parameters of the request. */
export const secondPersonForRefunds: UpgradeStep = {
  name: '0083-second-person-for-refunds',
  sql: `
ALTER TABLE payment_refunds ADD COLUMN needs_second boolean NOT NULL DEFAULT false;
ALTER TABLE payment_refunds ADD COLUMN reviewed_by text;
ALTER TABLE payment_refunds ADD COLUMN reviewed_at timestamptz;
ALTER TABLE payment_refunds ADD COLUMN review_reason text;
ALTER TABLE payment_refunds ADD CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by);
ALTER TABLE payment_refunds ADD CONSTRAINT second_person_comes_first CHECK (NOT needs_second
  OR (refund_status = 'NOT_STARTED' AND next_attempt_at IS NULL)
  OR (reviewed_by IS NOT NULL AND review_reason <> ''));
CREATE INDEX payment_refunds_awaiting_second ON payment_refunds (created_at)
  WHERE needs_second AND reviewed_by IS NULL;

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
`,
};
