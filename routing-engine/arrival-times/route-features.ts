import type { RoadNetwork } from '../network/road-network.js';
import { mapClock } from './map-clock.js';

/** A route as known at the start of the trip. */
export interface RouteOutlook {
  readonly departMs: number;
  /** Clock time of the departure, see `mapClock`. */
  readonly localMs: number;
  /** On the metric of that moment, turns included. */
  readonly metricS: number;
  /** Free-flow milliseconds and metres of what is driven of each edge, and its name in the typical week. */
  readonly edges: readonly {
    readonly edgeId: string;
    readonly freeFlowMs: number;
    readonly lengthM: number;
  }[];
}

export type TypicalRatio = (edgeId: string, atMs: number) => number | undefined;

/** The features from which the correction is learned; `physicalS` is what it corrects. */
export interface RouteFeatures {
  readonly physicalS: number;
  readonly row: readonly number[];
}

/** Factor of free flow for a road without learned data. */
const unknownRatio = 1.15;
/** After this time, the live value of a jam counts half as much as the typical one. */
const liveHalfLifeS = 1_800;

/**
 * The physical time: the typical time of each edge when the driver will reach it, and the live delay, which
 * counts less the further ahead. Also the other features.
 */
export function routeFeatures(
  { departMs, localMs, metricS, edges }: RouteOutlook,
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
  // Live speeds contain the complete delay only if there is no typical speed; a delay that both contain
  // counts once.
  const beyondS = Math.max(-0.3 * typicalS, metricS - Math.max(free, typicalS));
  const lasting = (liveHalfLifeS / Math.LN2 / Math.max(1, typicalS)) * (1 - 2 ** (-typicalS / liveHalfLifeS));
  const physicalS = Math.max(1, typicalS + Math.max(0, beyondS) * Math.min(1, lasting));
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
      ...clockFeatures(localMs),
    ].map((value) => Number(value.toPrecision(6))),
  };
}

/** Columns of a row that say when, see `clockFeatures`. */
export const clockColumns = [6, 7] as const;

/** Hour of the day, and whether the day is one of the weekend. */
function clockFeatures(localMs: number): [hour: number, weekend: 0 | 1] {
  const day = Math.floor(localMs / 86_400_000);
  const weekday = (((day + 3) % 7) + 7) % 7;
  return [(localMs - day * 86_400_000) / 3_600_000, weekday >= 5 ? 1 : 0];
}

/** A row of an earlier program, whose hours were those of UTC. */
export function withClock(row: readonly number[], localMs: number): number[] {
  const clock = clockFeatures(localMs).map((value) => Number(value.toPrecision(6)));
  return row.map((value, column) => clock[column - clockColumns[0]] ?? value);
}

export interface DrivenRoute {
  readonly edgeIds: readonly string[];
  /** Of the route; undefined: all edges are driven whole. */
  readonly distanceM: number | undefined;
  /** On the metric of the departure. */
  readonly metricS: number;
}

/**
 * For a route with edges of the network; edges that it lacks, or that no driver may use, are left out. What
 * its edges are longer than the route lies on the first and the last, in proportion to their lengths.
 */
export function outlookOf(
  network: RoadNetwork,
  { edgeIds, distanceM, metricS }: DrivenRoute,
  departMs: number,
): RouteOutlook {
  const edges: { edgeId: string; freeFlowMs: number; lengthM: number }[] = [];
  for (const edgeId of edgeIds) {
    const edge = network.edgeByStableId(edgeId);
    const kph = edge === undefined ? 0 : network.freeFlowKph(edge, 'driving');
    if (edge === undefined || kph <= 0) continue;
    const lengthM = network.edgeLengthM(edge);
    edges.push({ edgeId, lengthM, freeFlowMs: (lengthM * 3_600) / kph });
  }
  if (distanceM !== undefined) shortenEnds(edges, distanceM);
  return { departMs, localMs: mapClock(network)(departMs), metricS, edges };
}

function shortenEnds(edges: { freeFlowMs: number; lengthM: number }[], distanceM: number): void {
  const ends = [...new Set([edges[0], edges.at(-1)])].filter((edge) => edge !== undefined);
  const sum = (of: readonly { readonly lengthM: number }[]): number =>
    of.reduce((metres, { lengthM }) => metres + lengthM, 0);
  const endsM = sum(ends);
  if (endsM === 0) return;
  const left = Math.min(1, Math.max(0, 1 - (sum(edges) - distanceM) / endsM));
  for (const edge of ends) {
    edge.freeFlowMs *= left;
    edge.lengthM *= left;
  }
}
