import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { post } from '../ledger/ledger.js';
import type { Transfer } from '../ledger/transfer.js';
import { settlementDefaults } from '../settings/settlement-settings.js';
import { findMismatches } from './find-mismatches.js';
import { adjustmentOf, type Finding, type FindingKind, findingColumns, findingOfRow } from './finding.js';
import { reconciliationLimits } from './limits.js';
import { type Loaded, loadSettlement, type SettlementBytes } from './load-settlement.js';
import { bookPayouts } from './match-payouts.js';

export interface ReconciliationReport {
  readonly fileNo: number;
  readonly fileId: string;
  readonly provider: string;
  readonly periodFrom: Date;
  readonly periodTo: Date;
  readonly lines: number;
  readonly sha256: string;
  /** When it was first received. */
  readonly receivedAt: Date;
  /** Findings of the file by kind; absent kinds have none. */
  readonly found: Readonly<Partial<Record<FindingKind, number>>>;
  /** By class. */
  readonly adjusted: number;
  readonly queued: number;
  readonly toInvestigate: number;
}

export type Reconciled =
  | { readonly kind: 'reconciled'; readonly report: ReconciliationReport; readonly known: boolean }
  | Extract<Loaded, { kind: 'refused' }>;

/**
 * Takes a settlement file from its bytes to its report: checked whole, stored, compared with orders, ledger
 * and wallets, class 1 adjusted by balanced entries, the rest in the finance queue. The same file again
 * returns the same report and posts nothing. A run that was killed continues where it stopped. A damaged file
 * changes nothing; the caller raises an alert.
 */
export async function reconcileSettlement(sql: Sql, file: SettlementBytes): Promise<Reconciled> {
  const loaded = await loadSettlement(sql, file);
  if (loaded.kind === 'refused') return loaded;
  await match(sql, loaded.fileNo, file);
  while ((await adjustSome(sql, loaded.fileNo, file.now)) > 0);
  await sql.transaction((tx) => bookPayouts(tx, loaded.fileNo, file.now));
  await sql.query(
    'UPDATE settlement_file SET reconciled_at = $2 WHERE file_no = $1 AND reconciled_at IS NULL',
    [loaded.fileNo, file.now],
  );
  const report = await reportOf(sql, loaded.fileNo);
  return { kind: 'reconciled', report: report!, known: loaded.kind === 'known' };
}

/** The report of a file; undefined for one that we do not have. */
export async function reportOf(
  session: SqlSession,
  fileNo: number,
): Promise<ReconciliationReport | undefined> {
  const files = await session.query<FileRow & { lines: number; sha256: string; file_id: string }>(
    'SELECT * FROM settlement_file WHERE file_no = $1',
    [fileNo],
  );
  const file = files.rows[0];
  if (file === undefined) return undefined;
  const { rows } = await session.query<{ kind: FindingKind; class: number; count: bigint }>(
    'SELECT kind, class, count(*) FROM reconciliation_finding WHERE file_no = $1 ' +
      'GROUP BY kind, class ORDER BY kind',
    [fileNo],
  );
  const ofClass = (number: number) =>
    rows.filter((row) => row.class === number).reduce((sum, { count }) => sum + Number(count), 0);
  return {
    fileNo,
    fileId: file.file_id,
    provider: file.provider,
    periodFrom: file.period_from,
    periodTo: file.period_to,
    lines: file.lines,
    sha256: file.sha256,
    receivedAt: file.received_at,
    found: Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)])),
    adjusted: ofClass(1),
    queued: ofClass(2),
    toInvestigate: ofClass(3),
  };
}

interface FileRow extends Readonly<Record<string, unknown>> {
  readonly provider: string;
  readonly period_from: Date;
  readonly period_to: Date;
  readonly matched_at: Date | null;
  readonly received_at: Date;
}

async function match(
  sql: Sql,
  fileNo: number,
  { now, settings = settlementDefaults }: SettlementBytes,
): Promise<void> {
  await sql.transaction(
    async (tx) => {
      // Before the snapshot is taken, so that of two files the second sees that the first was compared, and
      // which lines they share.
      await tx.query('LOCK TABLE settlement_line IN SHARE UPDATE EXCLUSIVE MODE');
      const { rows } = await tx.query<FileRow>(
        'SELECT * FROM settlement_file WHERE file_no = $1 FOR UPDATE',
        [fileNo],
      );
      const { provider, period_from: periodFrom, period_to: periodTo, matched_at } = rows[0]!;
      if (matched_at !== null) return;
      await findMismatches(tx, { fileNo, provider, periodFrom, periodTo }, now, settings);
      await tx.query('UPDATE settlement_file SET matched_at = $2 WHERE file_no = $1', [fileNo, now]);
    },
    { isolation: 'repeatable read', statementTimeoutMs: settings.statementTimeoutMs },
  );
}

async function adjustSome(sql: Sql, fileNo: number, now: Date): Promise<number> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query(
      `SELECT ${findingColumns} FROM reconciliation_finding f JOIN settlement_file s USING (file_no)
       WHERE f.file_no = $1 AND f.class = 1 AND f.state = 'open' ORDER BY f.finding_no LIMIT $2 FOR UPDATE OF f`,
      [fileNo, reconciliationLimits.adjustedAtOnce],
    );
    const findings = rows.map(findingOfRow);
    const transfers = findings.map(transferOf).filter(({ legs }) => legs.length > 0);
    const outcome = await post(tx, transfers, { at: now });
    if (outcome.kind === 'refused')
      throw new Error(`The ledger rejected an adjustment: ${outcome.refusals[0]!.detail}`);
    await tx.query(
      `UPDATE reconciliation_finding SET state = 'adjusted', changed_at = $2 ` +
        'WHERE finding_no = ANY ($1::bigint[])',
      [findings.map(({ findingNo }) => findingNo), now],
    );
    return findings.length;
  });
}

/**
 * Named after the finding, so that it is posted once, and caused by the line, so that one leads to the other.
 */
function transferOf(finding: Finding): Transfer {
  return {
    subject: finding.paymentOrderId!,
    operation: `adjust:${finding.findingNo}`,
    kind: 'adjustment',
    // No entry for an operation that failed on both sides: no money moved.
    legs: adjustmentOf(finding),
    cause: `settlement ${finding.fileId} line ${finding.lineNo}`,
  };
}
