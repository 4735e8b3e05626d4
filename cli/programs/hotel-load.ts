import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { recount } from '#hotel/inventory/recount.js';
import { loadDefaults, loadHotels } from '#hotel/load/load-hotels.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { type HotelServers, home } from '#hotel/sharding/hotel-servers.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { CommandFailed } from '../exit.js';
import { buildProgress } from '../open/build-progress.js';
import { openDatabase } from '../open/open-database.js';
import { closeHotelServers, openHotelServers } from '../open/open-hotel-servers.js';
import { readSettings } from '../read-settings.js';

export interface HotelSize {
  readonly hotels: number;
  readonly roomTypes?: number;
  readonly rooms?: number;
  readonly days?: number;
  readonly json?: boolean;
}

/** Opens the databases with the tables of hotels for as long as the work takes; the first is that of SQL. */
export async function withServers<Result>(work: (servers: HotelServers) => Promise<Result>): Promise<Result> {
  const config = readSettings();
  const sql = await openDatabase(config, silentLogger);
  try {
    await sql.migrate('hotel', hotelMigrations);
    const servers = await openHotelServers(config, silentLogger, sql);
    try {
      return await work(servers);
    } finally {
      await closeHotelServers(servers);
    }
  } finally {
    await sql.close();
  }
}

const shown = (count: number) => count.toLocaleString('en');

export async function loadChain({ json, ...size }: HotelSize): Promise<void> {
  await withServers(async (servers) => {
    const sql = servers.get(home)!;
    const started = performance.now();
    const progress = buildProgress();
    const { roomTypes, days } = { ...loadDefaults, ...size };
    const whole = size.hotels * roomTypes * days;
    const loaded = await loadHotels(sql, {
      ...size,
      onProgress: ({ inventory }) => progress.show('rooms', inventory, whole),
    }).finally(() => progress.end());
    const seconds = (performance.now() - started) / 1_000;
    if (json === true) console.log(JSON.stringify({ ...loaded, seconds }));
    else
      console.log(
        `${shown(loaded.hotels)} hotels, ${shown(loaded.rooms)} rooms, ` +
          `${shown(loaded.inventory)} inventory days in ${seconds.toFixed(1)} s`,
      );
  });
}

export async function fillDays(): Promise<void> {
  await withServers(async (servers) => {
    let days = 0;
    for (const sql of servers.values()) days += await fillInventory(sql);
    console.log(`${shown(days)} days added`);
  });
}

export async function proveCounts(): Promise<void> {
  await withServers(async (servers) => {
    let wrong = 0;
    for (const [server, sql] of servers) {
      const proof = await sql.transaction((tx) => recount(tx, { rooms: true }), {
        isolation: 'repeatable read',
      });
      console.log(JSON.stringify(servers.size === 1 ? proof : { server, ...proof }, undefined, 2));
      wrong += proof.miscounted.length + proof.misfilled.length + proof.lost.length;
    }
    // More sold than available is valid if rooms were removed later; it is listed, but is not a fault.
    if (wrong > 0) throw new CommandFailed('Some counts do not match the reservations and rooms.');
  });
}
