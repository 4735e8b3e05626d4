import { type Command, InvalidArgumentError } from 'commander';
import { spawnCity } from '#tools/city/spawn-city.js';
import { openObjects } from '../adapters.js';
import { runMeridian } from '../context.js';
import { openMap } from '../open-map.js';

export function addCityCommand(program: Command): void {
  program
    .command('city')
    .description('run simulated drivers against a platform that is already up')
    .option('--url <url>', 'its public listener', 'http://127.0.0.1:8080')
    .option('--osm <file>', 'the extract that it runs on; without one the default map')
    .option('--drivers <n>', 'how many', driverCount, 300)
    .option('--seed <n>', 'the same seed gives the same city', wholeNumber, 1)
    .action(({ url, osm, drivers, seed }: { url: string; osm?: string; drivers: number; seed: number }) =>
      runMeridian('city', async (context) => {
        const { network } = await openMap(context.config, await openObjects(context.config), osm);
        const city = spawnCity(network, { baseUrl: url, drivers, seed });
        context.onStop('city', async () => console.log(JSON.stringify(await city.close())));
        await city.ended;
      }),
    );
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('use a whole number.');
  return Number(text);
}

export function driverCount(text: string): number {
  const drivers = wholeNumber(text);
  if (drivers > 20_000) throw new InvalidArgumentError('at most 20,000 drivers can be simulated.');
  return drivers;
}
