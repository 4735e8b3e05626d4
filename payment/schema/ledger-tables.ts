/**
 * Accounts, their balances, transfers, sealed batches and the chain head. See docs/ledger.md.
 */
export const ledgerTables = `
-- The seal counts the bytes of texts as the database keeps them, the verification those of UTF-8.
DO $$
BEGIN
  IF getdatabaseencoding() NOT IN ('UTF8', 'SQL_ASCII') THEN
    RAISE EXCEPTION 'the database keeps text as %, the ledger needs UTF8: move it to one that was made with ENCODING ''UTF8''', getdatabaseencoding();
  END IF;
END $$;

CREATE TABLE ledger_account (
  account_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 96 AND id !~ '[[:cntrl:]]'),
  type text NOT NULL CHECK (type IN ('asset', 'liability', 'revenue', 'expense')),
  side smallint NOT NULL
    GENERATED ALWAYS AS (CASE WHEN type IN ('asset', 'expense') THEN 1 ELSE -1 END) STORED,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  overdraft_refused boolean NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON COLUMN ledger_account.side IS
  'The balance that people mean is side * balance: debits count up assets, credits count up liabilities';

-- A transfer's rules are one constraint, because each constraint has its price for every row.
CREATE TABLE ledger_transfer (
  batch_no bigint NOT NULL,
  debit_account bigint NOT NULL,
  debit_sequence bigint NOT NULL,
  debit_balance bigint NOT NULL,
  credit_account bigint NOT NULL,
  credit_sequence bigint NOT NULL,
  credit_balance bigint NOT NULL,
  amount bigint NOT NULL,
  released bigint NOT NULL DEFAULT 0,
  -- The time of the transaction, which is the one round trip.
  posted_at timestamptz NOT NULL DEFAULT now(),
  leg smallint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  phase text NOT NULL DEFAULT 'posted',
  resolves text COLLATE "C",
  cause text,
  batch_sequence smallint NOT NULL DEFAULT 0,
  -- Letters are counted only where there are more bytes than letters allowed.
  CONSTRAINT is_a_transfer CHECK (amount > 0 AND leg >= 0 AND debit_account <> credit_account
    AND subject <> '' AND (octet_length(subject) <= 64 OR length(subject) <= 64)
    AND operation <> '' AND (octet_length(operation) <= 96 OR length(operation) <= 96)
    AND kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost', 'fee', 'settlement',
      'payout', 'adjustment')
    AND (phase IN ('posted', 'pending') AND resolves IS NULL AND released = 0
      OR phase IN ('post', 'void') AND resolves IS NOT NULL AND released > 0 AND amount <= released)
    AND (cause IS NULL OR length(cause) <= 160)),
  CONSTRAINT posted_once PRIMARY KEY (subject, operation, leg)
);
COMMENT ON TABLE ledger_transfer IS
  'One movement between two accounts: its two postings, +amount for the debit and -amount for the credit, '
  'sum to zero because they are one row';
COMMENT ON COLUMN ledger_transfer.batch_sequence IS
  'Which one of its batch it is, from 0; 0 in all of a batch that was sealed in the first form';
CREATE UNIQUE INDEX ledger_transfer_resolved_once ON ledger_transfer (subject, resolves, leg)
  WHERE resolves IS NOT NULL;
CREATE INDEX ledger_transfer_batch ON ledger_transfer (batch_no);

CREATE TABLE ledger_batch (
  batch_no bigint PRIMARY KEY,
  transfers integer NOT NULL,
  digest bytea NOT NULL,
  sealed_at timestamptz NOT NULL,
  form smallint NOT NULL DEFAULT 1
);
COMMENT ON COLUMN ledger_batch.form IS
  'What the digest is made of: 1 ledger_line of each transfer by debited account, 2 the text that the '
  'gate writes, by batch_sequence';
-- From a time to the batches since, and from them by their number to the transfers.
CREATE INDEX ledger_batch_sealed ON ledger_batch (sealed_at);

CREATE TABLE ledger_chain_head (
  batch_no bigint NOT NULL,
  chain bytea NOT NULL,
  last_at timestamptz NOT NULL,
  block bigint NOT NULL DEFAULT 1,
  block_transfers bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE ledger_chain_head IS
  'The last batch, one row: whoever posts holds it, so batches follow each other without a gap and times '
  'never fall';
COMMENT ON COLUMN ledger_chain_head.chain IS 'SHA-256 of the chain before and the digest of the last batch';
COMMENT ON COLUMN ledger_chain_head.block IS 'The first batch of the block that the last one lies in';
-- A key that each batch changes leaves an entry and a dead line each time.
CREATE UNIQUE INDEX ledger_chain_head_is_one ON ledger_chain_head ((true));
INSERT INTO ledger_chain_head VALUES (0, '', '-infinity');

CREATE TABLE ledger_account_balance (
  account_no bigint NOT NULL,
  sequence bigint NOT NULL,
  balance bigint NOT NULL,
  pending_debit bigint NOT NULL,
  pending_credit bigint NOT NULL,
  batch_no bigint NOT NULL,
  sequence_before bigint NOT NULL,
  history_batch bigint NOT NULL,
  side smallint NOT NULL,
  overdraft_refused boolean NOT NULL,
  currency text COLLATE "C" NOT NULL,
  padding text,
  -- Two rules in one, because each has its price for every account of every batch.
  CONSTRAINT overdraft_is_refused CHECK (pending_debit >= 0 AND pending_credit >= 0 AND (NOT overdraft_refused
    OR side * balance - CASE side WHEN 1 THEN pending_credit ELSE pending_debit END >= 0)),
  CONSTRAINT ledger_account_balance_pkey PRIMARY KEY (account_no)
) WITH (fillfactor = 90);
COMMENT ON TABLE ledger_account_balance IS
  'The balance of each account; a summary of ledger_transfer that only its trigger writes';
COMMENT ON COLUMN ledger_account_balance.balance IS 'Debits less credits of what is posted, in minor units';
COMMENT ON COLUMN ledger_account_balance.batch_no IS 'The last batch that moved it, 0 before the first';
COMMENT ON COLUMN ledger_account_balance.sequence_before IS 'Its sequence before that batch';
COMMENT ON COLUMN ledger_account_balance.history_batch IS
  'Its last row of ledger_balance_history: the first batch that moved it in the block that it moved in last';
COMMENT ON COLUMN ledger_account_balance.padding IS
  'Blanks that the second move drops, so that the line is written over on its own page: the first may '
  'come with the opening, when both lines stay until the commit';

-- A block that has so many transfers is full, and the next batch begins another. A migration that changes it
-- begins all blocks again.
CREATE FUNCTION ledger_block_transfers() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 131072::bigint';

CREATE TABLE ledger_block (first_batch bigint PRIMARY KEY);
COMMENT ON TABLE ledger_block IS 'Where the blocks of batches begin; one ends before the next';
INSERT INTO ledger_block VALUES (1);

CREATE TABLE ledger_balance_history (
  account_no bigint NOT NULL,
  batch_no bigint NOT NULL,
  sequence bigint NOT NULL,
  balance bigint NOT NULL,
  pending_debit bigint NOT NULL,
  pending_credit bigint NOT NULL,
  CONSTRAINT ledger_balance_history_pkey PRIMARY KEY (account_no, batch_no)
);
COMMENT ON TABLE ledger_balance_history IS
  'The balance of an account before the first batch that moved it in a block';

CREATE VIEW ledger_entry AS
  SELECT a.id AS account, t.debit_sequence AS sequence,
    CASE WHEN t.phase IN ('posted', 'post') THEN t.amount ELSE 0 END AS amount,
    t.debit_balance AS balance_after,
    CASE t.phase WHEN 'pending' THEN t.amount ELSE -t.released END AS reserved,
    t.currency, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.cause,
    t.posted_at, t.batch_no, a.account_no
  FROM ledger_transfer t JOIN ledger_account a ON a.account_no = t.debit_account
  UNION ALL
  SELECT a.id, t.credit_sequence, CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END,
    t.credit_balance, CASE t.phase WHEN 'pending' THEN -t.amount ELSE t.released END,
    t.currency, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.cause,
    t.posted_at, t.batch_no, a.account_no
  FROM ledger_transfer t JOIN ledger_account a ON a.account_no = t.credit_account;
COMMENT ON VIEW ledger_entry IS
  'The two postings of each transfer, debits positive; the balance after is the sum of the amounts';

CREATE VIEW ledger_trial_balance AS
  SELECT account_no, a.id, s.currency, s.side, s.overdraft_refused, s.sequence, s.balance, s.pending_debit,
    s.pending_credit
  FROM ledger_account a JOIN ledger_account_balance s USING (account_no);
COMMENT ON VIEW ledger_trial_balance IS 'Each account with its balance now';
`;
