/** Who accepted a settlement file that came after its deadline, and why. */
export const lateAcceptance = `
CREATE TABLE settlement_late_acceptance (
  file_no integer PRIMARY KEY REFERENCES settlement_file,
  who text NOT NULL CHECK (who <> ''),
  why text NOT NULL CHECK (length(why) BETWEEN 1 AND 200),
  at timestamptz NOT NULL
);
-- The audit log reads the newest.
CREATE INDEX settlement_late_acceptance_newest ON settlement_late_acceptance (at);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_late_acceptance
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
`;
