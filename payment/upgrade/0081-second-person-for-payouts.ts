import type { UpgradeStep } from '#platform/sql/sql.js';

/** A manual payout waits for a second person, who approves or refuses it. */
export const secondPersonForPayouts: UpgradeStep = {
  name: '0081-second-person-for-payouts',
  sql: `
ALTER TABLE payout ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE payout ADD COLUMN needs_second boolean NOT NULL DEFAULT false;
ALTER TABLE payout ADD COLUMN reviewed_by text;
ALTER TABLE payout ADD COLUMN reviewed_at timestamptz;
ALTER TABLE payout ADD COLUMN review_reason text;
COMMENT ON COLUMN payout.reviewed_by IS 'The second person, who let it go or refused it';
ALTER TABLE payout DROP CONSTRAINT payout_state_check;
ALTER TABLE payout ADD CONSTRAINT payout_state_check CHECK (state IN
  ('awaiting_second', 'created', 'sending', 'processing', 'unknown', 'paid', 'failed', 'returned'));
ALTER TABLE payout DROP CONSTRAINT ended_is_not_due;
ALTER TABLE payout ADD CONSTRAINT ended_is_not_due
  CHECK ((state IN ('awaiting_second', 'paid', 'failed', 'returned')) = (next_attempt_at IS NULL));
ALTER TABLE payout ADD CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by);
ALTER TABLE payout ADD CONSTRAINT second_person_comes_first
  CHECK (NOT needs_second OR state = 'awaiting_second' OR (reviewed_by IS NOT NULL AND review_reason <> ''));
CREATE INDEX payout_awaiting_second ON payout (payout_id) WHERE state = 'awaiting_second';

CREATE OR REPLACE FUNCTION payout_keeps_its_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.payout_id, NEW.seller_account, NEW.currency, NEW.amount_minor, NEW.period, NEW.requested_by,
      NEW.reason, NEW.needs_second) IS DISTINCT FROM
    (OLD.payout_id, OLD.seller_account, OLD.currency, OLD.amount_minor, OLD.period, OLD.requested_by,
      OLD.reason, OLD.needs_second)
    OR OLD.reviewed_by IS NOT NULL AND (NEW.reviewed_by, NEW.reviewed_at, NEW.review_reason)
      IS DISTINCT FROM (OLD.reviewed_by, OLD.reviewed_at, OLD.review_reason) THEN
    RAISE EXCEPTION 'pay-out % keeps what it was made with', OLD.payout_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state IN ('failed', 'returned') OR
      (OLD.state = 'paid') <> (NEW.state = 'returned')
      OR NEW.state = 'awaiting_second'
      OR OLD.state = 'awaiting_second' AND NEW.state NOT IN ('created', 'failed')
      OR NEW.state = 'created' AND OLD.state NOT IN ('sending', 'unknown', 'awaiting_second')) THEN
    RAISE EXCEPTION 'pay-out % cannot go from % to %', OLD.payout_id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
`,
};
