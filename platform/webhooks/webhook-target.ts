import { isIP } from 'node:net';
import { webhookLimits } from './limits.js';
import { isPublicAddress } from './public-address.js';

/** `public`: https to addresses of the public Internet alone. `any`: for development and tests. */
export type TargetRule = 'public' | 'any';

/**
 * What is wrong with the address of an endpoint, or nothing. Names are resolved only when something is
 * sent, and checked then; see `publicLookup`.
 */
export function targetProblem(text: string, rule: TargetRule): string | undefined {
  if (text.length > webhookLimits.urlLengthMax || !URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'must have no user, password or fragment';
  if (rule === 'any')
    return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : 'must begin with https://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'must be an address of the public Internet';
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.internal'))
    return 'must be an address of the public Internet';
  return undefined;
}
