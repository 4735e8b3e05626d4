import type { LocationStore, StoredLocation } from '#platform/location-store/location-store.js';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import { outlookOf, routeFeatures, type TypicalRatio } from '#routing-engine/arrival-times/route-features.js';
import { TraceTasks } from '#routing-engine/matching/match-task.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { E7, type UserId } from '#schemas/units.js';

export interface TripsOfLocationsOptions {
  readonly store: LocationStore;
  readonly users: readonly string[];
  readonly network: RoadNetwork;
  readonly typicalRatio: TypicalRatio;
  /** Unix milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Called after each user. */
  readonly onUser?: (done: number, drives: number) => void;
}

/** A driver who sends nothing for this long, or stays within the distance, has arrived. */
const silenceMs = 3 * 60_000;
const standsMs = 2 * 60_000;
const standsM = 40;
const pointsMin = 10;
/** A longer drive is cut. */
const pointsMax = 5_000;
const tripSMin = 120;
const tripSMax = 6 * 3_600;
/** A drive is used if the matcher is this sure, and had a road for this share of its points. */
const confidenceMin = 0.5;
const matchedShareMin = 0.9;
const pageLimit = 1_000;
const metresPerDegree = 111_195;

/**
 * Trips that users' stored locations show: from one stop to the next, on the roads that the matcher finds.
 * What the live metric was then is not stored, so its time is that of the empty road.
 */
export async function* tripsOfLocations(options: TripsOfLocationsOptions): AsyncGenerator<FinishedTrip> {
  const { users, network, onUser } = options;
  const matcher = new TraceTasks(network);
  let drives = 0;
  for (const [i, user] of users.entries()) {
    for await (const drive of drivesOf(options, user)) {
      drives++;
      const trip = tripOf(drive, matcher, options);
      if (trip !== undefined) yield trip;
    }
    onUser?.(i + 1, drives);
  }
}

/** The locations between two stops. */
async function* drivesOf(
  { store, fromMs, toMs }: TripsOfLocationsOptions,
  user: string,
): AsyncGenerator<readonly StoredLocation[]> {
  let drive = new Drive();
  let cursor: string | undefined;
  do {
    const page = await store.read(user as UserId, {
      ...{ fromMs, toMs, limit: pageLimit },
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const location of page.locations) {
      if (drive.isOverBefore(location)) {
        yield drive.locations;
        drive = new Drive();
      }
      drive.add(location);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  yield drive.locations;
}

/** Locations from where a driver leaves one place to where they stop at the next. */
class Drive {
  readonly #locations: StoredLocation[] = [];
  /** Where the driver last was away from: they have moved on from there, or stand there. */
  #anchor: StoredLocation | undefined;
  /** Locations up to the anchor; what follows may be standing. */
  #driven = 0;

  get locations(): readonly StoredLocation[] {
    return this.#locations.slice(0, this.#driven);
  }

  isOverBefore(next: StoredLocation): boolean {
    const [last, anchor] = [this.#locations.at(-1), this.#anchor];
    if (last === undefined || anchor === undefined) return false;
    if (next.timestamp - last.timestamp > silenceMs || this.#locations.length >= pointsMax) return true;
    return (
      this.#driven > 0 && next.timestamp - anchor.timestamp >= standsMs && distanceM(anchor, next) <= standsM
    );
  }

  add(location: StoredLocation): void {
    this.#anchor ??= location;
    if (distanceM(this.#anchor, location) > standsM) {
      this.#locations.push(location);
      this.#driven = this.#locations.length;
      this.#anchor = location;
      // Before they leave, only the last location counts.
    } else if (this.#driven === 0) this.#locations.splice(0, 1, location);
    else this.#locations.push(location);
  }
}

function tripOf(
  drive: readonly StoredLocation[],
  matcher: TraceTasks,
  { network, typicalRatio }: TripsOfLocationsOptions,
): FinishedTrip | undefined {
  if (drive.length < pointsMin) return undefined;
  const departMs = drive[0]!.timestamp;
  const actualS = (drive.at(-1)!.timestamp - departMs) / 1_000;
  if (actualS < tripSMin || actualS > tripSMax) return undefined;
  const points = drive.map(({ lat, lng, timestamp }) => ({
    ...{ latE7: Math.round(lat * E7), lngE7: Math.round(lng * E7), timeMs: timestamp },
  }));
  const { matchings, places } = matcher.answer({ points });
  const [matching] = matchings;
  const matched = places.filter((place) => place !== null).length;
  if (matchings.length !== 1 || matching === undefined) return undefined;
  if (matching.confidence < confidenceMin || matched < matchedShareMin * points.length) return undefined;
  const { edgeIds, fromFraction, toFraction } = matching;
  const driven = onEmptyRoads(network, edgeIds, fromFraction, toFraction);
  const outlook = outlookOf(network, { edgeIds, ...driven }, departMs);
  return outlook.edges.length < 3
    ? undefined
    : { ...routeFeatures(outlook, typicalRatio), departMs, actualS };
}

/** The length, and what the metric says when nothing is known of the traffic. */
function onEmptyRoads(
  network: RoadNetwork,
  edgeIds: readonly string[],
  fromFraction: number,
  toFraction: number,
): { readonly distanceM: number; readonly metricS: number } {
  let [metres, seconds] = [0, 0];
  let before: number | undefined;
  for (const [at, id] of edgeIds.entries()) {
    const edge = network.edgeByStableId(id);
    const kph = edge === undefined ? 0 : network.freeFlowKph(edge, 'driving');
    if (edge === undefined || kph <= 0) continue;
    const share = (at === edgeIds.length - 1 ? toFraction : 1) - (at === 0 ? fromFraction : 0);
    metres += network.edgeLengthM(edge) * share;
    seconds += (network.edgeLengthM(edge) * 3.6 * share) / kph;
    if (before !== undefined) seconds += (turnDs(network, 'driving', before, edge) ?? 0) / 10;
    before = edge;
  }
  return { distanceM: metres, metricS: seconds };
}

function distanceM(a: StoredLocation, b: StoredLocation): number {
  const north = (a.lat - b.lat) * metresPerDegree;
  return Math.hypot(north, (a.lng - b.lng) * metresPerDegree * Math.cos((a.lat * Math.PI) / 180));
}
