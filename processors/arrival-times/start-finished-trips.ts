import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { navigationsMax } from '../limits.js';
import { driverPseudonym } from '../matching/pseudonym.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { FinishedTrips, type FinishedTripsOptions, type OpenTrip } from './finished-trips.js';

const outcomes = ['begun', 'finished', 'full'] as const;

type Outcome = (typeof outcomes)[number];

export interface FinishedTripsDeps extends GroupDeps, Omit<FinishedTripsOptions, 'pseudonym'> {
  /** Key of the drivers' pseudonyms; the same one for all processes, and after a restart. */
  readonly pseudonymKey: string;
  readonly codecs: Pick<
    TopicCodecs,
    'navSessionChanged' | 'navProgress' | 'navArrivalObserved' | 'deadLetter'
  >;
}

/** Open trips by user id. */
type State = Map<string, OpenTrip>;

/** Group `finished-trips`: the duration of trips and the prediction at their start. */
export async function startFinishedTrips(deps: FinishedTripsDeps): Promise<Running> {
  const counts = new Counts(deps.metrics, 'finished_trips_outcomes_total', 'Trips by outcome.', outcomes);
  return startGroup(topologyOf(deps, counts), deps, counts);
}

function topologyOf(
  { codecs, pseudonymKey, ...options }: FinishedTripsDeps,
  counts: Counts<Outcome>,
): Topology<State> {
  const trips = new FinishedTrips({
    ...options,
    // Of its own kind, so that a trip cannot be joined with the edges that were driven on it.
    pseudonym: (userId, departMs) => driverPseudonym(pseudonymKey, `trip\n${userId}`, departMs),
  });
  return {
    group: 'finished-trips',
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId: options.network.tilesetId,
      fresh: (): State => new Map(),
      toPlain: (state) => [...state],
      fromPlain: (plain) => new Map(plain),
      // A trip whose roads change during it does not test the prediction.
      carryOver: () => new Map(),
    }),
    inputs: [
      each(codecs.navSessionChanged, ({ message }, { state, emit }) => {
        const { userId } = message;
        const before = state.get(userId);
        if (before === undefined && state.size >= navigationsMax) {
          counts.add('full');
          return drop('full');
        }
        const { open, finished } = trips.change(before, message);
        if (open === undefined) state.delete(userId);
        else state.set(userId, open);
        if (open !== undefined && open !== before) counts.add('begun');
        if (finished !== undefined) {
          counts.add('finished');
          emit(codecs.navArrivalObserved, finished.corridor, finished);
        }
        return ok;
      }),
      each(codecs.navProgress, ({ message }, { state }) => {
        const moved = trips.move(state.get(message.userId), message);
        if (moved !== undefined) state.set(message.userId, moved);
        return ok;
      }),
    ],
  };
}
