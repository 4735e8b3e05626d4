import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getSimulationTruth } from '#schemas/http/simulation.js';
import type { SpawnedCity } from './spawn-city.js';

/** `city`: undefined until the drivers have set off. */
export const truthRoute = (city: () => SpawnedCity | undefined): Route =>
  route(getSimulationTruth, async () => {
    const truth = await city()?.truth();
    return truth === undefined
      ? problem(problems.unavailable, 'The simulated city is not running.', { retryAfterS: 5 })
      : { status: 200, headers: { 'cache-control': 'no-store' }, body: truth };
  });
