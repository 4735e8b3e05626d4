import type { SilenceSettings } from './passage-rate.js';
import type { ReportSettings } from './reports.js';

/**
 * Silence on a road that only a part of the drivers takes. Alone it proves nothing: with 60 % for an hour, 30
 * and even 111 drivers in a row went elsewhere when demand or a jam further on changed; with 89 %, 16 did.
 */
export interface SupportSettings {
  /** Guided drivers who must have turned away, in different queues. */
  readonly turnedMin: number;
  /** Greatest part of the required evidence. */
  readonly partMax: number;
  readonly silence: SilenceSettings;
  /**
   * The same after a shorter time on a road that nearly all take, once more drivers than one person has
   * accounts took another exit: no chance makes such a gap, and nobody can wait for it.
   */
  readonly habit: SilenceSettings;
}

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
  /**
   * Guided drivers close a road only if one of them turned away this recently, or somebody took another exit
   * of those whose choices add to theirs; in event time.
   */
  readonly freshMs: number;
  readonly witnessesMax: number;
  /**
   * Guided drivers close an edge of this length or less only if drivers were seen to pass it, in this many
   * slots. A phone cannot distinguish a piece of a crossing from the other side of an island, and where the
   * matcher never sees a driver pass, all drivers seem to turn away.
   */
  readonly pieceM: number;
  readonly piecePassagesMin: number;
  readonly silence: SilenceSettings;
  readonly support: SupportSettings;
  readonly reports: ReportSettings;
  /** A closure expires after this share of its age without new evidence; after `holdMs` at least. */
  readonly holdShare: number;
  readonly holdMs: number;
  readonly holdMaxMs: number;
  /** Drivers without guidance who are due within `holdMs`. Where fewer are, a closure may expire sooner: */
  readonly passersMin: number;
  /** after so many times the time in which it was found, and after `holdMinMs` at least. */
  readonly foundTimes: number;
  readonly holdMinMs: number;
}
