import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLog } from '#payment/finance/audit-log.js';
import { proves } from '#tools/acceptance/proves.js';
import { meridian } from '../main-job/running-platform.js';
import { allTables } from '../payment/all-tables.js';
import { openLedgerDatabase } from '../payment/ledger-database.js';
import { dayMs, fileOf } from '../payment/settlement-order.js';
import type { TestDatabase } from '../shared-postgres.js';

const hourMs = 3_600_000;
let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await openLedgerDatabase();
  folder = await mkdtemp(join(tmpdir(), 'meridian-reconcile-'));
});
afterAll(async () => {
  await database?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A file without lines whose day ended this long ago. */
async function written(id: string, endedAgoMs: number): Promise<string> {
  const path = join(folder, `${id}.txt`);
  await writeFile(path, fileOf(id, new Date(Date.now() - endedAgoMs - dayMs), []));
  return path;
}
const reconcile = (path: string, options: readonly string[] = [], env: Record<string, string> = {}) =>
  meridian(['ledger', 'reconcile', path, ...options], {
    MERIDIAN_DATA: join(folder, 'data'),
    SQL: database.address,
    ...env,
  });

proves('P-104', {
  asked: 'a late file: refused completely by the command, too',
  shown: 'exit code 1 and every table but that of refusals unchanged; accepted by a person with a reason',
  control: {
    in: 'cli/programs/ledger.ts',
    change: '      dueAfterMs,\n',
    to: '      dueAfterMs: 2 * dueAfterMs,\n',
  },
});
test('P-104: meridian ledger reconcile refuses a late file unless a person accepts it', async () => {
  const inTime = await reconcile(await written('in-time', 11 * hourMs));
  expect([inTime.stderr, inTime.code]).toEqual(['', 0]);
  expect(JSON.parse(inTime.stdout)).toMatchObject({ fileId: 'in-time', provider: 'psp', lines: 0 });

  const late = await written('late', 12 * hourMs);
  const before = await allTables(database.sql, 'settlement_refusal');
  const refused = await reconcile(late);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/\(late\).*12 hours.*--accept-late <why> --by <person>/);
  for (const incomplete of [
    ['--accept-late', 'an outage'],
    ['--by', 'eve'],
    ['--accept-late', ' ', '--by', 'eve'],
  ])
    expect([incomplete, (await reconcile(late, incomplete)).code]).toEqual([incomplete, 2]);
  expect(await allTables(database.sql, 'settlement_refusal')).toEqual(before);
  const { rows } = await database.sql.query('SELECT source, reason FROM settlement_refusal');
  expect(rows).toEqual([{ source: 'late.txt', reason: 'late' }]);

  const accepted = await reconcile(late, ['--accept-late', 'an outage', '--by', 'eve']);
  expect([accepted.stderr, accepted.code]).toEqual(['', 0]);
  expect((await auditLog(database.sql, { limit: 10 })).deeds).toMatchObject([
    { action: 'late_file_accepted', who: 'eve', reason: 'an outage' },
  ]);
  const again = await reconcile(late);
  expect([again.stdout, again.code]).toEqual([accepted.stdout, 0]);

  const patient = await reconcile(await written('patient', 35 * hourMs), [], { SETTLEMENT_DUE_HOURS: '36' });
  expect([patient.stderr, patient.code]).toEqual(['', 0]);
}, 180_000);
