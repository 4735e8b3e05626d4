import type { LocationPoints } from '#schemas/location.js';
import { coveredEveryS, navigatingEveryS, parkedEveryS, usualEveryS } from './limits.js';
import type { MatchedEdge, MatchedEdges } from './matched-edges.js';
import { isParked } from './worth.js';

export interface SendHint {
  readonly everyS: number;
  readonly matched: MatchedEdge | undefined;
}

export interface HintPorts {
  readonly isNavigating: (userId: string) => boolean;
  /** Nothing is known of matches when absent. */
  readonly matches?: Pick<MatchedEdges, 'of' | 'isCovered'>;
}

/**
 * How often the user's points are of use, in this order: to a navigation soon; of a parked phone seldom; on
 * an edge that many drive now and then; else as often as the client library sends by itself.
 */
export class SendHints {
  readonly #ports: HintPorts;

  constructor(ports: HintPorts) {
    this.#ports = ports;
  }

  of(userId: string, points: LocationPoints, nowMs: number): SendHint {
    const { isNavigating, matches } = this.#ports;
    const matched = matches?.of(userId, nowMs);
    if (isNavigating(userId)) return { everyS: navigatingEveryS, matched };
    if (isParked(points)) return { everyS: parkedEveryS, matched };
    const covered = matched !== undefined && matches?.isCovered(matched.edge, nowMs) === true;
    return { everyS: covered ? coveredEveryS : usualEveryS, matched };
  }
}
