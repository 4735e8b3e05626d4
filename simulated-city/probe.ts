import type { Random } from '#platform/random/random.js';
import type { EdgeObservation } from '#schemas/messages.js';
import { observationKind } from '#schemas/messages.js';
import type { TrueTraffic } from './true-traffic.js';

/** Error of a phone's place along the road, one deviation, metres. */
const placeErrorM = 5;
/** Error of its Doppler speed, one deviation, metres per second. */
const speedErrorMps = 0.4;

/** What one phone says about one edge that it was driven over. */
export interface Probe {
  readonly passage: EdgeObservation;
  /** Speeds of its points on the edge, km/h, each with its time. */
  readonly points: readonly { readonly atMs: number; readonly kph: number }[];
}

export interface ProbeSettings {
  /** Milliseconds between two points of a phone. */
  readonly everyMs: number;
  /**
   * A phone that sends a point only after it has moved so far, as many do to save the battery; 0: by time
   * alone.
   */
  readonly afterM: number;
}

/**
 * One driver over one edge, seen by their phone: passed between two places that are both known with an error.
 */
export function probe(
  traffic: TrueTraffic,
  road: { readonly edge: number; readonly edgeId: string; readonly lengthM: number },
  enteredMs: number,
  random: Random,
  { everyMs, afterM }: ProbeSettings,
): Probe {
  const { movingS, waitingS } = traffic.drive(road.edge, enteredMs, 0.85 + 0.3 * random.next(), random);
  const mps = road.lengthM / movingS;
  const leftMs = enteredMs + (movingS + waitingS) * 1_000;
  const shift = (): number => ((random.normal() * placeErrorM) / mps) * 1_000;
  const points: { atMs: number; kph: number }[] = [];
  let sentM = -Infinity;
  for (let atMs = enteredMs + random.next() * everyMs; atMs < leftMs; atMs += everyMs) {
    const sinceS = (atMs - enteredMs) / 1_000;
    // The wait is at the end of the road.
    const isMoving = sinceS < movingS * 0.97;
    const alongM = Math.min(road.lengthM * 0.97, sinceS * mps);
    if (afterM > 0 && alongM - sentM < afterM) continue;
    sentM = alongM;
    points.push({ atMs, kph: Math.max(0, (isMoving ? mps : 0) + random.normal() * speedErrorMps) * 3.6 });
  }
  const said = { enteredMs: Math.round(enteredMs + shift()), leftMs: Math.round(leftMs + shift()) };
  return {
    passage: {
      edgeId: road.edgeId,
      kind: observationKind.passed,
      enteredMs: Math.min(said.enteredMs, said.leftMs - 500),
      leftMs: said.leftMs,
      driver: 1 + random.below(2 ** 40),
      receivedMs: Math.round(Math.max(said.leftMs, leftMs) + 500 + 3_000 * random.next()),
    },
    points,
  };
}
