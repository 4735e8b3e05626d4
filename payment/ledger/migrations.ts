import type { Migration } from '#platform/sql/sql.js';
import { headsAndBlocksMigration } from './heads-and-blocks-migration.js';
import { oneExchangeMigration } from './one-exchange-migration.js';
import { plainBatchMigration } from './plain-batch-migration.js';
import { standingMigration } from './standing-migration.js';

/**
 * Each posting says where its account must have stood before the batch: its place and balance less all of the
 * batch that come before it. That is one and the same head for all postings of an account, or they are not
 * its next ones. Sums that are zero for most batches are left out when nothing is reserved.
 */
const movesHeads = ({ reserving }: { readonly reserving: boolean }): string => {
  const side = (name: 'debit' | 'credit', sign: '' | '-') => `
      SELECT ${name}_account AS account_no, ${name}_sequence AS sequence, ${name}_balance AS balance, currency,
        CASE WHEN phase IN ('posted', 'post') THEN ${sign}amount ELSE 0 END AS delta${
          reserving
            ? `,
        CASE phase WHEN 'posted' THEN 0 WHEN 'pending' THEN amount ELSE -released END AS reserved, '${name}' AS side`
            : ''
        }
      FROM added`;
  const pending = (name: 'debit' | 'credit') =>
    `, pending_${name} = h.pending_${name} + coalesce(a.reserved_${name}, 0)`;
  const reserved = (name: 'debit' | 'credit') =>
    `, (sum(reserved) FILTER (WHERE side = '${name}'))::bigint AS reserved_${name}`;
  return `WITH posting AS (${side('debit', '')}
      UNION ALL${side('credit', '-')}
    ), placed AS (
      SELECT *, sequence - row_number() OVER so_far AS head_sequence, balance - (sum(delta) OVER so_far)::bigint AS head_balance
      FROM posting WINDOW so_far AS (PARTITION BY account_no ORDER BY sequence ROWS UNBOUNDED PRECEDING)
    ), account AS MATERIALIZED (
      SELECT account_no, head_sequence, head_balance, currency, count(*) AS items, sum(delta)::bigint AS delta${
        reserving ? reserved('debit') + reserved('credit') : ''
      }
      FROM placed GROUP BY account_no, head_sequence, head_balance, currency
    ), moved AS (
      UPDATE ledger_head h SET sequence = h.sequence + a.items, balance = h.balance + a.delta${
        reserving ? pending('debit') + pending('credit') : ''
      }
      FROM account a
      WHERE h.account_no = a.account_no AND h.sequence = a.head_sequence AND h.balance = a.head_balance AND h.currency = a.currency
      RETURNING 1
    ) SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM moved) INTO touched, moved;`;
};

