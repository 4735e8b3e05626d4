import { type EdgeObservation, observationKind } from '#schemas/messages.js';
import { lateMaxMs } from '../limits.js';
import { EdgeWeek } from './edge-week.js';

/** The state of a partition; the caller stores it together with the offset. */
export interface TypicalWeekState {
  readonly edges: Map<string, EdgeWeek>;
  /** Latest acceptance seen, Unix milliseconds. */
  streamMs: number;
}

export interface WeekFacts {
  readonly lengthM: number;
  readonly freeFlowKph: number;
}

const lateMs = 1_800_000;
const speedKphMax = 250;

/** One passage, by the time at which it was driven; one that came hours late corrects its own half hour. */
export function learnWeek(
  state: TypicalWeekState,
  { edgeId, kind, driver, enteredMs, leftMs }: EdgeObservation,
  facts: (edgeId: string) => WeekFacts | undefined,
  edgesMax: number,
): 'learnt' | 'late' | 'implausible' | 'foreign' | 'full' {
  if (kind !== observationKind.passed) return 'learnt';
  const road = facts(edgeId);
  if (road === undefined) return 'foreign';
  const kph = (road.lengthM * 3_600) / (leftMs - enteredMs);
  const isPlausible = kph > 0 && kph <= speedKphMax && leftMs > state.streamMs - lateMaxMs;
  if (!isPlausible) return 'implausible';
  const known = state.edges.get(edgeId);
  if (known === undefined && state.edges.size >= edgesMax) return 'full';
  const week = known ?? new EdgeWeek();
  if (known === undefined) state.edges.set(edgeId, week);
  week.add(driver, leftMs, road.freeFlowKph / kph);
  return leftMs < state.streamMs - lateMs ? 'late' : 'learnt';
}
