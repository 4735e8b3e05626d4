import { problem, problems } from '../problem.js';
import type { Admission } from './admission.js';

/** Both ways in, for a request that has none of them. */
export const keyChallenge = { 'www-authenticate': 'ApiKey realm="meridian", Bearer realm="meridian"' };

export const needsKey = (): Admission => ({
  ok: false,
  answer: problem(problems.unauthenticated, 'Send an API key in the header X-API-Key.', {
    headers: keyChallenge,
  }),
});
