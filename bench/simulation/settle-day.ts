import { createHash } from 'node:crypto';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { RecordLine } from '#payment-simulator/record.js';
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
  const honest = settlementFile(record, { day });
  const found = await reconcile(sql, honest, Date.parse(day) + dayMs + 3_600_000);
  const broken = Object.entries(found).map(([kind, n]) => `an honest settlement file: ${n} ${kind}`);
  const charge = honest.split('\n').find((line) => line.startsWith('charge,'));
  if (charge === undefined) return broken;
  const again = await reconcile(
    sql,
    secondCharge(charge, Date.parse(day) + dayMs),
    Date.parse(day) + 2 * dayMs + 3_600_000,
  );
  if (again['settled_twice'] !== 1) broken.push(`a second charge of one order: ${JSON.stringify(again)}`);
  return broken;
}

/** The file of a day with nothing but this charge, at noon, under another reference. */
function secondCharge(line: string, dayStartMs: number): string {
  const [kind, order, operation, reference, amount, fee, currency, status] = line.split(',');
  const [from, to, at] = [0, dayMs, dayMs / 2].map((ms) => new Date(dayStartMs + ms).toISOString());
  const day = from!.slice(0, 10);
  const body =
    `meridian-settlement,1,psp-${day}-1,psp,${from},${to},${to}\n` +
    `${[kind, order, operation, `${reference}-again`, amount, fee, currency, status, at].join()}\n`;
  return `${body}end,1,${amount},${fee},${createHash('sha256').update(body).digest('hex')}\n`;
}

async function reconcile(sql: Sql, text: string, atMs: number): Promise<Readonly<Record<string, number>>> {
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const outcome = await reconcileSettlement(sql, { source: 'simulation', bytes, now: new Date(atMs) });
  if (outcome.kind !== 'reconciled') throw new Error(`${outcome.reason}: ${outcome.detail}`);
  return outcome.report.found;
}
