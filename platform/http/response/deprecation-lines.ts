import type { RouteContract } from '#schemas/http/route-contract.js';

/** Path of the page with the policy and the list of deprecated operations. */
export const deprecationPagePath = '/docs/deprecation';

/**
 * Header lines for the answers to one request, each with a line break before it.
 *
 * @param prefix what a proxy puts before the paths of this server; usually empty
 * @param params of the request's path; nothing when no answer may repeat them
 */
export type DeprecationLines = (
  prefix: string,
  params: Readonly<Record<string, string>> | undefined,
) => string;

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and links to the policy and the successor (RFC 8288), for the
 * same resource where the successor has parameters. Nothing for an operation without a deprecation. Throws a
 * sentence if its dates are wrong or the link to its successor cannot be filled.
 */
export function deprecationLines({
  operationId,
  path,
  deprecated,
}: Pick<RouteContract, 'operationId' | 'path' | 'deprecated'>): DeprecationLines | undefined {
  if (deprecated === undefined) return undefined;
  const since = startOf(deprecated.since, operationId);
  const sunset = startOf(deprecated.sunset, operationId);
  if (sunset <= since) throw new Error(`${operationId} ends before its deprecation was announced`);
  const successor = deprecated.successor.path;
  const known = parametersOf(path);
  const missing = parametersOf(successor).filter((name) => !known.includes(name));
  if (missing.length > 0)
    throw new Error(`${operationId} has no parameter ${missing.join(', ')} for its successor ${successor}`);
  const dates =
    `\r\ndeprecation: @${since.getTime() / 1_000}` + `\r\nsunset: ${sunset.toUTCString()}\r\nlink: `;
  return (prefix, params) => {
    const policy = `<${prefix}${deprecationPagePath}>; rel="deprecation"; type="text/html"`;
    if (params === undefined && successor.includes('{')) return dates + policy;
    const filled = successor.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params![name]!),
    );
    return `${dates}<${prefix}${filled}>; rel="successor-version", ${policy}`;
  };
}

const parametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

function startOf(day: string, operationId: string): Date {
  const start = new Date(`${day}T00:00:00Z`);
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(day) ||
    Number.isNaN(start.getTime()) ||
    !start.toISOString().startsWith(day)
  )
    throw new Error(`${operationId} has a date of deprecation that is no day: "${day}"`);
  return start;
}
