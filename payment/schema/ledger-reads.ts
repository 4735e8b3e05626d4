/** Balances of the past, and what was posted on accounts since a posting. */
export const ledgerReads = `
-- The last batch that was sealed by a moment, 0 before the first. Times never decrease from batch to batch,
-- so this is a binary search.
CREATE FUNCTION ledger_batch_at(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE low bigint := 0; high bigint; middle bigint;
BEGIN
  SELECT t.batch_no INTO high FROM ledger_chain_head t;
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT b.sealed_at FROM ledger_batch b WHERE b.batch_no = middle) <= moment THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

-- The balance of an account at a moment. If the account moved after the last batch by then for the first time
-- in that batch's block, or not before a later block, it is the balance that the history has from before
-- that. Otherwise the block is read back from that batch to the account's last posting.
CREATE FUNCTION ledger_balance_at(account bigint, moment timestamptz)
RETURNS TABLE (sequence bigint, balance bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE last_batch bigint := ledger_batch_at(moment); block bigint; moved bigint;
BEGIN
  SELECT s.sequence, s.balance, s.batch_no INTO sequence, balance, moved FROM ledger_account_balance s WHERE s.account_no = account;
  IF moved > last_batch THEN
    SELECT max(b.first_batch) INTO block FROM ledger_block b WHERE b.first_batch <= last_batch;
    SELECT s.sequence, s.balance, s.batch_no INTO sequence, balance, moved FROM ledger_balance_history s
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

-- What was posted on accounts after the postings that a reader has reached; none of what it lacks lies in
-- these batches or before. For an account that lacks one batch, that batch is read, for others the blocks in
-- which they moved; no batch is read twice. What is read is materialized before it is joined with the
-- accounts: the planner estimates one row for a few of them, and would read everything again for each.
CREATE FUNCTION ledger_since(accounts bigint[], sequences bigint[], batches bigint[])
RETURNS TABLE (
  account_no bigint, reached bigint, sequence bigint, batch_no bigint, delta bigint, reserved_debit bigint)
LANGUAGE sql STABLE AS $$
  WITH behind AS MATERIALIZED (
    SELECT s.account_no, u.reached, u.batch_no AS known_batch, s.sequence, s.sequence_before, s.batch_no
    FROM unnest(accounts, sequences, batches) u(account_no, reached, batch_no)
    JOIN ledger_account_balance s ON s.account_no = u.account_no AND s.sequence > u.reached
  ), span AS (
    SELECT batch_no AS first, batch_no AS last FROM behind WHERE reached >= sequence_before
    UNION ALL
    SELECT greatest(h.batch_no, b.known_batch + 1),
      least(b.batch_no, (SELECT min(n.first_batch) - 1 FROM ledger_block n WHERE n.first_batch > h.batch_no))
    FROM behind b CROSS JOIN LATERAL (
      SELECT s.batch_no FROM ledger_balance_history s WHERE s.account_no = b.account_no AND s.batch_no >= (
        SELECT f.batch_no FROM ledger_balance_history f WHERE f.account_no = b.account_no AND f.sequence <= b.reached ORDER BY f.batch_no DESC LIMIT 1)
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
`;
