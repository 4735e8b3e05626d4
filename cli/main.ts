import { Command, CommanderError } from 'commander';
import { addApiCommand } from './commands/api.js';
import { addCityCommand } from './commands/city.js';
import { addConfigCommand } from './commands/config.js';
import { addEventsCommand } from './commands/events.js';
import { addIngestCommand } from './commands/ingest.js';
import { addProcessorsCommand } from './commands/processors.js';
import { addRouteCommand } from './commands/route.js';
import { addTilesCommand } from './commands/tiles.js';
import { addTokenCommand } from './commands/token.js';
import { addUpCommand } from './commands/up.js';
import { CommandFailed } from './exit.js';
import { version } from './version.js';

const program = new Command('meridian')
  .description('Live traffic, exact routes and pushed reroutes from one event log.')
  .version(version)
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride();

addUpCommand(program);
addIngestCommand(program);
addProcessorsCommand(program);
addApiCommand(program);
addCityCommand(program);
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
