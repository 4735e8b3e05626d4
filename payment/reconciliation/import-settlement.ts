import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Providers } from '../psp/providers.js';
import type { SettlementSettings } from '../settings/settlement-settings.js';
import { reconciliationLimits } from './limits.js';
import { overdueSettlements } from './overdue-settlements.js';
import { type Reconciled, reconcileSettlement } from './reconcile.js';
import type { SettlementAccounts } from './settlement-accounts.js';
import { writeSettlementFile } from './write-settlement-file.js';

export interface ImportDeps {
  readonly sql: Sql;
  readonly providers: Providers;
  readonly accounts?: SettlementAccounts | undefined;
  readonly nowMs: () => number;
  readonly settings: SettlementSettings;
}

export type Imported =
  | Reconciled
  /** No provider of this name is configured. */
  | { readonly kind: 'unknown_provider' }
  /** The provider has no calls for it. */
  | { readonly kind: 'sends_files' }
  /** The day has not ended by our clock. */
  | { readonly kind: 'not_over' }
  /** Nothing was stored; the same again may succeed. */
  | { readonly kind: 'unavailable'; readonly reason: string };

const dayMs = 86_400_000;

/**
 * Asks a provider what it settled on a day (UTC, `2026-11-20`) and reconciles that like a settlement file,
 * whole or not at all. A day that is known returns its first report, unless the provider says something else
 * about it now, which is refused.
 */
export async function importSettlement(
  { sql, providers, accounts, nowMs, settings }: ImportDeps,
  provider: string,
  day: string,
): Promise<Imported> {
  const psp = providers.of(provider);
  if (psp === undefined) return { kind: 'unknown_provider' };
  if (psp.settlement === undefined) return { kind: 'sends_files' };
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  const period = { fromMs, toMs: fromMs + dayMs };
  if (period.toMs + settings.clockToleranceMs > nowMs()) return { kind: 'not_over' };
  const answer = await psp.settlement(period);
  if (answer.kind !== 'known') return { kind: 'unavailable', reason: reasonOf(answer) };
  const bytes = writeSettlementFile({ fileId: `${provider}-${day}`, provider, period }, answer.value);
  return reconcileSettlement(sql, {
    source: `${provider} ${day}`,
    bytes: asyncOf(bytes),
    now: new Date(nowMs()),
    settings,
    ...(accounts === undefined ? {} : { accounts }),
  });
}

const reasonOf = (
  answer: { readonly kind: 'absent' } | { readonly code: string } | { readonly reason: string },
): string => ('reason' in answer ? answer.reason : 'code' in answer ? answer.code : 'absent');

async function* asyncOf<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/**
 * Imports the days of the last month that are due and that we do not have, the earliest first; of a provider
 * without any, yesterday. What fails is logged, and tried again in the next round.
 */
export async function importDueSettlements(deps: ImportDeps, logger: Logger): Promise<void> {
  for (const provider of deps.providers.settling()) {
    if (deps.accounts?.has(provider) === false) continue;
    for (const day of await daysOf(deps, provider)) {
      const outcome = await importSettlement(deps, provider, day);
      if (outcome.kind === 'reconciled' || outcome.kind === 'not_over') continue;
      const cause =
        'reason' in outcome
          ? `${outcome.reason}${'detail' in outcome ? `: ${outcome.detail}` : ''}`
          : outcome.kind;
      logger.error('the settlement of a day could not be imported', { provider, day, cause });
      // A later day before an earlier one would make the earlier one look late.
      break;
    }
  }
}

async function daysOf({ sql, nowMs, settings }: ImportDeps, provider: string): Promise<readonly string[]> {
  const now = new Date(nowMs());
  const { rows } = await sql.query<{ first: Date | null }>(
    'SELECT min(period_from) AS first FROM settlement_file WHERE provider = $1',
    [provider],
  );
  const monthAgoMs = now.getTime() - reconciliationLimits.periodDaysMax * dayMs;
  const sinceMs = Math.max(rows[0]!.first?.getTime() ?? now.getTime() - dayMs, monthAgoMs);
  return overdueSettlements(sql, {
    provider,
    since: new Date(sinceMs),
    dueAfterMs: settings.importAfterMs,
    now,
  });
}
