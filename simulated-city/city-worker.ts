import { parentPort, workerData } from 'node:worker_threads';
import { networkFromShared, type SharedNetwork } from '#routing-engine/network/road-network.js';
import { type CitySettings, startCity } from './city.js';
import { networkRoads } from './network-roads.js';
import type { CityRequest } from './spawn-city.js';

/**
 * The city in a thread of its own, so that a thousand drivers do not slow the server they talk to. The
 * message `truth` is answered with the truth; `close` ends it, and the answer is its report.
 */
const { shared, settings } = workerData as {
  readonly shared: SharedNetwork;
  readonly settings: CitySettings;
};
const city = startCity(networkRoads(networkFromShared(shared)), settings);
const port = parentPort!;
port.on('message', (request: CityRequest) => {
  if (request === 'truth') {
    port.postMessage(city.truth());
    return;
  }
  void city.close().then(() => {
    port.postMessage(city.report);
    port.close();
  });
});
