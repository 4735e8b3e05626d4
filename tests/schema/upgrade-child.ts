import { hotelMigrations } from '#hotel/migrations.js';
import { paymentMigrations } from '#payment/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';

/** A program that starts on the database of the address and ends when its schema is up to date. */
const [address, service] = process.argv.slice(2);
const sql = await openSql(address!);
await sql.migrate(service!, service === 'hotel' ? hotelMigrations : paymentMigrations);
await sql.close();
