/** When sellers are paid by themselves. Two people approve a schedule, so its payouts need nobody else. */
export const payoutSchedules = `
CREATE TABLE payout_schedule (
  schedule_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_account text COLLATE "C" NOT NULL CHECK (length(seller_account) BETWEEN 1 AND 64),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  interval text NOT NULL CHECK (interval IN ('daily', 'weekly', 'monthly', 'manual')),
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  month_day smallint CHECK (month_day BETWEEN 1 AND 31),
  time_zone text NOT NULL,
  minimum_minor bigint NOT NULL CHECK (minimum_minor >= 0),
  delay_days smallint NOT NULL CHECK (delay_days BETWEEN 0 AND 90),
  state text NOT NULL DEFAULT 'awaiting_second'
    CHECK (state IN ('awaiting_second', 'active', 'denied', 'replaced', 'stopped')),
  requested_by text NOT NULL CHECK (requested_by <> ''),
  reason text NOT NULL,
  requested_at timestamptz NOT NULL,
  reviewed_by text,
  reviewed_at timestamptz,
  review_reason text,
  ended_by text,
  ended_at timestamptz,
  end_reason text,
  next_run_at timestamptz,
  last_period text,
  last_outcome text CHECK (last_outcome IN ('paid', 'below_minimum')),
  CONSTRAINT days_of_the_interval CHECK ((weekday IS NOT NULL) = (interval = 'weekly')
    AND (month_day IS NOT NULL) = (interval = 'monthly')),
  CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by),
  CONSTRAINT second_person_comes_first CHECK (state IN ('awaiting_second', 'stopped')
    OR (reviewed_by IS NOT NULL AND review_reason <> '')),
  CONSTRAINT active_is_due CHECK ((state = 'active' AND interval <> 'manual') = (next_run_at IS NOT NULL))
);
COMMENT ON COLUMN payout_schedule.delay_days IS
  'Only what the account held at the beginning of each of so many days before is paid';
COMMENT ON COLUMN payout_schedule.next_run_at IS 'The beginning of the next day of payment in time_zone';
CREATE UNIQUE INDEX payout_schedule_active ON payout_schedule (seller_account, currency) WHERE state = 'active';
CREATE UNIQUE INDEX payout_schedule_awaiting ON payout_schedule (seller_account, currency)
  WHERE state = 'awaiting_second';
CREATE INDEX payout_schedule_due ON payout_schedule (next_run_at) WHERE next_run_at IS NOT NULL;

CREATE FUNCTION payout_schedule_keeps_its_graph() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.seller_account, NEW.currency, NEW.interval, NEW.weekday, NEW.month_day, NEW.time_zone,
      NEW.minimum_minor, NEW.delay_days, NEW.requested_by, NEW.reason) IS DISTINCT FROM
    (OLD.seller_account, OLD.currency, OLD.interval, OLD.weekday, OLD.month_day, OLD.time_zone,
      OLD.minimum_minor, OLD.delay_days, OLD.requested_by, OLD.reason)
    OR OLD.reviewed_by IS NOT NULL AND (NEW.reviewed_by, NEW.reviewed_at, NEW.review_reason)
      IS DISTINCT FROM (OLD.reviewed_by, OLD.reviewed_at, OLD.review_reason)
    OR NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (('awaiting_second', 'active'),
      ('awaiting_second', 'denied'), ('awaiting_second', 'stopped'), ('active', 'replaced'), ('active', 'stopped'))
  THEN
    RAISE EXCEPTION 'payout schedule % keeps what two people approved', OLD.schedule_no
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_schedule_graph BEFORE UPDATE ON payout_schedule
  FOR EACH ROW EXECUTE FUNCTION payout_schedule_keeps_its_graph();
`;
