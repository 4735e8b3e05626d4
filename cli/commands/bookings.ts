import type { Command } from 'commander';

export function addBookingsCommand(program: Command): void {
  program
    .command('bookings')
    .description('run hotels, payments and bookings, without the map')
    .action(async () => {
      const { runBookings } = await import('../programs/bookings.js');
      await runBookings();
    });
}
