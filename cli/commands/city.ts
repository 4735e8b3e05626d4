import type { Command } from 'commander';
import { driverCount, extractFile, wholeNumber } from '../options/arguments.js';
import type { CityOptions } from '../programs/city.js';

export function addCityCommand(program: Command): void {
  program
    .command('city')
    .description('run simulated drivers against a running platform')
    .option('--url <url>', 'its public address', 'http://127.0.0.1:8080')
    .option('--osm <file>', 'its OpenStreetMap extract, .osm.pbf; default: Gothenburg', extractFile)
    .option('--drivers <n>', 'number of drivers', driverCount, 300)
    .option('--seed <n>', 'the same seed gives the same city', wholeNumber, 1)
    .action(async (options: CityOptions) => {
      const { runCity } = await import('../programs/city.js');
      await runCity(options);
    });
}
