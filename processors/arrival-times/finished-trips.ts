import { type ArrivalModel, estimateArrival } from '#routing-engine/arrival-times/arrival-model.js';
import { outlookOf, routeFeatures, type TypicalRatio } from '#routing-engine/arrival-times/route-features.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  type ArrivalObserved,
  type NavigationChanged,
  type NavigationProgress,
  navigationState,
} from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';

/** An active navigation, with what was known when its driver set out. Plain data. */
export interface OpenTrip {
  readonly navigationId: string;
  readonly routeVersion: number;
  readonly destination: readonly [latE7: number, lngE7: number];
  /** The record of the trip, except for its duration. */
  readonly begun: Omit<ArrivalObserved, 'actualS' | 'departedMs'>;
  readonly departMs: number;
  readonly heardMs: number;
  /** Metres from the destination at the last position. */
  readonly leftM?: number;
}

export interface FinishedTripsOptions {
  readonly network: RoadNetwork;
  readonly typicalRatio: TypicalRatio;
  /** The newest model; undefined before the first was trained. */
  readonly model: () => ArrivalModel | undefined;
  /** Daily pseudonym of a user. */
  readonly pseudonym: (userId: string, departMs: number) => number;
}

/** A driver who ends the navigation this near to the destination has arrived. */
const arrivedM = 300;
/** Shorter trips are mostly searches for a parking space. */
const tripSMin = 60;
const tripSMax = 6 * 3_600;
const metresPerDegree = 111_195;
const departureStepMs = 300_000;

/**
 * From a user's navigations to their finished trips: started, driven, arrived. Pure except for the model that
 * it uses.
 */
export class FinishedTrips {
  readonly #options: FinishedTripsOptions;

  constructor(options: FinishedTripsOptions) {
    this.#options = options;
  }

  /** The open trip afterwards, and the finished one. */
  change(
    open: OpenTrip | undefined,
    change: NavigationChanged,
  ): { readonly open: OpenTrip | undefined; readonly finished?: ArrivalObserved } {
    const isPresent = open?.navigationId === change.navigationId;
    if (change.state === navigationState.ended) {
      if (!isPresent) return { open };
      const finished = finish(open, change.changedMs);
      return { open: undefined, ...(finished && { finished }) };
    }
    if (isPresent && open.routeVersion >= change.routeVersion) return { open };
    // There is no travel time without a route; a route that comes later starts another trip.
    if (change.state === navigationState.unreachable) return { open: isPresent ? undefined : open };
    if (change.tilesetId !== this.#options.network.tilesetId) return { open: undefined };
    // What was said at the start is what the driver remembers; another route on the way does not change it.
    if (isPresent) return { open: { ...open, ...targetOf(change) } };
    return { open: this.#begin(change) };
  }

  /** The open trip after a position; undefined if the position does not belong to it. */
  move(
    open: OpenTrip | undefined,
    { navigationId, latE7, lngE7, timeMs }: NavigationProgress,
  ): OpenTrip | undefined {
    if (open?.navigationId !== navigationId || timeMs < open.heardMs) return undefined;
    const [lat, lng] = open.destination;
    const northM = ((latE7 - lat) / E7) * metresPerDegree;
    const eastM = ((lngE7 - lng) / E7) * metresPerDegree * Math.cos((lat / E7) * (Math.PI / 180));
    return { ...open, heardMs: timeMs, leftM: Math.hypot(northM, eastM) };
  }

  #begin(change: NavigationChanged): OpenTrip | undefined {
    const { network, typicalRatio, model, pseudonym } = this.#options;
    const { edgeIds, changedMs, durationS: metricS } = change;
    // An earlier program did not say how long the route is: then its first and last road count whole.
    const distanceM = change.distanceM === 0 ? undefined : change.distanceM;
    const outlook = outlookOf(network, { edgeIds, distanceM, metricS }, changedMs);
    const corridor = corridorOf(network, edgeIds);
    if (outlook.edges.length === 0 || corridor === undefined) return undefined;
    const features = routeFeatures(outlook, typicalRatio);
    const current = model();
    const said = current === undefined ? undefined : estimateArrival(current, features);
    return {
      navigationId: change.navigationId,
      ...targetOf(change),
      departMs: changedMs,
      heardMs: changedMs,
      begun: {
        ...{ tilesetId: network.tilesetId, corridor, metricS },
        physicalS: features.physicalS,
        features: features.row,
        saidS: said?.durationS ?? 0,
        lowS: said?.lowS ?? 0,
        highS: said?.highS ?? 0,
        modelVersion: current?.version ?? 0,
        driver: pseudonym(change.userId, changedMs),
      },
    };
  }
}

const targetOf = (change: NavigationChanged): Pick<OpenTrip, 'routeVersion' | 'destination'> => ({
  routeVersion: change.routeVersion,
  destination: [change.destinationLatE7, change.destinationLngE7],
});

function finish({ begun, departMs, leftM }: OpenTrip, endedMs: number): ArrivalObserved | undefined {
  const actualS = (endedMs - departMs) / 1_000;
  const hasArrived = leftM !== undefined && leftM <= arrivedM;
  if (!hasArrived || actualS < tripSMin || actualS > tripSMax) return undefined;
  return { ...begun, actualS, departedMs: Math.round(departMs / departureStepMs) * departureStepMs };
}

/** Cells of the second coarsest level at both ends: parts of a city with many trips between them. */
function corridorOf(network: RoadNetwork, edgeIds: readonly string[]): string | undefined {
  const level = Math.max(0, network.levelCount - 2);
  const ends = [edgeIds[0], edgeIds.at(-1)].map((id) =>
    id === undefined ? undefined : network.edgeByStableId(id),
  );
  const cells = ends.map((edge) =>
    edge === undefined ? undefined : network.ancestor(network.edgeCell(edge), level),
  );
  return cells.includes(undefined) ? undefined : cells.join('>');
}
