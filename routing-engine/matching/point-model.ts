import { model } from './match-settings.js';
import type { TracePoint } from './trace-point.js';

/** Expected error of a point along an axis. */
export function sigmaOf({ accuracyM = model.accuracyM }: TracePoint): number {
  const bounded = Math.max(model.accuracyMinM, Math.min(model.accuracyMaxM, accuracyM));
  return Math.hypot(bounded * model.sigmaPerAccuracy, model.mapErrorM);
}

/** NaN where the heading is absent, or noise. */
export function headingOf({ headingDeg, speedMps = model.headingSpeedMps }: TracePoint): number {
  return headingDeg === undefined || speedMps < model.headingSpeedMps ? Number.NaN : headingDeg;
}

/** Metres that a point must be from the last used one, by its own error. */
export const stepM = (sigmaM: number): number =>
  Math.max(model.stepMinM, Math.min(model.stepPerSigma * sigmaM, sigmaM ** 2 / model.stepVarianceM));
