import { SimulatedEventLog } from '#bench/simulation/simulated-event-log.js';
import { eventLogContract } from './event-log.contract.js';
import { runningClock } from './running-clock.js';

const { clock, stop } = runningClock();
const faults = { lostAppends: 0, lostReplies: 0, lateRecords: 0, lostSessions: 0 };
const log = new SimulatedEventLog({ clock, faults, random: Math.random });

eventLogContract({
  name: 'simulated',
  open: async () => log,
  dispose: async () => stop(),
});
