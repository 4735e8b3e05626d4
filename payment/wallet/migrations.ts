import type { Migration } from '#platform/sql/sql.js';

export const walletMigrations: readonly Migration[] = [
  {
    name: '0010-create-wallet',
    sql: `
CREATE TABLE wallet (
  account_no bigint PRIMARY KEY REFERENCES ledger_account,
  seller_account text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0,
  sequence bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (seller_account, currency)
);
COMMENT ON TABLE wallet IS 'What we owe each merchant: a projection of the ledger''s seller accounts that may be thrown away and made again';
COMMENT ON COLUMN wallet.sequence IS 'The posting of the ledger''s account that the balance has reached';

-- Adds the postings that the wallets have not seen yet; NULL means all that lag. Postings are summed, balances of the ledger not copied.
CREATE FUNCTION wallet_advance(sellers text[], wallets_max integer)
RETURNS TABLE (seller_account text, currency text, balance bigint, sequence bigint) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet (account_no, seller_account, currency)
    SELECT a.account_no, substr(a.id, 8, length(a.id) - 11), a.currency FROM ledger_account a
    WHERE a.id LIKE 'seller:%' AND (sellers IS NULL OR a.id = ANY (sellers))
      AND NOT EXISTS (SELECT FROM wallet w WHERE w.account_no = a.account_no)
    ORDER BY a.account_no
    ON CONFLICT DO NOTHING;
  -- In one order, so that two callers do not wait for each other.
  PERFORM 1 FROM wallet w JOIN ledger_head h ON h.account_no = w.account_no
    WHERE h.sequence > w.sequence
      AND (sellers IS NULL OR w.account_no IN (SELECT a.account_no FROM ledger_account a WHERE a.id = ANY (sellers)))
    ORDER BY w.account_no LIMIT wallets_max FOR UPDATE OF w;
  RETURN QUERY
    WITH lagging AS (
      SELECT w.account_no, w.sequence AS reached, h.sequence AS head FROM wallet w JOIN ledger_head h ON h.account_no = w.account_no
      WHERE h.sequence > w.sequence
        AND (sellers IS NULL OR w.account_no IN (SELECT a.account_no FROM ledger_account a WHERE a.id = ANY (sellers)))
      ORDER BY w.account_no LIMIT wallets_max
    ), fresh AS (
      SELECT l.account_no, l.reached, l.head, sum(p.amount)::bigint AS amount, sum(p.reserved)::bigint AS reserved
      FROM lagging l CROSS JOIN LATERAL (
        SELECT CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END AS amount,
          CASE t.phase WHEN 'pending' THEN t.amount ELSE -t.released END AS reserved
        FROM ledger_transfer t WHERE t.debit_account = l.account_no AND t.debit_sequence > l.reached AND t.debit_sequence <= l.head
        UNION ALL
        SELECT CASE WHEN t.phase IN ('posted', 'post') THEN t.amount ELSE 0 END, 0
        FROM ledger_transfer t WHERE t.credit_account = l.account_no AND t.credit_sequence > l.reached AND t.credit_sequence <= l.head
      ) p GROUP BY l.account_no, l.reached, l.head
    )
    UPDATE wallet w SET balance = w.balance + f.amount, reserved = w.reserved + f.reserved, sequence = f.head,
      changed_at = clock_timestamp()
    -- Who came in between has moved the sequence, and this row is left alone.
    FROM fresh f WHERE w.account_no = f.account_no AND w.sequence = f.reached
    RETURNING w.seller_account, w.currency, w.balance, w.sequence;
END $$;
`,
  },
  {
    name: '0073-wallets-read-batches',
    sql: `
-- As before, but the postings that are new to the wallets are found by their batches: each of them is read once, for all wallets that lag.
CREATE OR REPLACE FUNCTION wallet_advance(sellers text[], wallets_max integer)
RETURNS TABLE (seller_account text, currency text, balance bigint, sequence bigint) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet (account_no, seller_account, currency)
    SELECT a.account_no, substr(a.id, 8, length(a.id) - 11), a.currency FROM ledger_account a
    WHERE a.id LIKE 'seller:%' AND (sellers IS NULL OR a.id = ANY (sellers))
      AND NOT EXISTS (SELECT FROM wallet w WHERE w.account_no = a.account_no)
    ORDER BY a.account_no
    ON CONFLICT DO NOTHING;
  -- In one order, so that two callers do not wait for each other.
  PERFORM 1 FROM wallet w
    WHERE EXISTS (SELECT FROM ledger_standing s WHERE s.account_no = w.account_no AND s.sequence > w.sequence)
      AND (sellers IS NULL OR w.account_no IN (SELECT a.account_no FROM ledger_account a WHERE a.id = ANY (sellers)))
    ORDER BY w.account_no LIMIT wallets_max FOR UPDATE OF w;
  RETURN QUERY
    WITH lagging AS MATERIALIZED (
      SELECT w.account_no, w.sequence AS reached, h.head
      FROM wallet w CROSS JOIN LATERAL (
        SELECT s.sequence AS head FROM ledger_standing s WHERE s.account_no = w.account_no ORDER BY s.sequence DESC LIMIT 1
      ) h
      WHERE h.head > w.sequence
        AND (sellers IS NULL OR w.account_no IN (SELECT a.account_no FROM ledger_account a WHERE a.id = ANY (sellers)))
      ORDER BY w.account_no LIMIT wallets_max
    ), batch AS MATERIALIZED (
      SELECT DISTINCT s.batch_no FROM lagging l
      JOIN ledger_standing s ON s.account_no = l.account_no AND s.sequence > l.reached AND s.sequence <= l.head
    ), transfer AS MATERIALIZED (
      SELECT t.* FROM batch b JOIN ledger_transfer t ON t.batch_no = b.batch_no
    ), fresh AS (
      SELECT l.account_no, l.reached, l.head, sum(p.amount)::bigint AS amount, sum(p.reserved)::bigint AS reserved
      FROM (
        SELECT t.debit_account AS account_no, t.debit_sequence AS place,
          CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END AS amount,
          CASE t.phase WHEN 'pending' THEN t.amount ELSE -t.released END AS reserved
        FROM transfer t
        UNION ALL
        SELECT t.credit_account, t.credit_sequence, CASE WHEN t.phase IN ('posted', 'post') THEN t.amount ELSE 0 END, 0
        FROM transfer t
      ) p JOIN lagging l ON l.account_no = p.account_no AND p.place > l.reached AND p.place <= l.head
      GROUP BY l.account_no, l.reached, l.head
    )
    UPDATE wallet w SET balance = w.balance + f.amount, reserved = w.reserved + f.reserved, sequence = f.head,
      changed_at = clock_timestamp()
    -- Who came in between has moved the sequence, and this row is left alone.
    FROM fresh f WHERE w.account_no = f.account_no AND w.sequence = f.reached
    RETURNING w.seller_account, w.currency, w.balance, w.sequence;
END $$;
`,
  },
  {
    name: '0078-wallets-read-blocks',
    sql: `
ALTER TABLE wallet ADD COLUMN batch_no bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN wallet.batch_no IS 'The batch of that posting, 0 when nobody wrote it down';

-- As before, but what is new to the wallets is what the ledger says was posted since; who names sellers reads nothing of others.
-- Over some millions of transfers a plan looks dear enough to be compiled, whatever it reads, which takes longer than all the rest.
CREATE OR REPLACE FUNCTION wallet_advance(sellers text[], wallets_max integer)
RETURNS TABLE (seller_account text, currency text, balance bigint, sequence bigint) LANGUAGE plpgsql SET plan_cache_mode = auto SET jit = off AS $$
DECLARE wanted bigint[]; accounts bigint[]; sequences bigint[]; batches bigint[];
BEGIN
  IF sellers IS NULL THEN
    wanted := ARRAY (
      SELECT a.account_no FROM ledger_account a JOIN ledger_state s ON s.account_no = a.account_no LEFT JOIN wallet w ON w.account_no = a.account_no
      WHERE a.id LIKE 'seller:%' AND s.sequence > coalesce(w.sequence, 0) ORDER BY a.account_no LIMIT wallets_max);
  ELSE
    wanted := ARRAY (SELECT a.account_no FROM ledger_account a WHERE a.id = ANY (sellers) AND a.id LIKE 'seller:%');
  END IF;
  -- A plan that is kept from calls for a few wallets could compare each of a thousand with every posting. It ends with the function.
  IF cardinality(wanted) > 16 THEN
    PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  END IF;
  INSERT INTO wallet (account_no, seller_account, currency)
    SELECT a.account_no, substr(a.id, 8, length(a.id) - 11), a.currency FROM ledger_account a
    WHERE a.account_no = ANY (wanted) AND NOT EXISTS (SELECT FROM wallet w WHERE w.account_no = a.account_no)
    ORDER BY a.account_no
    ON CONFLICT DO NOTHING;
  -- In one order, so that two callers do not wait for each other.
  SELECT array_agg(l.account_no), array_agg(l.sequence), array_agg(l.batch_no) INTO accounts, sequences, batches FROM (
    SELECT w.account_no, w.sequence, w.batch_no FROM wallet w JOIN ledger_state s ON s.account_no = w.account_no
    WHERE w.account_no = ANY (wanted) AND s.sequence > w.sequence ORDER BY w.account_no LIMIT wallets_max FOR UPDATE OF w
  ) l;
  RETURN QUERY
    UPDATE wallet w SET balance = w.balance - f.delta, reserved = w.reserved + f.reserved_debit, sequence = f.sequence, batch_no = f.batch_no,
      changed_at = clock_timestamp()
    -- Who came in between has moved the sequence, and this row is left alone.
    FROM ledger_since(accounts, sequences, batches) f WHERE w.account_no = f.account_no AND w.sequence = f.reached
    RETURNING w.seller_account, w.currency, w.balance, w.sequence;
END $$;

-- Wallets that do not say what the ledger said at the posting that they have reached: not what it says now, when those after it are added.
CREATE FUNCTION wallet_wrong() RETURNS TABLE (seller_account text, currency text, balance bigint, ledger_balance bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET jit = off AS $$
DECLARE accounts bigint[]; sequences bigint[]; batches bigint[];
BEGIN
  -- A wallet's own word for its batch is not taken.
  SELECT array_agg(w.account_no), array_agg(w.sequence), array_agg(0::bigint) INTO accounts, sequences, batches
  FROM wallet w JOIN ledger_state s ON s.account_no = w.account_no AND s.sequence > w.sequence;
  RETURN QUERY
    SELECT w.seller_account, w.currency, w.balance, coalesce(f.delta, 0) - s.balance
    FROM wallet w JOIN ledger_state s ON s.account_no = w.account_no
    LEFT JOIN ledger_since(accounts, sequences, batches) f ON f.account_no = w.account_no
    WHERE w.sequence > s.sequence OR w.balance <> coalesce(f.delta, 0) - s.balance;
END $$;
`,
  },
  {
    name: '0079-wallets-are-proven-with-their-reserves',
    sql: `
-- As before, and what is reserved is held against the ledger too. Where only that differs, what is told is what is available by the one and by the other.
CREATE OR REPLACE FUNCTION wallet_wrong() RETURNS TABLE (seller_account text, currency text, balance bigint, ledger_balance bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET jit = off AS $$
DECLARE accounts bigint[]; sequences bigint[]; batches bigint[];
BEGIN
  -- A wallet's own word for its batch is not taken.
  SELECT array_agg(w.account_no), array_agg(w.sequence), array_agg(0::bigint) INTO accounts, sequences, batches
  FROM wallet w JOIN ledger_state s ON s.account_no = w.account_no AND s.sequence > w.sequence;
  RETURN QUERY
    SELECT w.seller_account, w.currency, w.balance - CASE WHEN w.balance = l.balance THEN w.reserved ELSE 0 END,
      l.balance - CASE WHEN w.balance = l.balance THEN l.reserved ELSE 0 END
    FROM wallet w JOIN ledger_state s ON s.account_no = w.account_no
    LEFT JOIN ledger_since(accounts, sequences, batches) f ON f.account_no = w.account_no
    CROSS JOIN LATERAL (SELECT coalesce(f.delta, 0) - s.balance, s.pending_debit - coalesce(f.reserved_debit, 0)) l(balance, reserved)
    WHERE w.sequence > s.sequence OR w.balance <> l.balance OR w.reserved <> l.reserved;
END $$;
`,
  },
];
