import type { Sql } from '#platform/sql/sql.js';
import { post } from '../ledger/ledger.js';
import type { Transfer } from '../ledger/transfer.js';
import type { PayoutSettings } from '../settings/delivery-settings.js';
import { payoutLimits } from './limits.js';
import type { PayableState, PayablesProvider } from './payables-provider.js';
import {
  lockPayout,
  type Payout,
  type PayoutState,
  paymentOf,
  payoutOf,
  releaseOf,
  returnOf,
} from './payout.js';

export interface PayoutDeps {
  readonly sql: Sql;
  readonly provider: PayablesProvider;
  readonly now: () => Date;
  /** 0 ≤ random < 1, for the waits between attempts. */
  readonly random: () => number;
  readonly settings: PayoutSettings;
  /** A payout failed or was returned: a person must check the seller's bank account. Called once for each. */
  readonly onAlert: (payout: Payout) => void;
}

/**
 * Processes the payouts that are due: sends new ones and queries the provider about the others. Two
 * concurrent runners take different ones. Returns the number of processed payouts.
 */
export async function runPayouts(deps: PayoutDeps): Promise<number> {
  const taken = await take(deps);
  for (const payoutId of taken) {
    const payout = await payoutOf(deps.sql, payoutId);
    if (payout === undefined) continue;
    if (payout.state === 'created') await send(deps, payout);
    else await ask(deps, payout);
  }
  return taken.length;
}

/**
 * Books the state that the provider reports, in an answer, a query or a webhook. A repeated report has no
 * effect.
 */
export async function settlePayout(deps: PayoutDeps, payoutId: string, state: PayableState): Promise<void> {
  const alert = await deps.sql.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return undefined;
    const change = changeOf(payout, state);
    if (change === undefined) return undefined;
    const now = deps.now();
    if (change.transfers.length > 0) {
      const outcome = await post(tx, change.transfers, { at: now });
      if (outcome.kind === 'refused')
        throw new Error(`The ledger rejected the transfer: ${outcome.refusals[0]!.detail}`);
    }
    const due = change.ended ? null : new Date(now.getTime() + retryDelayMs(deps, payout.attempts));
    await tx.query(
      `UPDATE payout SET state = $2, provider_reference = coalesce($3, provider_reference), failure = coalesce($4, failure),
         next_attempt_at = $5, changed_at = $6 WHERE payout_id = $1`,
      [payoutId, change.state, change.reference ?? null, change.failure ?? null, due, now],
    );
    return change.alert ? payoutOf(tx, payoutId) : undefined;
  });
  if (alert !== undefined) deps.onAlert(alert);
}

async function take({ sql, now, settings }: PayoutDeps): Promise<readonly string[]> {
  const moment = now();
  const { rows } = await sql.query<{ payout_id: string }>(
    `UPDATE payout SET next_attempt_at = $2 WHERE payout_id IN (
       SELECT payout_id FROM payout WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING payout_id`,
    [moment, new Date(moment.getTime() + settings.leaseMs), payoutLimits.takenAtOnceMax],
  );
  return rows.map(({ payout_id }) => payout_id);
}

/**
 * `sending` is stored before the request is sent: a process that finds it later queries instead of sending.
 */
async function send(deps: PayoutDeps, payout: Payout): Promise<void> {
  const { rowCount } = await deps.sql.query(
    `UPDATE payout SET state = 'sending', attempts = attempts + 1, changed_at = $2 ` +
      `WHERE payout_id = $1 AND state = 'created'`,
    [payout.payoutId, deps.now()],
  );
  if (rowCount === 0) return;
  const { payoutId, sellerAccount, amount } = payout;
  await settlePayout(deps, payoutId, await deps.provider.pay({ payoutId, sellerAccount, amount }));
}

async function ask(deps: PayoutDeps, { payoutId, attempts }: Payout): Promise<void> {
  const found = await deps.provider.find(payoutId);
  if (found.kind !== 'absent') return settlePayout(deps, payoutId, found);
  const now = deps.now();
  await deps.sql.query(
    `UPDATE payout SET state = 'created', next_attempt_at = $2, changed_at = $3
     WHERE payout_id = $1 AND state IN ('sending', 'unknown')`,
    [payoutId, new Date(now.getTime() + retryDelayMs(deps, attempts)), now],
  );
}

interface Change {
  readonly state: PayoutState;
  readonly ended: boolean;
  readonly transfers: readonly Transfer[];
  readonly reference?: string;
  readonly failure?: string;
  readonly alert: boolean;
}

function changeOf(payout: Payout, said: PayableState): Change | undefined {
  // It was not sent to the provider.
  if (payout.state === 'awaiting_second') return undefined;
  const isOpen = !['paid', 'failed', 'returned'].includes(payout.state);
  switch (said.kind) {
    case 'paid': {
      if (!isOpen) return undefined;
      const { reference } = said;
      return { state: 'paid', ended: true, transfers: [paymentOf(payout)], reference, alert: false };
    }
    case 'failed': {
      if (!isOpen) return undefined;
      const failure = `${said.code}: ${said.reason}`;
      return { state: 'failed', ended: true, transfers: [releaseOf(payout)], failure, alert: true };
    }
    case 'returned': {
      if (payout.state === 'failed' || payout.state === 'returned') return undefined;
      // It may be returned before we learned that it was paid.
      const transfers = isOpen ? [releaseOf(payout)] : [returnOf(payout)];
      const failure = `returned: ${said.reason}`;
      const state = isOpen ? 'failed' : 'returned';
      return { state, ended: true, transfers, reference: said.reference, failure, alert: true };
    }
    case 'processing': {
      if (!isOpen) return undefined;
      return { state: 'processing', ended: false, transfers: [], reference: said.reference, alert: false };
    }
    case 'unknown':
      return isOpen ? { state: 'unknown', ended: false, transfers: [], alert: false } : undefined;
  }
}

function retryDelayMs({ random, settings }: PayoutDeps, attempts: number): number {
  return random() * Math.min(settings.retryMs * 2 ** attempts, settings.retryMsMax);
}
