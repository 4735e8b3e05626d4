import { Type } from 'typebox';
import { type Histogram, latencyBucketsS, type Metrics } from '#platform/telemetry/metrics.js';
import { familyOf, type MeteredFamily } from '#schemas/http/metered-families.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { Page, Priority, RatePolicy, Route } from './http-types.js';
import { type DeprecationLines, deprecationLines } from './response/deprecation-lines.js';
import { parameterValidator, type Validator, validator } from './validator.js';

/** Labels `route`, `method` and `status`. */
export const requestDurations = 'http_request_duration_seconds';

/** A route or page made ready to serve: metric children kept by status. */
export interface Endpoint {
  readonly label: string;
  readonly isPage: boolean;
  readonly priority: Priority;
  readonly scopes: RouteContract['scopes'];
  /** What requests with an API key are counted by; undefined: the operation takes no API key. */
  readonly family: MeteredFamily | undefined;
  readonly rate: RatePolicy | undefined;
  readonly body: RouteContract['body'];
  readonly checkParams: Validator | undefined;
  /** Query parameters that may be repeated. */
  readonly lists: ReadonlySet<string>;
  readonly checkQuery: Validator | undefined;
  /** The result of `checkQuery` without a query, which most requests have. */
  wrongWithoutQuery(): ReturnType<Validator>;
  readonly checkBody: Validator | undefined;
  readonly refusesCardData: boolean;
  readonly deprecationLines: DeprecationLines | undefined;
  readonly handle: Route['handle'];
  observe(method: string, status: number, seconds: number): void;
}

export function endpointOfRoute(route: Route, metrics: Metrics): Endpoint {
  const { contract, handle, priority, rate, refusesCardData } = route;
  const checkQuery = contract.query && parameterValidator(contract.query, '/query');
  return {
    label: contract.path,
    isPage: false,
    priority,
    scopes: contract.scopes,
    family: familyOf(contract),
    rate,
    body: contract.body,
    lists: listsOf(contract.query),
    checkParams: contract.params && parameterValidator(contract.params, '/path'),
    checkQuery,
    wrongWithoutQuery: once(() => checkQuery?.({})),
    checkBody: contract.body?.schema && validator(contract.body.schema),
    refusesCardData: refusesCardData === true,
    deprecationLines: deprecationLines(contract),
    handle,
    observe: observer(metrics, contract.path),
  };
}

export function endpointOfPage({ path, handle }: Page, metrics: Metrics): Endpoint {
  return {
    label: path,
    isPage: true,
    priority: 'navigation',
    scopes: 'open',
    family: undefined,
    rate: undefined,
    body: undefined,
    lists: listsOf(undefined),
    checkParams: undefined,
    checkQuery: undefined,
    wrongWithoutQuery: () => undefined,
    checkBody: undefined,
    refusesCardData: false,
    deprecationLines: undefined,
    handle,
    observe: observer(metrics, path),
  };
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

const noLists: ReadonlySet<string> = new Set();

/** Names of the parameters whose schema is an array. */
function listsOf(query: RouteContract['query']): ReadonlySet<string> {
  const properties = Object.entries(query?.properties ?? {});
  const lists = properties.filter(([, schema]) => Type.IsArray(schema)).map(([name]) => name);
  return lists.length === 0 ? noLists : new Set(lists);
}

/** Labels are paths of contracts, never of requests, so the number of children is fixed. */
export function observer(metrics: Metrics, route: string): Endpoint['observe'] {
  const byMethod = new Map<string, Map<number, Histogram>>();
  return (method, status, seconds) => {
    let children = byMethod.get(method);
    if (children === undefined) {
      children = new Map();
      byMethod.set(method, children);
    }
    let child = children.get(status);
    if (child === undefined) {
      child = metrics.histogram(
        requestDurations,
        'Time from the header of a request to the end of its answer.',
        latencyBucketsS,
        { route, method, status: String(status) },
      );
      children.set(status, child);
    }
    child.observe(seconds);
  };
}
