import type { WithHeaders } from './base-url.js';

const offered = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;
/** Clients send a handful of different headers; beyond this many they are parsed each time. */
const knownMax = 64;
const known = new Map<string, boolean>();

/** Whether the client takes gzip; `gzip;q=0` is a refusal. */
export function acceptsGzip(request: WithHeaders): boolean {
  const header = request.header('accept-encoding');
  if (header === undefined) return false;
  const remembered = known.get(header);
  if (remembered !== undefined) return remembered;
  const accepts = offered.test(header);
  if (known.size < knownMax) known.set(header, accepts);
  return accepts;
}
