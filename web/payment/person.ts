import { ask, type Request } from '../http/ask.js';
import { withToken } from '../sign-in/session.js';

/** `payouts` requests payouts; everything else on these pages is for `finance`. */
type Scope = 'finance' | 'payouts';

/**
 * A member of finance. The development issuer takes any name, because the second person must be a different
 * one; elsewhere it is who signed in.
 */
export const askAsPerson = async <Answer>(
  person: string,
  path: string,
  request: Request = {},
  scope: Scope = 'finance',
): Promise<Answer> =>
  (await withToken({ scope, sub: person }, (token) => ask<Answer>(path, { ...request, token }))) as Answer;
