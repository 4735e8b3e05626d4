import { type HotelServers, home } from '#hotel/sharding/hotel-servers.js';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import { CommandFailed, exitCode } from '../exit.js';
import { withServers } from './hotel-load.js';

/** Moves a hotel to another server while it is booked, or continues a move that was interrupted. */
export const moveOneHotel = (hotelId: string, to: string): Promise<void> =>
  withServers(async (servers) => {
    if (servers.size === 1)
      throw new CommandFailed(
        'There is one server. Set HOTEL_SHARDS to the addresses of others.',
        exitCode.usage,
      );
    const outcome = await moveHotel({ servers }, hotelId, to);
    switch (outcome.kind) {
      case 'moved': {
        const { from, pausedMs } = outcome;
        const pause = pausedMs === undefined ? '' : `; it was paused for ${(pausedMs / 1_000).toFixed(1)} s`;
        console.log(`The hotel ${hotelId} moved from ${from} to ${to}${pause}.`);
        return;
      }
      case 'there':
        console.log(`The hotel ${hotelId} is on ${to}.`);
        return;
      case 'unknown-hotel':
        throw new CommandFailed(`There is no hotel ${hotelId}.`);
      case 'unknown-server':
        throw new CommandFailed(`There is no server ${to}; there are ${[...servers.keys()].join(', ')}.`);
      case 'moving':
        throw new CommandFailed(
          `The hotel ${hotelId} is on its way to ${outcome.to}. ` +
            `Finish that first: meridian hotel move ${hotelId} --to ${outcome.to}`,
        );
    }
  });

/** How many hotels each server has. */
export const showServers = (): Promise<void> =>
  withServers(async (servers) => {
    for (const [name, sql] of servers) {
      const { rows } = await sql.query(
        'SELECT count(*) AS n FROM hotel WHERE deleted_at IS NULL AND hotel_is_here(hotel_id)',
      );
      console.log(`${name}: ${(rows[0]!['n'] as bigint).toLocaleString('en')} hotels`);
    }
    await showMoves(servers);
  });

async function showMoves(servers: HotelServers): Promise<void> {
  const { rows } = await servers.get(home)!.query('SELECT * FROM hotel_move ORDER BY hotel_id LIMIT 100');
  for (const { hotel_id: hotelId, from_server: from, to_server: to } of rows)
    console.log(`moving: ${hotelId as string} from ${from as string} to ${to as string}`);
}
