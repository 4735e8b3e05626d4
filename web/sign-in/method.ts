import type { getSignIn, SignIn } from '#schemas/http/sign-in.js';
import { ask } from '../http/ask.js';

const signInPath: (typeof getSignIn)['path'] = '/v1/sign-in';
let method: Promise<SignIn> | undefined;

/** Asked once; after a failure, again. */
export function howToSignIn(): Promise<SignIn> {
  if (method === undefined) {
    method = ask<SignIn>(signInPath) as Promise<SignIn>;
    method.catch(() => {
      method = undefined;
    });
  }
  return method;
}
