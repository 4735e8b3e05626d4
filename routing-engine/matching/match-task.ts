import { encodePolyline } from '../network/polyline.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { type MatchedTrace, stretchGeometry, TraceMatcher } from './match-trace.js';
import type { TracePoint } from './trace-point.js';

/** A complete trace to be matched; structured-cloneable, and JSON. */
export interface MatchTask {
  /** In the order in which they were recorded; one that is not later than those before it stays unmatched. */
  readonly points: readonly TracePoint[];
  /** Points further apart in time begin another matching. */
  readonly gapMaxMs?: number;
  /** Default driving. */
  readonly mode?: TravelMode;
}

export interface MatchAnswer {
  readonly matchings: readonly MatchedDrive[];
  /** One for each point; null if it is in no matching. */
  readonly places: readonly (PointPlace | null)[];
}

/** A drive without a break. */
export interface MatchedDrive {
  /** Encoded polyline, precision 6. */
  readonly geometry: string;
  /**
   * Stable ids of the directed edges, in order; the first begins at `fromFraction`, the last ends at
   * `toFraction`.
   */
  readonly edgeIds: readonly string[];
  readonly fromFraction: number;
  readonly toFraction: number;
  readonly distanceM: number;
  /** 0 to 1, see `Matching`. */
  readonly confidence: number;
}

export interface PointPlace {
  /** Index into the matchings. */
  readonly matching: number;
  /** Stable id of the directed edge. */
  readonly edgeId: string;
  /** 0 at the beginning of the edge, 1 at its end, by length. */
  readonly fraction: number;
  /** Metres from the point to its place on the road. */
  readonly distanceM: number;
  readonly lat: number;
  readonly lng: number;
  readonly name: string;
}

/** Matches traces on one thread; keeps the paths that it followed. */
export class TraceTasks {
  readonly #network: RoadNetwork;
  readonly #matchers = new Map<TravelMode, TraceMatcher>();

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  answer({ points, gapMaxMs, mode = 'driving' }: MatchTask): MatchAnswer {
    let matcher = this.#matchers.get(mode);
    if (matcher === undefined) {
      matcher = new TraceMatcher(this.#network, mode);
      this.#matchers.set(mode, matcher);
    }
    return answerOf(this.#network, matcher.match(points, gapMaxMs === undefined ? {} : { gapMaxMs }));
  }
}

function answerOf(network: RoadNetwork, trace: MatchedTrace): MatchAnswer {
  const ids = new Map<number, string>();
  const idOf = (edge: number): string => {
    let id = ids.get(edge);
    if (id === undefined) {
      id = network.edgeId(edge);
      ids.set(edge, id);
    }
    return id;
  };
  return {
    matchings: trace.matchings.map(({ stretches, lengthM, confidence }) => ({
      geometry: encodePolyline(Float64Array.from(stretchGeometry(network, stretches)), 6),
      edgeIds: stretches.map(({ edge }) => idOf(edge)),
      fromFraction: stretches[0]?.from ?? 0,
      toFraction: stretches.at(-1)?.to ?? 0,
      distanceM: Math.round(10 * lengthM) / 10,
      confidence: Math.round(1_000 * confidence) / 1_000,
    })),
    places: placesOf(network, trace, idOf),
  };
}

function placesOf(
  network: RoadNetwork,
  { places }: MatchedTrace,
  idOf: (edge: number) => string,
): (PointPlace | null)[] {
  return places.map((place) => {
    if (place === null) return null;
    const { matching, edge, fraction, distanceM } = place;
    return {
      matching,
      edgeId: idOf(edge),
      fraction: Math.round(10_000 * fraction) / 10_000,
      distanceM: Math.round(10 * distanceM) / 10,
      lat: Math.round(1e7 * place.lat) / 1e7,
      lng: Math.round(1e7 * place.lng) / 1e7,
      name: network.edgeName(edge),
    };
  });
}
