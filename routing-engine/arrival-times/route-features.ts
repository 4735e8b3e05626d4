import type { RoadNetwork } from '../network/road-network.js';

/** A route as it is known when its driver sets out. */
export interface RouteOutlook {
  readonly departMs: number;
  /** On the metric of that moment, turns included. */
  readonly metricS: number;
  /** Free-flow milliseconds of each edge, and its name in the typical week. */
  readonly edges: readonly {
    readonly edgeId: string;
    readonly freeFlowMs: number;
    readonly lengthM: number;
  }[];
}

export type TypicalRatio = (edgeId: string, atMs: number) => number | undefined;

/** What the correction is learnt from; `physicalS` is what it corrects. */
export interface RouteFeatures {
  readonly physicalS: number;
  readonly row: readonly number[];
}

/** How much longer than the map says a road takes of which nothing was learnt. */
const unknownRatio = 1.15;
/** After this long, the live value of a present jam counts half as much as the usual one. */
const liveHalfLifeS = 1_800;

/**
 * The physical time: each edge at what is usual when the driver will be on it, and what the live metric says
 * beyond free flow, less of it the further ahead. Beside it the facts that the rest depends on.
 */
export function routeFeatures(
  { departMs, metricS, edges }: RouteOutlook,
  typical: TypicalRatio,
): RouteFeatures {
  let [typicalS, freeS, knownS, metres] = [0, 0, 0, 0];
  for (const { edgeId, freeFlowMs, lengthM } of edges) {
    const ratio = typical(edgeId, departMs + typicalS * 1_000);
    const edgeS = freeFlowMs / 1_000;
    typicalS += edgeS * (ratio ?? unknownRatio);
    freeS += edgeS;
    metres += lengthM;
    if (ratio !== undefined) knownS += edgeS;
  }
  const free = Math.max(1, freeS);
  // Live speeds hold the whole of what is unusual only where no typical speed is said; what both say counts
  // once.
  const beyondS = Math.max(-0.3 * typicalS, metricS - Math.max(free, typicalS));
  const lasting = (liveHalfLifeS / Math.LN2 / Math.max(1, typicalS)) * (1 - 2 ** (-typicalS / liveHalfLifeS));
  const physicalS = Math.max(1, typicalS + Math.max(0, beyondS) * Math.min(1, lasting));
  const hour = (((departMs % 86_400_000) + 86_400_000) % 86_400_000) / 3_600_000;
  const weekday = Math.floor(departMs / 86_400_000 + 3) % 7;
  const km = Math.max(0.01, metres / 1_000);
  return {
    physicalS,
    row: [
      Math.log(physicalS),
      Math.log(physicalS / free),
      Math.log(Math.max(1, metricS) / free),
      km / (free / 3_600),
      edges.length / km,
      knownS / free,
      hour,
      weekday >= 5 ? 1 : 0,
    ].map((value) => Number(value.toPrecision(6))),
  };
}

/** For a route with edges of the network; edges that it lacks, or that no driver may use, are left out. */
export function outlookOf(
  network: RoadNetwork,
  edgeIds: readonly string[],
  departMs: number,
  metricS: number,
): RouteOutlook {
  const edges: { edgeId: string; freeFlowMs: number; lengthM: number }[] = [];
  for (const edgeId of edgeIds) {
    const edge = network.edgeByStableId(edgeId);
    const kph = edge === undefined ? 0 : network.freeFlowKph(edge, 'driving');
    if (edge === undefined || kph <= 0) continue;
    const lengthM = network.edgeLengthM(edge);
    edges.push({ edgeId, lengthM, freeFlowMs: (lengthM * 3_600) / kph });
  }
  return { departMs, metricS, edges };
}
