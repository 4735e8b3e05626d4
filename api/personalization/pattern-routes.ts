import { type HourWeight, weightAt } from '#map-data/learned/user-patterns.js';
import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { deletePatterns, getPatterns, type Patterns, putPatterns } from '#schemas/http/patterns.js';
import type { PersonalizationChanged } from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';
import { personalUsersMax } from '../http/limits.js';
import { outcomeUnknown } from '../http/outcome-unknown.js';
import { noSuchUser, privateHeaders } from '../http/private-answers.js';
import type { KnownPatterns, PatternsOf } from './known-patterns.js';
import * as messages from './messages.js';
import { orStoreUnavailable } from './owner-answers.js';
import type { Permissions } from './permissions.js';

export interface PatternRouteDeps {
  readonly patterns: PatternsOf;
  readonly permissions: Permissions;
  readonly log: Pick<EventLog, 'append'>;
  readonly codec: TopicCodec<PersonalizationChanged>;
  readonly nowMs: () => number;
}

/** A user reads, allows and revokes what is learned of them; a foreign id is answered as an unknown one. */
export function patternRoutes({
  patterns,
  permissions,
  log,
  codec,
  nowMs,
}: PatternRouteDeps): readonly Route[] {
  const write = async (userId: string, enabled: boolean, done: () => HttpAnswer): Promise<HttpAnswer> => {
    // A revocation is later than its permission on every clock.
    const changedMs = Math.max(nowMs(), (permissions.sinceMs(userId) ?? 0) + 1);
    const change: PersonalizationChanged = { userId, enabled, changedMs };
    const record = { key: userId, value: codec.encode(change), timestampMs: change.changedMs };
    const tombstone = { key: userId, value: null, timestampMs: change.changedMs };
    try {
      await log.append(codec.topic.name, enabled ? [record] : [record, tombstone]);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return outcomeUnknown(messages.retry);
    }
    permissions.apply(change);
    return done();
  };
  return [
    route(getPatterns, ({ params, identity }) => {
      if (params.id !== identity.userId) return noSuchUser();
      return orStoreUnavailable(async () => {
        const now = nowMs();
        const known = await patterns(identity.userId, now);
        return { status: 200, headers: privateHeaders, body: viewOf(known, now) };
      });
    }),
    route(putPatterns, ({ params, body: { enabled }, identity }) => {
      if (params.id !== identity.userId) return noSuchUser();
      const answer = (): HttpAnswer => ({ status: 200, headers: privateHeaders, body: { enabled } });
      // A repeated permission would look younger than what was learned under it.
      if (enabled && permissions.sinceMs(identity.userId) !== undefined) return answer();
      if (enabled && permissions.size >= personalUsersMax)
        return problem(problems.unavailable, messages.tooMany, { retryAfterS: 3_600 });
      return write(identity.userId, enabled, answer);
    }),
    route(deletePatterns, ({ params, identity }) => {
      if (params.id !== identity.userId) return noSuchUser();
      return write(identity.userId, false, () => ({ status: 202 }));
    }),
  ];
}

function viewOf(known: KnownPatterns | undefined, nowMs: number): Patterns {
  const { places, routes } = known ?? { places: [], routes: [] };
  const weights = routes.map(({ weight, lastMs }) => weightAt(weight, lastMs, nowMs));
  return {
    enabled: known !== undefined,
    places: places
      .toSorted((a, b) => weightAt(b.weight, b.lastMs, nowMs) - weightAt(a.weight, a.lastMs, nowMs))
      .map(({ id, latE7, lngE7, days, lastMs, arrivals, departures }) => ({
        id,
        location: { lat: latE7 / E7, lng: lngE7 / E7 },
        days,
        last_seen_at: new Date(Math.floor(lastMs / hourMs) * hourMs).toISOString(),
        arrivals: shares(arrivals),
        departures: shares(departures),
      })),
    routes: routes.map(({ from, to, trips, edges }, i) => {
      const ofPair = routes.reduce(
        (sum, other, j) => (other.from === from && other.to === to ? sum + weights[j]! : sum),
        0,
      );
      const share = rounded(weights[i]! / ofPair);
      return { from, to, trips, share, edge_ids: edges.map(([edgeId]) => edgeId) };
    }),
  };
}

const hourMs = 3_600_000;
const rounded = (share: number): number => Math.round(share * 100) / 100;

function shares(hours: readonly HourWeight[]): Patterns['places'][number]['arrivals'] {
  const all = hours.reduce((sum, [, weight]) => sum + weight, 0);
  return hours.map(([hour, weight]) => ({ hour_of_week: hour, share: rounded(weight / all) }));
}
