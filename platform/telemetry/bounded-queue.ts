import type { Metrics } from './metrics.js';

/** A queue with a limit at which the next entry is refused. Names come from the code, never from input. */
export type WatchQueue = (name: string, waiting: () => number, limit: number) => void;

type Watched = Map<string, { readonly waiting: () => number; readonly limit: number }>;

const watchedBy = new WeakMap<Metrics, Watched>();

/**
 * Shows how full each bounded queue is: `queue_waiting / queue_limit` is its saturation. A queue of the same
 * name replaces the former one.
 */
export function queueGauges(metrics: Metrics): WatchQueue {
  const watched = watchedBy.get(metrics) ?? begin(metrics);
  return (name, waiting, limit) => {
    watched.set(name, { waiting, limit });
  };
}

export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  /** Entries at which the next one is refused. */
  readonly limit: number;
}

/** Each bounded queue as it is now, by name. */
export const queuesOf = (metrics: Metrics): readonly QueueState[] =>
  [...(watchedBy.get(metrics) ?? [])]
    .map(([name, { waiting, limit }]) => ({ name, waiting: waiting(), limit }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

function begin(metrics: Metrics): Watched {
  const watched: Watched = new Map();
  watchedBy.set(metrics, watched);
  metrics.onScrape(() => {
    for (const [queue, { waiting, limit }] of watched) {
      metrics.gauge('queue_waiting', 'Entries of a bounded queue.', { queue }).set(waiting());
      metrics.gauge('queue_limit', 'Entries at which a bounded queue refuses more.', { queue }).set(limit);
    }
  });
  return watched;
}
