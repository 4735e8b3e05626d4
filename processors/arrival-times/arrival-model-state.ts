import type { StateDefinition } from '#platform/stream/state-store.js';
import { modelFormat } from '#routing-engine/arrival-times/arrival-model.js';
import type { LocalMs } from '#routing-engine/arrival-times/map-clock.js';
import { withClock } from '#routing-engine/arrival-times/route-features.js';
import { noSteering, type Steering } from '#routing-engine/arrival-times/steering.js';
import { jsonState } from '../json-state.js';
import { type Learned, nothingLearned } from './arrival-learning.js';
import { type ArrivalScore, noScore } from './arrival-scores.js';

/** What the group `arrival-model` remembers. */
export interface ArrivalModelState extends Learned {
  readonly corridors: Map<string, ArrivalScore>;
  all: ArrivalScore;
}

/** As it is stored. A state of an earlier program has the drift only. */
type PlainState = Omit<ArrivalModelState, 'corridors' | 'steering' | 'publishedTrips'> &
  Partial<Pick<ArrivalModelState, 'steering' | 'publishedTrips'>> &
  Pick<Steering, 'drift'> & { readonly corridors: readonly (readonly [string, ArrivalScore])[] };

export const arrivalModelState = (tilesetId: string, localMs: LocalMs): StateDefinition<ArrivalModelState> =>
  jsonState({
    layout: 2,
    tilesetId,
    fresh: (): ArrivalModelState => ({ ...nothingLearned(), corridors: new Map(), all: noScore }),
    // An earlier program reads the state too: it has the drift where that program looks for it.
    toPlain: ({ corridors, ...rest }): PlainState => ({
      ...rest,
      drift: rest.steering.drift,
      corridors: [...corridors],
    }),
    fromPlain: ({ corridors, drift, steering, publishedTrips, model, ...rest }) => {
      const present = steering ?? { ...noSteering, trips: model?.trips ?? 0, drift };
      const trips = rest.trips.map((trip) => ({ ...trip, row: withClock(trip.row, localMs(trip.departMs)) }));
      const known = { ...rest, trips, corridors: new Map(corridors) };
      // A model of another format is trained again with the next trip.
      if (model?.format !== modelFormat)
        return { ...known, steering: noSteering, publishedTrips: 0, sinceTraining: trips.length };
      return { ...known, model, steering: present, publishedTrips: publishedTrips ?? present.trips };
    },
  });
