import type { Command } from 'commander';
import { wholeNumber } from '../options/arguments.js';
import type { HotelSize } from '../programs/hotel-load.js';

export function addHotelCommand(program: Command): void {
  const hotel = program.command('hotel').description('hotels, reservations and their management');
  hotel
    .command('serve')
    .description(
      'run hotels alone: both listeners, holds that expire, the daily job, the outbox, the cache of rooms',
    )
    .action(async () => {
      const { runHotel } = await import('../programs/hotel-serve.js');
      await runHotel();
    });
  hotel
    .command('load')
    .description('write a chain of hotels with rooms, counts and prices; what is there already stays')
    .requiredOption('--hotels <count>', 'how many; 5000 is the full size', wholeNumber)
    .option('--room-types <count>', 'of each hotel; 20 when absent', wholeNumber)
    .option('--rooms <count>', 'of each hotel; 200 when absent', wholeNumber)
    .option('--days <count>', 'of counts and prices, from today; 730 when absent', wholeNumber)
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
    .description('the daily job, once: days of counts up to two years ahead; safe to run at any time')
    .action(async () => {
      const { fillDays } = await import('../programs/hotel-load.js');
      await fillDays();
    });
  hotel
    .command('prove')
    .description('recount every count from the reservations; exit code 1 when one is wrong')
    .action(async () => {
      const { proveCounts } = await import('../programs/hotel-load.js');
      await proveCounts();
    });
}
