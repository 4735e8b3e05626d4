import { type ArrivalScore, ArrivalScorer } from './arrival-score.js';
import { type ClosureScore, ClosureScorer } from './closure-score.js';
import { type RerouteScore, RerouteScorer } from './reroute-score.js';
import { type SpeedScore, SpeedScorer } from './speed-score.js';

const minuteMs = 60_000;
/** What must hold. */
const bounds = {
  busyPerMinute: 4,
  foundWithinMs: 5 * minuteMs,
  foundShareMin: 0.9,
  /** Error of arrival times, of the error of free flow; for at least so many trips. */
  arrivalShareMax: 0.7,
  tripsMin: 30,
  /** Share of trips within the interval of four in five, and how far it may be off. */
  coverage: 0.8,
  coverageOff: 0.02,
} as const;

export interface CityScore {
  readonly scenario: string;
  readonly closures: ClosureScore;
  readonly arrivals: ArrivalScore;
  readonly speeds: SpeedScore;
  readonly reroutes: RerouteScore;
  /** A sentence for each bound that does not hold. */
  readonly broken: readonly string[];
}

/** All that is compared with the truth of a simulated city. */
export class CityScorer {
  readonly closures: ClosureScorer;
  readonly arrivals = new ArrivalScorer();
  readonly speeds = new SpeedScorer();
  readonly reroutes = new RerouteScorer();
  scenario = '';

  constructor({ warmUpMs }: { readonly warmUpMs: number }) {
    this.closures = new ClosureScorer({ warmUpMs, ...bounds });
  }

  get result(): CityScore {
    const { scenario } = this;
    const [closures, arrivals] = [this.closures.result, this.arrivals.result];
    const [speeds, reroutes] = [this.speeds.result, this.reroutes.result];
    const broken = [...brokenClosures(closures), ...brokenArrivals(arrivals), ...brokenReroutes(reroutes)];
    return { scenario, closures, arrivals, speeds, reroutes, broken };
  }
}

function* brokenClosures({ false: wrong, busy }: ClosureScore): Iterable<string> {
  if (wrong.length > 0) yield `${wrong.length} open roads were listed as closed.`;
  if (busy.inTime < bounds.foundShareMin * busy.closures)
    yield `${busy.inTime} of ${busy.closures} busy closures were listed within five minutes.`;
}

function* brokenArrivals({ trips, mape, freeFlowMape, intervals, covered }: ArrivalScore): Iterable<string> {
  if (trips >= bounds.tripsMin && mape! > bounds.arrivalShareMax * freeFlowMape!)
    yield `Arrival times have ${(mape! / freeFlowMape!).toFixed(2)} times the error of free flow.`;
  // Twice the deviation of a share of so many trips.
  const allowed = bounds.coverageOff + 2 * Math.sqrt((bounds.coverage * (1 - bounds.coverage)) / intervals);
  if (intervals >= bounds.tripsMin && Math.abs(covered! - bounds.coverage) > allowed)
    yield `Intervals contain ${Math.round(covered! * 100)} % of the trips, not 80 %.`;
}

function* brokenReroutes({ overListed }: RerouteScore): Iterable<string> {
  if (overListed.length > 0)
    yield `${overListed.length} of the reroutes led over a road that was listed as closed.`;
}
