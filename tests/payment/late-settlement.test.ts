import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { overdueSettlements, reportSettlements } from '#payment/reconciliation/overdue-settlements.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { DeedBody } from '#schemas/http/finance-audit.js';
import { proves } from '#tools/acceptance/proves.js';
import { allTables } from './all-tables.js';
import { honestDay, textOf } from './doctored-file.js';
import { dayMs, fileOf } from './settlement-order.js';
import { openSettlementUploads, type SettlementUploads } from './settlement-uploads.js';

const dueAfterMs = paymentDefaults.settlementDueAfterMs;
let uploads: SettlementUploads;
let nowMs: number;
beforeAll(async () => {
  uploads = await openSettlementUploads('psp', () => nowMs);
});
afterAll(() => uploads?.close());

let runs = 0;
let run: string;
let day: Date;
/** When the file of the day becomes late. */
let dueMs: number;
let file: Buffer;
beforeEach(async () => {
  runs += 1;
  run = `late-${runs}`;
  day = new Date(Date.UTC(2025, 0, 1) + runs * 100 * dayMs);
  dueMs = day.getTime() + dayMs + dueAfterMs;
  const honest = await honestDay(uploads.sql, run, parseCurrency('EUR')!, day);
  // A fee that is adjusted by itself.
  file = fileOf(run, day, Object.values({ ...honest, a: { ...honest.a, fee: 25 } }).map(textOf));
});

const upload = (bytes: Uint8Array, because?: string, who = 'finance.fay') =>
  uploads.upload(
    bytes,
    who,
    bytes.length,
    because === undefined ? '' : `?accept_late_because=${encodeURIComponent(because)}`,
  );
/** Everything but the record of refusals. */
const tables = () => allTables(uploads.sql, 'settlement_refusal');
const refusals = () =>
  uploads.count(`settlement_refusal WHERE reason = 'late' AND detail LIKE $1`, [`% ${run} %`]);
const adjustments = () =>
  uploads.count(`ledger_transfer WHERE subject LIKE $1 AND kind = 'adjustment'`, [`${run}%`]);
async function accepted(): Promise<readonly DeedBody[]> {
  const response = await fetch(`${uploads.base}/v1/finance/audit?limit=200`, {
    headers: { authorization: 'Bearer finance.eve' },
  });
  const { deeds } = (await response.json()) as { readonly deeds: readonly DeedBody[] };
  return deeds.filter(({ action }) => action === 'late_file_accepted');
}
const late = { status: 409, body: { code: 'settlement-file-late' } };

proves('P-104', {
  asked: 'a late file: refused completely, with an alert',
  shown:
    '12 h after its day: 409, only refusals, gauge and log change; a millisecond sooner it is reconciled',
  control: {
    in: 'payment/reconciliation/load-settlement.ts',
    change: 'head.periodTo <= dueBefore({ now, dueAfterMs })',
    to: 'head.periodTo < dueBefore({ now, dueAfterMs })',
  },
});
test('P-104: a file is refused whole from the moment on at which it is overdue', async () => {
  const overdue = (atMs: number) =>
    overdueSettlements(uploads.sql, { provider: 'psp', since: day, dueAfterMs, now: new Date(atMs) });
  const metrics = createMetrics();
  const gauge = async () => {
    await reportSettlements(uploads.sql, metrics, { now: new Date(nowMs + 1), dueAfterMs });
    return /^settlement_files_refused (\d+)$/m.exec((await metrics.scrape()).text)?.[1];
  };
  nowMs = dueMs;
  expect([await overdue(nowMs - 1), await overdue(nowMs)]).toEqual([[], [day.toISOString().slice(0, 10)]]);
  const before = await tables();
  expect(await gauge()).toBe('0');
  const refused = await upload(file);
  expect(refused).toMatchObject(late);
  expect(refused.body['detail']).toMatch(/ended at 20\S+T00:00:00.000Z.* 12 hours \(SETTLEMENT_DUE_HOURS\)/);
  expect(await tables()).toEqual(before);
  expect([await refusals(), await gauge()]).toEqual([1, '1']);
  const logged = uploads.logLines.filter((line) => line.includes('a settlement file was refused'));
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'error',
      source: 'upload by fay',
      reason: 'late',
      detail: refused.body['detail'],
    }),
  ]);

  nowMs = dueMs - 1;
  const first = await upload(file);
  expect(first).toMatchObject({ status: 201, body: { found: { fee_differs: 1 }, adjusted: 1 } });
  expect([await adjustments(), await refusals()]).toEqual([1, 1]);
  expect(await accepted()).toEqual([]);
});

test('P-104: a known file is a replay whenever it is sent, and other content is never accepted', async () => {
  nowMs = dueMs - 1;
  const first = await upload(file);
  expect(first.status).toBe(201);
  const before = await tables();
  for (const afterMs of [0, 1, 400 * dayMs]) {
    nowMs = dueMs + afterMs;
    expect(await upload(file)).toEqual({ ...first, status: 200, replayed: 'true' });
    expect(await upload(file, 'sent again')).toEqual({ ...first, status: 200, replayed: 'true' });
  }
  const other = await upload(fileOf(run, day, []), 'a correction');
  expect([other.status, other.body['detail']]).toEqual([422, expect.stringMatching(/other_content/)]);
  expect(await tables()).toEqual(before);
  expect([await refusals(), await accepted()]).toEqual([0, []]);
});

