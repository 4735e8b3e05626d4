import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulationTruth } from '#schemas/http/simulation.js';
import { CityLife, type CityLifeSettings } from './city-life.js';
import type { CityReport } from './city-report.js';
import type { CityRoads } from './city-roads.js';
import { cityTruth } from './city-truth.js';
import { startNavigation } from './nav-client.js';
import { connectPlatform } from './platform-client.js';

export interface CitySettings extends CityLifeSettings {
  readonly baseUrl: string;
}

export interface City {
  readonly report: CityReport;
  truth(): SimulationTruth;
  close(): Promise<void>;
}

const tickMs = 1_000;

/**
 * Drivers on real roads in real time. All of them move once a second; each sends what the phone gathered
 * every few seconds, at a phase of its own.
 */
export function startCity(roads: CityRoads, settings: CitySettings): City {
  const { baseUrl } = settings;
  const client = connectPlatform(baseUrl);
  const life = new CityLife(
    roads,
    settings,
    { client, navigate: (token, ...trip) => startNavigation(baseUrl, token, ...trip) },
    Date.now(),
  );
  let open = true;
  const running = run();
  return {
    report: life.report,
    truth: () => cityTruth(roads, life, settings, Date.now()),
    async close() {
      open = false;
      await running;
      life.close();
      await client.close();
    },
  };

  async function run(): Promise<void> {
    let beforeMs = Date.now();
    while (open) {
      const nowMs = Date.now();
      // A machine that was asleep must not make a thousand drivers jump across the city.
      const seconds = Math.min(5, (nowMs - beforeMs) / 1_000);
      beforeMs = nowMs;
      life.tick(nowMs, seconds);
      await sleep(Math.max(50, tickMs - (Date.now() - nowMs)));
    }
  }
}
