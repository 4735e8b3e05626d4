export interface RerouteSettings {
  /** A new route must save this many seconds … */
  readonly savesMinS: number;
  /** … and this share of what the old one would take. */
  readonly savesMinRatio: number;
  /** Farther from the route than this a driver is off the route. */
  readonly astrayM: number;
  /** How far ahead on the route a driver is searched, metres. */
  readonly lookAheadM: number;
  /** A position that was older than this when accepted is ignored. */
  readonly positionAgeMaxMs: number;
  /** A road lets one driver of a queue pass in this many seconds. */
  readonly headwayS: number;
  /**
   * If the next driver would wait longer than this behind those who were sent before, other routes are
   * considered.
   */
  readonly waitFreeS: number;
  /** A navigation without a record or a position for this long is evicted. */
  readonly idleMs: number;
}

export const rerouteDefaults: RerouteSettings = {
  savesMinS: 30,
  savesMinRatio: 0.05,
  astrayM: 50,
  lookAheadM: 3_000,
  positionAgeMaxMs: 5 * 60_000,
  headwayS: 2,
  waitFreeS: 10,
  idleMs: 6 * 60 * 60_000,
};
