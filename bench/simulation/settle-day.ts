import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { writeSettlementFile } from '#payment/reconciliation/write-settlement-file.js';
import type { RecordLine, SimulatedPayment } from '#payment-simulator/record.js';
import { settlementFile } from '#payment-simulator/settlement.js';
import type { Sql } from '#platform/sql/sql.js';

const dayMs = 86_400_000;

/**
 * The provider settles the day of the simulation honestly, which nobody must be asked about; then one charge
 * of it appears a second time under another reference in the file of the next day, which a person must be
 * asked about. Returns a sentence for each violation.
 */
export async function settleDay(
  sql: Sql,
  { record, nowMs }: { readonly record: readonly RecordLine[]; readonly nowMs: number },
): Promise<readonly string[]> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const tomorrowMs = Date.parse(day) + dayMs;
  const found = await reconcile(sql, [Buffer.from(settlementFile(record, { day }))], tomorrowMs);
  const broken = Object.entries(found).map(([kind, n]) => `an honest settlement file: ${n} ${kind}`);
  const charged = record.flatMap((line) => (line.kind === 'payment' ? [line.payment] : []));
  const payment = charged.find(({ status }) => status === 'captured');
  if (payment === undefined) return broken;
  const again = await reconcile(sql, secondCharge(payment, tomorrowMs), tomorrowMs + dayMs);
  if (again['settled_twice'] !== 1) broken.push(`a second charge of one order: ${JSON.stringify(again)}`);
  return broken;
}

/** The file of the day from then on, with nothing but this charge, at noon, under another reference. */
function secondCharge(payment: SimulatedPayment, fromMs: number): Iterable<Buffer> {
  const file = {
    fileId: `again-${fromMs}`,
    provider: 'psp',
    period: { fromMs, toMs: fromMs + dayMs },
  };
  const line = {
    kind: 'charge',
    nonce: payment.nonce,
    operation: payment.nonce,
    reference: `${payment.reference}-again`,
    amountMinor: BigInt(payment.capturedMinor),
    feeMinor: 0n,
    currency: payment.currency,
    succeeded: true,
    atMs: fromMs + dayMs / 2,
  } as const;
  return writeSettlementFile(file, [line]);
}

/** An hour after the end of the file's day. */
async function reconcile(
  sql: Sql,
  file: Iterable<Buffer>,
  dayEndMs: number,
): Promise<Readonly<Record<string, number>>> {
  const bytes = (async function* () {
    yield* file;
  })();
  const now = new Date(dayEndMs + 3_600_000);
  const outcome = await reconcileSettlement(sql, { source: 'simulation', bytes, now });
  if (outcome.kind !== 'reconciled') throw new Error(`${outcome.reason}: ${outcome.detail}`);
  return outcome.report.found;
}
