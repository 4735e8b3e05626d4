import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const kills = 3;

describe('PostgreSQL of reservations is killed under load', () => {
  let hotel: HotelUnderFault;
  beforeAll(async () => {
    hotel = await HotelUnderFault.open({ rooms: 400 });
    // Only commits write the log: the server's own writer would hide a commit that does not wait.
    const sql = await hotel.sql();
    await sql.query('ALTER SYSTEM SET wal_writer_delay = 10000');
    await sql.query("ALTER SYSTEM SET wal_writer_flush_after = '1GB'");
    await sql.query('SELECT pg_reload_conf()');
    await sql.close();
  });
  afterAll(() => hotel?.close());

  /** Its children end as soon as they notice. */
  async function killPostgres(): Promise<void> {
    const postmaster = hotel.postgres()!;
    process.kill(postmaster, 'SIGKILL');
    await eventually(() => expect([undefined, postmaster]).not.toContain(hotel.postgres()));
  }

  async function lostAfterKills(): Promise<readonly string[]> {
    const guests = await hotel.guests(12);
    for (let kill = 0; kill < kills; kill += 1) {
      await guests.more(30);
      await killPostgres();
    }
    await guests.more(30);
    await guests.stop();
    // Without broken answers the server was not killed under load.
    expect([...guests.statuses.keys()].some((status) => status === 503 || status === 0)).toBe(true);
    return hotel.lost(guests.asked);
  }

  proves('F18', {
    asked: 'PostgreSQL: kill -9, 15 times: nothing acknowledged lost, counts right, recovery 4.3 s',
    shown: 'three kills of the server under twelve guests: every acknowledged reservation is there',
    scaled: '3 : 15',
    missing: 'the time of recovery is not stated',
    settings: ['no rate limits', 'wal_writer_delay 10 s'],
    control: {
      in: 'platform/sql/postgres-sql.ts',
      change: "options: '-c synchronous_commit=on',",
      to: "options: '-c synchronous_commit=off',",
    },
    from: 'outside',
  });
  it('F18: kill -9 of PostgreSQL loses no acknowledged reservation, and counts stay right', async () => {
    expect(await lostAfterKills()).toEqual([]);
    await hotel.countsAreRight();
  });
});
