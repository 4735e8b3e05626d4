import type { Migration } from '#platform/sql/sql.js';
import { movesStates } from './moves-states.js';
import { sealsRows } from './seal.js';

/**
 * One line for each account that is written over, and what it said before in each block of batches. See
 * docs/adr/0076-heads-and-blocks.md.
 */
export const headsAndBlocksMigration: Migration = {
  name: '0076-heads-and-blocks',
  sql: `
-- Whoever posts takes the tip first, and so does this, or the two would wait for each other. What they have posted is seen by all that follows.
LOCK TABLE ledger_tip, ledger_account, ledger_transfer, ledger_batch, ledger_standing IN ACCESS EXCLUSIVE MODE;

-- The seal counts the bytes of texts as the database keeps them, and the verification those of UTF-8.
DO $$
BEGIN
  IF getdatabaseencoding() NOT IN ('UTF8', 'SQL_ASCII') THEN
    RAISE EXCEPTION 'the database keeps text as %, the ledger needs UTF8: move it to one that was made with ENCODING ''UTF8''', getdatabaseencoding();
  END IF;
END $$;

-- A block that has so many transfers is full, and the next batch begins another. Whoever changes it begins the blocks anew.
CREATE FUNCTION ledger_block_transfers() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 131072::bigint';

CREATE TABLE ledger_state (
  account_no bigint NOT NULL,
  sequence bigint NOT NULL,
  balance bigint NOT NULL,
  pending_debit bigint NOT NULL,
  pending_credit bigint NOT NULL,
  batch_no bigint NOT NULL,
  sequence_before bigint NOT NULL,
  stood_batch bigint NOT NULL,
  side smallint NOT NULL,
  overdraft_refused boolean NOT NULL,
  currency text COLLATE "C" NOT NULL,
  room text,
  -- Two rules in one, because each has its price for every account of every batch.
  CONSTRAINT overdraft_is_refused CHECK (pending_debit >= 0 AND pending_credit >= 0 AND (NOT overdraft_refused
    OR side * balance - CASE side WHEN 1 THEN pending_credit ELSE pending_debit END >= 0)),
  CONSTRAINT stands_somewhere PRIMARY KEY (account_no)
) WITH (fillfactor = 90);
COMMENT ON TABLE ledger_state IS 'Where each account stands; a summary of ledger_transfer that only its trigger writes';
COMMENT ON COLUMN ledger_state.balance IS 'Debits less credits of what is posted, in minor units';
COMMENT ON COLUMN ledger_state.batch_no IS 'The last batch that moved it, 0 before the first';
COMMENT ON COLUMN ledger_state.sequence_before IS 'Where it stood before that batch';
COMMENT ON COLUMN ledger_state.stood_batch IS 'Its last row of ledger_standing: the first batch that moved it in the block that it moved in last';
COMMENT ON COLUMN ledger_state.room IS 'Blanks that the second move drops, so that the line is written over on its own page: the first may come with the opening, when both lines stay until the commit';

ALTER TABLE ledger_transfer ADD COLUMN place smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN ledger_transfer.place IS 'Which one of its batch it is, from 0; 0 in all of a batch that was sealed in the first form';
-- The ten rules that it had, as one, because each has its price for every row.
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_amount_check, DROP CONSTRAINT ledger_transfer_released_check,
  DROP CONSTRAINT ledger_transfer_leg_check, DROP CONSTRAINT ledger_transfer_subject_check, DROP CONSTRAINT ledger_transfer_operation_check,
  DROP CONSTRAINT ledger_transfer_kind_check, DROP CONSTRAINT ledger_transfer_phase_check, DROP CONSTRAINT ledger_transfer_cause_check,
  DROP CONSTRAINT two_accounts, DROP CONSTRAINT resolves_a_pending,
  ADD CONSTRAINT is_a_transfer CHECK (amount > 0 AND leg >= 0 AND debit_account <> credit_account
    AND subject <> '' AND (octet_length(subject) <= 64 OR length(subject) <= 64)
    AND operation <> '' AND (octet_length(operation) <= 96 OR length(operation) <= 96)
    AND kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost', 'fee', 'settlement', 'payout', 'adjustment')
    AND (phase IN ('posted', 'pending') AND resolves IS NULL AND released = 0
      OR phase IN ('post', 'void') AND resolves IS NOT NULL AND released > 0 AND amount <= released)
    AND (cause IS NULL OR length(cause) <= 160));
ALTER TABLE ledger_batch ADD COLUMN form smallint NOT NULL DEFAULT 1;
COMMENT ON COLUMN ledger_batch.form IS 'What the digest is made of: 1 ledger_line of each transfer by debited account, 2 the text that the gate writes, by place';

CREATE TABLE ledger_block (first_batch bigint PRIMARY KEY);
COMMENT ON TABLE ledger_block IS 'Where the blocks of batches begin; one ends before the next';
ALTER TABLE ledger_tip ADD COLUMN block bigint NOT NULL DEFAULT 1, ADD COLUMN block_transfers bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN ledger_tip.block IS 'The first batch of the block that the last one lies in';
-- A key that each batch changes leaves an entry and a dead line each time.
ALTER TABLE ledger_tip DROP CONSTRAINT ledger_tip_pkey;
CREATE UNIQUE INDEX ledger_tip_is_one ON ledger_tip ((true));

DO $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT account_no, 0 AS sequence, 0 AS balance, 0 AS pending_debit, 0 AS pending_credit, 0 AS batch_no, side, overdraft_refused, currency
      FROM ledger_account
      UNION ALL
      (SELECT DISTINCT ON (p.account_no, p.batch_no) p.account_no, p.sequence, p.balance,
        coalesce(sum(p.reserved) FILTER (WHERE p.of_debit) OVER so_far, 0), coalesce(sum(p.reserved) FILTER (WHERE NOT p.of_debit) OVER so_far, 0),
        p.batch_no, a.side, a.overdraft_refused, a.currency
      FROM (
        SELECT debit_account AS account_no, debit_sequence AS sequence, debit_balance AS balance, batch_no, true AS of_debit,
          CASE phase WHEN 'posted' THEN 0 WHEN 'pending' THEN amount ELSE -released END AS reserved FROM ledger_transfer
        UNION ALL
        SELECT credit_account, credit_sequence, credit_balance, batch_no, false,
          CASE phase WHEN 'posted' THEN 0 WHEN 'pending' THEN amount ELSE -released END FROM ledger_transfer
      ) p JOIN ledger_account a USING (account_no)
      WINDOW so_far AS (PARTITION BY p.account_no ORDER BY p.sequence ROWS UNBOUNDED PRECEDING)
      ORDER BY p.account_no, p.batch_no, p.sequence DESC)
    ) p FULL JOIN ledger_standing s USING (account_no, sequence)
    WHERE (p.balance, p.pending_debit, p.pending_credit, p.batch_no, p.side, p.overdraft_refused, p.currency)
      IS DISTINCT FROM (s.balance, s.pending_debit, s.pending_credit, s.batch_no, s.side, s.overdraft_refused, s.currency)
  ) OR EXISTS (
    SELECT FROM (SELECT batch_no, count(*) AS transfers FROM ledger_transfer GROUP BY batch_no) t
    FULL JOIN ledger_batch b USING (batch_no) WHERE t.transfers IS DISTINCT FROM b.transfers
  ) THEN
    RAISE EXCEPTION 'the standings of the ledger are not what its postings say: run meridian ledger verify with the program before';
  END IF;
END $$;

-- The blocks, as if the gate had begun them.
ALTER TABLE ledger_tip DISABLE TRIGGER written_by_trigger;
DO $$
DECLARE sealed record; begun bigint := 1; held bigint := 0;
BEGIN
  INSERT INTO ledger_block VALUES (begun);
  FOR sealed IN SELECT batch_no, transfers FROM ledger_batch ORDER BY batch_no LOOP
    IF held >= ledger_block_transfers() THEN
      begun := sealed.batch_no; held := 0;
      INSERT INTO ledger_block VALUES (begun);
    END IF;
    held := held + sealed.transfers;
  END LOOP;
  UPDATE ledger_tip SET block = begun, block_transfers = held;
END $$;
ALTER TABLE ledger_tip ENABLE TRIGGER written_by_trigger;

DROP VIEW ledger_head;
ALTER TABLE ledger_standing RENAME TO ledger_standing_of_each_batch;
CREATE TABLE ledger_standing (
  account_no bigint NOT NULL,
  batch_no bigint NOT NULL,
  sequence bigint NOT NULL,
  balance bigint NOT NULL,
  pending_debit bigint NOT NULL,
  pending_credit bigint NOT NULL,
  CONSTRAINT stood_once PRIMARY KEY (account_no, batch_no)
);
COMMENT ON TABLE ledger_standing IS 'Where an account stood before the first batch that moved it in a block';

INSERT INTO ledger_standing
  SELECT account_no, batch_no, sequence, balance, pending_debit, pending_credit FROM (
    SELECT account_no, batch_no, lag(s.sequence) OVER way AS sequence, lag(s.balance) OVER way AS balance, lag(s.pending_debit) OVER way AS pending_debit,
      lag(s.pending_credit) OVER way AS pending_credit, b.block, lag(b.block) OVER way AS block_before
    FROM ledger_standing_of_each_batch s CROSS JOIN LATERAL (SELECT max(first_batch) AS block FROM ledger_block WHERE first_batch <= s.batch_no) b
    WINDOW way AS (PARTITION BY s.account_no ORDER BY s.sequence)
  ) s WHERE block IS DISTINCT FROM block_before;
INSERT INTO ledger_state
  SELECT account_no, s.sequence, s.balance, s.pending_debit, s.pending_credit, s.batch_no, coalesce(s.sequence_before, 0),
    coalesce((SELECT max(h.batch_no) FROM ledger_standing h WHERE h.account_no = s.account_no), 0),
    s.side, s.overdraft_refused, s.currency, repeat(' ', 96)
  FROM (
    SELECT DISTINCT ON (account_no) *, lag(sequence) OVER (PARTITION BY account_no ORDER BY sequence) AS sequence_before
    FROM ledger_standing_of_each_batch ORDER BY account_no, sequence DESC
  ) s;
DROP TABLE ledger_standing_of_each_batch;

CREATE VIEW ledger_head AS
  SELECT account_no, a.id, s.currency, s.side, s.overdraft_refused, s.sequence, s.balance, s.pending_debit, s.pending_credit
  FROM ledger_account a JOIN ledger_state s USING (account_no);
COMMENT ON VIEW ledger_head IS 'Where each account stands now';

CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_state
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_state
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_standing
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_standing
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_block
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_block
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();

CREATE OR REPLACE FUNCTION ledger_opens_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_state SELECT account_no, 0, 0, 0, 0, 0, 0, 0, side, overdraft_refused, currency, repeat(' ', 96) FROM opened;
  RETURN NULL;
END $$;

-- Every insert, by whatever statement, is the next batch, has one time that is not before the last one, continues each account's
-- sequence and balance posting by posting, keeps its currency, and is sealed.
-- The planner would rather read whole tables than look up what was touched, and plan again for each batch.
CREATE OR REPLACE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_material = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tip ledger_tip; batch bigint; first_batch bigint; items integer; first_currency text; last_currency text; resolving integer; reserving integer; seal bytea; sealed timestamptz;
  first_at timestamptz; places smallint[]; plain boolean; wrong text; placed bigint; seed bigint := hashtextextended(gen_random_uuid()::text, 0);
BEGIN
  SELECT min(n.batch_no), max(n.batch_no), count(*), min(n.currency), max(n.currency), count(n.resolves), count(*) FILTER (WHERE n.phase <> 'posted'), min(n.posted_at),
      max(n.posted_at), array_agg(n.place)
    INTO first_batch, batch, items, first_currency, last_currency, resolving, reserving, first_at, sealed, places FROM added n;
  IF items = 0 THEN RETURN NULL; END IF;
  SELECT * INTO tip FROM ledger_tip FOR UPDATE;
  IF first_batch <> batch OR batch <> tip.batch_no + 1 THEN
    RAISE EXCEPTION 'one statement posts the one next batch %, not % to %', tip.batch_no + 1, first_batch, batch USING ERRCODE = 'ML002';
  END IF;
  IF first_at < tip.last_at THEN
    RAISE EXCEPTION 'the ledger stands at %, nothing is posted before it', tip.last_at USING ERRCODE = 'ML003';
  END IF;
  IF first_at <> sealed THEN
    RAISE EXCEPTION 'a batch has one time, not % to %', first_at, sealed USING ERRCODE = 'ML003';
  END IF;
  IF places <> ARRAY(SELECT n::smallint FROM generate_series(0, items - 1) n) THEN
    RAISE EXCEPTION 'the transfers of a batch come in the order of their places, from 0 on' USING ERRCODE = 'ML002';
  END IF;
  IF resolving > 0 THEN
    SELECT n.subject || ' ' || n.operation INTO wrong FROM added n
      WHERE n.resolves IS NOT NULL AND 0 = (SELECT count(*) FROM ledger_transfer p
        WHERE p.subject = n.subject AND p.operation = n.resolves AND p.leg = n.leg AND p.phase = 'pending'
          AND p.debit_account = n.debit_account AND p.credit_account = n.credit_account AND p.amount = n.released) LIMIT 1;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION '% resolves nothing that is pending', wrong USING ERRCODE = 'ML004';
    END IF;
  END IF;

  plain := reserving = 0 AND first_currency = last_currency;
  IF plain THEN${sealsRows({ plain: true })}
  ELSE${sealsRows({ plain: false })}
  END IF;
  INSERT INTO ledger_batch (batch_no, transfers, digest, sealed_at, form) VALUES (batch, items, seal, sealed, 2);
  IF tip.block_transfers >= ledger_block_transfers() THEN
    tip.block := batch; tip.block_transfers := 0;
    INSERT INTO ledger_block VALUES (batch);
  END IF;
  UPDATE ledger_tip SET batch_no = batch, chain = sha256(tip.chain || seal), last_at = sealed, block = tip.block, block_transfers = tip.block_transfers + items;

  IF plain THEN
    ${movesStates({ plain: true })}
  ELSE
    ${movesStates({ plain: false })}
  END IF;
  IF placed IS DISTINCT FROM 2 * items THEN
    RAISE EXCEPTION 'a posting does not continue its account: it is not open, or the batch has it in two currencies' USING ERRCODE = 'ML003';
  END IF;
  RETURN NULL;
END $$;

-- The last batch that was sealed by a moment, 0 before the first. Times never fall from batch to batch, so these are halved.
CREATE FUNCTION ledger_batch_at(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE low bigint := 0; high bigint; middle bigint;
BEGIN
  SELECT t.batch_no INTO high FROM ledger_tip t;
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT b.sealed_at FROM ledger_batch b WHERE b.batch_no = middle) <= moment THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

-- Where an account stood at a moment. When it moved for the first time in the block of the last batch by then, or in a later block, after that batch, then
-- it stood where it is said to have stood before; else the block is read back from that batch to where it moved last.
CREATE OR REPLACE FUNCTION ledger_balance_at(account bigint, moment timestamptz) RETURNS TABLE (sequence bigint, balance bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE last_batch bigint := ledger_batch_at(moment); block bigint; moved bigint;
BEGIN
  SELECT s.sequence, s.balance, s.batch_no INTO sequence, balance, moved FROM ledger_state s WHERE s.account_no = account;
  IF moved > last_batch THEN
    SELECT max(b.first_batch) INTO block FROM ledger_block b WHERE b.first_batch <= last_batch;
    SELECT s.sequence, s.balance, s.batch_no INTO sequence, balance, moved FROM ledger_standing s
      WHERE s.account_no = account AND s.batch_no >= coalesce(block, 0) ORDER BY s.batch_no LIMIT 1;
    IF moved <= last_batch THEN
      SELECT t.batch_no INTO moved FROM ledger_transfer t
        WHERE t.batch_no BETWEEN moved AND last_batch AND account IN (t.debit_account, t.credit_account) ORDER BY t.batch_no DESC LIMIT 1;
      SELECT p.sequence, p.balance INTO sequence, balance FROM (
        SELECT t.debit_sequence, t.debit_balance FROM ledger_transfer t WHERE t.batch_no = moved AND t.debit_account = account
        UNION ALL
        SELECT t.credit_sequence, t.credit_balance FROM ledger_transfer t WHERE t.batch_no = moved AND t.credit_account = account
      ) p(sequence, balance) ORDER BY p.sequence DESC LIMIT 1;
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- What was posted on accounts since somebody followed them: after these postings, of which he knows that none after them lies in these batches or
-- before. Whoever lacks one batch of an account reads that batch, others the blocks in which it moved; no batch is read twice. What is read is put
-- aside before it is held against the accounts: the planner takes few of them for one, and would read everything again for each.
CREATE FUNCTION ledger_since(accounts bigint[], sequences bigint[], batches bigint[])
RETURNS TABLE (account_no bigint, reached bigint, sequence bigint, batch_no bigint, delta bigint, reserved_debit bigint)
LANGUAGE sql STABLE AS $$
  WITH behind AS MATERIALIZED (
    SELECT s.account_no, u.reached, u.batch_no AS known_batch, s.sequence, s.sequence_before, s.batch_no
    FROM unnest(accounts, sequences, batches) u(account_no, reached, batch_no)
    JOIN ledger_state s ON s.account_no = u.account_no AND s.sequence > u.reached
  ), span AS (
    SELECT batch_no AS first, batch_no AS last FROM behind WHERE reached >= sequence_before
    UNION ALL
    SELECT greatest(h.batch_no, b.known_batch + 1),
      least(b.batch_no, (SELECT min(n.first_batch) - 1 FROM ledger_block n WHERE n.first_batch > h.batch_no))
    FROM behind b CROSS JOIN LATERAL (
      SELECT s.batch_no FROM ledger_standing s WHERE s.account_no = b.account_no AND s.batch_no >= (
        SELECT f.batch_no FROM ledger_standing f WHERE f.account_no = b.account_no AND f.sequence <= b.reached ORDER BY f.batch_no DESC LIMIT 1)
    ) h
    WHERE b.reached < b.sequence_before
  ), posting AS MATERIALIZED (
    SELECT p.* FROM unnest((SELECT range_agg(int8range(first, last, '[]')) FROM span WHERE first <= last)) r(batches)
    CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.batch_no >= lower(r.batches) AND t.batch_no < upper(r.batches)
      AND (t.debit_account = ANY (accounts) OR t.credit_account = ANY (accounts)) OFFSET 0) t
    CROSS JOIN LATERAL (VALUES
      (t.debit_account, t.debit_sequence, CASE WHEN t.phase IN ('posted', 'post') THEN t.amount ELSE 0 END,
        CASE t.phase WHEN 'posted' THEN 0 WHEN 'pending' THEN t.amount ELSE -t.released END),
      (t.credit_account, t.credit_sequence, CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END, 0)
    ) p(account_no, sequence, delta, reserved_debit)
  )
  SELECT b.account_no, b.reached, b.sequence, b.batch_no, ledger_sum(p.delta), ledger_sum(p.reserved_debit)
  FROM posting p JOIN behind b ON b.account_no = p.account_no AND p.sequence > b.reached
  GROUP BY b.account_no, b.reached, b.sequence, b.batch_no
$$;
`,
};