/** Accounts, their heads, transfers and sealed batches. See docs/adr/0070-ledger.md. */
export const ledgerMigrations: readonly Migration[] = [
  {
    name: '0001-create-ledger',
    sql: `
CREATE TABLE ledger_account (
  account_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 96 AND id !~ '[[:cntrl:]]'),
  type text NOT NULL CHECK (type IN ('asset', 'liability', 'revenue', 'expense')),
  side smallint NOT NULL GENERATED ALWAYS AS (CASE WHEN type IN ('asset', 'expense') THEN 1 ELSE -1 END) STORED,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  overdraft_refused boolean NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON COLUMN ledger_account.side IS 'The balance that people mean is side * balance: debits count up assets, credits count up liabilities';

CREATE TABLE ledger_head (
  account_no bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  currency text COLLATE "C" NOT NULL,
  side smallint NOT NULL,
  overdraft_refused boolean NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  pending_debit bigint NOT NULL DEFAULT 0 CHECK (pending_debit >= 0),
  pending_credit bigint NOT NULL DEFAULT 0 CHECK (pending_credit >= 0),
  CONSTRAINT overdraft_is_refused CHECK (NOT overdraft_refused
    OR side * balance - CASE side WHEN 1 THEN pending_credit ELSE pending_debit END >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE ledger_head IS 'Where each account stands; a summary of ledger_transfer that only its trigger writes';
COMMENT ON COLUMN ledger_head.balance IS 'Debits less credits of what is posted, in minor units';

CREATE TABLE ledger_tip (
  batch_no bigint PRIMARY KEY,
  chain bytea NOT NULL,
  last_at timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE ledger_tip IS 'The last batch, one row: whoever posts holds it, so batches follow each other without a gap and times never fall';
COMMENT ON COLUMN ledger_tip.chain IS 'SHA-256 of the chain before and the digest of the last batch';
INSERT INTO ledger_tip VALUES (0, '', '-infinity');

CREATE TABLE ledger_transfer (
  batch_no bigint NOT NULL,
  debit_account bigint NOT NULL,
  debit_sequence bigint NOT NULL,
  debit_balance bigint NOT NULL,
  credit_account bigint NOT NULL,
  credit_sequence bigint NOT NULL,
  credit_balance bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  released bigint NOT NULL DEFAULT 0 CHECK (released >= 0),
  posted_at timestamptz NOT NULL,
  leg smallint NOT NULL CHECK (leg >= 0),
  currency text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL CHECK (length(subject) BETWEEN 1 AND 64),
  operation text COLLATE "C" NOT NULL CHECK (length(operation) BETWEEN 1 AND 96),
  kind text NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost', 'fee', 'settlement',
    'payout', 'adjustment')),
  phase text NOT NULL DEFAULT 'posted' CHECK (phase IN ('posted', 'pending', 'post', 'void')),
  resolves text COLLATE "C",
  cause text CHECK (length(cause) <= 160),
  CONSTRAINT two_accounts CHECK (debit_account <> credit_account),
  CONSTRAINT resolves_a_pending CHECK ((phase IN ('post', 'void')) = (resolves IS NOT NULL)
    AND (released > 0) = (resolves IS NOT NULL) AND (resolves IS NULL OR amount <= released)),
  CONSTRAINT posted_once PRIMARY KEY (subject, operation, leg)
);
COMMENT ON TABLE ledger_transfer IS 'One movement between two accounts: its two postings, +amount for the debit and -amount for the credit, sum to zero because they are one row';
CREATE UNIQUE INDEX ledger_transfer_debit ON ledger_transfer (debit_account, debit_sequence);
CREATE UNIQUE INDEX ledger_transfer_credit ON ledger_transfer (credit_account, credit_sequence);
CREATE UNIQUE INDEX ledger_transfer_resolved_once ON ledger_transfer (subject, resolves, leg) WHERE resolves IS NOT NULL;
CREATE INDEX ledger_transfer_batch ON ledger_transfer USING brin (batch_no) WITH (pages_per_range = 16);

CREATE TABLE ledger_batch (
  batch_no bigint PRIMARY KEY,
  transfers integer NOT NULL,
  digest bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);

CREATE VIEW ledger_entry AS
  SELECT a.id AS account, t.debit_sequence AS sequence, CASE WHEN t.phase IN ('posted', 'post') THEN t.amount ELSE 0 END AS amount,
    t.debit_balance AS balance_after, CASE t.phase WHEN 'pending' THEN t.amount ELSE -t.released END AS reserved,
    t.currency, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.cause, t.posted_at, t.batch_no, a.account_no
  FROM ledger_transfer t JOIN ledger_account a ON a.account_no = t.debit_account
  UNION ALL
  SELECT a.id, t.credit_sequence, CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END,
    t.credit_balance, CASE t.phase WHEN 'pending' THEN -t.amount ELSE t.released END,
    t.currency, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.cause, t.posted_at, t.batch_no, a.account_no
  FROM ledger_transfer t JOIN ledger_account a ON a.account_no = t.credit_account;
COMMENT ON VIEW ledger_entry IS 'The two postings of each transfer, debits positive; the balance after is the sum of the amounts';

-- Refused edits are counted by a sequence, because it keeps its value when the statement that was refused rolls back.
CREATE SEQUENCE ledger_edits_refused MINVALUE 0 START 0;
SELECT nextval('ledger_edits_refused');
CREATE FUNCTION ledger_refuses_edits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('ledger_edits_refused');
  RAISE EXCEPTION '% is append-only: correct it by a counter-entry', TG_TABLE_NAME USING ERRCODE = 'ML001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_batch
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
-- The heads, the tip and the seals belong to the trigger below: at depth 0 somebody writes them by hand.
CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_head
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_head
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_batch
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_tip
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_tip
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();

CREATE FUNCTION ledger_opens_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_head (account_no, id, currency, side, overdraft_refused)
    SELECT account_no, id, currency, side, overdraft_refused FROM opened;
  RETURN NULL;
END $$;
CREATE TRIGGER opens_head AFTER INSERT ON ledger_account
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION ledger_opens_head();

-- What a row says, without a doubt about where a column ends: each field with its type and length, as the server's protocol sends it.
CREATE FUNCTION ledger_line(t ledger_transfer) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT record_send(ROW(t.batch_no, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.released, t.debit_account,
    t.debit_sequence, t.debit_balance, t.credit_account, t.credit_sequence, t.credit_balance, t.amount, t.currency, t.posted_at, t.cause))
$$;

-- Every insert, by whatever statement, is the next batch, continues each account's sequence and balance posting by posting, keeps its
-- currency, never goes back in time, moves the heads and is sealed.
-- Without merge and hash joins: the planner would rather read all heads than look up the touched ones.
CREATE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  tip ledger_tip; batch bigint; first_batch bigint; items integer; resolving integer; reserving integer; seal bytea; sealed timestamptz;
  first_at timestamptz; touched integer; moved integer; wrong text;
BEGIN
  SELECT min(n.batch_no), max(n.batch_no), count(*), count(n.resolves), count(*) FILTER (WHERE n.phase <> 'posted'), min(n.posted_at),
      max(n.posted_at), sha256(string_agg(ledger_line(n), '' ORDER BY n.debit_account, n.debit_sequence))
    INTO first_batch, batch, items, resolving, reserving, first_at, sealed, seal FROM added n;
  IF items = 0 THEN RETURN NULL; END IF;
  SELECT * INTO tip FROM ledger_tip FOR UPDATE;
  IF first_batch <> batch OR batch <> tip.batch_no + 1 THEN
    RAISE EXCEPTION 'one statement posts the one next batch %, not % to %', tip.batch_no + 1, first_batch, batch USING ERRCODE = 'ML002';
  END IF;
  IF first_at < tip.last_at THEN
    RAISE EXCEPTION 'the ledger stands at %, nothing is posted before it', tip.last_at USING ERRCODE = 'ML003';
  END IF;
  -- Texts are sent, and so sealed, in the encoding of the connection.
  IF pg_client_encoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'whoever posts speaks UTF8, not %', pg_client_encoding() USING ERRCODE = 'ML005';
  END IF;
  IF resolving > 0 THEN
    SELECT n.subject || ' ' || n.operation INTO wrong FROM added n
      LEFT JOIN ledger_transfer p ON p.subject = n.subject AND p.operation = n.resolves AND p.leg = n.leg AND p.phase = 'pending'
        AND p.debit_account = n.debit_account AND p.credit_account = n.credit_account AND p.amount = n.released
      WHERE n.resolves IS NOT NULL AND p.subject IS NULL LIMIT 1;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION '% resolves nothing that is pending', wrong USING ERRCODE = 'ML004';
    END IF;
  END IF;

  INSERT INTO ledger_batch (batch_no, transfers, digest, sealed_at) VALUES (batch, items, seal, sealed);
  UPDATE ledger_tip SET batch_no = batch, chain = sha256(tip.chain || seal), last_at = sealed;

  IF reserving > 0 THEN
    ${movesHeads({ reserving: true })}
  ELSE
    ${movesHeads({ reserving: false })}
  END IF;
  IF touched <> moved THEN
    RAISE EXCEPTION 'a posting does not continue its account (sequence, balance or currency)' USING ERRCODE = 'ML003';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER seals_batch AFTER INSERT ON ledger_transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_seals_batch();

-- The last posting of an account at a moment. Times never fall along an account's sequence, so the sequence is halved until it is found.
CREATE FUNCTION ledger_balance_at(account bigint, moment timestamptz) RETURNS TABLE (sequence bigint, balance bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE low bigint := 0; high bigint; middle bigint; at timestamptz; after bigint;
BEGIN
  SELECT h.sequence INTO high FROM ledger_head h WHERE h.account_no = account;
  balance := 0;
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT t.posted_at, t.debit_balance INTO at, after FROM ledger_transfer t
      WHERE t.debit_account = account AND t.debit_sequence = middle;
    IF NOT FOUND THEN
      SELECT t.posted_at, t.credit_balance INTO at, after FROM ledger_transfer t
        WHERE t.credit_account = account AND t.credit_sequence = middle;
    END IF;
    IF at <= moment THEN
      low := middle; balance := after;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  sequence := low;
  RETURN NEXT;
END $$;
`,
  },
  standingMigration,
  plainBatchMigration,
  headsAndBlocksMigration,
  oneExchangeMigration,
];
