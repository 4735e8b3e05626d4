import { LogUnavailable } from '#platform/event-log/event-log.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { deleteUserLocations } from '#schemas/http/locations.js';
import { ingestProblems } from './location-route.js';
import type { ReceiverPorts } from './receive-location-batch.js';

/**
 * `DELETE /v1/users/{id}/locations`: appends a tombstone of the user to the log, after every batch that was
 * acknowledged to them. The location writer erases when it reads the tombstone, and so does every replay of
 * the log.
 */
export function eraseRoute({ log, codec, nowMs }: Pick<ReceiverPorts, 'log' | 'codec' | 'nowMs'>): Route {
  return route(
    deleteUserLocations,
    async ({ params, identity }) => {
      if (params.id !== identity.userId) return problem(problems.notFound, 'No such user.');
      try {
        await log.append(codec.topic.name, [{ key: identity.userId, value: null, timestampMs: nowMs() }]);
        return { status: 202 };
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        return problem(ingestProblems.logUnavailable, error.message, {
          retryAfterS: error.retriable ? 2 : 30,
        });
      }
    },
    { priority: 'location' },
  );
}
