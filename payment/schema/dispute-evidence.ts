/** Until when a dispute can be answered, its documents, and the answers that go to the provider. */
export const disputeEvidence = `
ALTER TABLE payment_disputes
  ADD COLUMN reason text CHECK (reason ~ '^[a-z][a-z0-9_]{0,47}$'),
  ADD COLUMN evidence_due_at timestamptz,
  ADD COLUMN missed_at timestamptz;
COMMENT ON COLUMN payment_disputes.reason IS 'The provider''s word; NULL when it gives none';
COMMENT ON COLUMN payment_disputes.missed_at IS
  'When we noticed that evidence_due_at had passed and the provider had no answer; announced once';
CREATE INDEX payment_disputes_due ON payment_disputes
  (coalesce(evidence_due_at, 'infinity'::timestamptz), dispute_id) WHERE dispute_status = 'OPENED';

CREATE TABLE dispute_document (
  dispute_id text NOT NULL REFERENCES payment_disputes,
  purpose text NOT NULL CHECK (purpose IN ('receipt', 'communication', 'service', 'policy', 'other')),
  content_type text NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg')),
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  size integer NOT NULL CHECK (size > 0),
  bytes bytea CHECK (length(bytes) = size),
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (dispute_id, purpose)
);
COMMENT ON COLUMN dispute_document.bytes IS 'NULL once they are erased';
ALTER TABLE dispute_document ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE dispute_answer (
  answer_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dispute_id text NOT NULL REFERENCES payment_disputes,
  kind text NOT NULL CHECK (kind IN ('evidence', 'acceptance')),
  texts jsonb,
  fingerprint bytea NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'refused')),
  failure text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  answered_by text NOT NULL CHECK (answered_by <> ''),
  answered_at timestamptz NOT NULL,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  sent_at timestamptz,
  CONSTRAINT waiting_is_due CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT sent_has_a_time CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT accepted_with_a_reason CHECK (kind = 'evidence' OR reason <> '')
);
COMMENT ON COLUMN dispute_answer.texts IS 'By field; NULL once they are erased';
CREATE UNIQUE INDEX dispute_answer_one ON dispute_answer (dispute_id) WHERE state <> 'refused';
CREATE INDEX dispute_answer_due ON dispute_answer (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE FUNCTION dispute_answer_keeps_what_it_says() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.dispute_id, NEW.kind, NEW.fingerprint, NEW.answered_by, NEW.answered_at, NEW.reason) IS DISTINCT FROM
      (OLD.dispute_id, OLD.kind, OLD.fingerprint, OLD.answered_by, OLD.answered_at, OLD.reason)
    OR NEW.state <> OLD.state AND OLD.state <> 'waiting'
    OR NEW.texts IS DISTINCT FROM OLD.texts AND NEW.texts IS NOT NULL THEN
    RAISE EXCEPTION 'an answer to dispute % stays as it was given', OLD.dispute_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER dispute_answer_kept BEFORE UPDATE ON dispute_answer
  FOR EACH ROW EXECUTE FUNCTION dispute_answer_keeps_what_it_says();
`;
