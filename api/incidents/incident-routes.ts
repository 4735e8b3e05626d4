import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { deleteIncident, listIncidents, postIncident, putIncident } from '#schemas/http/incidents.js';
import type { IncidentChanged } from '#schemas/messages.js';
import { outcomeUnknown } from '../http/outcome-unknown.js';
import type { Releases } from '../release/served-release.js';
import type { IncidentStore } from './incident-store.js';
import { incidentView } from './incident-view.js';
import * as messages from './messages.js';
import { newIncident } from './new-incident.js';
import { isSame, putOutcome } from './put-incident.js';

export interface IncidentRouteDeps {
  readonly book: IncidentStore;
  readonly releases: Releases;
  readonly log: EventLog;
  readonly codec: TopicCodec<IncidentChanged>;
  readonly nowMs: () => number;
}

/**
 * Operators close and slow roads; every client can read the present incidents. Acknowledged means that the
 * log has the record.
 */
export function incidentRoutes({ book, releases, log, codec, nowMs }: IncidentRouteDeps): readonly Route[] {
  /** Appends, and brings the own book up to date without waiting for the record to come back. */
  async function record(
    incident: IncidentChanged,
    done: HttpAnswer,
    lost: string = messages.readBeforeRetry,
  ): Promise<HttpAnswer> {
    try {
      await log.append(codec.topic.name, [{ key: incident.incidentId, value: codec.encode(incident) }]);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return outcomeUnknown(lost);
    }
    book.apply(incident);
    return done;
  }

  return [
    route(postIncident, async ({ body }) => {
      if (book.full)
        return problem(problems.unavailable, messages.tooManyIncidents, {
          retryAfterS: 60,
        });
      const { roads } = releases.current;
      const outcome = newIncident(body, roads, nowMs());
      if (outcome.kind === 'invalid') return problem(problems.invalid, undefined, { errors: outcome.errors });
      if (outcome.kind === 'no-road') return problem(problems.notFound, outcome.detail);
      return record(outcome.incident, { status: 201, body: incidentView(outcome.incident, roads) });
    }),
    route(putIncident, async ({ params, body }) => {
      const before = book.find(params.id);
      if (before === undefined && book.full)
        return problem(problems.unavailable, messages.tooManyIncidents, { retryAfterS: 60 });
      const { roads } = releases.current;
      const outcome = putOutcome(params.id, body, { roads, nowMs: nowMs(), before });
      if (outcome.kind === 'invalid') return problem(problems.invalid, undefined, { errors: outcome.errors });
      const { incident } = outcome;
      const done = { status: 200, body: incidentView(incident, roads) };
      return before !== undefined && isSame(before, incident) ? done : record(incident, done, messages.retry);
    }),
    route(listIncidents, () => ({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { incidents: book.active().map((incident) => incidentView(incident, releases.current.roads)) },
    })),
    route(deleteIncident, async ({ params }) => {
      const incident = book.find(params.id);
      if (incident === undefined) return problem(problems.notFound, messages.noIncident);
      return record({ ...incident, active: false, expiresMs: nowMs() }, { status: 204 });
    }),
  ];
}
