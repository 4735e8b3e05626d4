/** A lane before a crossing, in OSRM's words. */
export interface Lane {
  /** `left`, `slight left`, `sharp left`, `straight`, …, `uturn`; `none` for a lane without a sign. */
  readonly indications: readonly string[];
  /** Leads to where the route goes. */
  readonly valid: boolean;
}
