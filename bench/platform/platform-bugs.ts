import type { PlantedBug } from '../simulation/planted-bugs.js';

/** Faults as people make them: each breaks a promise that the judges of the platform check. */
export const platformBugs: readonly PlantedBug[] = [
  {
    name: 'a follower takes the number of a new metric and keeps the old weights',
    file: 'map-data/metric/metric-follower.js',
    from: 'this.#swap(applyCellMetrics(network, base, changed, version), announcement);',
    to: 'this.#swap({ ...base, version }, announcement);',
  },
  {
    name: 'a snapshot has the newest offsets and an empty state',
    file: 'platform/stream/partition-task.js',
    from: 'await store.save(snapshot, this.#state);',
    to: 'await store.save(snapshot, this.#options.fresh());',
  },
  {
    name: 'a batch is acknowledged although the log did not take it',
    file: 'ingest/receive-location-batch.js',
    from: "report({ outcome: 'unavailable', reason: failure.message, batchId, retryAfterS });",
    to: 'report(accepted);',
  },
];
