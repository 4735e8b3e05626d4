/** Payouts of the provider to our bank, and findings in two currencies. */
export const settlementPayouts = `
CREATE TABLE settlement_payout (
  file_no integer NOT NULL REFERENCES settlement_file,
  line_no integer NOT NULL,
  payout_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  is_repeated boolean NOT NULL,
  PRIMARY KEY (file_no, line_no)
);
COMMENT ON COLUMN settlement_payout.is_repeated IS 'The provider reported this payout before: it moved once';
CREATE INDEX settlement_payout_id ON settlement_payout (payout_id);

CREATE TABLE settlement_balance (
  file_no integer NOT NULL REFERENCES settlement_file,
  currency text NOT NULL,
  owed_minor numeric NOT NULL,
  fees_minor bigint NOT NULL,
  paid_minor bigint NOT NULL,
  PRIMARY KEY (file_no, currency)
);
COMMENT ON TABLE settlement_balance IS
  'Of providers that report payouts: what the lines of a file come to, less what was to be deducted';

ALTER TABLE reconciliation_finding ADD COLUMN our_currency text;
COMMENT ON COLUMN reconciliation_finding.our_currency IS 'The currency of our_minor, if it is not currency';

ALTER TABLE finance_decision
  ADD COLUMN converted_debit text, ADD COLUMN converted_credit text,
  ADD COLUMN converted_minor bigint CHECK (converted_minor > 0), ADD COLUMN converted_currency text,
  ADD CONSTRAINT converts_by_an_entry CHECK (num_nulls(converted_debit, converted_credit, converted_minor,
    converted_currency) IN (0, 4) AND (converted_debit IS NULL OR debit IS NOT NULL)),
  ADD CONSTRAINT converts_no_sellers_money CHECK (coalesce(converted_debit, '') NOT LIKE 'seller:%'
    AND coalesce(converted_credit, '') NOT LIKE 'seller:%');
COMMENT ON COLUMN finance_decision.converted_minor IS
  'Of a second entry in another currency, posted together with the first';
`;
