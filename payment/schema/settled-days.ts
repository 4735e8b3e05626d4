/** What a provider that names the parts of its payouts settled and paid, by the day of the operation. */
export const settledDays = `
CREATE TABLE settled_day (
  file_no integer NOT NULL REFERENCES settlement_file,
  currency text NOT NULL,
  day date NOT NULL,
  settled_minor numeric NOT NULL,
  paid_minor numeric NOT NULL,
  PRIMARY KEY (file_no, currency, day)
);
COMMENT ON TABLE settled_day IS
  'Sums of the lines of a file: what the provider owes is settled less paid, over all files';
COMMENT ON COLUMN settled_day.day IS 'In UTC, when the operation occurred';
COMMENT ON COLUMN settled_day.paid_minor IS 'Of operations that a payout in the file contains';
`;
