import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { practiceAnswersMax, practiceMs } from '../http/limits.js';
import type { Planner, PlanRequest } from '../ports/planner.js';
import { navAnswer } from './nav-answer.js';

export interface WarmUpOptions {
  readonly planner: Planner;
  readonly network: RoadNetwork;
  /** Concurrent queries, as many as planning threads. */
  readonly threads: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

/**
 * Plans routes between random roads and writes their answers before a release serves. The first client then
 * waits neither for machine code to be compiled nor for the paths through cells that no query has used. Stops
 * after `practiceMs`; returns the number of answered queries.
 */
export async function warmUp(options: WarmUpOptions): Promise<number> {
  const { planner, threads, clock } = options;
  const untilMs = clock() + practiceMs;
  let asked = 0;
  let answered = 0;
  const ask = async (): Promise<void> => {
    while (asked < practiceAnswersMax && clock() < untilMs) {
      asked += 1;
      const request = randomRequest(options);
      const ends = { origin: { at: request.origin }, destination: { at: request.destination } };
      const style = { mode: request.mode, units: 'metric', language: request.language, nowMs: 0 } as const;
      try {
        JSON.stringify(navAnswer(await planner.plan(request), ends, style));
        answered += 1;
      } catch {
        // A request for a route would report the same error; it must not prevent the map from being served.
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: threads }, ask));
  return answered;
}

function randomRequest(options: WarmUpOptions): PlanRequest & { readonly language: string } {
  return {
    origin: randomPlace(options),
    destination: randomPlace(options),
    ...{ mode: 'driving', avoid: [], alternatives: 0, language: 'en' },
  };
}

function randomPlace({ network: { arrays, nodeCount }, random }: WarmUpOptions): LatLng {
  const node = Math.floor(random() * nodeCount);
  return { lat: arrays.nodeLatE7[node]! / 1e7, lng: arrays.nodeLngE7[node]! / 1e7 };
}
