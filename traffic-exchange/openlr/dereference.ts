import type { Stretch } from '#routing-engine/matching/match-trace.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type Candidate, candidatesOf } from './candidates.js';
import { LengthSearch } from './length-search.js';
import { candidateMetresMax } from './limits.js';
import { type LineReference, legMetresMax, type ReferencePoint } from './line-reference.js';

export type Dereferenced =
  | { readonly kind: 'found'; readonly stretches: readonly Stretch[] }
  | { readonly kind: 'no-road'; readonly point: number }
  | { readonly kind: 'no-way'; readonly point: number };

/** Half of an interval of distances, rounded up. */
const exactM = legMetresMax / 512 + 1;
/** Ways of two maps differ by some metres and by a share. */
const toleranceM = 100;
const toleranceShare = 0.15;
/** Metres of a wrong length that count as one metre of distance from the road. */
const lengthPerCost = 4;
/** Road classes of two maps differ by this much on the way. */
const classTolerance = 2;

/** Up to one point: the edges since the first one, and what they cost. */
interface Partial {
  readonly candidate: Candidate;
  readonly cost: number;
  /** Metres from the previous point. */
  readonly legM: number;
  /**
   * Edges before that of the candidate, from the previous candidate's on; empty where both are on one edge.
   */
  readonly leg: readonly number[];
  readonly before?: Partial;
}

/** Finds the edges of lines that were written for any map. */
export class LineFinder {
  readonly #network: RoadNetwork;
  readonly #search: LengthSearch;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#search = new LengthSearch(network);
  }

  /** The cheapest combination of a road for every point and the shortest ways between them. */
  find({ points, positiveOffset, negativeOffset }: LineReference): Dereferenced {
    let best: readonly Partial[] = [];
    for (const [i, point] of points.entries()) {
      const candidates = candidatesOf(this.#network, point);
      if (candidates.length === 0) return { kind: 'no-road', point: i };
      best =
        i === 0
          ? candidates.map((candidate) => ({ candidate, cost: candidate.cost, legM: 0, leg: [] }))
          : this.#extend(best, points[i - 1]!, point, candidates);
      if (best.length === 0) return { kind: 'no-way', point: i };
    }
    const last = best.reduce((a, b) => (b.cost < a.cost ? b : a));
    return { kind: 'found', stretches: this.#stretches(last, positiveOffset, negativeOffset) };
  }

  /** The cheapest way to each candidate of the next point that has one. */
  #extend(
    starts: readonly Partial[],
    from: ReferencePoint,
    to: ReferencePoint,
    candidates: readonly Candidate[],
  ): Partial[] {
    const network = this.#network;
    const { tail } = network.arrays;
    const { distanceM, lowestFrc } = from.toNext!;
    const reachM = distanceM + exactM + toleranceM + toleranceShare * distanceM;
    const best = new Map<Candidate, Partial>();
    const offer = (start: Partial, candidate: Candidate, legM: number, leg: readonly number[]): void => {
      const wrongM = Math.max(0, Math.abs(legM - distanceM) - exactM);
      if (wrongM > toleranceM + toleranceShare * distanceM) return;
      const cost = start.cost + candidate.cost + wrongM / lengthPerCost;
      const known = best.get(candidate);
      if (known === undefined || cost < known.cost)
        best.set(candidate, { candidate, cost, legM, leg, before: start });
    };
    for (const start of starts) {
      const { edge, fraction } = start.candidate;
      const lengthM = network.edgeLengthM(edge);
      for (const candidate of candidates)
        if (candidate.edge === edge && candidate.fraction > fraction)
          offer(start, candidate, (candidate.fraction - fraction) * lengthM, []);
      const found = this.#search.run(
        {
          edge,
          reachM: reachM - (1 - fraction) * lengthM,
          lowestFrc: lowestFrc + classTolerance,
          towards: { lng: to.lng, lat: to.lat, withinM: withinOf(network, candidates) },
        },
        new Set(candidates.map((candidate) => tail[candidate.edge]!)),
      );
      for (const candidate of candidates) {
        const cm = found.get(tail[candidate.edge]!);
        if (cm === undefined) continue;
        const legM =
          (1 - fraction) * lengthM + cm / 100 + candidate.fraction * network.edgeLengthM(candidate.edge);
        offer(start, candidate, legM, [edge, ...this.#search.way(tail[candidate.edge]!)]);
      }
    }
    return [...best.values()];
  }

  #stretches(last: Partial, positiveOffset: number, negativeOffset: number): Stretch[] {
    const legs: Partial[] = [];
    for (let at: Partial | undefined = last; at?.before !== undefined; at = at.before) legs.unshift(at);
    const first = legs[0]!.before!.candidate;
    const edges = [...legs.flatMap(({ leg }) => leg), last.candidate.edge];
    const whole = edges.map((edge, i) => ({
      edge,
      from: i === 0 ? first.fraction : 0,
      to: i === edges.length - 1 ? last.candidate.fraction : 1,
    }));
    const cut = cutFront(this.#network, whole, positiveOffset * legs[0]!.legM);
    return cutBack(this.#network, cut, negativeOffset * last.legM);
  }
}

/** The tails of the candidates' edges lie this near to the point that they belong to. */
const withinOf = (network: RoadNetwork, candidates: readonly Candidate[]): number =>
  candidateMetresMax +
  candidates.reduce((most, { edge, fraction }) => Math.max(most, fraction * network.edgeLengthM(edge)), 0);

function cutFront(network: RoadNetwork, stretches: readonly Stretch[], metres: number): Stretch[] {
  let left = metres;
  const kept: Stretch[] = [];
  for (const stretch of stretches) {
    const { edge, from, to } = stretch;
    const lengthM = (to - from) * network.edgeLengthM(edge);
    if (left >= lengthM) left -= lengthM;
    else {
      kept.push({ edge, from: from + left / network.edgeLengthM(edge), to });
      left = 0;
    }
  }
  return kept;
}

function cutBack(network: RoadNetwork, stretches: readonly Stretch[], metres: number): Stretch[] {
  const turned = stretches.map(({ edge, from, to }) => ({ edge, from: -to, to: -from })).reverse();
  return cutFront(network, turned, metres)
    .map(({ edge, from, to }) => ({ edge, from: -to, to: -from }))
    .reverse();
}
