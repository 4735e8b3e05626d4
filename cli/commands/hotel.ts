import type { Command } from 'commander';
import { wholeNumber } from '../options/arguments.js';
import type { HotelSize } from '../programs/hotel-load.js';

export function addHotelCommand(program: Command): void {
  const hotel = program.command('hotel').description('hotels, reservations and their management');
  hotel
    .command('serve')
    .description(
      'run only hotels: both listeners, expiry of holds, the daily job, the outbox, the availability cache',
    )
    .action(async () => {
      const { runHotel } = await import('../programs/hotel-serve.js');
      await runHotel();
    });
  hotel
    .command('load')
    .description('create a chain of hotels with rooms, inventory and prices; existing data stays')
    .requiredOption('--hotels <count>', 'number of hotels; 5000 is the full size', wholeNumber)
    .option('--room-types <count>', 'per hotel; default 20', wholeNumber)
    .option('--rooms <count>', 'per hotel; default 200', wholeNumber)
    .option('--days <count>', 'of inventory and prices, from today; default 730', wholeNumber)
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  SQL=postgres://user:password@localhost/meridian npx meridian hotel load --hotels 5000',
    )
    .action(async (size: HotelSize) => {
      const { loadChain } = await import('../programs/hotel-load.js');
      await loadChain(size);
    });
  hotel
    .command('fill')
    .description('run the daily job once: adds inventory up to two years ahead; safe at any time')
    .action(async () => {
      const { fillDays } = await import('../programs/hotel-load.js');
      await fillDays();
    });
  hotel
    .command('move')
    .argument('<hotel>', 'id of the hotel')
    .description('move a hotel to another server of HOTEL_SHARDS while it is booked; continues after a kill')
    .requiredOption('--to <server>', 'name of the server; main is that of SQL')
    .action(async (hotelId: string, { to }: { readonly to: string }) => {
      const { moveOneHotel } = await import('../programs/hotel-move.js');
      await moveOneHotel(hotelId, to);
    });
  hotel
    .command('servers')
    .description('how many hotels each server of HOTEL_SHARDS has, and the moves in progress')
    .action(async () => {
      const { showServers } = await import('../programs/hotel-move.js');
      await showServers();
    });
  hotel
    .command('prove')
    .description('compare every count with the reservations; exit code 1 if one is wrong')
    .action(async () => {
      const { proveCounts } = await import('../programs/hotel-load.js');
      await proveCounts();
    });
}
