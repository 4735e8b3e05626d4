import type { LogFaults } from '../simulation/simulated-event-log.js';
import type { NetworkFaults } from '../simulation/simulated-network.js';

/** Kinds of faults, each of which can be switched off. */
export const faultNames = ['kills', 'api', 'late', 'twice', 'lost', 'store'] as const;

export type FaultName = (typeof faultNames)[number];

export interface PlatformFaults extends LogFaults, NetworkFaults {
  /** Mean times between kills of a program other than the gateway, kills of the gateway, and outages. */
  killEveryMs: number;
  apiKillEveryMs: number;
  storeAwayEveryMs: number;
}

export const noFaults: PlatformFaults = {
  ...{ lostAppends: 0, lostReplies: 0, lateRecords: 0, lostSessions: 0, lostRequests: 0, lostAnswers: 0 },
  killEveryMs: Number.POSITIVE_INFINITY,
  apiKillEveryMs: Number.POSITIVE_INFINITY,
  storeAwayEveryMs: Number.POSITIVE_INFINITY,
};

const storm: Readonly<Record<FaultName, Partial<PlatformFaults>>> = {
  kills: { killEveryMs: 40_000 },
  api: { apiKillEveryMs: 90_000 },
  late: { lateRecords: 0.002 },
  twice: { lostReplies: 0.002, lostSessions: 0.0003 },
  lost: { lostAppends: 0.001, lostRequests: 0.01, lostAnswers: 0.01 },
  store: { storeAwayEveryMs: 60_000 },
};

/** `scale`: how many times as often as usual each fault happens. */
export function faultsOf(names: readonly FaultName[], scale: number): PlatformFaults {
  const faults = { ...noFaults };
  for (const name of names)
    for (const [fault, usual] of Object.entries(storm[name]) as [keyof PlatformFaults, number][])
      faults[fault] = fault.endsWith('EveryMs') ? usual / scale : usual * scale;
  return faults;
}
