import type { Migration } from '#platform/sql/sql.js';

const moved = (sign: '' | '-') => `CASE WHEN phase IN ('posted', 'post') THEN ${sign}amount ELSE 0 END`;

/** A place and a balance as one number that nobody knows beforehand. */
const mark = (sequence: string, balance: string) =>
  `hashint8extended(${balance}, hashint8extended(${sequence}, seed))`;

/**
 * Every posting leads from one state of its account (place, balance) to the next. Over all postings of an
 * account in the batch, the states that they lead from and to cancel each other but for the first and the
 * last, if and only if they are one way from where the account stands, in `items` steps: a posting leads one
 * place on, so there is no way round. The states are compared by the exclusive or of marks under a seed that
 * is drawn when the rows are there already. The last standing is looked for from the place before the batch
 * on: else the index would read all that the account has on a page. Sums that are zero for most batches are
 * left out when nothing is reserved.
 */
const addsStandings = ({ reserving }: { readonly reserving: boolean }): string => {
  const side = (name: 'debit' | 'credit', sign: '' | '-') => `
        SELECT ${name}_account AS account_no, ${name}_sequence AS sequence, ${name}_balance AS balance, currency, ${moved(sign)} AS delta${
          reserving
            ? `,
          CASE phase WHEN 'posted' THEN 0 WHEN 'pending' THEN amount ELSE -released END AS reserved, '${name}' AS side`
            : ''
        }
        FROM added`;
  const reserved = (name: 'debit' | 'credit') =>
    `, coalesce(sum(reserved) FILTER (WHERE side = '${name}'), 0)::bigint AS reserved_${name}`;
  const pending = (name: 'debit' | 'credit') =>
    `s.pending_${name}${reserving ? ` + a.reserved_${name}` : ''}`;
  return `INSERT INTO ledger_standing (account_no, sequence, balance, pending_debit, pending_credit, batch_no, side, overdraft_refused, currency)
      SELECT a.account_no,
        CASE WHEN a.currency = s.currency
          AND a.marks = ${mark('s.sequence', 's.balance')} # ${mark('s.sequence + a.items', 's.balance + a.delta')}
        THEN s.sequence + a.items ELSE ledger_refuses_posting(a.account_no) END,
        s.balance + a.delta, ${pending('debit')}, ${pending('credit')}, batch, s.side, s.overdraft_refused, s.currency
      FROM (
        SELECT account_no, currency, count(*) AS items, min(sequence) AS first, sum(delta)::bigint AS delta,
          bit_xor(${mark('sequence', 'balance')} # ${mark('sequence - 1', 'balance - delta')}) AS marks${
            reserving ? reserved('debit') + reserved('credit') : ''
          }
        FROM (${side('debit', '')}
        UNION ALL${side('credit', '-')}) posting
        GROUP BY account_no, currency
      ) a LEFT JOIN LATERAL (
        SELECT * FROM ledger_standing s WHERE s.account_no = a.account_no AND s.sequence >= a.first - 1 ORDER BY s.sequence DESC LIMIT 1
      ) s ON true;`;
};

/**
 * Where accounts stand is written down after each batch instead of over the line before. See
 * docs/adr/0073-standings.md.
 */
