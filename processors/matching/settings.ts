const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export interface MatchingSettings {
  /**
   * Two points further apart in time belong to two drives: what lies between is not claimed. Longer than most
   * tunnels.
   */
  readonly gapMaxMs: number;
  /** A point with a time after its acceptance by more than this is ignored. */
  readonly futureMaxMs: number;
  /** A driver within this distance of the end of an edge has reached the start of the next. */
  readonly approachM: number;
  /**
   * Metres away from a crossing, or back from the furthest point, that make a turning-away certain; a phone
   * errs by less. Away from the route fewer are enough for a phone that errs by less than that.
   */
  readonly turnM: number;
  /**
   * A phone that is nearer to the route than this many of its own deviations has not left it, whatever road
   * the matcher believes in.
   */
  readonly awaySigmas: number;
  /** Metres that a driver must follow a route before a deviation at a crossing counts. */
  readonly reactM: number;
  /**
   * Where a driver was this long before a route is no evidence about it: their phone sends late. Below it are
   * points that phones gather before they send, and the errors of clocks.
   */
  readonly beforeRouteMs: number;
  /** A driver who waits before an edge for this long cannot enter it; longer than any red light. */
  readonly standingMs: number;
  /**
   * After the end of a navigation its last crossing still counts for this long: many end it because of what
   * they see there.
   */
  readonly endedGraceMs: number;
  /**
   * For this long after a navigation, a driver's choices do not count as their own: drivers who meet a
   * barrier end their navigations together, and then all take the same route around it.
   */
  readonly influenceMs: number;
  /** A user without a record for this long is evicted. */
  readonly idleMs: number;
  /** The same for a user who navigates: they may be on a ferry. */
  readonly navigatingIdleMs: number;
}

export const matchingDefaults: MatchingSettings = {
  gapMaxMs: 120 * SECOND_MS,
  futureMaxMs: 5 * MINUTE_MS,
  approachM: 40,
  turnM: 30,
  awaySigmas: 1.7,
  reactM: 150,
  beforeRouteMs: 2 * MINUTE_MS,
  standingMs: 150 * SECOND_MS,
  endedGraceMs: 60 * SECOND_MS,
  influenceMs: 5 * MINUTE_MS,
  idleMs: 10 * MINUTE_MS,
  navigatingIdleMs: 6 * 60 * MINUTE_MS,
};
