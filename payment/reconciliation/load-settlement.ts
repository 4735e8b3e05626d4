import type { CopyIn, Sql, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { type SettlementSettings, settlementDefaults } from '../settings/settlement-settings.js';
import { dueBefore } from './overdue-settlements.js';
import { readSettlementFile, SettlementRefused, type SettlementSink } from './read-settlement-file.js';
import type { SettlementAccounts } from './settlement-accounts.js';
import type { SettlementHeader } from './settlement-line.js';

/** A person answers for a file that came late. */
export interface LateAcceptance {
  readonly who: string;
  /** Kept in the audit log; at most `reconciliationLimits.lateReasonLengthMax` characters. */
  readonly why: string;
}

export interface SettlementBytes {
  /** Names the file in the record of refusals. */
  readonly source: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly now: Date;
  /** Files of other accounts are refused; absent: any provider in any currency. */
  readonly accounts?: SettlementAccounts;
  /** A new file is refused this long after its period has ended; absent: never. */
  readonly dueAfterMs?: number;
  /** Stores the file although it is late; no effect on another one. */
  readonly acceptLate?: LateAcceptance;
  /** Default: `reconciliationLimits.linesMax`. */
  readonly linesMax?: number;
  /** Default: `settlementDefaults`. */
  readonly settings?: SettlementSettings;
}

export type Loaded =
  | { readonly kind: 'loaded' | 'known'; readonly fileNo: number; readonly lines: number }
  /** Nothing of it was stored; the refusal is recorded. */
  | { readonly kind: 'refused'; readonly reason: SettlementRefused['reason']; readonly detail: string };

/**
 * Stores a settlement file completely or not at all, in one transaction that ends after its trailer was
 * checked. The same file again is `known`, also when both are loaded at once.
 */
export async function loadSettlement(sql: Sql, file: SettlementBytes): Promise<Loaded> {
  try {
    return await sql.transaction((tx) => load(tx, file), {
      attempts: 1,
      statementTimeoutMs: (file.settings ?? settlementDefaults).statementTimeoutMs,
    });
  } catch (error) {
    if (error instanceof Known) return { kind: 'known', fileNo: error.fileNo, lines: error.lines };
    if (!(error instanceof SettlementRefused)) throw error;
    const { reason, message } = error;
    await sql.query('INSERT INTO settlement_refusal (source, reason, detail, at) VALUES ($1, $2, $3, $4)', [
      file.source,
      reason,
      message,
      file.now,
    ]);
    return { kind: 'refused', reason, detail: message };
  }
}

/** Rolls the lines back that we have already. */
class Known extends Error {
  readonly fileNo: number;
  readonly lines: number;

  constructor(fileNo: number, lines: number) {
    super();
    this.fileNo = fileNo;
    this.lines = lines;
  }
}

interface Before {
  readonly fileNo: number;
  readonly sha256: string;
  readonly lines: number;
}

async function load(
  tx: SqlTransaction,
  { bytes, now, accounts, linesMax, dueAfterMs, acceptLate }: SettlementBytes,
): Promise<Loaded> {
  let before: Before | undefined;
  let fileNo = 0;
  let copy: CopyIn | undefined;
  let isLate = false;
  const sink: SettlementSink = {
    onHeader: async (head) => {
      if (accounts !== undefined && !accounts.has(head.provider))
        throw new SettlementRefused(
          'provider',
          `We have no account at ${head.provider}. SETTLEMENT_ACCOUNTS names the accounts.`,
        );
      const inserted = await insert(tx, head, now);
      if (inserted === undefined) {
        before = await find(tx, head);
        return;
      }
      fileNo = inserted;
      isLate = dueAfterMs !== undefined && head.periodTo <= dueBefore({ now, dueAfterMs });
      // It is read to its end without being stored: damage is the better reason for refusing it.
      if (isLate && acceptLate === undefined) return;
      copy =
        tx.copyIn(`COPY settlement_line (file_no, line_no, kind, payment_order_id, operation, psp_reference, amount_minor, fee_minor,
        currency, succeeded, occurred_at, payout_id) FROM STDIN`);
    },
    // Of a known file only the checksum matters.
    onLines: async (rows, first) => {
      await copy?.write(rows.map((row, index) => `${fileNo}\t${first + index}\t${row}\n`).join(''));
    },
    currenciesOf: ({ provider }) => accounts?.get(provider),
  };
  const { header, lines, sha256 } = await readSettlementFile(bytes, sink, linesMax);
  await copy?.end();
  // Until a range of pages is summarized, each search for the lines of one file reads it, and the table
  // covers years.
  if (copy !== undefined) await tx.query(`SELECT brin_summarize_new_values('settlement_line_file')`);
  if (before !== undefined) {
    if (before.sha256 === sha256) throw new Known(before.fileNo, before.lines);
    throw new SettlementRefused(
      'other_content',
      `The file ${header.fileId} was already loaded with the SHA-256 ${before.sha256}.`,
    );
  }
  if (isLate) {
    if (acceptLate === undefined) throw lateFile(header, dueAfterMs!);
    await tx.query('INSERT INTO settlement_late_acceptance (file_no, who, why, at) VALUES ($1, $2, $3, $4)', [
      fileNo,
      acceptLate.who,
      acceptLate.why,
      now,
    ]);
  }
  await tx.query('UPDATE settlement_file SET lines = $2, sha256 = $3 WHERE file_no = $1', [
    fileNo,
    lines,
    sha256,
  ]);
  return { kind: 'loaded', fileNo, lines };
}

const lateFile = ({ fileId, periodTo }: SettlementHeader, dueAfterMs: number): SettlementRefused =>
  new SettlementRefused(
    'late',
    `The period of ${fileId} ended at ${periodTo.toISOString()}, and files are due within ` +
      `${dueAfterMs / 3_600_000} hours (SETTLEMENT_DUE_HOURS).`,
  );

async function find(tx: SqlSession, { fileId, provider }: SettlementHeader): Promise<Before | undefined> {
  const { rows } = await tx.query<{ file_no: number; sha256: string; lines: number }>(
    'SELECT file_no, sha256, lines FROM settlement_file WHERE provider = $1 AND file_id = $2',
    [provider, fileId],
  );
  const row = rows[0];
  return row === undefined ? undefined : { fileNo: row.file_no, sha256: row.sha256, lines: row.lines };
}

/** Undefined when the file is known. Of two that load it at once, the second waits here for the first. */
async function insert(tx: SqlSession, head: SettlementHeader, now: Date): Promise<number | undefined> {
  const { rows } = await tx.query<{ file_no: number }>(
    `INSERT INTO settlement_file (file_id, provider, sha256, period_from, period_to, lines, received_at)
     VALUES ($1, $2, '', $3, $4, 0, $5) ON CONFLICT (provider, file_id) DO NOTHING RETURNING file_no`,
    [head.fileId, head.provider, head.periodFrom, head.periodTo, now],
  );
  return rows[0]?.file_no;
}
