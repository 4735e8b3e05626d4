import type { Command } from 'commander';
import { driverCount, extractFile, wholeNumber } from '../options/arguments.js';
import { scenarioHelp, scenarioOption } from '../options/scenario.js';
import type { UpOptions } from '../programs/up.js';

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description('run everything in one process: ingest, processors, api, page, and simulated drivers')
    .option('--osm <file>', 'an OpenStreetMap extract, .osm.pbf; default: Malta', extractFile)
    .option('--drivers <n>', 'number of simulated drivers; 0 for none', driverCount, 300)
    .option('--seed <n>', 'the same seed gives the same city', wholeNumber, 1)
    .addOption(scenarioOption())
    .addHelpText('after', scenarioHelp)
    .addHelpText('after', '\nExamples:\n  npm start\n  npm start -- --osm malta.osm.pbf --drivers 1000')
    .action(async (options: UpOptions) => {
      const { runUp } = await import('../programs/up.js');
      await runUp(options);
    });
}
