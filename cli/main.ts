import { Command, CommanderError } from 'commander';
import { addApiCommand } from './commands/api.js';
import { addArrivalsCommand } from './commands/arrivals.js';
import { addBackupCommands } from './commands/backup.js';
import { addBenchCommand } from './commands/bench.js';
import { addBookingsCommand } from './commands/bookings.js';
import { addCityCommand } from './commands/city.js';
import { addConfigCommand } from './commands/config.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addEventsCommand } from './commands/events.js';
import { addHotelCommand } from './commands/hotel.js';
import { addIngestCommand } from './commands/ingest.js';
import { addKeysCommand } from './commands/keys.js';
import { addLedgerCommand } from './commands/ledger.js';
import { addPaymentCommand } from './commands/payment.js';
import { addProcessorsCommand } from './commands/processors.js';
import { addRouteCommand } from './commands/route.js';
import { addTilesCommand } from './commands/tiles.js';
import { addTokenCommand } from './commands/token.js';
import { addTrafficCommand } from './commands/traffic.js';
import { addUpCommand } from './commands/up.js';
import { CommandFailed, exitCode } from './exit.js';
import { version } from './version.js';

const program = new Command('meridian')
  .description('Live traffic, exact routes and pushed reroutes from one event log.')
  .version(version, '-V', 'the same as -v')
  .version(version, '-v, --version', 'print the version')
  .addHelpText(
    'after',
    '\nExit codes: 0 success, 1 failure, 2 usage error, 3 not found, 130 interrupted. ' +
      'An error is one sentence on stderr.',
  )
  .showHelpAfterError('(use --help for usage)')
  .exitOverride();

addUpCommand(program);
addIngestCommand(program);
addProcessorsCommand(program);
addApiCommand(program);
addHotelCommand(program);
addPaymentCommand(program);
addBookingsCommand(program);
addLedgerCommand(program);
addCityCommand(program);
addTilesCommand(program);
addRouteCommand(program);
addTrafficCommand(program);
addTokenCommand(program);
addKeysCommand(program);
addEventsCommand(program);
addArrivalsCommand(program);
addConfigCommand(program);
addBackupCommands(program);
addDoctorCommand(program);
addBenchCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof CommandFailed) {
    console.error(error.message);
    process.exitCode = error.code;
  } else if (error instanceof Error && !isOurFault(error)) {
    console.error(error.message);
    process.exitCode = exitCode.failed;
  } else throw error;
}

/** Errors of the language itself are bugs and keep their stack; all others are a sentence for people. */
function isOurFault(error: Error): boolean {
  return ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError'].includes(error.name);
}
