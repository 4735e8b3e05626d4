import { expect } from 'vitest';
import { recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { becomeServers, type HotelServers } from '#hotel/sharding/hotel-servers.js';
import type { MoveDeps } from '#hotel/sharding/move-hotel.js';
import { Placement } from '#hotel/sharding/placement.js';
import { ShardedReservations } from '#hotel/sharding/sharded-reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import { openHotelDatabase } from '../hotel/inventory-database.js';
import { openDatabase } from '../shared-postgres.js';

/** Moves of tests wait for no longer than needed. */
export const quick = { staleMs: 40, graceMs: 120, drainMs: 3_000 } as const;

/** The databases of two servers, `main` with the hotels that `db.hotel` makes, and `b`, which is empty. */
export async function openTwoServers(open = openDatabase, areServers = true) {
  const db = await openHotelDatabase(16, 30_000, open);
  const second = await open('hotel', hotelMigrations, { connectionsMax: 16 });
  const servers = new Map<string, Sql>([
    ['main', db.sql],
    ['b', second.sql],
  ]);
  if (areServers) await becomeServers(servers);
  const moves: MoveDeps = { servers, ...quick };
  const opened: ShardedReservations[] = [];
  const relays: OutboxRelay[] = [];
  return {
    db,
    servers,
    b: second.sql,
    moves,
    /** As a process of its own has them. */
    process(
      options: {
        readonly waitMs?: number;
        readonly staleMs?: number;
        readonly servers?: HotelServers;
        readonly holdsPerUserMax?: number;
      } = {},
    ) {
      const { servers: own = servers } = options;
      const placement = new Placement(own.get('main')!, { ...quick, ...options });
      const each = [...own].map(
        ([name, sql]) =>
          [
            name,
            new PostgresReservations({
              sql,
              now: () => db.clock.now,
              holdsPerUserMax: options.holdsPerUserMax ?? 1_000,
              isOneOfMany: true,
            }),
          ] as const,
      );
      const { holdsPerUserMax = 1_000 } = options;
      const reservations = new ShardedReservations(
        placement,
        new Map(each),
        own.get('main')!,
        holdsPerUserMax,
      );
      opened.push(reservations);
      return { placement, reservations };
    },
    /** Publishes what both servers have, in the order of each. */
    relay(publish: (server: string, events: readonly HotelEvent[]) => Promise<void>) {
      for (const [name, sql] of servers) {
        const relay = new OutboxRelay({
          sql,
          publish: (events) => publish(name, events),
          holder: name,
          pollMs: 5,
        });
        relays.push(relay);
        relay.start();
      }
    },
    /** Fails unless all counts are those of the reservations, and no hotel is at two servers. */
    async prove() {
      const found: string[] = [];
      for (const sql of servers.values()) {
        expect(await recount(sql)).toMatchObject({ oversold: [], miscounted: [], lost: [] });
        const { rows } = await sql.query('SELECT reservation_id FROM reservation');
        // One after the other: a long storm leaves more than a call takes arguments.
        for (const row of rows) found.push(row['reservation_id'] as string);
      }
      expect(new Set(found).size).toBe(found.length);
      return new Set(found);
    },
    async dispose() {
      for (const relay of relays) await relay.close();
      for (const one of opened) await one.close();
      await db.dispose();
      await second.dispose();
    },
  };
}

export type TwoServers = Awaited<ReturnType<typeof openTwoServers>>;
