/** What we owe each merchant, derived from the ledger. */
export const wallet = `
CREATE TABLE wallet (
  account_no bigint PRIMARY KEY REFERENCES ledger_account,
  seller_account text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0,
  sequence bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  batch_no bigint NOT NULL DEFAULT 0,
  UNIQUE (seller_account, currency)
);
COMMENT ON TABLE wallet IS
  'What we owe each merchant: a projection of the ledger''s seller accounts that may be thrown away and '
  'made again';
COMMENT ON COLUMN wallet.sequence IS 'The posting of the ledger''s account that the balance has reached';
COMMENT ON COLUMN wallet.batch_no IS 'The batch of that posting, 0 when nobody wrote it down';

-- Adds the postings that the wallets have not seen yet; NULL means all that lag. A caller that names sellers
-- reads nothing of others. Postings are summed, balances of the ledger not copied. Over some millions of
-- transfers a plan looks expensive enough to be compiled, which takes longer than all the rest.
CREATE FUNCTION wallet_advance(sellers text[], wallets_max integer)
RETURNS TABLE (seller_account text, currency text, balance bigint, sequence bigint)
LANGUAGE plpgsql SET plan_cache_mode = auto SET jit = off AS $$
DECLARE wanted bigint[]; accounts bigint[]; sequences bigint[]; batches bigint[];
BEGIN
  IF sellers IS NULL THEN
    wanted := ARRAY (
      SELECT a.account_no FROM ledger_account a JOIN ledger_account_balance s ON s.account_no = a.account_no LEFT JOIN wallet w ON w.account_no = a.account_no
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
    SELECT w.account_no, w.sequence, w.batch_no FROM wallet w JOIN ledger_account_balance s ON s.account_no = w.account_no
    WHERE w.account_no = ANY (wanted) AND s.sequence > w.sequence ORDER BY w.account_no LIMIT wallets_max FOR UPDATE OF w
  ) l;
  RETURN QUERY
    UPDATE wallet w SET balance = w.balance - f.delta, reserved = w.reserved + f.reserved_debit, sequence = f.sequence, batch_no = f.batch_no,
      changed_at = clock_timestamp()
    -- Who came in between has moved the sequence, and this row is left alone.
    FROM ledger_since(accounts, sequences, batches) f WHERE w.account_no = f.account_no AND w.sequence = f.reached
    RETURNING w.seller_account, w.currency, w.balance, w.sequence;
END $$;

-- Wallets that differ from the ledger at the posting that they have reached. Where only what is reserved
-- differs, the two balances are what is available by the wallet and by the ledger.
CREATE FUNCTION wallet_wrong()
RETURNS TABLE (seller_account text, currency text, balance bigint, ledger_balance bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET jit = off AS $$
DECLARE accounts bigint[]; sequences bigint[]; batches bigint[];
BEGIN
  -- A wallet's own word for its batch is not taken.
  SELECT array_agg(w.account_no), array_agg(w.sequence), array_agg(0::bigint) INTO accounts, sequences, batches
  FROM wallet w JOIN ledger_account_balance s ON s.account_no = w.account_no AND s.sequence > w.sequence;
  RETURN QUERY
    SELECT w.seller_account, w.currency, w.balance - CASE WHEN w.balance = l.balance THEN w.reserved ELSE 0 END,
      l.balance - CASE WHEN w.balance = l.balance THEN l.reserved ELSE 0 END
    FROM wallet w JOIN ledger_account_balance s ON s.account_no = w.account_no
    LEFT JOIN ledger_since(accounts, sequences, batches) f ON f.account_no = w.account_no
    CROSS JOIN LATERAL (SELECT coalesce(f.delta, 0) - s.balance, s.pending_debit - coalesce(f.reserved_debit, 0)) l(balance, reserved)
    WHERE w.sequence > s.sequence OR w.balance <> l.balance OR w.reserved <> l.reserved;
END $$;
`;
