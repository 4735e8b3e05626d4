import { SimulatedObjects } from '#bench/simulation/simulated-objects.js';
import { objectStoreContract } from './object-store.contract.js';
import { runningClock } from './running-clock.js';

objectStoreContract('simulated', async () => {
  const { clock, stop } = runningClock();
  const objects = new SimulatedObjects({ clock, random: Math.random });
  return { one: objects, other: objects, runs: 60, dispose: async () => stop() };
});
