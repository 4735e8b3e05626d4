import type { TracePoint } from '#routing-engine/matching/trace-point.js';
import type { LocationBatch } from '#schemas/location.js';

/**
 * The points of a batch in the order of time, without those of another mode; a point without a mode is one of
 * a car.
 */
export function drivenTraces({ points }: LocationBatch): TracePoint[] {
  const traces: TracePoint[] = [];
  const { modeIndex, headingDeg, speedMps, accuracyM } = points;
  for (let i = 0; i < points.count; i++) {
    if (modeIndex !== undefined && modeIndex[i]! > 0) continue;
    const trace: Mutable<TracePoint> = {
      lngE7: points.lngE7[i]!,
      latE7: points.latE7[i]!,
      timeMs: points.timeMs[i]!,
    };
    if (isKnown(headingDeg?.[i])) trace.headingDeg = headingDeg![i]!;
    if (isKnown(speedMps?.[i])) trace.speedMps = speedMps![i]!;
    if (isKnown(accuracyM?.[i])) trace.accuracyM = accuracyM![i]!;
    traces.push(trace);
  }
  return traces.sort((a, b) => a.timeMs - b.timeMs);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const isKnown = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value);
