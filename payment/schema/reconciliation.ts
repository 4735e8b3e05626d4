/** Settlement files, findings in them, and what people decided. */
export const reconciliation = `
CREATE TABLE settlement_file (
  file_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  sha256 text NOT NULL,
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL CHECK (period_to > period_from),
  lines integer NOT NULL,
  received_at timestamptz NOT NULL,
  matched_at timestamptz,
  reconciled_at timestamptz,
  UNIQUE (provider, file_id)
);
CREATE INDEX settlement_file_period ON settlement_file (provider, period_to);

-- Evidence, and a million of them a night: no row is ever looked up but by its file, which lies together.
CREATE TABLE settlement_line (
  file_no integer NOT NULL,
  line_no integer NOT NULL,
  kind text NOT NULL,
  payment_order_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  psp_reference text NOT NULL,
  amount_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  currency text NOT NULL,
  succeeded boolean NOT NULL,
  occurred_at timestamptz NOT NULL
);
COMMENT ON COLUMN settlement_line.operation IS
  'As the ledger calls it: capture, refund:<id>, dispute:<id>:opened, dispute:<id>:won';
CREATE INDEX settlement_line_file ON settlement_line USING brin (file_no) WITH (pages_per_range = 16);

CREATE TABLE settlement_refusal (
  refusal_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  reason text NOT NULL,
  detail text NOT NULL,
  at timestamptz NOT NULL
);

CREATE TABLE reconciliation_finding (
  finding_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_no integer REFERENCES settlement_file,
  line_no integer,
  kind text NOT NULL,
  class smallint NOT NULL CHECK (class IN (1, 2, 3)),
  payment_order_id text COLLATE "C",
  operation text COLLATE "C",
  seller_account text,
  currency text,
  psp_minor bigint,
  our_minor bigint,
  state text NOT NULL DEFAULT 'open' CHECK (state IN
    ('open', 'awaiting_second', 'adjusted', 'settled', 'healed')),
  found_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT found_once UNIQUE NULLS NOT DISTINCT
    (file_no, kind, line_no, payment_order_id, operation, seller_account, currency)
);
CREATE INDEX reconciliation_finding_open ON reconciliation_finding (class, finding_no)
  WHERE state IN ('open', 'awaiting_second');
CREATE UNIQUE INDEX reconciliation_finding_missing ON reconciliation_finding (payment_order_id, operation)
  WHERE kind = 'missing_at_psp' AND state <> 'healed';

CREATE TABLE finance_decision (
  decision_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  finding_no bigint NOT NULL REFERENCES reconciliation_finding,
  action text NOT NULL CHECK (action IN ('adjust', 'dismiss', 'reverse')),
  reverses bigint UNIQUE REFERENCES finance_decision,
  debit text,
  credit text,
  amount_minor bigint CHECK (amount_minor > 0),
  currency text,
  who text NOT NULL CHECK (who <> ''),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 1000),
  at timestamptz NOT NULL,
  needs_second boolean NOT NULL,
  CONSTRAINT adjusts_by_an_entry CHECK ((action = 'dismiss') = (debit IS NULL)
    AND (debit IS NULL) = (credit IS NULL)
    AND (debit IS NULL) = (amount_minor IS NULL)),
  CONSTRAINT reverses_a_decision CHECK ((action = 'reverse') = (reverses IS NOT NULL)),
  CONSTRAINT sellers_need_a_second_person
    CHECK (needs_second
      OR coalesce(debit, '') NOT LIKE 'seller:%' AND coalesce(credit, '') NOT LIKE 'seller:%')
);
CREATE TABLE finance_approval (
  decision_no bigint PRIMARY KEY REFERENCES finance_decision,
  who text NOT NULL CHECK (who <> ''),
  at timestamptz NOT NULL
);
CREATE FUNCTION finance_approval_is_of_a_second_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM finance_decision d WHERE d.decision_no = NEW.decision_no AND d.who = NEW.who) THEN
    RAISE EXCEPTION '% cannot approve a decision of their own', NEW.who USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER second_person BEFORE INSERT ON finance_approval
  FOR EACH ROW EXECUTE FUNCTION finance_approval_is_of_a_second_person();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON finance_decision
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON finance_approval
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_line
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
`;
