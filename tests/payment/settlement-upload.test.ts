import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { parseSettlementAccounts } from '#payment/reconciliation/settlement-accounts.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { fetchOrProblem } from '../http-problems.js';
import { doctorings, honestDay, payoutOf, textOf } from './doctored-file.js';
import { dayMs, fileOf } from './settlement-order.js';
import { openSettlementUploads, type SettlementUploads } from './settlement-uploads.js';

let uploads: SettlementUploads;
let sql: Sql;
let upload: SettlementUploads['upload'];
let count: SettlementUploads['count'];
/** Soon after the day of a file: it is not late, and what is booked then is not later than the next day. */
let uploadedMs: number;
beforeAll(async () => {
  uploads = await openSettlementUploads('psp,narrow:EUR+JPY,silent', () => uploadedMs);
  ({ sql, upload, count } = uploads);
});
afterAll(() => uploads?.close());

let runs = 0;
let day: Date;
let run: string;
beforeEach(() => {
  runs += 1;
  day = new Date(Date.UTC(2025, 0, 1) + runs * 20 * dayMs);
  run = `up-${runs}`;
  uploadedMs = day.getTime() + 1.1 * dayMs;
});
const eur = parseCurrency('EUR')!;
const stored = () => count('settlement_file WHERE file_id LIKE $1', [`${run}%`]);

proves('P-100', {
  asked: 'a file equal to the internal state: no mismatch, report stored, the same file the same report',
  shown: 'uploaded over HTTP: nothing is found, the report can be read, and a second upload has the same one',
  control: {
    in: 'payment/reconciliation/find-mismatches.ts',
    change: 'CASE WHEN captured_minor > 0 THEN captured_minor ELSE amount_minor END AS amount_minor',
    to: 'CASE WHEN captured_minor > 0 THEN captured_minor + 1 ELSE amount_minor END AS amount_minor',
  },
});
test('P-100: a file uploaded in small pieces is reconciled, and again returns the first report', async () => {
  const honest = await honestDay(sql, run, eur, day);
  const lines = [...Object.values(honest), payoutOf(honest)].map(textOf);
  const file = fileOf(run, day, lines);
  const first = await upload(file, 'finance.fay', 7);
  expect(first).toMatchObject({
    status: 201,
    replayed: null,
    body: { file_id: run, provider: 'psp', lines: 7, found: {}, adjusted: 0, queued: 0, to_investigate: 0 },
  });
  const booked = await count('ledger_transfer');
  expect(await upload(file, 'finance.eve')).toEqual({ ...first, status: 200, replayed: 'true' });
  expect(await count('ledger_transfer')).toBe(booked);
  expect(await stored()).toBe(1);
  const path = `${uploads.base}/v1/finance/settlement-files/${first.body['file_no']}`;
  const read = await fetch(path, { headers: { authorization: 'Bearer finance.fay' } });
  expect(await read.json()).toEqual(first.body);
  // The payout left the provider for our bank, once.
  const { rows } = await sql.query<{ sum: string }>(
    `SELECT sum(amount) FROM ledger_transfer WHERE subject = $1`,
    [payoutOf(honest).order],
  );
  expect(Number(rows[0]!.sum)).toBe(8_900);
  const unknown = await fetchOrProblem(`${uploads.base}/v1/finance/settlement-files/2147483647`, {
    headers: { authorization: 'Bearer finance.fay' },
  });
  expect(unknown.status).toBe(404);
});

test('the same file twice at once has one effect, and the second answer names the first', async () => {
  const honest = await honestDay(sql, run, eur, day);
  const file = fileOf(run, day, Object.values({ ...honest, a: { ...honest.a, fee: 25 } }).map(textOf));
  const [one, other] = await Promise.all([upload(file), upload(file)]);
  expect([one.status, other.status].toSorted()).toEqual([200, 201]);
  expect(one.body).toEqual(other.body);
  expect(await stored()).toBe(1);
  expect(await count(`settlement_line WHERE payment_order_id = $1`, [honest.a.order])).toBe(1);
  expect(await count(`ledger_transfer WHERE subject = $1 AND kind = 'adjustment'`, [honest.a.order])).toBe(1);
});

