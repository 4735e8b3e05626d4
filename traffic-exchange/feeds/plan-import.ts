import { createHash } from 'node:crypto';
import type { Period, ReadFeed, RoadEvent, SkippedEvent } from '../events/road-event.js';
import { edgesPerIncidentMax, heldMs, incidentsPerFeedMax, openEndedHeldMs } from './limits.js';
import type { MatchedEvent } from './match-event.js';

/** An incident of the platform that stands for an event of a feed, or for a part of its roads. */
export interface FeedIncident {
  /** `feed:event`, the same in every import. */
  readonly id: string;
  /** No feed says whether people may walk there, so an import never blocks a road. */
  readonly kind: 'closed' | 'blocked' | 'slow';
  readonly edgeIds: readonly string[];
  /** Of a slow road only. */
  readonly speedKph?: number;
  readonly expiresMs: number;
  readonly note: string;
}

/** What an import changes, and what became of each event. */
export interface ImportPlan {
  readonly writes: readonly FeedIncident[];
  readonly removes: readonly string[];
  readonly unchanged: number;
  /** Events that hold now and are on the map. */
  readonly active: number;
  /** Events that begin later, and those that are over. */
  readonly planned: number;
  readonly ended: number;
  readonly skipped: readonly SkippedEvent[];
  /** When the next period of an event begins; undefined where none does. */
  readonly nextStartMs: number | undefined;
}

export interface ImportDeps {
  /** Name of the feed, the first part of the ids. */
  readonly name: string;
  /** All active incidents of the platform. */
  readonly present: readonly FeedIncident[];
  readonly match: (event: RoadEvent) => MatchedEvent;
  readonly edgeId: (edge: number) => string;
  readonly nowMs: number;
}

/** Ids are safe in a path, whatever the feed's are. */
export const incidentIdOf = (name: string, eventId: string, part: number): string =>
  `${name}:${digestOf(eventId)}${part === 0 ? '' : `.${part + 1}`}`;
const digestOf = (eventId: string): string => createHash('sha256').update(eventId).digest('hex').slice(0, 24);

/**
 * Compares a feed with the incidents that earlier imports of it wrote. An incident that needs no event any
 * more is removed; one that says what the feed says is left alone.
 */
export function planImport({ events, skipped }: ReadFeed, deps: ImportDeps): ImportPlan {
  const { name, present, match, nowMs } = deps;
  const own = new Map(present.filter(({ id }) => id.startsWith(`${name}:`)).map((each) => [each.id, each]));
  const wanted = new Map<string, FeedIncident>();
  const alsoSkipped: SkippedEvent[] = [];
  let [active, planned, ended] = [0, 0, 0];
  let nextStartMs: number | undefined;
  for (const event of events) {
    const period = event.periods.find(({ endMs }) => endMs === undefined || endMs > nowMs);
    for (const { startMs } of event.periods)
      if (startMs > nowMs) nextStartMs = Math.min(nextStartMs ?? startMs, startMs);
    if (period === undefined) ended++;
    else if (period.startMs > nowMs) planned++;
    else {
      const matched = match(event);
      const parts = matched.kind === 'edges' ? incidentsOf(event, period, matched.edges, deps, own) : [];
      if (matched.kind === 'unmatched') alsoSkipped.push({ id: event.id, reason: matched.reason });
      else if (wanted.size + parts.length > incidentsPerFeedMax)
        alsoSkipped.push({
          id: event.id,
          reason: `the feed needs more than ${incidentsPerFeedMax} incidents`,
        });
      else {
        active++;
        for (const incident of parts) wanted.set(incident.id, incident);
      }
    }
  }
  const writes = [...wanted.values()].filter((incident) => !isSame(own.get(incident.id), incident));
  return {
    writes,
    removes: [...own.keys()].filter((id) => !wanted.has(id)),
    unchanged: wanted.size - writes.length,
    ...{ active, planned, ended, nextStartMs },
    skipped: [...skipped, ...alsoSkipped],
  };
}

function incidentsOf(
  { id, effect, description }: RoadEvent,
  period: Period,
  edges: readonly number[],
  { name, edgeId, nowMs }: ImportDeps,
  own: ReadonlyMap<string, FeedIncident>,
): FeedIncident[] {
  const ids = edges.map(edgeId).sort();
  const parts: FeedIncident[] = [];
  for (let at = 0; at < ids.length; at += edgesPerIncidentMax) {
    const incidentId = incidentIdOf(name, id, parts.length);
    parts.push({
      id: incidentId,
      kind: effect.kind,
      edgeIds: ids.slice(at, at + edgesPerIncidentMax),
      ...(effect.kind === 'slow' ? { speedKph: Math.round(10 * effect.speedKph) / 10 } : {}),
      expiresMs: expiryOf(period, own.get(incidentId)?.expiresMs, nowMs),
      note: description === '' ? `Imported from ${name}.` : description,
    });
  }
  return parts;
}

/**
 * The end of the period where that is near. A later end is approached in steps: each import renews an
 * incident of which less than half of the time is left, so that most imports change nothing.
 */
function expiryOf({ endMs }: Period, presentMs: number | undefined, nowMs: number): number {
  const lastsMs = endMs === undefined ? openEndedHeldMs : heldMs;
  const latestMs = nowMs + lastsMs;
  if (endMs !== undefined && endMs <= latestMs) return endMs;
  const isFresh = presentMs !== undefined && presentMs > nowMs + lastsMs / 2 && presentMs <= latestMs;
  return isFresh ? presentMs : latestMs;
}

function isSame(present: FeedIncident | undefined, wanted: FeedIncident): boolean {
  return (
    present !== undefined &&
    present.kind === wanted.kind &&
    present.expiresMs === wanted.expiresMs &&
    present.note === wanted.note &&
    Math.abs((present.speedKph ?? 0) - (wanted.speedKph ?? 0)) < 0.05 &&
    present.edgeIds.length === wanted.edgeIds.length &&
    present.edgeIds.every((id, i) => id === wanted.edgeIds[i])
  );
}
