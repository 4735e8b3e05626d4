import type { Migration } from '#platform/sql/sql.js';

/** A batch may be posted in one exchange. See docs/adr/0077-one-exchange.md. */
export const oneExchangeMigration: Migration = {
  name: '0077-one-exchange',
  sql: `
-- For whoever has placed his batch on what he remembers: the ledger is his from here to the commit, if it still stands where he has left it.
-- The time is in microseconds since 2000, as the protocol has it.
CREATE FUNCTION ledger_continues(last_batch bigint, last_time bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE tip ledger_tip;
BEGIN
  SELECT * INTO tip FROM ledger_tip FOR UPDATE;
  IF tip.batch_no <> last_batch OR tip.last_at <> timestamptz '2000-01-01 00:00:00+00' + last_time * interval '1 microsecond' THEN
    RAISE EXCEPTION 'the ledger stands at batch % of %, not where it was left', tip.batch_no, tip.last_at USING ERRCODE = 'ML006';
  END IF;
  -- Else two batches could not be told apart by their times.
  IF tip.last_at >= now() THEN
    RAISE EXCEPTION 'the ledger stands at %, which is not before now', tip.last_at USING ERRCODE = 'ML006';
  END IF;
END $$;
-- The time of the transaction, which is the one exchange.
ALTER TABLE ledger_transfer ALTER COLUMN posted_at SET DEFAULT now();
`,
};
