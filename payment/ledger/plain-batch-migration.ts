import type { Migration } from '#platform/sql/sql.js';

/** A place and a balance as one number that nobody knows beforehand. */
const mark = (sequence: string, balance: string) =>
  `hashint8extended(${balance}, hashint8extended(${sequence}, seed))`;

/**
 * Every posting leads from one state of its account (place, balance) to the next. Over all postings of an
 * account in the batch, the states that they lead from and to cancel each other but for the first and the
 * last, if and only if they are one way from where the account stands, in `items` steps: a posting leads one
 * place on, so there is no way round. The states are compared by the exclusive or of marks under a seed that
 * is drawn when the rows are there already. Whoever goes on from a standing that is not the last meets those
 * after it too, which are not where he began. `plain`: everything is posted, in the currency
 * `first_currency`.
 */
const addsStandings = ({ plain }: { readonly plain: boolean }): string => {
  const side = (name: 'debit' | 'credit', sign: '' | '-') => `
        SELECT ${name}_account AS account_no, ${name}_sequence AS sequence, ${name}_balance AS balance, ${
          plain
            ? `${sign}amount AS delta`
            : `currency,
          CASE WHEN phase IN ('posted', 'post') THEN ${sign}amount ELSE 0 END AS delta,
          CASE phase WHEN 'posted' THEN 0 WHEN 'pending' THEN amount ELSE -released END AS reserved, '${name}' AS side`
        }
        FROM added`;
  const reserved = (name: 'debit' | 'credit') =>
    `, ledger_sum(reserved) FILTER (WHERE side = '${name}') AS reserved_${name}`;
  const pending = (name: 'debit' | 'credit') => `s.pending_${name}${plain ? '' : ` + a.reserved_${name}`}`;
  return `INSERT INTO ledger_standing (account_no, sequence, balance, pending_debit, pending_credit, batch_no, side, overdraft_refused, currency)
      SELECT a.account_no,
        CASE WHEN ${plain ? 'first_currency' : 'a.currency'} = s.currency
          AND a.marks = ${mark('s.sequence', 's.balance')} # ${mark('s.sequence + a.items', 's.balance + a.delta')}
        THEN s.sequence + a.items ELSE ledger_refuses_posting(a.account_no) END,
        s.balance + a.delta, ${pending('debit')}, ${pending('credit')}, batch, s.side, s.overdraft_refused, s.currency
      FROM (
        SELECT account_no${plain ? '' : ', currency'}, count(*) AS items, min(sequence) AS first, ledger_sum(delta) AS delta,
          bit_xor(${mark('sequence', 'balance')} # ${mark('sequence - 1', 'balance - delta')}) AS marks${
            plain ? '' : reserved('debit') + reserved('credit')
          }
        FROM (${side('debit', '')}
        UNION ALL${side('credit', '-')}) posting
        GROUP BY account_no${plain ? '' : ', currency'}
      ) a LEFT JOIN ledger_standing s ON s.account_no = a.account_no AND s.sequence >= a.first - 1;`;
};

/**
 * The same gate with less to do for the batch that nearly all are: everything posted, in one currency. See
 * docs/adr/0073-standings.md.
 */
export const plainBatchMigration: Migration = {
  name: '0075-gate-for-plain-batches',
  sql: `
-- Adds whole numbers as such; sum(bigint) makes a numeric of them, which costs more than all the rest for an account with one posting.
CREATE AGGREGATE ledger_sum(bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0');

-- The same rules; letters are counted only where there are more bytes than letters allowed.
ALTER TABLE ledger_transfer
  DROP CONSTRAINT ledger_transfer_subject_check,
  DROP CONSTRAINT ledger_transfer_operation_check,
  ADD CONSTRAINT ledger_transfer_subject_check CHECK (subject <> '' AND (octet_length(subject) <= 64 OR length(subject) <= 64)),
  ADD CONSTRAINT ledger_transfer_operation_check CHECK (operation <> '' AND (octet_length(operation) <= 96 OR length(operation) <= 96));

-- Every insert, by whatever statement, is the next batch, has one time that is not before the last one, continues each account's
-- sequence and balance posting by posting, keeps its currency, and is sealed.
-- The planner would rather read whole tables than look up what was touched, and plan again for each batch.
CREATE OR REPLACE FUNCTION ledger_seals_batch() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_bitmapscan = off SET enable_material = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tip ledger_tip; batch bigint; first_batch bigint; items integer; first_currency text; last_currency text; resolving integer; reserving integer; seal bytea; sealed timestamptz;
  first_at timestamptz; wrong text; seed bigint := hashtextextended(gen_random_uuid()::text, 0);
BEGIN
  SELECT min(n.batch_no), max(n.batch_no), count(*), min(n.currency), max(n.currency), count(n.resolves), count(*) FILTER (WHERE n.phase <> 'posted'), min(n.posted_at),
      max(n.posted_at), sha256(string_agg(ledger_line(n), '' ORDER BY n.debit_account, n.debit_sequence))
    INTO first_batch, batch, items, first_currency, last_currency, resolving, reserving, first_at, sealed, seal FROM added n;
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

  IF reserving > 0 OR first_currency <> last_currency THEN
    ${addsStandings({ plain: false })}
  ELSE
    ${addsStandings({ plain: true })}
  END IF;
  RETURN NULL;
END $$;
`,
};
