import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { type NewReport, postReport } from '#schemas/http/reports.js';
import type { ClosureReported } from '#schemas/messages.js';
import { incidentSnapMetresMax } from '../http/limits.js';
import { outcomeUnknown } from '../http/outcome-unknown.js';
import type { Roads } from '../ports/roads.js';
import type { Releases } from '../release/served-release.js';
import * as messages from './messages.js';
import { ReportQuota } from './report-quota.js';

export interface ReportRouteDeps {
  readonly releases: Pick<Releases, 'current'>;
  readonly log: EventLog;
  readonly codec: TopicCodec<ClosureReported>;
  /** Today's pseudonym of the user's drives, so that their reports and drives count as one driver. */
  readonly pseudonym: (userId: string, nowMs: number) => number;
  readonly nowMs: () => number;
}

const lastsSDefault = 1_800;

/** Users report what they see. The record names no user. */
export function reportRoute({ releases, log, codec, pseudonym, nowMs }: ReportRouteDeps): Route {
  const quota = new ReportQuota();
  return route(postReport, async ({ body, identity }) => {
    if ((body.at === undefined) === (body.edge_id === undefined))
      return problem(problems.invalid, undefined, {
        errors: [{ pointer: '/at', message: messages.oneRoad }],
      });
    const { roads } = releases.current;
    const edges = edgesOf(body, roads);
    if (edges === undefined) return problem(problems.notFound, messages.noRoad(incidentSnapMetresMax));
    const now = nowMs();
    const retryAfterS = quota.take(identity.userId, now);
    if (retryAfterS > 0)
      return problem(problems.tooManyRequests, messages.tooManyReports, {
        retryAfterS,
      });
    const expiresMs = now + (body.lasts_s ?? lastsSDefault) * 1_000;
    const records = edges.map((edge) => {
      const cell = cellOf(roads, edge);
      const report: ClosureReported = {
        ...{ tilesetId: roads.tilesetId, cell, edgeId: roads.edgeIdOf(edge) },
        reporter: pseudonym(identity.userId, now),
        closed: body.kind === 'closed',
        reportedMs: now,
        expiresMs,
      };
      return { key: String(cell), value: codec.encode(report) };
    });
    try {
      await log.append(codec.topic.name, records);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return outcomeUnknown(messages.retry);
    }
    return {
      status: 202,
      body: {
        kind: body.kind,
        edge_ids: edges.map((edge) => roads.edgeIdOf(edge)),
        road: roads.nameOf(edges[0]!),
        expires_at: new Date(expiresMs).toISOString(),
      },
    };
  });
}

/** At least one. */
function edgesOf({ at, edge_id, both_directions }: NewReport, roads: Roads): number[] | undefined {
  const edge =
    edge_id === undefined ? roads.nearest(at!, incidentSnapMetresMax, ['driving']) : roads.edgeOf(edge_id);
  if (edge === undefined) return undefined;
  const opposite = both_directions === false ? undefined : roads.oppositeOf(edge, ['driving']);
  return opposite === undefined ? [edge] : [edge, opposite];
}

/** The finest tile of the edge is its cell, `0/17`: observations of it have the same key. */
const cellOf = (roads: Roads, edge: number): number =>
  Number(roads.tilesBetween(edge, edge)[0]!.split('/')[1]);
