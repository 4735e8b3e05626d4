import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import type { GroupDeps } from '../start-group.js';
import { type Table, writeRange } from './range-files.js';

/** How records of a topic become rows of a table. `Aggregate` is changed in place. */
export interface Aggregation<Message, Aggregate, Plain, Row> {
  readonly group: string;
  readonly tilesetId: string;
  readonly codec: TopicCodec<Message>;
  readonly table: Table<Row>;
  readonly fresh: () => Aggregate;
  readonly toPlain: (aggregate: Aggregate) => Plain;
  readonly fromPlain: (plain: Plain) => Aggregate;
  /** Unix milliseconds; decides when rows are finished. */
  readonly timeMs: (message: Message, timestampMs: number) => number;
  /** `nowMs`: the latest of those times. */
  readonly add: (aggregate: Aggregate, message: Message, nowMs: number) => Outcome;
  /** Rows that are finished at that time. Changes nothing, because the store may be unavailable. */
  readonly finished: (aggregate: Aggregate, nowMs: number) => readonly Row[];
  /** Deletes those, and expired rows; returns the number of expired ones. */
  readonly forget: (aggregate: Aggregate, nowMs: number) => { readonly withheld: number };
}

type Outcome = 'counted' | 'foreign' | 'implausible' | 'full';
export const aggregationOutcomes = [
  'counted',
  'foreign',
  'implausible',
  'full',
  'rows',
  'ranges',
  'withheld',
];

interface AggregationState<Aggregate> {
  readonly aggregate: Aggregate;
  /** First record that is not in a written range; -1 before the first. */
  fromOffset: number;
  /** Latest time of a record, Unix milliseconds. */
  streamMs: number;
}

/** Time of the stream between two ranges. */
const rangeMs = 3_600_000;

/** A group that aggregates a topic and writes the finished rows at each full hour of its records. */
export function aggregateTopology<Message, Aggregate, Plain, Row>(
  aggregation: Aggregation<Message, Aggregate, Plain, Row>,
  { objects }: Pick<GroupDeps, 'objects'>,
  counts: Counts,
): Topology<AggregationState<Aggregate>> {
  const { group, tilesetId, codec, table, fresh, toPlain, fromPlain } = aggregation;
  const { timeMs, add, finished, forget } = aggregation;
  return {
    group,
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId,
      fresh: (): AggregationState<Aggregate> => ({ aggregate: fresh(), fromOffset: -1, streamMs: 0 }),
      toPlain: ({ aggregate, ...rest }) => ({ ...rest, aggregate: toPlain(aggregate) }),
      fromPlain: ({ aggregate, ...rest }) => ({ ...rest, aggregate: fromPlain(aggregate) }),
    }),
    inputs: [
      each(codec, async ({ message, offset, timestampMs }, { state, partition }) => {
        const newestMs = Math.max(state.streamMs, timeMs(message, timestampMs));
        const hourMs = Math.floor(newestMs / rangeMs) * rangeMs;
        // Before the record is counted: if the store is unavailable, the record is redelivered.
        if (state.streamMs > 0 && hourMs > state.streamMs) {
          const rows = finished(state.aggregate, hourMs);
          const range = { partition, from: state.fromOffset, to: offset - 1 };
          const kind = await writeRange(objects, table, range, rows);
          counts.add('withheld', forget(state.aggregate, hourMs).withheld);
          if (kind === 'written') {
            counts.add('ranges');
            counts.add('rows', rows.length);
          }
          state.fromOffset = offset;
        }
        if (state.fromOffset < 0) state.fromOffset = offset;
        state.streamMs = newestMs;
        const outcome = add(state.aggregate, message, newestMs);
        counts.add(outcome);
        return outcome === 'counted' ? ok : drop(outcome);
      }),
    ],
  };
}
