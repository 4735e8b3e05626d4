import type { Migration } from '#platform/sql/sql.js';

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
  currency text NOT NULL,
  side smallint NOT NULL,
  overdraft_refused boolean NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  pending_debit bigint NOT NULL DEFAULT 0 CHECK (pending_debit >= 0),
  pending_credit bigint NOT NULL DEFAULT 0 CHECK (pending_credit >= 0),
  chain bytea NOT NULL DEFAULT '\\x',
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  CONSTRAINT overdraft_is_refused CHECK (NOT overdraft_refused
    OR side * balance - CASE side WHEN 1 THEN pending_credit ELSE pending_debit END >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE ledger_head IS 'Where each account stands; a summary of ledger_transfer that only its trigger writes';
COMMENT ON COLUMN ledger_head.balance IS 'Debits less credits of what is posted, in minor units';
COMMENT ON COLUMN ledger_head.chain IS 'SHA-256 of the chain before and the digest of the last batch that touched the account';

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
  currency text NOT NULL,
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
CREATE SEQUENCE ledger_batch_no;

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
-- The heads and the seals belong to the trigger below: at depth 0 somebody writes them by hand.
CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_head
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_head
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_batch
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();

CREATE FUNCTION ledger_opens_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_head (account_no, id, currency, side, overdraft_refused)
    SELECT account_no, id, currency, side, overdraft_refused FROM opened;
  RETURN NULL;
END $$;
CREATE TRIGGER opens_head AFTER INSERT ON ledger_account
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION ledger_opens_head();

-- What a row says, without a doubt about where a column ends: free texts carry their length.
CREATE FUNCTION ledger_line(t ledger_transfer) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT length(t.subject) || ' ' || t.subject || ' ' || length(t.operation) || ' ' || t.operation || ' ' || t.leg || ' ' || t.kind
    || ' ' || t.phase || ' ' || coalesce(length(t.resolves) || ' ' || t.resolves, '-') || ' ' || t.released
    || ' ' || t.debit_account || ' ' || t.debit_sequence || ' ' || t.debit_balance
    || ' ' || t.credit_account || ' ' || t.credit_sequence || ' ' || t.credit_balance
    || ' ' || t.amount || ' ' || t.currency || ' ' || extract(epoch FROM t.posted_at)
    || ' ' || coalesce(length(t.cause) || ' ' || t.cause, '-')
$$;

-- Every insert, by whatever statement, continues each account's sequence and balance, keeps its currency, moves the heads and is sealed.
CREATE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch bigint; first_batch bigint; items integer; seal bytea; sealed timestamptz; touched integer; moved integer; wrong text;
BEGIN
  SELECT min(n.batch_no), max(n.batch_no), count(*), max(n.posted_at),
    sha256(convert_to(string_agg(ledger_line(n), E'\\n' ORDER BY n.debit_account, n.debit_sequence), 'UTF8'))
    INTO first_batch, batch, items, sealed, seal FROM added n;
  IF items = 0 THEN RETURN NULL; END IF;
  IF first_batch <> batch THEN
    RAISE EXCEPTION 'one statement posts one batch, not % to %', first_batch, batch USING ERRCODE = 'ML002';
  END IF;
  SELECT n.subject || ' ' || n.operation INTO wrong FROM added n
    LEFT JOIN ledger_transfer p ON p.subject = n.subject AND p.operation = n.resolves AND p.leg = n.leg AND p.phase = 'pending'
      AND p.debit_account = n.debit_account AND p.credit_account = n.credit_account AND p.amount = n.released
    WHERE n.resolves IS NOT NULL AND p.subject IS NULL LIMIT 1;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION '% resolves nothing that is pending', wrong USING ERRCODE = 'ML004';
  END IF;

  INSERT INTO ledger_batch (batch_no, transfers, digest, sealed_at)
    VALUES (batch, items, sha256(convert_to(batch || E'\\n', 'UTF8') || seal), sealed)
    RETURNING digest INTO seal;

  WITH posting AS (
    SELECT debit_account AS account_no, debit_sequence AS sequence, debit_balance AS balance, currency, posted_at,
      CASE WHEN phase IN ('posted', 'post') THEN amount ELSE 0 END AS delta,
      CASE phase WHEN 'pending' THEN amount ELSE -released END AS pending_debit, 0::bigint AS pending_credit
    FROM added
    UNION ALL
    SELECT credit_account, credit_sequence, credit_balance, currency, posted_at,
      CASE WHEN phase IN ('posted', 'post') THEN -amount ELSE 0 END,
      0, CASE phase WHEN 'pending' THEN amount ELSE -released END
    FROM added
  ), account AS (
    SELECT account_no, count(*) AS items, min(sequence) AS first, max(sequence) AS last, sum(sequence) AS sequences,
      sum(delta)::bigint AS delta, sum(pending_debit)::bigint AS pending_debit, sum(pending_credit)::bigint AS pending_credit,
      (array_agg(balance ORDER BY sequence DESC))[1] AS balance, min(currency) AS currency, max(currency) AS other_currency,
      min(posted_at) AS first_at, max(posted_at) AS last_at
    FROM posting GROUP BY account_no
  ), moved AS (
    UPDATE ledger_head h SET sequence = a.last, balance = a.balance, pending_debit = h.pending_debit + a.pending_debit,
      pending_credit = h.pending_credit + a.pending_credit, chain = sha256(h.chain || seal), last_at = a.last_at
    FROM account a WHERE h.account_no = a.account_no AND a.first = h.sequence + 1 AND a.last = h.sequence + a.items
      AND a.sequences = a.items * (a.first + a.last) / 2 AND a.balance = h.balance + a.delta
      AND a.currency = h.currency AND a.other_currency = h.currency AND a.first_at >= h.last_at
    RETURNING 1
  ) SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM moved) INTO touched, moved;
  IF touched <> moved THEN
    RAISE EXCEPTION 'a posting does not continue its account (sequence, balance, currency or time)' USING ERRCODE = 'ML003';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER seals_batch AFTER INSERT ON ledger_transfer
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_seals_batch();

