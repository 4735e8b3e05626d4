import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hotelMigrations } from '#hotel/migrations.js';
import { paymentMigrations } from '#payment/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { seeded } from '../routing/seeded.js';
import { checkCity, type Witnesses } from './check-city.js';
import { City, startMs } from './city.js';
import { withSeededIds } from './seeded-ids.js';

export interface CityOptions {
  readonly seed: number;
  /** Virtual hours in which people book and pay and things go wrong; a quiet one follows. */
  readonly hours: number;
  readonly guests: number;
  readonly buyers: number;
  /**
   * A folder with a database that several cities use one after the other; it is emptied first. If absent, a
   * new one is created and removed afterwards.
   */
  readonly database?: string;
}

export interface CityReport {
  readonly seed: number;
  /** Violations as sentences; empty if there are none. */
  readonly broken: readonly string[];
  /**
   * A digest of everything that the provider did and everything that was published, in order: equal for equal
   * seeds.
   */
  readonly digest: string;
  readonly virtualS: number;
  readonly wallS: number;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Guests book and shops sell, in virtual time and from one seed: the product's own hotel, booking, payment,
 * executor, ledger and relays, on a real PostgreSQL over one connection, with the provider's books, the
 * network, the log and the clock in memory. Processes die between any two statements, replies and webhooks
 * are lost, copied, late and forged, records repeat, groups lag. Afterwards the faults stop, and everything
 * is compared with everything.
 */
export async function simulateCity(options: CityOptions): Promise<CityReport> {
  const { seed, hours, guests, buyers, database } = options;
  const folder = mkdtempSync(join(tmpdir(), 'meridian-simulation-'));
  const random = seeded(seed);
  const sql = await openSql(`embedded:${database ?? join(folder, 'sql')}`, { connectionsMax: 1, random });
  try {
    await makeNew(sql);
    const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
    const city = new City(sql, await openTopicCodecs(registry), random);
    const startedAt = performance.now();
    await withSeededIds(seed ^ 0x5eed, () => city.live(hours, guests, buyers));
    const wallS = (performance.now() - startedAt) / 1_000;
    const witnesses = city.witnesses();
    const broken = await checkCity(sql, witnesses);
    await registry.close();
    const virtualS = (witnesses.nowMs - startMs) / 1_000;
    return { seed, broken, digest: digestOf(witnesses), virtualS, wallS, counts: city.counts };
  } finally {
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An empty database. Its server never dies here, so no commit has to wait for the disk. */
async function makeNew(sql: Sql): Promise<void> {
  await sql.query('SET synchronous_commit = off');
  await sql.query('DROP SCHEMA public CASCADE');
  await sql.query('CREATE SCHEMA public');
  await sql.migrate('hotel', hotelMigrations);
  await sql.migrate('payment', paymentMigrations);
  await sql.migrate('booking', bookingMigrations);
}

function digestOf({ record, published }: Witnesses): string {
  const digest = createHash('sha256');
  for (const line of record) digest.update(JSON.stringify(line));
  for (const eventId of published) digest.update(eventId);
  return digest.digest('hex');
}
