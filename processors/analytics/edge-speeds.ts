import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type EdgeObservations, observationKind } from '#schemas/messages.js';
import type { Aggregation } from './aggregate-topology.js';
import { areaOf } from './area-of.js';
import { dayOf } from './day-of.js';
import { quarterMs, settledMs, waitsMs } from './limits.js';

/** A row: how one edge was driven in one quarter of an hour. Rows of the same edge and quarter add up. */
interface EdgeSpeedRow {
  readonly edgeId: string;
  readonly quarterMs: number;
  readonly area: string;
  readonly lengthM: number;
  readonly freeFlowKph: number;
  /** Each by another driver. */
  readonly passages: number;
  /** Of all of them together. */
  readonly durationS: number;
}

/** Passages of one edge in one quarter of an hour. */
interface EdgeQuarter {
  durationMs: number;
  readonly drivers: Set<number>;
  /** Time of the stream when the first was counted, Unix milliseconds. */
  readonly sinceMs: number;
}

/** By `<start of the quarter> <edge id>`. */
type EdgeQuarters = Map<string, EdgeQuarter>;

type PlainQuarter = readonly [key: string, durationMs: number, sinceMs: number, ...drivers: number[]];

interface EdgeSpeedOptions {
  readonly codec: TopicCodecs['trafficEdgeObserved'];
  readonly network: RoadNetwork;
  /** Distinct drivers needed to publish an edge. */
  readonly driversMin: number;
  readonly quartersMax: number;
}

const speedKphMax = 250;

/** Speeds of edges by quarter of an hour, of those that enough distinct drivers passed. */
export function edgeSpeeds({
  codec,
  network,
  driversMin,
  quartersMax,
}: EdgeSpeedOptions): Aggregation<EdgeObservations, EdgeQuarters, readonly PlainQuarter[], EdgeSpeedRow> {
  const settled = (key: string, nowMs: number): boolean => quarterOf(key) + quarterMs + settledMs <= nowMs;
  return {
    group: 'analytics-speeds',
    tilesetId: network.tilesetId,
    codec,
    table: {
      name: 'edge-speeds',
      columns: [
        { name: 'quarter_start', type: 'TIMESTAMP', of: (row) => new Date(row.quarterMs) },
        { name: 'day', type: 'STRING', of: (row) => dayOf(row.quarterMs) },
        { name: 'area', type: 'STRING', of: ({ area }) => area },
        { name: 'edge_id', type: 'STRING', of: ({ edgeId }) => edgeId },
        { name: 'passages', type: 'INT32', of: ({ passages }) => passages },
        { name: 'duration_s', type: 'DOUBLE', of: ({ durationS }) => durationS },
        { name: 'length_m', type: 'DOUBLE', of: ({ lengthM }) => lengthM },
        {
          name: 'speed_kph',
          type: 'DOUBLE',
          of: ({ lengthM, passages, durationS }) => (3.6 * lengthM * passages) / durationS,
        },
        { name: 'free_flow_kph', type: 'DOUBLE', of: ({ freeFlowKph }) => freeFlowKph },
      ],
      placeOf: (row) => ({ day: dayOf(row.quarterMs), area: row.area }),
      compare: (a, b) => a.quarterMs - b.quarterMs || (a.edgeId < b.edgeId ? -1 : 1),
    },
    fresh: () => new Map(),
    toPlain: (quarters) =>
      [...quarters].map(([key, { durationMs, sinceMs, drivers }]) => [key, durationMs, sinceMs, ...drivers]),
    fromPlain: (plain) =>
      new Map(
        plain.map(([key, durationMs, sinceMs, ...drivers]) => [
          key,
          { durationMs, sinceMs, drivers: new Set(drivers) },
        ]),
      ),
    timeMs: ({ observations }) => Math.max(0, ...observations.map(({ receivedMs }) => receivedMs)),
    add(quarters, { tilesetId, observations }, nowMs) {
      if (tilesetId !== network.tilesetId) return 'foreign';
      let outcome: 'counted' | 'implausible' | 'full' = 'counted';
      for (const { edgeId, kind, driver, enteredMs, leftMs } of observations) {
        if (kind !== observationKind.passed) continue;
        const edge = network.edgeByStableId(edgeId);
        const kph = edge === undefined ? 0 : (network.edgeLengthM(edge) * 3_600) / (leftMs - enteredMs);
        if (!(kph > 0 && kph <= speedKphMax)) {
          outcome = 'implausible';
          continue;
        }
        const key = `${Math.floor(leftMs / quarterMs) * quarterMs} ${edgeId}`;
        const known = quarters.get(key);
        if (known === undefined && quarters.size >= quartersMax) {
          outcome = 'full';
          continue;
        }
        const quarter = known ?? { durationMs: 0, drivers: new Set(), sinceMs: nowMs };
        if (known === undefined) quarters.set(key, quarter);
        // Once each: a driver who goes to and fro adds nothing, and cannot be recognized by their share.
        if (quarter.drivers.has(driver)) continue;
        quarter.drivers.add(driver);
        quarter.durationMs += leftMs - enteredMs;
      }
      return outcome;
    },
    finished(quarters, nowMs) {
      const rows: EdgeSpeedRow[] = [];
      for (const [key, { durationMs, drivers }] of quarters) {
        if (drivers.size < driversMin || !settled(key, nowMs)) continue;
        const edgeId = key.slice(key.indexOf(' ') + 1);
        const edge = network.edgeByStableId(edgeId)!;
        rows.push({
          ...{ edgeId, quarterMs: quarterOf(key), area: areaOf(network, edgeId), passages: drivers.size },
          durationS: durationMs / 1_000,
          lengthM: network.edgeLengthM(edge),
          freeFlowKph: network.freeFlowKph(edge, 'driving'),
        });
      }
      return rows;
    },
    forget(quarters, nowMs) {
      let withheld = 0;
      for (const [key, { sinceMs, drivers }] of quarters) {
        const isSaid = drivers.size >= driversMin && settled(key, nowMs);
        const isVain = !isSaid && sinceMs + waitsMs <= nowMs;
        if (isVain) withheld++;
        if (isSaid || isVain) quarters.delete(key);
      }
      return { withheld };
    },
  };
}

const quarterOf = (key: string): number => Number(key.slice(0, key.indexOf(' ')));
