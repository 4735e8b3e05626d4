export const payouts = `
CREATE TABLE payout (
  payout_id text COLLATE "C" PRIMARY KEY CHECK (length(payout_id) BETWEEN 1 AND 64),
  seller_account text COLLATE "C" NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  period text NOT NULL,
  state text NOT NULL DEFAULT 'created' CHECK (state IN
    ('awaiting_second', 'created', 'sending', 'processing', 'unknown', 'paid', 'failed', 'returned')),
  provider_reference text,
  failure text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  alerted_at timestamptz,
  reason text NOT NULL DEFAULT '',
  needs_second boolean NOT NULL DEFAULT false,
  reviewed_by text,
  reviewed_at timestamptz,
  review_reason text,
  CONSTRAINT one_payout_a_period UNIQUE (seller_account, currency, period),
  CONSTRAINT ended_is_not_due
    CHECK ((state IN ('awaiting_second', 'paid', 'failed', 'returned')) = (next_attempt_at IS NULL)),
  CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by),
  CONSTRAINT second_person_comes_first
    CHECK (NOT needs_second OR state = 'awaiting_second' OR (reviewed_by IS NOT NULL AND review_reason <> ''))
);
COMMENT ON COLUMN payout.period IS
  'The month of the run, 2026-11; for a pay-out that somebody asked for, its own id';
COMMENT ON COLUMN payout.reviewed_by IS 'The second person, who let it go or refused it';
CREATE INDEX payout_due ON payout (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payout_seller ON payout (seller_account, created_at);
CREATE INDEX payout_awaiting_second ON payout (payout_id) WHERE state = 'awaiting_second';

CREATE FUNCTION payout_keeps_its_graph() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER payout_graph BEFORE UPDATE ON payout FOR EACH ROW EXECUTE FUNCTION payout_keeps_its_graph();
`;
