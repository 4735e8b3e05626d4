import type { Sql } from '#platform/sql/sql.js';

/**
 * What the ledger is measured beside: one `INSERT … SELECT unnest` of as many rows into a plain table,
 * without a lock, a rule or a check. `bare` has a primary key by an identity and nothing else: rows that are
 * kept, from which no balance can be read without a scan. `keyed` has what a ledger is read by: the posting's
 * place in its account and the operation that it belongs to, each unique. Its places and balances are made up
 * by the client, as if it knew them.
 */
export const peers = ['bare', 'keyed'] as const;
export type Peer = (typeof peers)[number];

export async function preparePeers(sql: Sql): Promise<void> {
  const columns = `subject text COLLATE "C" NOT NULL, operation text COLLATE "C" NOT NULL, account bigint NOT NULL, amount bigint NOT NULL,
    currency text NOT NULL, kind text NOT NULL, posted_at timestamptz NOT NULL`;
  await sql.query(`CREATE TABLE peer_bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns})`);
  await sql.query(`CREATE TABLE peer_keyed (sequence bigint NOT NULL, balance_after bigint NOT NULL, ${columns},
    PRIMARY KEY (account, sequence), UNIQUE (subject, operation, account))`);
}

let made = 0;

/**
 * `calls` statements of `postings` rows each on this many accounts, every one committed by itself. Returns
 * the number of written rows.
 */
export async function insertPostings(
  sql: Sql,
  peer: Peer,
  calls: number,
  postings: number,
  accounts: number,
): Promise<number> {
  for (let call = 0; call < calls; call += 1) {
    const first = made;
    made += postings;
    const numbers = Array.from({ length: postings }, (_, n) => first + n);
    const column = (of: (n: number) => string | number) => `{${numbers.map(of).join()}}`;
    const values = [
      column((n) => `0190a0c0-0000-7000-8000-${(n >> 1).toString(16).padStart(12, '0')}`),
      column(() => 'capture'),
      column((n) => (n * 7_919) % accounts),
      column((n) => (n % 2 === 0 ? 1 : -1) * (1 + ((n >> 1) % 9_999))),
      column(() => 'EUR'),
      column(() => 'capture'),
    ];
    const names = 'subject, operation, account, amount, currency, kind';
    const arrays = '$1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[]';
    if (peer === 'bare')
      await sql.query(
        `INSERT INTO peer_bare (${names}, posted_at) SELECT u.*, clock_timestamp() FROM unnest(${arrays}) u`,
        values,
      );
    else
      await sql.query(
        `INSERT INTO peer_keyed (${names}, sequence, balance_after, posted_at)
         SELECT u.*, clock_timestamp() FROM unnest(${arrays}, $7::bigint[], $8::bigint[]) u`,
        [...values, column((n) => Math.floor(n / accounts)), column((n) => n)],
      );
  }
  return calls * postings;
}
