import type { Trace } from './drive-trace.js';
import type { Line } from './route-mismatch.js';

export interface MatchRound {
  readonly cpuS: number;
  /** By trace; lines do not bridge breaks. */
  readonly lines: readonly (readonly Line[])[];
}

/**
 * A matcher with its map loaded, called in process on one thread: from the text of a query to the text of an
 * answer.
 */
export interface MatchEngine {
  readonly name: string;
  round(traces: readonly Trace[]): Promise<MatchRound>;
  close(): Promise<void>;
}
