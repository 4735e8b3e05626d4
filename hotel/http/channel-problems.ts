import type { ProblemKind } from '#platform/http/problem.js';

const conflict = { status: 409 } as const;

/** Refusals about channels and their endpoints. */
export const channelProblems = {
  endpointRefused: {
    ...conflict,
    code: 'channel-endpoint-refused',
    title: 'The endpoint cannot be saved',
    advice: 'The detail says why. Change or delete another endpoint first.',
  },
  endpointDisabled: {
    ...conflict,
    code: 'channel-endpoint-disabled',
    title: 'The endpoint is disabled, so nothing is sent to it',
    advice: 'Staff of the hotel can make it active again. Nothing was changed.',
  },
  unsigned: {
    code: 'request-not-signed',
    status: 401,
    title: 'The request is not signed for an endpoint of this hotel',
    advice:
      'Sign id, time and body with the secret of the endpoint, as in Standard Webhooks; the time can be at ' +
      'most five minutes from ours. Nothing was changed.',
  },
  noFeed: {
    ...conflict,
    code: 'no-channel-feed',
    title: 'The hotel publishes no deltas for channels',
    advice: 'Start its feed with PUT /v1/staff/hotels/{id}/channel-feed.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;
