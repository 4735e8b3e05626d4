import type { StateDefinition } from '#platform/stream/state-store.js';
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

export const arrivalModelState = (tilesetId: string): StateDefinition<ArrivalModelState> =>
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
    fromPlain: ({ corridors, drift, steering, publishedTrips, ...rest }) => {
      const trips = rest.model?.trips ?? 0;
      const present = steering ?? { ...noSteering, trips, drift };
      return {
        ...{ ...rest, steering: present, publishedTrips: publishedTrips ?? present.trips },
        corridors: new Map(corridors),
      };
    },
  });
