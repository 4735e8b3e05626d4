import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { type PublishedRoots, readPublishedRoots } from '#payment/ledger/published-roots.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { reconciliationLimits } from '#payment/reconciliation/limits.js';
import type { LateAcceptance } from '#payment/reconciliation/load-settlement.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';
import { settlementAccounts } from '../settlement-accounts.js';
import { paymentSettingsOf } from '../start/payment-settings-of.js';

export async function verifyBooks({ published }: { readonly published?: true }): Promise<void> {
  const roots = published === true ? await publishedRoots() : undefined;
  const verdict = await withBooks((sql) => verifyLedger(sql, roots));
  print(verdict);
  if (verdict.faultsTotal > 0)
    throw new CommandFailed(`The ledger has ${verdict.faultsTotal} faults.`, exitCode.failed);
}

export interface LateOptions {
  readonly acceptLate?: string;
  readonly by?: string;
}

export async function reconcileFile(path: string, options: LateOptions): Promise<void> {
  const config = readSettings();
  const accounts = settlementAccounts(config);
  const { settlementDueAfterMs: dueAfterMs, settlements: settings } = paymentSettingsOf(config);
  const acceptLate = lateAcceptanceOf(options);
  const outcome = await withBooks((sql) =>
    reconcileSettlement(sql, {
      source: basename(path),
      bytes: createReadStream(path),
      now: new Date(),
      accounts,
      dueAfterMs,
      settings,
      ...(acceptLate === undefined ? {} : { acceptLate }),
    }),
  );
  if (outcome.kind === 'refused')
    throw new CommandFailed(
      outcome.reason === 'late' ? `${outcome.detail} ${howToAccept}` : outcome.detail,
      exitCode.failed,
    );
  print(outcome.report);
}

const howToAccept = 'To reconcile it all the same, add --accept-late <why> --by <person>.';

function lateAcceptanceOf({ acceptLate: why, by: who }: LateOptions): LateAcceptance | undefined {
  if (why === undefined && who === undefined) return undefined;
  if (why === undefined || who === undefined)
    throw new CommandFailed('--accept-late and --by belong together.', exitCode.usage);
  const most = reconciliationLimits.lateReasonLengthMax;
  for (const [name, text] of Object.entries({ '--accept-late': why, '--by': who }))
    if (text.trim() === '' || text.length > most)
      throw new CommandFailed(`${name} must have 1 to ${most} characters.`, exitCode.usage);
  return { who, why };
}

export async function showProof(): Promise<void> {
  print(await withBooks(proveMoney));
}

async function publishedRoots(): Promise<PublishedRoots> {
  const config = readSettings();
  const log = await openEventLog(config.EVENT_LOG ?? `embedded:${join(config.MERIDIAN_DATA, 'log')}`);
  const registry = await openSchemaRegistry(
    config.SCHEMA_REGISTRY_URL ?? `embedded:${join(config.MERIDIAN_DATA, 'schemas')}`,
  );
  try {
    return await readPublishedRoots(log, (await openTopicCodecs(registry)).paymentNotice);
  } finally {
    await registry.close();
    await log.close();
  }
}

async function withBooks<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const config = readSettings();
  const sql = await openSql(config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`);
  try {
    await sql.migrate('payment', paymentMigrations);
    return await work(sql);
  } finally {
    await sql.close();
  }
}

function print(value: object): void {
  console.log(
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item), 2),
  );
}
