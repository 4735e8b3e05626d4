import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { type ProblemKind, problem, problems } from '#platform/http/problem.js';
import { pointsPerBatchMax, postLocations } from '#schemas/http/locations.js';
import type { UserId } from '#schemas/units.js';
import type { RejectedPoint } from './parse-locations.js';
import { type LocationOutcome, type ReceiverPorts, receiveLocationBatch } from './receive-location-batch.js';

export const ingestProblems = {
  noGoodPoint: {
    code: 'no-good-point',
    status: 400,
    title: 'Every point of the batch is bad',
    advice:
      'Each entry of `errors` names one point by its index and says what is wrong with it. Nothing was kept.',
  },
  tooManyPoints: {
    code: 'too-many-points',
    status: 413,
    title: 'The batch has more points than one request takes',
    advice: `Send at most ${pointsPerBatchMax} points at a time. Nothing was kept.`,
  },
  logUnavailable: {
    code: 'log-unavailable',
    status: 503,
    title: 'The batch cannot be made durable now',
    advice:
      'Nothing was kept. Send the same batch, with the same batch_id, after the seconds of `Retry-After`.',
  },
} as const satisfies Record<string, ProblemKind>;

/** `POST /v1/locations`. */
export function locationRoute(ports: ReceiverPorts): Route {
  return route(
    postLocations,
    async ({ body, contentType, query, identity }) =>
      toAnswer(
        await receiveLocationBatch(ports, {
          userId: identity.userId as UserId,
          body,
          contentType,
          queryLocs: query.locs,
        }),
      ),
    { priority: 'location' },
  );
}

function toAnswer(outcome: LocationOutcome): HttpAnswer {
  switch (outcome.outcome) {
    case 'accepted':
      return { status: 202, body: outcome.answer };
    case 'malformed':
      return problem(problems.malformed, outcome.reason, {
        errors: [{ pointer: outcome.pointer, message: outcome.reason }],
      });
    case 'all-rejected':
      return problem(
        ingestProblems.noGoodPoint,
        `${outcome.rejected} of ${outcome.rejected} points are bad.`,
        {
          errors: outcome.errors.map(toFieldError),
        },
      );
    case 'too-many':
      return problem(
        ingestProblems.tooManyPoints,
        `The batch has ${outcome.count} points; at most ${pointsPerBatchMax} are taken.`,
      );
    case 'rate-limited':
      return problem(problems.tooManyRequests, 'This user sends more batches than allowed.', {
        retryAfterS: outcome.retryAfterS,
      });
    case 'unavailable':
      return problem(ingestProblems.logUnavailable, outcome.reason, { retryAfterS: outcome.retryAfterS });
  }
}

function toFieldError({ index, reason }: RejectedPoint) {
  return { pointer: `/locs/${index}`, message: reason };
}
