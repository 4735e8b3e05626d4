import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncidentChanged } from '#schemas/messages.js';
import { incidentKind, incidentSource } from '#schemas/messages.js';
import type { PublishedEvent, PublishedLine } from '#traffic-exchange/events/published-event.js';
import { feedEventsMax, feedOpenEndedMs } from '../http/limits.js';
import { isImported } from '../incidents/put-incident.js';
import type { RoadLines } from '../ports/road-lines.js';
import type { Roads } from '../ports/roads.js';

interface KnownLines {
  readonly tilesetId: string;
  readonly lines: readonly PublishedLine[];
}

/** Incidents of this platform as its feeds say them. The roads of each are described once. */
export class PublishedIncidents {
  /** A record never changes: a change of an incident is another record. */
  readonly #known = new WeakMap<IncidentChanged, KnownLines>();

  /** Of one release. Other requests have their turns between the incidents that are not described yet. */
  async of(
    incidents: readonly IncidentChanged[],
    { roads, lines }: { readonly roads: Roads; readonly lines: RoadLines },
    nowMs: number,
  ): Promise<PublishedEvent[]> {
    const events: PublishedEvent[] = [];
    // What others publish is theirs to publish: two platforms that read each other would keep it for ever.
    for (const incident of incidents.filter((each) => !isImported(each)).slice(0, feedEventsMax)) {
      let known = this.#known.get(incident);
      if (known?.tilesetId !== roads.tilesetId) {
        await nextTurn();
        const edges = incident.edgeIds.flatMap((id) => roads.edgeOf(id) ?? []);
        known = { tilesetId: roads.tilesetId, lines: lines.of(edges) };
        this.#known.set(incident, known);
      }
      if (known.lines.length > 0) events.push(published(incident, known.lines, roads, nowMs));
    }
    return events;
  }
}

function published(
  incident: IncidentChanged,
  lines: readonly PublishedLine[],
  roads: Roads,
  nowMs: number,
): PublishedEvent {
  const { incidentId, kind, source, speedKph, startedMs, expiresMs, evidence, edgeIds } = incident;
  const names = edgeIds.flatMap((id) => roads.edgeOf(id) ?? []).map((edge) => roads.nameOf(edge));
  return {
    id: incidentId,
    effect:
      kind === incidentKind.slow
        ? { kind: 'slow', speedKph: Math.round(10 * speedKph) / 10 }
        : { kind: 'closed' },
    source: source === incidentSource.detected ? 'detected' : 'operator',
    startMs: startedMs,
    endMs: expiresMs === 0 ? nowMs + feedOpenEndedMs : expiresMs,
    road: names.find((name) => name !== '') ?? '',
    description: evidence,
    lines,
  };
}
