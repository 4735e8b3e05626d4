export interface NewRoadSettings {
  /**
   * A point farther than this from the road that it is matched to, and than `strayPerAccuracy` of its
   * accuracy, is astray.
   */
  readonly strayM: number;
  readonly strayPerAccuracy: number;
  /** Consecutive off-road points that make a run; a single one is an error of the phone. */
  readonly strayPointsMin: number;
  /** A run ends where two of its points are further apart than this. */
  readonly hopMaxM: number;
  /** Shorter runs, and shorter roads, are ignored. */
  readonly roadMinM: number;
  /** Runs that lie within this of each other for `sharedMin` of the shorter one are of one road. */
  readonly besideM: number;
  readonly sharedMin: number;
  /** A road is proposed when this many runs, by this many drivers, agree. */
  readonly passesMin: number;
  readonly driversMin: number;
}

export const newRoadDefaults: NewRoadSettings = {
  strayM: 14,
  strayPerAccuracy: 1.6,
  strayPointsMin: 3,
  hopMaxM: 150,
  roadMinM: 60,
  besideM: 18,
  sharedMin: 0.6,
  passesMin: 4,
  driversMin: 3,
};
