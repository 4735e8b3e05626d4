import { createHash } from 'node:crypto';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { LedgerFault, Report } from './ledger-fault.js';
import { ledgerLimits } from './limits.js';
import type { PublishedRoots } from './published-roots.js';
import { type SealedTransfer, sealedText } from './sealed-text.js';
import { BalanceHistoryCheck } from './verify-balance-history.js';
import { BlockCheck } from './verify-blocks.js';
import { type AccountState, compareStates, openedAccounts } from './verify-states.js';

export interface LedgerVerdict {
  readonly transfers: bigint;
  readonly batches: bigint;
  readonly accounts: number;
  /**
   * The chain over all batches, SHA-256 in hexadecimal: two ledgers with the same root hold the same
   * postings.
   */
  readonly root: string;
  /** The first of them; empty when everything is in order. */
  readonly faults: readonly LedgerFault[];
  readonly faultsTotal: number;
  /** Edits of append-only tables that the triggers have refused since the ledger was created. */
  readonly editsRefused: bigint;
}

interface TransferRow extends SealedTransfer, Readonly<Record<string, unknown>> {
  readonly batch_no: bigint;
  readonly debit_balance: bigint;
  readonly credit_balance: bigint;
  /** Where the batch is sealed in the first form. */
  readonly line: Buffer | null;
}

interface Seal extends Readonly<Record<string, unknown>> {
  readonly batch_no: bigint;
  readonly transfers: number;
  readonly digest: Buffer;
  readonly form: number;
  /** Microseconds since 1970. */
  readonly sealed_us: bigint;
}

interface Posting {
  readonly account: bigint;
  readonly sequence: bigint;
  readonly balance: bigint;
  readonly delta: bigint;
  readonly reserved: bigint;
  readonly side: 'debit' | 'credit';
  readonly currency: string;
}

const sha256 = (...parts: ReadonlyArray<string | Uint8Array>): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * Reads the complete ledger in one snapshot, batch by batch, and recomputes every seal, sequence, balance and
 * chain outside the database. Needs memory for the accounts, not for the transfers. `published` are the
 * published chain heads, by batch.
 */
export async function verifyLedger(sql: Sql, published: PublishedRoots = new Map()): Promise<LedgerVerdict> {
  return sql.transaction((tx) => verify(tx, published), { isolation: 'repeatable read' });
}

async function verify(tx: SqlSession, published: PublishedRoots): Promise<LedgerVerdict> {
  const faults: LedgerFault[] = [];
  let faultsTotal = 0;
  const fault: Report = (kind, where, detail) => {
    faultsTotal += 1;
    if (faults.length < ledgerLimits.faultsNamedMax) faults.push({ kind, where, detail });
  };
  const accounts = await openedAccounts(tx);
  const standings = new BalanceHistoryCheck(tx, fault);
  const blocks = await BlockCheck.of(tx);
  let transfers = 0n;
  let batches = 0n;
  let chain: Buffer = Buffer.alloc(0);
  for (let after = 0n; ; ) {
    const seals = await sealsAfter(tx, after);
    const last = seals.at(-1);
    if (last === undefined) break;
    const rows = byBatch(await transfersBetween(tx, after, last.batch_no));
    for (const seal of seals) {
      const batch = rows.get(seal.batch_no) ?? [];
      transfers += BigInt(batch.length);
      batches += 1n;
      if (batch.length !== seal.transfers || digestOf(seal, batch)?.equals(seal.digest) !== true)
        fault(
          'batch',
          `batch ${seal.batch_no}`,
          `It was sealed with other content, of ${seal.transfers} transfers.`,
        );
      // The index for past balances.
      if (seal.sealed_us !== lastTimeOf(batch))
        fault(
          'batch',
          `batch ${seal.batch_no}`,
          'It is said to be sealed at another time than its transfers.',
        );
      chain = sha256(chain, seal.digest);
      for (const root of published.get(seal.batch_no) ?? [])
        if (root !== chain.toString('hex'))
          fault('root', `batch ${seal.batch_no}`, 'Another root of it was published.');
      const block = blocks.blockOf(seal.batch_no, batch.length);
      follow(batch, accounts, fault, (number, account) => {
        account.sequenceBefore = account.sequence;
        account.batchNo = seal.batch_no;
        if (account.stoodBatch >= block) return;
        account.stoodBatch = seal.batch_no;
        standings.expect(number, seal.batch_no, account);
      });
    }
    await standings.compare();
    after = last.batch_no;
  }
  await standings.finish();
  await compareStates(tx, accounts, fault);
  await blocks.compare(tx, fault);
  await compareCount(tx, transfers, fault);
  await compareTip(tx, batches, chain, fault);
  for (const batch of published.keys())
    if (batch > batches) fault('root', `batch ${batch}`, 'A root of it was published, and it is gone.');
  const refused = await tx.query<{ last_value: bigint }>('SELECT last_value FROM ledger_edits_refused');
  return {
    transfers,
    batches,
    accounts: accounts.size,
    root: chain.toString('hex'),
    faults,
    faultsTotal,
    editsRefused: refused.rows[0]!.last_value,
  };
}

