import type { Command } from 'commander';
import { driverCount, extractFile, positiveNumber, wholeNumber } from '../options/arguments.js';
import { scenarioHelp, scenarioOption } from '../options/scenario.js';
import type { CityOptions } from '../programs/city.js';
import type { CityScoreOptions } from '../programs/city-score.js';

export function addCityCommand(program: Command): void {
  const city = program
    .command('city')
    .description('run simulated drivers against a running platform')
    .option('--url <url>', 'its public address; default: on this machine, as the settings say')
    .option('--osm <file>', 'its OpenStreetMap extract, .osm.pbf; default: Malta', extractFile)
    .option('--drivers <n>', 'number of drivers', driverCount, 300)
    .option('--seed <n>', 'the same seed gives the same city', wholeNumber, 1)
    .addOption(scenarioOption())
    .addHelpText('after', scenarioHelp)
    .action(async (options: CityOptions) => {
      const { runCity } = await import('../programs/city.js');
      await runCity(options);
    });
  city
    .command('score')
    .description(
      'compare closures, speeds, arrival times and reroutes of a running platform with its simulated city',
    )
    .option('--url <url>', 'its public listener; default: on this machine, as the settings say')
    .option('--internal-url <url>', 'its internal listener; default: the same')
    .option('--minutes <n>', 'how long', positiveNumber, 30)
    .option('--warm-up <n>', 'minutes after which closures must be found', wholeNumber, 60)
    .option('--json', 'print the score as one line of JSON')
    .addHelpText(
      'after',
      '\nExit code 1: an open road was listed, fewer than nine in ten busy closures within five minutes, ' +
        'arrival times\nmore than 0.7 times as wrong as free flow, or intervals that do not contain 80 % of the trips.',
    )
    .action(async (_: unknown, command: Command) => {
      const { scoreCity } = await import('../programs/city-score.js');
      await scoreCity(command.optsWithGlobals<CityScoreOptions>());
    });
}
