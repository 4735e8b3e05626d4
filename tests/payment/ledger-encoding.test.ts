import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { type DatabaseServer, startDatabaseServer } from '../schema/server.js';
import { eur } from './ledger-database.js';

let server: DatabaseServer;
beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server?.close());

test('a database with the encoding LATIN1 is refused', async () => {
  const sql = await server.open(await server.create('LATIN1'));
  await expect(sql.migrate('payment', paymentMigrations)).rejects.toThrow('keeps text as LATIN1');
});

test('a seal is valid in a database with SQL_ASCII', async () => {
  const sql = await server.open(await server.create('SQL_ASCII'));
  await sql.migrate('payment', paymentMigrations);
  const capture = captureOf({ paymentOrderId: 'café', seller: 'DE', amount: eur(100) });
  await sql.transaction((tx) => post(tx, [capture]));
  expect((await verifyLedger(sql)).faults).toEqual([]);
});