/** Advances the accounts by one batch; `moves` is called for each account before its first posting. */
function follow(
  batch: readonly TransferRow[],
  accounts: ReadonlyMap<bigint, AccountState>,
  fault: Report,
  moves: (accountNo: bigint, account: AccountState) => void,
): void {
  const moved = new Set<bigint>();
  const postings = batch.flatMap(postingsOf).toSorted((a, b) => Number(a.sequence - b.sequence));
  for (const posting of postings) {
    const account = accounts.get(posting.account);
    if (account === undefined) {
      fault('sequence', `account number ${posting.account}`, 'It has postings and was never opened.');
      continue;
    }
    if (!moved.has(posting.account)) moves(posting.account, account);
    moved.add(posting.account);
    if (posting.sequence !== account.sequence + 1n)
      fault('sequence', account.id, `Posting ${posting.sequence} follows ${account.sequence}.`);
    if (posting.balance !== account.balance + posting.delta)
      fault(
        'balance',
        account.id,
        `Posting ${posting.sequence} says ${posting.balance}, the sum is ${account.balance + posting.delta}.`,
      );
    if (posting.currency !== account.currency)
      fault('currency', account.id, `Posting ${posting.sequence} is in ${posting.currency}.`);
    account.sequence = posting.sequence;
    account.balance += posting.delta;
    if (posting.side === 'debit') account.pendingDebit += posting.reserved;
    else account.pendingCredit += posting.reserved;
  }
}

function postingsOf(row: TransferRow): readonly Posting[] {
  const moved = row.phase === 'posted' || row.phase === 'post' ? row.amount : 0n;
  const reserved = row.phase === 'pending' ? row.amount : -row.released;
  const { currency } = row;
  return [
    {
      account: row.debit_account,
      sequence: row.debit_sequence,
      balance: row.debit_balance,
      delta: moved,
      reserved,
      side: 'debit',
      currency,
    },
    {
      account: row.credit_account,
      sequence: row.credit_sequence,
      balance: row.credit_balance,
      delta: -moved,
      reserved,
      side: 'credit',
      currency,
    },
  ];
}

function byBatch(rows: readonly TransferRow[]): ReadonlyMap<bigint, readonly TransferRow[]> {
  const batches = new Map<bigint, TransferRow[]>();
  for (const row of rows) {
    const batch = batches.get(row.batch_no);
    if (batch === undefined) batches.set(row.batch_no, [row]);
    else batch.push(row);
  }
  return batches;
}

/** Undefined if the validation trigger would refuse them. */
function digestOf({ form, batch_no }: Seal, batch: readonly TransferRow[]): Buffer | undefined {
  if (form === 1) return sha256(...batch.map(({ line }) => line ?? ''));
  const text = sealedText(batch_no, batch);
  return text === undefined ? undefined : sha256(text);
}

/** The first ledgers let a batch have several. */
function lastTimeOf(batch: readonly TransferRow[]): bigint | undefined {
  let last: bigint | undefined;
  for (const { posted_us } of batch) if (last === undefined || posted_us > last) last = posted_us;
  return last;
}

/** As many seals as cover a page of transfers, at least one. */
async function sealsAfter(tx: SqlSession, after: bigint) {
  const { rows } = await tx.query<Seal>(
    `SELECT batch_no, transfers, digest, form, (extract(epoch FROM sealed_at) * 1000000)::bigint AS sealed_us FROM (
       SELECT *, sum(transfers) OVER (ORDER BY batch_no) - transfers AS before FROM (
         SELECT batch_no, transfers, digest, form, sealed_at FROM ledger_batch WHERE batch_no > $1 ORDER BY batch_no LIMIT 2000) s) page
     WHERE before < 10000 ORDER BY batch_no`,
    [after],
  );
  return rows;
}

async function transfersBetween(
  tx: SqlSession,
  after: bigint,
  last: bigint,
): Promise<readonly TransferRow[]> {
  const { rows } = await tx.query<TransferRow>(
    `SELECT batch_no, batch_sequence, leg, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence, credit_balance, amount,
       released, phase, currency, kind, subject, operation, resolves, cause, (extract(epoch FROM posted_at) * 1000000)::bigint AS posted_us,
       CASE WHEN b.form = 1 THEN ledger_line(t) END AS line
     FROM ledger_transfer t LEFT JOIN ledger_batch b USING (batch_no)
     WHERE batch_no > $1 AND batch_no <= $2 ORDER BY batch_no, batch_sequence, debit_account, debit_sequence`,
    [after, last],
  );
  return rows;
}

async function compareCount(tx: SqlSession, transfers: bigint, fault: Report): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>('SELECT count(*) FROM ledger_transfer');
  if (rows[0]!.count !== transfers)
    fault('batch', 'ledger', `${rows[0]!.count} transfers stand, ${transfers} of them in sealed batches.`);
}

async function compareTip(tx: SqlSession, batches: bigint, chain: Buffer, fault: Report): Promise<void> {
  const { rows } = await tx.query<{ batch_no: bigint; chain: Buffer; is_its_time: boolean }>(
    `SELECT t.batch_no, t.chain, t.last_at = coalesce(b.sealed_at, '-infinity') AS is_its_time
     FROM ledger_chain_head t LEFT JOIN ledger_batch b USING (batch_no)`,
  );
  if (rows[0]?.batch_no !== batches || !rows[0].chain.equals(chain))
    fault('chain', 'ledger', `The ${batches} batches that stand are not those that were chained.`);
  else if (!rows[0].is_its_time)
    fault('chain', 'ledger', `Its last batch is said to be of another time than ${batches} is.`);
}
