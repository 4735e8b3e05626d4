import type { SilenceSettings } from './passage-rate.js';
import type { ReportSettings } from './reports.js';

export interface ClosureSettings {
  /** Probability that a guided driver leaves the route at an open edge. */
  readonly leavesOpenEdge: number;
  /**
   * The same if the previous route of the navigation led elsewhere: phones without a connection, and drivers
   * who prefer the route that they know. While fewer than five in six keep it, it closes no open edge.
   */
  readonly keepsPrevious: number;
  /** Probability that a guided driver turns away from a closed one. */
  readonly leavesClosedEdge: number;
  /** Accepted false closures per open edge and day. */
  readonly falsePerEdgeDay: number;
  /** Each passage is a chance of an error; an edge has at least this many in a day. */
  readonly chancesPerDayMin: number;
  /** Risk of reopening a closed edge because of the drivers who passed. */
  readonly reopenAlpha: number;
  /** Risk of keeping an open edge closed in the test for "open". */
  readonly beta: number;
  /** Event time within which a driver counts once, and after which they are evicted. */
  readonly windowMs: number;
  readonly witnessesMax: number;
  /**
   * Guided drivers close an edge of this length or less only if drivers were seen to pass it, in this many
   * slots. A phone cannot distinguish a piece of a crossing from the other side of an island, and where the
   * matcher never sees a driver pass, all drivers seem to turn away.
   */
  readonly pieceM: number;
  readonly piecePassagesMin: number;
  readonly silence: SilenceSettings;
  readonly reports: ReportSettings;
  readonly holdMs: number;
  readonly holdMaxMs: number;
}
