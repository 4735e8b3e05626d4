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
];
