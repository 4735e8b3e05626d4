import { hotelMigrations } from '#hotel/migrations.js';
import { becomeServers, type HotelServers, home, knowsAllServers } from '#hotel/sharding/hotel-servers.js';
import { namedAddresses } from '#platform/config/server-addresses.js';
import type { Config } from '#platform/config/settings.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { CommandFailed, exitCode } from '../exit.js';

/** The addresses of HOTEL_SHARDS by name. */
export function shardAddresses(config: Config): ReadonlyMap<string, string> {
  const shards = new Map<string, string>();
  const { HOTEL_SHARDS: text } = config;
  for (const [name, address] of text === undefined ? [] : namedAddresses(text)) {
    if (name === home || shards.has(name))
      throw new CommandFailed(
        `HOTEL_SHARDS has the server ${name} twice; ${home} is that of SQL.`,
        exitCode.usage,
      );
    shards.set(name, address);
  }
  return shards;
}

/**
 * The databases of hotels: that of SQL, whose tables are migrated, and those of HOTEL_SHARDS. Rejects with a
 * sentence when hotels are on servers that are not among them.
 */
export async function openHotelServers(config: Config, logger: Logger, sql: Sql): Promise<HotelServers> {
  const servers = new Map([[home, sql]]);
  try {
    for (const [name, address] of shardAddresses(config)) {
      const shard = await openSql(address, {
        onError: (error) =>
          logger.warn('a connection to a hotel server was lost', { server: name, cause: error.message }),
      });
      servers.set(name, shard);
      await shard.migrate('hotel', hotelMigrations);
    }
    if (servers.size > 1) await becomeServers(servers);
    await knowsAllServers(servers);
    return servers;
  } catch (error) {
    await closeHotelServers(servers);
    throw error;
  }
}

/** All but that of SQL, which its own opener closes. */
export async function closeHotelServers(servers: HotelServers): Promise<void> {
  for (const [name, sql] of servers) if (name !== home) await sql.close();
}
