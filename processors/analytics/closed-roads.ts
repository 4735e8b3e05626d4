import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  type IncidentChanged,
  type incidentKind,
  incidentKindName,
  incidentSource,
} from '#schemas/messages.js';
import type { Aggregation } from './aggregate-topology.js';
import { areaOf } from './area-of.js';
import { dayOf } from './day-of.js';
import { closuresMax } from './limits.js';

/** A row: one edge that was closed or slow, with its start and end. */
interface ClosedRoadRow {
  readonly incidentId: string;
  readonly edgeId: string;
  readonly area: string;
  readonly kind: keyof typeof incidentKind;
  readonly source: 'operator' | 'detected';
  readonly startedMs: number;
  readonly endedMs: number;
  /** The evidence; not for operators' incidents, whose notes are for people. */
  readonly evidence: string;
}

/** The current state of an incident, and its end if it has ended. */
type Known = Pick<IncidentChanged, 'edgeIds' | 'kind' | 'source' | 'startedMs' | 'expiresMs' | 'evidence'> & {
  readonly endedMs?: number;
};

const minuteMs = 60_000;
/** An end by expiry is accepted only this long after it, because a renewal may be in flight. */
const renewalMs = minuteMs;

/** Closures and slow-downs that have ended. They are public while active, so nothing is withheld. */
export function closedRoads(
  codec: TopicCodecs['trafficIncidentChanged'],
  network: RoadNetwork,
): Aggregation<
  IncidentChanged,
  Map<string, Known>,
  readonly (readonly [id: string, known: Known])[],
  ClosedRoadRow
> {
  const endOf = ({ endedMs, expiresMs }: Known, nowMs: number): number | undefined =>
    endedMs ?? (expiresMs > 0 && expiresMs + renewalMs <= nowMs ? expiresMs : undefined);
  return {
    group: 'analytics-closures',
    tilesetId: network.tilesetId,
    codec,
    table: {
      name: 'closures',
      columns: [
        { name: 'started_at', type: 'TIMESTAMP', of: ({ startedMs }) => new Date(startedMs) },
        { name: 'ended_at', type: 'TIMESTAMP', of: ({ endedMs }) => new Date(endedMs) },
        { name: 'day', type: 'STRING', of: ({ startedMs }) => dayOf(startedMs) },
        { name: 'area', type: 'STRING', of: ({ area }) => area },
        { name: 'incident_id', type: 'STRING', of: ({ incidentId }) => incidentId },
        { name: 'edge_id', type: 'STRING', of: ({ edgeId }) => edgeId },
        { name: 'kind', type: 'STRING', of: ({ kind }) => kind },
        { name: 'source', type: 'STRING', of: ({ source }) => source },
        { name: 'evidence', type: 'STRING', of: ({ evidence }) => evidence },
      ],
      placeOf: ({ startedMs, area }) => ({ day: dayOf(startedMs), area }),
      compare: (a, b) =>
        a.startedMs - b.startedMs || (`${a.incidentId} ${a.edgeId}` < `${b.incidentId} ${b.edgeId}` ? -1 : 1),
    },
    fresh: () => new Map(),
    toPlain: (known) => [...known],
    fromPlain: (plain) => new Map(plain),
    timeMs: (_, timestampMs) => timestampMs,
    add(known, { incidentId, tilesetId, active, ...incident }, nowMs) {
      if (tilesetId !== network.tilesetId) return 'foreign';
      const before = known.get(incidentId);
      // The end of an incident that was written already, or that started before the retained records.
      if (before === undefined && !active) return 'counted';
      if (before === undefined && known.size >= closuresMax) return 'full';
      const { edgeIds, kind, source, startedMs, expiresMs, evidence } = incident;
      if (active) known.set(incidentId, { edgeIds, kind, source, startedMs, expiresMs, evidence });
      else if (before !== undefined)
        known.set(incidentId, { ...before, endedMs: Math.min(nowMs, before.expiresMs || nowMs) });
      return 'counted';
    },
    finished(known, nowMs) {
      const rows: ClosedRoadRow[] = [];
      for (const [incidentId, each] of known) {
        const endedMs = endOf(each, nowMs);
        if (endedMs === undefined) continue;
        const { edgeIds, kind, source, startedMs, evidence } = each;
        const isDetected = source === incidentSource.detected;
        for (const edgeId of edgeIds)
          rows.push({
            ...{ incidentId, edgeId, area: areaOf(network, edgeId) },
            kind: incidentKindName(kind),
            source: isDetected ? 'detected' : 'operator',
            // Rounded to the minute: the first evidence is the time at which a driver was there.
            startedMs: Math.floor(startedMs / minuteMs) * minuteMs,
            endedMs: Math.floor(endedMs / minuteMs) * minuteMs,
            evidence: isDetected ? evidence : '',
          });
      }
      return rows;
    },
    forget(known, nowMs) {
      for (const [incidentId, each] of known) if (endOf(each, nowMs) !== undefined) known.delete(incidentId);
      return { withheld: 0 };
    },
  };
}
