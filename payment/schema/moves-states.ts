/** A sequence and a balance as one number that cannot be predicted. */
const mark = (sequence: string, balance: string) =>
  `hashint8extended(${balance}, hashint8extended(${sequence}, seed))`;

/**
 * SQL that updates the balances of all accounts of the batch `added` and, for those that move for the first
 * time in a block, inserts the balance before it into the history; then refuses the batch when a posting was
 * on no account or on one that was twice in it, in two currencies.
 *
 * Every posting leads from one state of its account (sequence, balance) to the next. Over all postings of an
 * account in the batch, the states that they lead from and to cancel each other but for the first and the
 * last, if and only if they are one way from where the account stands, in `items` steps: a posting leads one
 * place on, so there is no way round. The states are compared by the exclusive or of marks under a seed that
 * is drawn when the rows are there already. `plain`: everything is posted, in the currency `first_currency`.
 *
 * All accounts are looked up by one walk along their key, which reads a page of it once for all that it names
 * there.
 */
export const movesStates = ({ plain }: { readonly plain: boolean }): string => {
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
  const moves = (name: 'debit' | 'credit') =>
    plain ? '' : `pending_${name} = s.pending_${name} + a.reserved_${name}, `;
  const before = (name: 'debit' | 'credit') =>
    plain ? `s.pending_${name}` : `s.pending_${name} - a.reserved_${name} AS pending_${name}`;
  return `WITH touched AS MATERIALIZED (
      SELECT account_no${plain ? '' : ', currency'}, count(*) AS items, ledger_sum(delta) AS delta,
        bit_xor(${mark('sequence', 'balance')} # ${mark('sequence - 1', 'balance - delta')}) AS marks${
          plain ? '' : reserved('debit') + reserved('credit')
        }
      FROM (${side('debit', '')}
        UNION ALL${side('credit', '-')}) posting
      GROUP BY account_no${plain ? '' : ', currency'}
    ), moved AS (
      UPDATE ledger_account_balance s SET
        sequence = CASE WHEN ${plain ? 'first_currency' : 'a.currency'} = s.currency
          AND a.marks = ${mark('s.sequence', 's.balance')} # ${mark('s.sequence + a.items', 's.balance + a.delta')}
        THEN s.sequence + a.items ELSE ledger_refuses_posting(a.account_no) END,
        balance = s.balance + a.delta, ${moves('debit')}${moves('credit')}batch_no = batch, sequence_before = s.sequence,
        history_batch = CASE WHEN s.history_batch < head.block THEN batch ELSE s.history_batch END,
        padding = CASE s.sequence WHEN 0 THEN s.padding END
      FROM touched a
      WHERE s.account_no = a.account_no AND s.account_no = ANY (ARRAY(SELECT account_no FROM touched))
      RETURNING a.items AS moves, s.history_batch, s.account_no, s.sequence_before AS sequence, s.balance - a.delta AS balance, ${before('debit')}, ${before('credit')}
    ), history AS (
      INSERT INTO ledger_balance_history (account_no, batch_no, sequence, balance, pending_debit, pending_credit)
        SELECT account_no, batch, sequence, balance, pending_debit, pending_credit FROM moved WHERE history_batch = batch
    )
    SELECT ledger_sum(moves) INTO placed FROM moved;`;
};