-- The accounts, places and balances of items, as arrays in their order, from the heads as they were locked. A function of its own for its
-- setting: the planner expects a handful of rows of any unnest, and would compare a thousand with a thousand one by one.
CREATE FUNCTION ledger_place(
  debits text[], credits text[], amounts bigint[], phases text[], standing boolean[],
  head_ids text[], head_nos bigint[], head_sequences bigint[], head_balances bigint[],
  OUT debit_nos bigint[], OUT debit_sequences bigint[], OUT debit_balances bigint[],
  OUT credit_nos bigint[], OUT credit_sequences bigint[], OUT credit_balances bigint[])
LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  SELECT array_agg(w.account_no ORDER BY w.n) FILTER (WHERE w.sign = 1), array_agg(w.sequence ORDER BY w.n) FILTER (WHERE w.sign = 1),
      array_agg(w.balance ORDER BY w.n) FILTER (WHERE w.sign = 1), array_agg(w.account_no ORDER BY w.n) FILTER (WHERE w.sign = -1),
      array_agg(w.sequence ORDER BY w.n) FILTER (WHERE w.sign = -1), array_agg(w.balance ORDER BY w.n) FILTER (WHERE w.sign = -1)
    INTO debit_nos, debit_sequences, debit_balances, credit_nos, credit_sequences, credit_balances
    FROM (
      SELECT p.n, p.sign, h.account_no, h.sequence + count(*) FILTER (WHERE NOT p.stands) OVER so_far AS sequence,
        h.balance + (sum(p.delta) OVER so_far)::bigint AS balance
      FROM (
        SELECT u.n, 1 AS sign, u.id, u.stands,
          CASE WHEN u.phase IN ('posted', 'post') AND NOT u.stands THEN u.amount ELSE 0 END AS delta
        FROM unnest(debits, amounts, phases, standing) WITH ORDINALITY u(id, amount, phase, stands, n)
        UNION ALL
        SELECT u.n, -1, u.id, u.stands,
          CASE WHEN u.phase IN ('posted', 'post') AND NOT u.stands THEN -u.amount ELSE 0 END
        FROM unnest(credits, amounts, phases, standing) WITH ORDINALITY u(id, amount, phase, stands, n)) p
      LEFT JOIN unnest(head_ids, head_nos, head_sequences, head_balances) h(id, account_no, sequence, balance) ON h.id = p.id
      WINDOW so_far AS (PARTITION BY h.account_no ORDER BY p.n ROWS UNBOUNDED PRECEDING)) w;
