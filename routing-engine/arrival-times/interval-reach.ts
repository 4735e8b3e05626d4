/** Share of trips that the interval must contain. */
const coverage = 0.8;

/**
 * Trips up to this many seconds, and the rest, are calibrated separately: long trips have other errors than
 * short ones.
 */
const horizonsS = [480, 900, 1_800] as const;
/** With fewer trips of a horizon, all trips are used. */
const horizonTripsMin = 200;
/** How far one trip moves the logarithm of its horizon's reach. */
const step = 0.03;
const driftMax = 1.5;

export const noDrift: readonly number[] = new Array<number>(horizonsS.length + 1).fill(0);

export function horizonOf(physicalS: number): number {
  const horizon = horizonsS.findIndex((limit) => physicalS <= limit);
  return horizon < 0 ? horizonsS.length : horizon;
}

/**
 * [horizons] the conformal quantile of the scores of each horizon, of all where a horizon has few. At least
 * one score.
 */
export function reachesOf(scores: readonly number[], physicalS: readonly number[]): number[] {
  const all = conformalQuantile(scores);
  return noDrift.map((_, horizon) => {
    const own = scores.filter((_, i) => horizonOf(physicalS[i]!) === horizon);
    return own.length < horizonTripsMin ? all : conformalQuantile(own);
  });
}

function conformalQuantile(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length, Math.ceil((sorted.length + 1) * coverage)) - 1]!;
}

/**
 * Adaptive conformal inference (Gibbs and Candès, "Adaptive conformal inference under distribution shift",
 * 2021), on the logarithm of the reach as in quantile tracking (Angelopoulos et al., 2023): a trip outside
 * widens by `step` times 0.8, one inside narrows by `step` times 0.2. Over n trips the share inside is then
 * 80 % within (range of the drift) / (step × n), whatever the traffic does.
 */
export function steered(drift: readonly number[], horizon: number, isInside: boolean): number[] {
  const moved = drift[horizon]! + step * ((isInside ? 0 : 1) - (1 - coverage));
  return drift.with(horizon, Math.min(driftMax, Math.max(-driftMax, moved)));
}
