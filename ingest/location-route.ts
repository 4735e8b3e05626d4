import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { type ProblemKind, problem, problems } from '#platform/http/problem.js';
import { type LocationsAccepted, pointsPerBatchMax, postLocations } from '#schemas/http/locations.js';
import type { UserId } from '#schemas/units.js';
import { rateWindowS } from './limits.js';
import type { RejectedPoint } from './parsed-locations.js';
import { type LocationOutcome, LocationReceiver, type ReceiverPorts } from './receive-location-batch.js';

export const ingestProblems = {
  noGoodPoint: {
    code: 'no-good-point',
    status: 400,
    title: 'Every point of the batch is invalid',
    advice:
      'Each entry of `errors` has the index of a point and says what is wrong with it. Nothing was stored.',
  },
  tooManyPoints: {
    code: 'too-many-points',
    status: 413,
    title: 'The batch has too many points',
    advice: `Send at most ${pointsPerBatchMax} points at a time. Nothing was stored.`,
  },
  logUnavailable: {
    code: 'log-unavailable',
    status: 503,
    title: 'It is unknown whether the batch was stored',
    advice: 'Retry the same request after `Retry-After` seconds. A batch of the same batch_id counts once.',
  },
} as const satisfies Record<string, ProblemKind>;

export interface DoorPorts extends ReceiverPorts {
  /** Batches of one user within `rateWindowS`; further ones are answered with 429. */
  readonly batchesPerUserMax: number;
}

/** `POST /v1/locations`. */
export function locationRoute(ports: DoorPorts): Route {
  const receiver = new LocationReceiver(ports);
  return route(
    postLocations,
    ({ body, contentType, query, identity }) => {
      const userId = identity.userId as UserId;
      const outcome = receiver.receive({ userId, body, contentType, queryLocs: query.locs });
      if (typeof outcome !== 'function') return toAnswer(outcome);
      return (settle) =>
        outcome((late) => settle(late instanceof Promise ? late.then(toAnswer) : toAnswer(late)));
    },
    {
      priority: 'location',
      rate: { name: 'locations', limit: ports.batchesPerUserMax, windowS: rateWindowS },
    },
  );
}

function toAnswer(outcome: LocationOutcome): HttpAnswer {
  switch (outcome.outcome) {
    case 'accepted':
      return { status: 202, body: acceptedText(outcome.answer), contentType: 'application/json' };
    case 'malformed':
      return problem(problems.malformed, outcome.reason, {
        errors: [{ pointer: outcome.pointer, message: outcome.reason }],
      });
    case 'all-rejected':
      return problem(
        ingestProblems.noGoodPoint,
        `${outcome.rejected} of ${outcome.rejected} points are invalid.`,
        {
          errors: outcome.errors.map(toFieldError),
        },
      );
    case 'too-many':
      return problem(
        ingestProblems.tooManyPoints,
        `The batch has ${outcome.count} points; at most ${pointsPerBatchMax} are allowed.`,
      );
    case 'unavailable':
      return problem(
        ingestProblems.logUnavailable,
        `${outcome.reason} Retry with the batch_id ${JSON.stringify(outcome.batchId)}.`,
        { retryAfterS: outcome.retryAfterS },
      );
  }
}

function toFieldError({ index, reason }: RejectedPoint) {
  return { pointer: `/locs/${index}`, message: reason };
}

/** JSON by hand for the answer that nearly every request gets. */
function acceptedText(answer: LocationsAccepted): string {
  const {
    accepted,
    duplicate,
    rejected,
    batch_id: batchId,
    errors,
    shed,
    matched,
    send_every_s: everyS,
  } = answer;
  if (errors !== undefined || shed !== undefined || matched !== undefined || !plainText.test(batchId))
    return JSON.stringify(answer);
  return `{"accepted":${accepted},"duplicate":${duplicate},"rejected":${rejected},"batch_id":"${batchId}","send_every_s":${everyS}}`;
}

const plainText = /^[\w.:-]+$/;
