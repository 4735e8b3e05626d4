/**
 * The model's constants. Costs are negative log-likelihoods up to a constant, as in Newson and Krumm, "Hidden
 * Markov Map Matching Through Noise and Sparseness" (2009); their σ_z and β are `sigmaM` and what `betaM`
 * gives.
 */
export const model = {
  /** Default radius of a phone's 68 % circle. */
  accuracyM: 10,
  accuracyMinM: 1,
  accuracyMaxM: 60,
  /**
   * σ along one axis is the radius of the 68 % circle over 1.515. But errors of a receiver are correlated
   * over time, so each point carries less information than an independent one. Measured: at least twice σ.
   */
  sigmaPerAccuracy: 2.25 / 1.515,
  /** Half the width of a road and the error of its drawing, added to the phone's error. */
  mapErrorM: 2,
  /** Candidates are at most this many σ away. */
  reachSigmas: 4.5,
  reachMinM: 30,
  reachMaxM: 150,
  /** Candidate directed edges of one point; nearest first. */
  candidatesMax: 24,
  /** Candidates that are less likely than the best one by more than this are ignored. */
  candidateCostMax: 12,
  /** Histories that are less likely than the best one by more than this are dropped. */
  beamCost: 25,
  /** A point is decided when all histories within this cost agree on it. */
  certainCost: 10,

  /** Below this speed the heading of a phone is noise. */
  headingSpeedMps: 1.5,
  /** Cost of driving against the phone's heading is twice this. */
  headingCost: 10,

  /**
   * β: scale of the difference between the path on the road and the straight line, at σ and over a straight
   * line.
   */
  betaMinM: 4,
  betaPerSigma: 0.5,
  betaPerStraight: 0.04,
  /**
   * Metres of a step back on the same edge that cost as much as β of detour: a phone that stands still does
   * not drive backwards.
   */
  backM: 6,
  /** Cost of turning round in the middle of a road. */
  uTurnCost: 10.5,
  /**
   * Turning back at a crossing counts as this much detour; lesser turns for less, by their cosine, and
   * straight on for none.
   */
  turnM: 100,
  /** β for turns, at least: however exact a phone is, people do turn. */
  turnBetaMinM: 15,
  /** No vehicle drives faster. */
  speedMaxMps: 60,
  /** Speeds above this multiple of the road's speed cost `speedingCost` for each further multiple. */
  speedingFrom: 1.1,
  speedingCost: 6,
  /** The map's speeds are too low in many yards: speed alone must not match a driver off the roads. */
  speedingCostMax: 3,

  /** Being off all known roads, for one point; and leaving or entering the roads. */
  offRoadCost: 5,
  offRoadSwitchCost: 6,

  /**
   * A point nearer than this to the last used one, and within this time, is skipped: at least `stepMinM`,
   * else the smaller of `stepPerSigma` σ and σ² over `stepVarianceM`. Dense points of an exact phone show the
   * corners of a small island; those of a bad one only repeat its error.
   */
  stepMinM: 7,
  stepPerSigma: 2.25,
  stepVarianceM: 12,
  stepMaxMs: 5_000,

  /**
   * How far paths are followed: at first this multiple of the straight line and this much more, then four
   * times as far.
   */
  wayPerStraight: 1.5,
  wayMinM: 150,
  wayMaxM: 8_000,
} as const;

/** Bounds of what one matcher holds. */
export const matchLimits = {
  /** The search from one edge ends after this many edges. */
  wayEdgesMax: 12_000,
  /** Memory for paths that were followed before, per matcher. */
  wayBytesMax: 64 * 2 ** 20,
  /** Points under consideration at once: the oldest is decided when there are more. */
  columnsMax: 24,
  /** The same by time: older points are decided if at least `columnsMin` points follow. */
  lagMs: 45_000,
  columnsMin: 4,
} as const;
