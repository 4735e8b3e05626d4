import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hotelMigrations } from '#hotel/migrations.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import type { Sql } from '#platform/sql/sql.js';
import { until } from '../contracts/until.js';
import { catalogueOf } from './catalogue.js';
import { earlierHistory } from './earlier-history.js';
import { fillHotel } from './hotel-rows.js';
import { fillPayment } from './payment-rows.js';
import { lostRows, tablesOf } from './rows.js';
import { type DatabaseServer, startDatabaseServer } from './server.js';

const program = fileURLToPath(new URL('../../dist/tests/schema/upgrade-child.js', import.meta.url));

let server: DatabaseServer;
beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server?.close());

type Service = 'hotel' | 'payment';
const migrationsOf = { hotel: hotelMigrations, payment: paymentMigrations };

async function databaseOf(service: Service): Promise<{ readonly sql: Sql; readonly address: string }> {
  const address = await server.create();
  const sql = await server.open(address);
  if (service === 'hotel') {
    await sql.migrate('hotel', earlierHistory('hotel'));
    await fillHotel(sql);
  } else {
    await fillPayment(sql);
  }
  return { sql, address };
}

const start = (address: string, service: Service): ChildProcess =>
  spawn(process.execPath, [program, address, service], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });

const recordOf = async (sql: Sql) =>
  (await sql.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')).rows.map(
    ({ name }) => name,
  );

describe.each([
  // The new enum value is committed before the next step, which waits for this table.
  { service: 'hotel', stopsAt: 'reservation', committed: ['0056-lock-users', '0057-add-payment-returned'] },
  // All steps are one transaction, and a later one of them waits for this table.
  { service: 'payment', stopsAt: 'payment_events', committed: [] },
] as const)('the upgrade of $service', ({ service, stopsAt, committed }) => {
  test('the next program continues an upgrade that a kill interrupted', async () => {
    const { sql, address } = await databaseOf(service);
    const [before, history] = [await tablesOf(sql), await recordOf(sql)];
    const catalogue = await catalogueOf(sql);
    await sql.transaction(async (tx) => {
      await tx.query(`LOCK TABLE ${stopsAt} IN ACCESS SHARE MODE`);
      const child = start(address, service);
      const closed = once(child, 'close');
      await until('the upgrade to wait', async () => {
        const { rowCount } = await tx.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = '${stopsAt}'::regclass`,
        );
        return rowCount > 0;
      });
      child.kill('SIGKILL');
      expect(await closed).toEqual([null, 'SIGKILL']);
    });
    await until('the server to notice', async () => {
      const { rowCount } = await sql.query(`SELECT FROM pg_locks WHERE locktype = 'advisory'`);
      return rowCount === 0;
    });
    expect(await recordOf(sql)).toEqual([...history, ...committed]);
    if (committed.length === 0) expect(await catalogueOf(sql)).toEqual(catalogue);
    const next = start(address, service);
    expect(await once(next, 'close')).toEqual([0, null]);
    expect(await recordOf(sql)).toEqual(migrationsOf[service].map(({ name }) => name));
    expect(await lostRows(sql, before)).toEqual([]);
    const whole = await databaseOf(service);
    await whole.sql.migrate(service, migrationsOf[service]);
    expect(await catalogueOf(sql)).toEqual(await catalogueOf(whole.sql));
    if (service === 'payment') expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('only one of several programs that start at the same time upgrades', async () => {
    const { sql, address } = await databaseOf(service);
    const before = await tablesOf(sql);
    const programs = [start(address, service), start(address, service), start(address, service)];
    const ends = await Promise.all(programs.map((one) => once(one, 'close')));
    expect(ends).toEqual(programs.map(() => [0, null]));
    expect(await recordOf(sql)).toEqual(migrationsOf[service].map(({ name }) => name));
    expect(await lostRows(sql, before)).toEqual([]);
  });
});
