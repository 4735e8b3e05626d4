import type { ScenarioName } from '#simulated-city/scenarios.js';
import { spawnCity } from '#simulated-city/spawn-city.js';
import { openObjects } from '../adapters.js';
import { runMeridian } from '../context.js';
import { openMap } from '../open/open-map.js';
import { addressBySettings } from '../own-address.js';

export interface CityOptions {
  /** Default: by the settings. */
  readonly url?: string;
  readonly osm?: string;
  readonly drivers: number;
  readonly seed: number;
  readonly scenario: ScenarioName;
}

/** Simulated drivers against a running platform; prints a summary when it is stopped. */
export const runCity = ({ url, osm, drivers, seed, scenario }: CityOptions): Promise<void> =>
  runMeridian(
    'city',
    async (context) => {
      const objects = await openObjects(context.config);
      const { network } = await openMap(context.config, objects, osm);
      await objects.close();
      const baseUrl = url ?? addressBySettings(context.config, 'public');
      const city = spawnCity(network, { baseUrl, drivers, seed, scenario });
      context.onStop('city', async () => console.log(JSON.stringify(await city.close())));
      await city.ended;
    },
    { listens: false },
  );
