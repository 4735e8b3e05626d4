import type { LocationPoints } from '#schemas/location.js';
import { isParked } from './batch-priority.js';
import { coveredEveryS, navigatingEveryS, parkedEveryS, usualEveryS } from './limits.js';
import type { MatchedEdge, MatchedEdges } from './matched-edges.js';

export interface SendHint {
  readonly everyS: number;
  readonly matched: MatchedEdge | undefined;
}

export interface HintPorts {
  readonly isNavigating: (userId: string) => boolean;
  /** If absent, matches are unknown. */
  readonly matches?: Pick<MatchedEdges, 'of' | 'isCovered'>;
}

/**
 * The send interval, in this order: short for a navigation; long for a parked phone; medium on an edge that
 * many drive; otherwise the client library's default.
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
