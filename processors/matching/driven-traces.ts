import type { TracePoint } from '#routing-engine/matching/trace-point.js';
import type { LocationBatch } from '#schemas/location.js';

/**
 * The points of a batch in the order of time, without those of another mode; a point without a mode is one of
 * a car.
 */
export function drivenTraces({ points }: LocationBatch): TracePoint[] {
  const traces: TracePoint[] = [];
  const { modeIndex } = points;
  for (let i = 0; i < points.count; i++) {
    if (modeIndex !== undefined && modeIndex[i]! > 0) continue;
    traces.push({
      lngE7: points.lngE7[i]!,
      latE7: points.latE7[i]!,
      timeMs: points.timeMs[i]!,
      ...known('headingDeg', points.headingDeg?.[i]),
      ...known('speedMps', points.speedMps?.[i]),
      ...known('accuracyM', points.accuracyM?.[i]),
    });
  }
  return traces.sort((a, b) => a.timeMs - b.timeMs);
}

function known<Name extends string>(name: Name, value: number | undefined): { [K in Name]?: number } {
  return value === undefined || Number.isNaN(value) ? {} : ({ [name]: value } as { [K in Name]?: number });
}