proves('P-104', {
  asked: 'what counts of a late file is a decision of finance',
  shown: 'with a reason it is reconciled as any other, and person and reason are in the audit log, once',
  control: {
    in: 'payment/reconciliation/load-settlement.ts',
    change: 'acceptLate.why,\n',
    to: "'late',\n",
  },
});
test('P-104: finance accepts a late file with a reason, which the audit log keeps', async () => {
  nowMs = dueMs + 30 * dayMs;
  const why = 'the provider’s transfer failed & was mended';
  const before = await tables();
  expect(await upload(file)).toMatchObject(late);
  for (const wrong of ['', '   ', 'a\u0000', 'x'.repeat(201)])
    expect([wrong, (await upload(file, wrong)).status]).toEqual([wrong, 400]);
  for (const scope of ['desk', 'payouts', 'service', 'operator'])
    expect([scope, (await upload(file, why, `${scope}.mal`)).status]).toEqual([scope, 403]);
  expect(await tables()).toEqual(before);

  const first = await upload(file, why);
  expect(first).toMatchObject({
    status: 201,
    replayed: null,
    body: { found: { fee_differs: 1 }, adjusted: 1 },
  });
  const deed = { who: 'fay', reason: why, subject: String(first.body['file_no']), payment_order_id: null };
  expect(await accepted()).toEqual([expect.objectContaining({ ...deed, at: new Date(nowMs).toISOString() })]);
  nowMs += dayMs;
  const again = { ...first, status: 200, replayed: 'true' };
  expect([await upload(file), await upload(file, 'another reason', 'finance.eve')]).toEqual([again, again]);
  expect([(await accepted()).length, await adjustments(), await refusals()]).toEqual([1, 1, 1]);
  for (const change of [
    `UPDATE settlement_late_acceptance SET why = 'x'`,
    'DELETE FROM settlement_late_acceptance',
  ])
    await expect(uploads.sql.query(change)).rejects.toThrow();
});

test('P-104: of two that accept a file at once one is recorded; a file in time needs no reason', async () => {
  const before = (await accepted()).length;
  nowMs = dueMs;
  const both = await Promise.all([upload(file, 'one'), upload(file, 'two', 'finance.eve')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
  expect(both[0].body).toEqual(both[1].body);
  expect([(await accepted()).length, await adjustments()]).toEqual([before + 1, 1]);
  nowMs = dueMs + dayMs - 1;
  const next = fileOf(`${run}-next`, new Date(day.getTime() + dayMs), []);
  expect((await upload(next, 'to be sure')).status).toBe(201);
  expect((await accepted()).length).toBe(before + 1);
});

test('P-104: damage is the reason that counts, and nobody can accept it', async () => {
  nowMs = dueMs + dayMs;
  const before = await tables();
  for (const because of [undefined, 'we know'])
    for (const damaged of [file.subarray(0, -1), Buffer.concat([file, file])])
      expect(await upload(damaged, because)).toMatchObject({
        status: 422,
        body: { code: 'settlement-file-refused' },
      });
  expect(await tables()).toEqual(before);
  expect(await refusals()).toBe(0);
});

proves('P-106', {
  asked: 'a missing file by the deadline raises an alert',
  shown: 'a provider that never sent a file: the gauge counts its days from its first capture on, at 12 h',
  control: {
    in: 'payment/reconciliation/overdue-settlements.ts',
    change: '       UNION ALL SELECT provider, at FROM provider_first_capture) s GROUP BY provider`,',
    to: '       ) s GROUP BY provider`,',
  },
});
test('P-106: a provider that captured money and never sent a file is overdue', async () => {
  const { sql } = uploads;
  const noon = new Date(day.getTime() + dayMs / 2);
  await sql.query(
    `INSERT INTO payment_events (checkout_id, caller, is_payment_done, created_at)
     VALUES ($1, $2, false, $3)`,
    [run, 'caller', noon],
  );
  for (const [position, provider] of ['silent', 'silent', 'unused'].entries())
    await sql.query(
      `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount,
         amount_minor, currency, payment_order_status, provider, expires_at, created_at, changed_at, manual_capture)
       VALUES ($1, $2, $3, 'buyer', 'DE02', '10.00', 1000, 'EUR', 'EXECUTING', $4, $5, $5, $5, false)`,
      [`${run}-${position}`, run, position, provider, noon],
    );
  const metrics = createMetrics();
  const overdueAt = async (atMs: number) => {
    await reportSettlements(sql, metrics, { now: new Date(atMs), dueAfterMs });
    return Number(/^settlement_files_overdue (\d+)$/m.exec((await metrics.scrape()).text)?.[1]);
  };
  const before = [await overdueAt(dueMs - 1), await overdueAt(dueMs), await overdueAt(dueMs + dayMs)];
  for (const position of [0, 1])
    await sql.query(
      `UPDATE payment_orders SET captured_minor = 1000, payment_order_status = 'SUCCESS', is_final = true,
         pending = NULL, version = version + 1, changed_at = $2 WHERE payment_order_id = $1`,
      [`${run}-${position}`, new Date(noon.getTime() + position * dayMs)],
    );
  const after = [await overdueAt(dueMs - 1), await overdueAt(dueMs), await overdueAt(dueMs + dayMs)];
  expect(after.map((days, index) => days - before[index]!)).toEqual([0, 1, 2]);
});
