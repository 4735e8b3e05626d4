/** One observation of a device, as the matcher reads it. */
export interface TracePoint {
  /** 1e-7 degrees. */
  readonly lngE7: number;
  readonly latE7: number;
  /** Unix milliseconds, as the device says. */
  readonly timeMs: number;
  /** Compass degrees of travel. */
  readonly headingDeg?: number;
  readonly speedMps?: number;
  /** Radius of the 68 % circle; `model.accuracyM` when absent. */
  readonly accuracyM?: number;
  /** Only roads that fit; the others are not considered for this point. */
  readonly only?: RoadRule;
}

/** What is required of the road of a point. */
export interface RoadRule {
  /** Travelled within this many degrees of a compass heading. */
  readonly heading?: { readonly deg: number; readonly rangeDeg: number };
  /** Of a road that is open both ways: only the direction that has the point on this side. */
  readonly side?: 'left' | 'right';
  /** Only this road piece. */
  readonly piece?: number;
}

/** The decided place of the device at one of the points that the matcher used. */
export interface MatchedStep {
  readonly lngE7: number;
  readonly latE7: number;
  readonly timeMs: number;
  /** Directed edge, never a copy; -1: off all known roads. */
  readonly edge: number;
  /** 0 at the tail, 1 at the head, by length; 0 off the roads. */
  readonly fraction: number;
  /**
   * Edges from the previous step to this one, both included, connected and legal; absent if the path is
   * unknown.
   */
  readonly path?: readonly number[];
  /** Cost of the point and the path to it: 0 for a point on the road, as far along it as the car drove. */
  readonly cost: number;
  /** Expected error of the point along an axis in the model. */
  readonly sigmaM: number;
  /** Other roads at this point that are on a likely history; 0 where all agree. */
  readonly alternatives: number;
}
