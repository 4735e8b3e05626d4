import type { Phone, Trace } from './drive-trace.js';
import type { MatchEngine } from './match-engine.js';
import { mismatchShare, routeMismatch } from './route-mismatch.js';

/** The settings that Valhalla receives with the points. */
export interface MeiliSettings {
  /** Points nearer than this to the last one are put between others afterwards; default 10. */
  readonly interpolationM: number;
  /** Default for cars 200: high ones suit noise. */
  readonly turnPenaltyFactor: number;
  /** Default 5. */
  readonly gpsAccuracyM: number;
  /** Default 50. */
  readonly searchRadiusM: number;
}

export interface TunedEngine extends MatchEngine {
  settings: MeiliSettings;
}

export const meiliDefaults: MeiliSettings = {
  interpolationM: 10,
  turnPenaltyFactor: 200,
  gpsAccuracyM: 5,
  searchRadiusM: 50,
};

/**
 * Tries settings on traces of the same phone, keeps those with the least mismatch, and leaves the engine set
 * to them.
 */
export async function bestMeiliSettings(
  engine: TunedEngine,
  traces: readonly Trace[],
  { sigmaM }: Phone,
): Promise<MeiliSettings> {
  let best = meiliDefaults;
  let least = Number.POSITIVE_INFINITY;
  const tried: MeiliSettings[] = [meiliDefaults];
  for (const interpolationM of [sigmaM, 2 * sigmaM, 3 * sigmaM])
    for (const turnPenaltyFactor of [200, 1_000, 3_000])
      tried.push({ ...meiliDefaults, interpolationM: Math.max(10, interpolationM), turnPenaltyFactor });
  const judge = async (settings: MeiliSettings): Promise<void> => {
    engine.settings = settings;
    const { lines } = await engine.round(traces);
    const share = mismatchShare(traces.map(({ truth }, i) => routeMismatch(truth, lines[i]!)));
    if (share >= least) return;
    least = share;
    best = settings;
  };
  for (const settings of tried) await judge(settings);
  await judge({ ...best, gpsAccuracyM: sigmaM });
  if (4 * sigmaM > best.searchRadiusM) await judge({ ...best, searchRadiusM: 4 * sigmaM });
  engine.settings = best;
  return best;
}
