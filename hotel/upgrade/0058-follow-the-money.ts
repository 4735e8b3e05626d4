import type { UpgradeStep } from '#platform/sql/sql.js';

/**
 * What a reservation knows of its money beyond its own requests. The refund due is the lesser of what policy
 * and staff grant and what is left. A trigger enforces it, so that nothing more is ever promised.
 */
export const followTheMoney: UpgradeStep = {
  name: '0058-follow-the-money',
  sql: `
INSERT INTO reservation_status_move VALUES
  ('paid', 'payment_returned'), ('payment_returned', 'paid'),
  ('payment_returned', 'cancelled'), ('payment_returned', 'no_show');

ALTER TABLE reservation
  -- What policy and staff grant, whether or not so much is left.
  ADD COLUMN refund_granted_minor bigint NOT NULL DEFAULT 0,
  -- The most that refund_due_minor may be; NULL: all that was paid.
  ADD COLUMN refundable_minor bigint,
  -- What went back or is on its way, whoever asked for it.
  ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0,
  -- What the guest's bank took back, for a while or for good.
  ADD COLUMN disputed_minor bigint NOT NULL DEFAULT 0,
  -- Which reading of the payment these are of; an older one that comes later is dropped.
  ADD COLUMN money_version bigint NOT NULL DEFAULT 0;
-- Nothing changes that anybody has to hear of.
ALTER TABLE reservation DISABLE TRIGGER USER;
UPDATE reservation SET refund_granted_minor = refund_due_minor WHERE refund_due_minor > 0;
ALTER TABLE reservation ENABLE TRIGGER USER;

CREATE FUNCTION promise_what_is_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.refund_due_minor := least(NEW.refund_granted_minor, coalesce(NEW.refundable_minor, NEW.paid_minor));
  RETURN NEW;
END $$;
CREATE TRIGGER reservation_promises BEFORE UPDATE ON reservation FOR EACH ROW
  WHEN (OLD.refund_granted_minor <> NEW.refund_granted_minor
    OR OLD.refundable_minor IS DISTINCT FROM NEW.refundable_minor)
  EXECUTE FUNCTION promise_what_is_left();
`,
};
