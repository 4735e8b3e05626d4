import { movesStates } from './moves-states.js';
import { sealsRows } from './seal.js';

/** How an account is opened, and the trigger that checks, books and seals each batch. */
export const ledgerPosting = `
CREATE FUNCTION ledger_opens_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_account_balance SELECT account_no, 0, 0, 0, 0, 0, 0, 0, side, overdraft_refused, currency, repeat(' ', 96) FROM opened;
  RETURN NULL;
END $$;
CREATE TRIGGER opens_balance AFTER INSERT ON ledger_account
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION ledger_opens_balance();

-- Adds whole numbers as such; sum(bigint) makes a numeric of them, which costs more than all the rest for an
-- account with one posting.
CREATE AGGREGATE ledger_sum(bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0');

-- A row without a doubt about where a column ends: each field with its type and length, as the server's
-- protocol sends it. Seals of the first form are over these.
CREATE FUNCTION ledger_line(t ledger_transfer) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT record_send(ROW(t.batch_no, t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.released, t.debit_account,
    t.debit_sequence, t.debit_balance, t.credit_account, t.credit_sequence, t.credit_balance, t.amount, t.currency, t.posted_at, t.cause))
$$;

CREATE FUNCTION ledger_refuses_posting(account bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a posting does not continue its account, number % (sequence, balance or currency)', account USING ERRCODE = 'ML003';
END $$;

-- Every insert, by whatever statement, is the next batch, has one time that is not before the last one,
-- continues each account's sequence and balance posting by posting, keeps its currency, and is sealed.
-- The planner would rather read whole tables than look up what was touched, and plan again for each batch.
CREATE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_material = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  head ledger_chain_head; batch bigint; first_batch bigint; items integer; first_currency text; last_currency text; resolving integer; reserving integer; seal bytea; sealed timestamptz;
  first_at timestamptz; places smallint[]; plain boolean; wrong text; placed bigint; seed bigint := hashtextextended(gen_random_uuid()::text, 0);
BEGIN
  SELECT min(n.batch_no), max(n.batch_no), count(*), min(n.currency), max(n.currency), count(n.resolves), count(*) FILTER (WHERE n.phase <> 'posted'), min(n.posted_at),
      max(n.posted_at), array_agg(n.batch_sequence)
    INTO first_batch, batch, items, first_currency, last_currency, resolving, reserving, first_at, sealed, places FROM added n;
  IF items = 0 THEN RETURN NULL; END IF;
  SELECT * INTO head FROM ledger_chain_head FOR UPDATE;
  IF first_batch <> batch OR batch <> head.batch_no + 1 THEN
    RAISE EXCEPTION 'one statement posts the one next batch %, not % to %', head.batch_no + 1, first_batch, batch USING ERRCODE = 'ML002';
  END IF;
  IF first_at < head.last_at THEN
    RAISE EXCEPTION 'the ledger stands at %, nothing is posted before it', head.last_at USING ERRCODE = 'ML003';
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
  IF head.block_transfers >= ledger_block_transfers() THEN
    head.block := batch; head.block_transfers := 0;
    INSERT INTO ledger_block VALUES (batch);
  END IF;
  UPDATE ledger_chain_head SET batch_no = batch, chain = sha256(head.chain || seal), last_at = sealed, block = head.block, block_transfers = head.block_transfers + items;

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
CREATE TRIGGER seals_batch AFTER INSERT ON ledger_transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_seals_batch();

-- For a poster whose batch continues the balances that it remembers: it holds the chain head from here to the
-- commit, if that is still where the poster left it. The time is in microseconds since 2000, as in the
-- protocol.
CREATE FUNCTION ledger_continues(last_batch bigint, last_time bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE head ledger_chain_head;
BEGIN
  SELECT * INTO head FROM ledger_chain_head FOR UPDATE;
  IF head.batch_no <> last_batch OR head.last_at <> timestamptz '2000-01-01 00:00:00+00' + last_time * interval '1 microsecond' THEN
    RAISE EXCEPTION 'the ledger stands at batch % of %, not where it was left', head.batch_no, head.last_at USING ERRCODE = 'ML006';
  END IF;
  -- Else two batches could not be told apart by their times.
  IF head.last_at >= now() THEN
    RAISE EXCEPTION 'the ledger stands at %, which is not before now', head.last_at USING ERRCODE = 'ML006';
  END IF;
END $$;
`;