test('a third file at the same time is asked to come later', async () => {
  const files = [0, 1, 2].map((n) => fileOf(`${run}-${n}`, day, []));
  const outcomes = await Promise.all(files.map((file) => upload(file, 'finance.fay', 20)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([201, 201, 429]);
});

test('a damaged or foreign file is one clear error, and nothing of it is stored', async () => {
  const honest = await honestDay(sql, run, eur, day);
  const lines = Object.values(honest).map(textOf);
  const file = fileOf(run, day, lines);
  const changed = Buffer.from(file.toString().replace(',4000,', ',4001,'));
  const usd = lines.map((line) => line.replace(',EUR,', ',USD,'));
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(0), /truncated/],
    [file.subarray(0, file.length - 1), /truncated/],
    [file.subarray(0, file.length / 2), /truncated/],
    [changed, /sum/],
    [Buffer.from(file.toString().replace(/[0-9a-f]{64}/, '0'.repeat(64))), /checksum/],
    [Buffer.from(file.toString().replace('end,6', 'end,7')), /count/],
    [Buffer.concat([file, Buffer.from('x\n')]), /trailing/],
    [Buffer.from('{"not":"a settlement file"}\n'), /header/],
    [fileOf(run, day, lines, 'unknown'), /provider.*no account at unknown/],
    [fileOf(run, day, usd, 'narrow'), /currency.*Line 1 is in USD/],
    [fileOf(run, day, ['x'.repeat(600)]), /too_long/],
  ];
  for (const [bytes, detail] of cases) {
    const refused = await upload(bytes, 'finance.fay', 1_000);
    expect([refused.status, refused.body['code']]).toEqual([422, 'settlement-file-refused']);
    expect(refused.body['detail']).toMatch(detail);
  }
  expect(await stored()).toBe(0);
  expect(await count('settlement_line WHERE payment_order_id LIKE $1', [`${run}%`])).toBe(0);
  expect((await upload(file)).status).toBe(201);
  const other = await upload(fileOf(run, day, lines.slice(1)));
  expect([other.status, other.body['detail']]).toEqual([422, expect.stringMatching(/other_content/)]);
});

proves('F28', {
  asked: 'missing, twice, truncated, unknown ids, one minor unit off, another currency: all found',
  shown: 'each way of the corpus in which a file lies, uploaded: the report has it and nothing else',
  control: {
    in: 'payment/reconciliation/find-mismatches.ts',
    change: 'is_written_off OR psp_minor <> coalesce(own_minor, booked_minor)',
    to: 'is_written_off OR abs(psp_minor - coalesce(own_minor, booked_minor)) > 1',
  },
  from: 'outside',
});
test('F28: each mistake in an uploaded file is in its report, once, and nothing else is', async () => {
  const uploaded = Object.entries(doctorings).filter(([, { ours, pays }]) => !(ours || pays));
  expect(uploaded.length).toBeGreaterThan(25);
  for (const [index, [how, { found, lines }]] of uploaded.entries()) {
    const [id, on] = [`${run}-${index}`, new Date(day.getTime() + index * 10 * dayMs)];
    uploadedMs = on.getTime() + 1.1 * dayMs;
    const honest = await honestDay(sql, id, eur, on);
    const file = fileOf(id, on, lines(honest).map(textOf), 'silent');
    expect([how, (await upload(file.subarray(0, file.length - 20))).status]).toEqual([how, 422]);
    const { status, body } = await upload(file);
    const kinds = Object.entries(body['found'] as Record<string, number>);
    const all = kinds.flatMap(([kind, n]) => Array<string>(n).fill(kind));
    expect([how, status, ...all.toSorted()]).toEqual([how, 201, ...found]);
    const { adjusted, queued, to_investigate } = body as Record<string, number>;
    expect([how, adjusted! + queued! + to_investigate!]).toEqual([how, found.length]);
    expect([how, (await upload(file)).replayed]).toEqual([how, 'true']);
  }
});

test('only finance uploads and reads', async () => {
  const file = fileOf(run, day, []);
  for (const scope of ['desk', 'payouts', 'service', 'customer', 'operator'])
    expect((await upload(file, `${scope}.mal`)).status).toBe(403);
  expect(await stored()).toBe(0);
});

test('the accounts of a setting are read, and a wrong one is a sentence', () => {
  expect(parseSettlementAccounts('psp, other:EUR+USD')).toEqual(
    new Map([
      ['psp', undefined],
      ['other', new Set(['EUR', 'USD'])],
    ]),
  );
  for (const wrong of ['', 'PSP', 'a:b:c', 'psp:XXXX', 'psp:']) {
    expect(parseSettlementAccounts(wrong)).toMatch(/^SETTLEMENT_ACCOUNTS has /);
  }
});
