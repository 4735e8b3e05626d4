import { Command, CommanderError } from 'commander';
import { addConfigCommand } from './commands/config.js';
import { addEventsCommand } from './commands/events.js';
import { addIngestCommand } from './commands/ingest.js';
import { addRouteCommand } from './commands/route.js';
import { addTilesCommand } from './commands/tiles.js';
import { addTokenCommand } from './commands/token.js';
import { CommandFailed } from './exit.js';

const program = new Command('meridian')
  .description('Live traffic, exact routes and pushed reroutes from one event log.')
  .version('0.1.0')
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride();

addIngestCommand(program);
addTilesCommand(program);
addRouteCommand(program);
addTokenCommand(program);
addEventsCommand(program);
addConfigCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof CommandFailed) {
    console.error(error.message);
    process.exitCode = error.code;
  } else throw error;
}
