import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import type { Grid } from './grid-network.js';

/** The position of a driver in each second. */
export interface DriveOptions {
  readonly startMs: number;
  readonly mps: number;
  /** The fraction of the first edge at which the driver starts, and of the last at which they stop. */
  readonly fromFraction?: number;
  readonly toFraction?: number;
  /** Metres to the right of the middle of the road. */
  readonly offM?: number;
  readonly everyMs?: number;
}

export interface Fix {
  readonly lat: number;
  readonly lng: number;
  readonly timeMs: number;
}

export function driveAlong(grid: Grid, edges: readonly number[], options: DriveOptions): Fix[] {
  const { startMs, mps, fromFraction = 0, toFraction = 1, offM = 2, everyMs = 1_000 } = options;
  const lengths = edges.map((edge) => grid.network.edgeLengthM(edge));
  const startM = fromFraction * lengths[0]!;
  const endM = lengths.slice(0, -1).reduce((sum, each) => sum + each, 0) + toFraction * lengths.at(-1)!;
  const fixes: Fix[] = [];
  for (let i = 0; startM + (i * everyMs * mps) / 1_000 <= endM; i++) {
    let along = startM + (i * everyMs * mps) / 1_000;
    let at = 0;
    while (at < edges.length - 1 && along > lengths[at]!) along -= lengths[at++]!;
    fixes.push({ ...grid.place(edges[at]!, along / lengths[at]!, offM), timeMs: startMs + i * everyMs });
  }
  return fixes;
}

export function batchOf(
  userId: string,
  batchId: string,
  fixes: readonly Fix[],
  receivedMs?: number,
): LocationBatch {
  return {
    userId: userId as UserId,
    batchId,
    receivedMs: receivedMs ?? fixes.at(-1)!.timeMs + 200,
    points: {
      count: fixes.length,
      latE7: Int32Array.from(fixes, ({ lat }) => Math.round(lat * 1e7)),
      lngE7: Int32Array.from(fixes, ({ lng }) => Math.round(lng * 1e7)),
      timeMs: Float64Array.from(fixes, ({ timeMs }) => timeMs),
    },
  };
}
