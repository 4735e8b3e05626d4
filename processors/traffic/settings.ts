import { pieceMaxM } from '../crossing-piece.js';
import { ClosureJudge } from './closure-evidence.js';
import type { ClosureSettings } from './closure-settings.js';
import type { EdgeRules } from './edge-traffic.js';
import type { SilenceSettings } from './passage-rate.js';
import type { HysteresisSettings } from './publish-speed.js';
import type { WindowSettings } from './speed-window.js';

const MINUTE_MS = 60_000;

export interface TrafficSettings {
  readonly window: WindowSettings;
  readonly hysteresis: HysteresisSettings;
  readonly closure: ClosureSettings;
  readonly ratePassages: number;
  readonly forgetMs: number;
  readonly absentMs: number;
  readonly silentEdgesMax: number;
  readonly silentShareMax: number;
  readonly speedKphMax: number;
  readonly stoodMs: number;
  readonly sweepMs: number;
  readonly sweepSpeedMs: number;
}

const silence: SilenceSettings = {
  ...{ passagesMin: 20, driversMin: 8, spanMinMs: 20 * MINUTE_MS },
  ...{ dueMin: 5, crawlKph: 5, shares: { periodsMin: 4, shareMin: 0.95 } },
};

export const trafficDefaults: TrafficSettings = {
  window: {
    windowMs: 5 * MINUTE_MS,
    ageHalfLifeMs: 3 * MINUTE_MS,
    passagesMax: 64,
    driversMin: 5,
    deviationsMax: 10,
    typicalPassages: 8,
    unusualRatio: 0.25,
  },
  hysteresis: {
    changeRatio: 0.15,
    clearRatio: 0.08,
    ttlMs: 10 * MINUTE_MS,
    fadeHalfLifeMs: 5 * MINUTE_MS,
    lengthErrorM: 8,
    fasterRatioMax: 1.1,
  },
  closure: {
    leavesOpenEdge: 0.05,
    keepsPrevious: 0.5,
    leavesClosedEdge: 0.97,
    falsePerEdgeDay: 1e-3,
    chancesPerDayMin: 34,
    beta: 1e-2,
    reopenAlpha: 1e-2,
    windowMs: 10 * MINUTE_MS,
    freshMs: MINUTE_MS,
    witnessesMax: 64,
    pieceM: pieceMaxM,
    piecePassagesMin: 3,
    silence,
    support: {
      turnedMin: 2,
      partMax: 0.5,
      silence: { ...silence, dueMin: 8, crawlKph: 15, shares: { periodsMin: 2, shareMin: 0.25 } },
      habit: {
        ...silence,
        ...{ dueMin: 3, strangersMin: 6, crawlKph: 15, shares: { periodsMin: 2, shareMin: 0.9 } },
      },
    },
    reports: { nats: 1.5, shareMax: 0.35, reportersMax: 16, lastsMaxMs: 120 * MINUTE_MS },
    holdShare: 0.5,
    holdMs: 15 * MINUTE_MS,
    passersMin: 4,
    foundTimes: 4,
    holdMinMs: 3 * MINUTE_MS,
    holdMaxMs: 120 * MINUTE_MS,
  },
  ratePassages: 50,
  forgetMs: 6 * 60 * MINUTE_MS,
  absentMs: 10 * MINUTE_MS,
  silentEdgesMax: 3,
  silentShareMax: 0.02,
  speedKphMax: 250,
  stoodMs: 120_000,
  sweepMs: 10_000,
  sweepSpeedMs: MINUTE_MS,
};

/** Throws a `RangeError` for risks that define no test. */
export function edgeRules({ closure, sweepMs: _, sweepSpeedMs: __, ...rules }: TrafficSettings): EdgeRules {
  return { ...rules, judge: new ClosureJudge(closure) };
}