END $$;

-- Posts items, one array element for each leg, as one batch or not at all. Returns the items that are not simply posted, from 1:
-- replayed (stands already, exactly so), and what kept everything from being posted: unknown, conflict, no_pending, overdrawn.
CREATE FUNCTION ledger_post(
  subjects text[], operations text[], leg_nos smallint[], leg_counts smallint[], kinds text[], phases text[], resolving text[],
  debits text[], credits text[], amounts bigint[], currencies text[], funds boolean[], causes text[], moment timestamptz)
RETURNS TABLE (item bigint, outcome text, detail text) LANGUAGE plpgsql AS $$
DECLARE
  head_ids text[]; head_nos bigint[]; head_sequences bigint[]; head_balances bigint[];
  debit_nos bigint[]; credit_nos bigint[]; releases bigint[]; standing boolean[];
  debit_sequences bigint[]; debit_balances bigint[]; credit_sequences bigint[]; credit_balances bigint[];
  latest timestamptz; batch bigint; guarding boolean; refused boolean;
BEGIN
  -- In the order of their numbers, so that no two calls wait for each other. From here on the accounts are ours until the commit.
  SELECT array_agg(h.id), array_agg(h.account_no), array_agg(h.sequence), array_agg(h.balance), max(h.last_at),
      bool_or(h.overdraft_refused) OR true = ANY (funds)
    INTO head_ids, head_nos, head_sequences, head_balances, latest, guarding FROM (
    SELECT id, account_no, sequence, balance, last_at, overdraft_refused FROM ledger_head
    WHERE id = ANY (debits || credits) ORDER BY account_no FOR UPDATE) h;

  -- What stands already: after the locks, for who posted the same before us has committed by now.
  SELECT array_agg(t.subject IS NOT NULL ORDER BY u.n) INTO standing
    FROM unnest(subjects, operations, leg_nos) WITH ORDINALITY u(subject, operation, leg, n)
    LEFT JOIN ledger_transfer t ON t.subject = u.subject AND t.operation = u.operation AND t.leg = u.leg;
  SELECT * INTO debit_nos, debit_sequences, debit_balances, credit_nos, credit_sequences, credit_balances
    FROM ledger_place(debits, credits, amounts, phases, standing, head_ids, head_nos, head_sequences, head_balances);
  IF array_position(debit_nos, NULL) IS NOT NULL OR array_position(credit_nos, NULL) IS NOT NULL THEN
    RETURN QUERY SELECT min(u.n), 'unknown', u.id
      FROM unnest(debit_nos || credit_nos, debits || credits) WITH ORDINALITY u(account_no, id, n)
      WHERE u.account_no IS NULL GROUP BY u.id;
    RETURN;
  END IF;

  IF true = ANY (standing) THEN
    refused := false;
    FOR item, outcome IN
      SELECT u.n, CASE WHEN t.subject IS NOT NULL AND t.kind = u.kind AND t.phase = u.phase AND t.debit_account = u.debit
          AND t.credit_account = u.credit AND t.amount = u.amount AND t.resolves IS NOT DISTINCT FROM u.resolves AND s.legs = u.legs
          THEN 'replayed' ELSE 'conflict' END
      FROM unnest(subjects, operations, leg_nos, leg_counts, kinds, phases, resolving, debit_nos, credit_nos, amounts)
        WITH ORDINALITY u(subject, operation, leg, legs, kind, phase, resolves, debit, credit, amount, n)
      CROSS JOIN LATERAL (SELECT count(*) AS legs FROM ledger_transfer l
        WHERE l.subject = u.subject AND l.operation = u.operation) s
      LEFT JOIN ledger_transfer t ON t.subject = u.subject AND t.operation = u.operation AND t.leg = u.leg
      WHERE s.legs > 0
    LOOP
      refused := refused OR outcome = 'conflict';
      RETURN NEXT;
    END LOOP;
    IF refused OR NOT false = ANY (standing) THEN RETURN; END IF;
  END IF;

  IF array_length(array_remove(resolving, NULL), 1) > 0 THEN
    SELECT array_agg(CASE WHEN r.subject IS NULL THEN p.amount END ORDER BY u.n) INTO releases
      FROM unnest(subjects, resolving, leg_nos, debit_nos, credit_nos, amounts)
        WITH ORDINALITY u(subject, resolves, leg, debit, credit, amount, n)
      LEFT JOIN ledger_transfer p ON p.subject = u.subject AND p.operation = u.resolves AND p.leg = u.leg AND p.phase = 'pending'
        AND p.debit_account = u.debit AND p.credit_account = u.credit AND p.amount >= u.amount
      LEFT JOIN ledger_transfer r ON r.subject = u.subject AND r.resolves = u.resolves AND r.leg = u.leg;
    RETURN QUERY SELECT u.n, 'no_pending', NULL::text
      FROM unnest(resolving, releases, standing) WITH ORDINALITY u(resolves, released, stands, n)
      WHERE u.resolves IS NOT NULL AND u.released IS NULL AND NOT u.stands;
    IF FOUND THEN RETURN; END IF;
  END IF;

  IF guarding THEN
    RETURN QUERY
      WITH posting AS (
        SELECT u.n, u.debit AS account_no, CASE WHEN u.phase IN ('posted', 'post') THEN u.amount ELSE 0 END AS delta,
          CASE u.phase WHEN 'pending' THEN u.amount ELSE -coalesce(u.released, 0) END AS pending_debit, 0::bigint AS pending_credit, u.fund
        FROM unnest(debit_nos, amounts, phases, releases, funds, standing) WITH ORDINALITY u(debit, amount, phase, released, fund, stands, n)
        WHERE NOT u.stands
        UNION ALL
        SELECT u.n, u.credit, CASE WHEN u.phase IN ('posted', 'post') THEN -u.amount ELSE 0 END,
          0, CASE u.phase WHEN 'pending' THEN u.amount ELSE -coalesce(u.released, 0) END, false
        FROM unnest(credit_nos, amounts, phases, releases, standing) WITH ORDINALITY u(credit, amount, phase, released, stands, n)
        WHERE NOT u.stands
      ), running AS (
        SELECT p.n, p.account_no, p.fund OR h.overdraft_refused AS guarded,
          h.side * p.delta - CASE h.side WHEN 1 THEN p.pending_credit ELSE p.pending_debit END AS change,
          h.side * (h.balance + sum(p.delta) OVER w)
            - CASE h.side WHEN 1 THEN h.pending_credit + sum(p.pending_credit) OVER w
                ELSE h.pending_debit + sum(p.pending_debit) OVER w END AS available
        FROM posting p JOIN ledger_head h ON h.account_no = p.account_no
        WINDOW w AS (PARTITION BY p.account_no ORDER BY p.n ROWS UNBOUNDED PRECEDING)
      )
      -- Only the first of each account: those after it may stand once it is gone.
      SELECT DISTINCT ON (r.account_no) r.n, 'overdrawn', a.id || ' lacks ' || -r.available
      FROM running r JOIN ledger_account a ON a.account_no = r.account_no
      WHERE r.guarded AND r.change < 0 AND r.available < 0 ORDER BY r.account_no, r.n;
    IF FOUND THEN RETURN; END IF;
  END IF;

  -- After the locks, so that for every account later batches have higher numbers and later times.
  batch := nextval('ledger_batch_no');
  latest := greatest(coalesce(moment, clock_timestamp()), latest);
  INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence, credit_balance,
      amount, released, posted_at, leg, currency, subject, operation, kind, phase, resolves, cause)
    SELECT batch, u.debit, u.debit_sequence, u.debit_balance, u.credit, u.credit_sequence, u.credit_balance, u.amount,
      coalesce(u.released, 0), latest, u.leg, u.currency, u.subject, u.operation, u.kind, u.phase, u.resolves, u.cause
    FROM unnest(subjects, operations, leg_nos, kinds, phases, resolving, debit_nos, debit_sequences, debit_balances, credit_nos,
        credit_sequences, credit_balances, amounts, currencies, causes, releases, standing)
      u(subject, operation, leg, kind, phase, resolves, debit, debit_sequence, debit_balance, credit, credit_sequence, credit_balance,
        amount, currency, cause, released, stands)
    WHERE NOT u.stands;
END $$;

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
];
