import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { shardingLimits } from './limits.js';

/** The database of `SQL`, which has the directory. */
export const home = 'main';

/** Databases with the tables of `hotelMigrations`, by the name of their server; the first is `home`. */
export type HotelServers = ReadonlyMap<string, Sql>;

/** The settings do not fit the databases; waiting does not help. */
export class WrongServers extends Error {
  override readonly name = 'WrongServers';
  readonly retriable = false;
}

/**
 * Makes each database the server of its name, for good. Rejects with `WrongServers` when one has another
 * name, so that addresses cannot be exchanged by mistake.
 */
export async function becomeServers(servers: HotelServers): Promise<void> {
  if (servers.size > shardingLimits.serversMax)
    throw new WrongServers(
      `There are ${servers.size} hotel servers; at most ${shardingLimits.serversMax} are possible.`,
    );
  for (const [name, sql] of servers) {
    const { rows } = await sql.query('SELECT name FROM hotel_server');
    if (rows[0] !== undefined && rows[0]['name'] !== name)
      throw new WrongServers(
        `The address of the hotel server ${name} is that of the server ${rows[0]['name'] as string}.`,
      );
  }
  const directory = servers.get(home)!;
  for (const [name, sql] of servers) {
    const number = name === home ? 0 : await numberOf(directory, name);
    try {
      await sql.query('SELECT become_hotel_server($1, $2)', [name, number]);
    } catch (error) {
      if (sqlState(error) !== 'MH011') throw error;
      throw new WrongServers(
        `The hotel server ${name} belongs to another directory. ${(error as Error).message}`,
      );
    }
  }
}

/** Rejects with `WrongServers` when hotels of this directory may be on servers that this program lacks. */
export async function knowsAllServers(servers: HotelServers): Promise<void> {
  const { rows } = await servers
    .get(home)!
    .query('SELECT server FROM hotel_place UNION SELECT name FROM hotel_server_number ORDER BY 1');
  const missing = rows.map((row) => row['server'] as string).filter((name) => !servers.has(name));
  if (missing.length > 0)
    throw new WrongServers(
      `Hotels may be on the servers ${missing.join(', ')}, whose addresses are missing. Set HOTEL_SHARDS.`,
    );
}

async function numberOf(directory: SqlSession, name: string): Promise<number> {
  await directory.query('SELECT name_hotel_server($1)', [name]);
  const { rows } = await directory.query('SELECT number FROM hotel_server_number WHERE name = $1', [name]);
  return rows[0]!['number'] as number;
}

/** The database has refused a change: the hotel is on another server, or is being moved. */
export const isElsewhere = (error: unknown): boolean => sqlState(error) === 'MH010';