export const standingMigration: Migration = {
  name: '0071-standings-instead-of-heads',
  sql: `
CREATE TABLE ledger_standing (
  account_no bigint NOT NULL,
  sequence bigint NOT NULL,
  balance bigint NOT NULL,
  pending_debit bigint NOT NULL,
  pending_credit bigint NOT NULL,
  batch_no bigint NOT NULL,
  side smallint NOT NULL,
  overdraft_refused boolean NOT NULL,
  currency text COLLATE "C" NOT NULL,
  CONSTRAINT frees_what_is_reserved CHECK (pending_debit >= 0 AND pending_credit >= 0),
  CONSTRAINT overdraft_is_refused CHECK (NOT overdraft_refused
    OR side * balance - CASE side WHEN 1 THEN pending_credit ELSE pending_debit END >= 0),
  CONSTRAINT stands_once PRIMARY KEY (account_no, sequence)
);
COMMENT ON TABLE ledger_standing IS 'Where an account stood after each batch that touched it, at sequence 0 when it was opened; the last one is where it stands';
COMMENT ON COLUMN ledger_standing.balance IS 'Debits less credits of what is posted, in minor units';

INSERT INTO ledger_standing
  SELECT account_no, 0, 0, 0, 0, 0, side, overdraft_refused, currency FROM ledger_account;
INSERT INTO ledger_standing
  SELECT DISTINCT ON (p.account_no, p.batch_no) p.account_no, p.sequence, p.balance,
    coalesce(sum(p.reserved) FILTER (WHERE p.of_debit) OVER so_far, 0), coalesce(sum(p.reserved) FILTER (WHERE NOT p.of_debit) OVER so_far, 0),
    p.batch_no, a.side, a.overdraft_refused, a.currency
  FROM (
    SELECT debit_account AS account_no, debit_sequence AS sequence, debit_balance AS balance, batch_no, true AS of_debit,
      CASE phase WHEN 'pending' THEN amount ELSE -released END AS reserved FROM ledger_transfer
    UNION ALL
    SELECT credit_account, credit_sequence, credit_balance, batch_no, false,
      CASE phase WHEN 'pending' THEN amount ELSE -released END FROM ledger_transfer
  ) p JOIN ledger_account a USING (account_no)
  WINDOW so_far AS (PARTITION BY p.account_no ORDER BY p.sequence ROWS UNBOUNDED PRECEDING)
  ORDER BY p.account_no, p.batch_no, p.sequence DESC;
DO $$
BEGIN
  IF EXISTS (
    (SELECT account_no, sequence, balance, pending_debit, pending_credit FROM ledger_head)
    EXCEPT
    (SELECT DISTINCT ON (account_no) account_no, sequence, balance, pending_debit, pending_credit
     FROM ledger_standing ORDER BY account_no, sequence DESC)
  ) THEN
    RAISE EXCEPTION 'the heads of the ledger are not what its postings say: run meridian ledger verify with the program before';
  END IF;
END $$;

DROP TABLE ledger_head;
CREATE VIEW ledger_head AS
  SELECT a.account_no, a.id, a.currency, a.side, a.overdraft_refused, s.sequence, s.balance, s.pending_debit, s.pending_credit
  FROM ledger_account a CROSS JOIN LATERAL (
    SELECT * FROM ledger_standing s WHERE s.account_no = a.account_no ORDER BY s.sequence DESC LIMIT 1
  ) s;
COMMENT ON VIEW ledger_head IS 'Where each account stands now';

-- An account's postings are found through its standings, which name the batches, so the transfers need no key for each side.
DROP INDEX ledger_transfer_debit;
DROP INDEX ledger_transfer_credit;
DROP INDEX ledger_transfer_batch;
CREATE INDEX ledger_transfer_batch ON ledger_transfer (batch_no);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_standing
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_standing
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();

CREATE OR REPLACE FUNCTION ledger_opens_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_standing SELECT account_no, 0, 0, 0, 0, 0, side, overdraft_refused, currency FROM opened;
  RETURN NULL;
END $$;

CREATE FUNCTION ledger_refuses_posting(account bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a posting does not continue its account, number % (sequence, balance or currency)', account USING ERRCODE = 'ML003';
END $$;

-- Every insert, by whatever statement, is the next batch, has one time that is not before the last one, continues each account's
-- sequence and balance posting by posting, keeps its currency, and is sealed.
-- Without merge and hash joins: the planner would rather read whole tables than look up what was touched.
CREATE OR REPLACE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  tip ledger_tip; batch bigint; first_batch bigint; items integer; resolving integer; reserving integer; seal bytea; sealed timestamptz;
  first_at timestamptz; wrong text; seed bigint := hashtextextended(gen_random_uuid()::text, 0);
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
  IF first_at <> sealed THEN
    RAISE EXCEPTION 'a batch has one time, not % to %', first_at, sealed USING ERRCODE = 'ML003';
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
    ${addsStandings({ reserving: true })}
  ELSE
    ${addsStandings({ reserving: false })}
  END IF;
  RETURN NULL;
END $$;

-- Where an account stood at a moment. Times never fall from batch to batch, nor batches along the standings of an account, so these are
-- halved until the last one of a batch that was sealed by then is found.
CREATE OR REPLACE FUNCTION ledger_balance_at(account bigint, moment timestamptz) RETURNS TABLE (sequence bigint, balance bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE low bigint := 0; high bigint; middle bigint; last_batch bigint; found ledger_standing;
BEGIN
  SELECT b.batch_no INTO last_batch FROM ledger_batch b WHERE b.sealed_at <= moment ORDER BY b.sealed_at DESC, b.batch_no DESC LIMIT 1;
  SELECT max(s.sequence) INTO high FROM ledger_standing s WHERE s.account_no = account;
  balance := 0;
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT * INTO found FROM ledger_standing s WHERE s.account_no = account AND s.sequence >= middle ORDER BY s.sequence LIMIT 1;
    IF found.batch_no <= last_batch THEN
      low := found.sequence; balance := found.balance;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  sequence := low;
  RETURN NEXT;
END $$;
`,
};
