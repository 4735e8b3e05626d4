import { type Histogram, latencyBucketsS, type Metrics } from '#platform/telemetry/metrics.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { HttpAnswer, HttpRequest, Page, Priority, RatePolicy, Route } from './http-types.js';
import { compileParameterValidator, compileValidator, type Validator } from './validator.js';

/** A route or page made ready to serve: validators compiled, metric children kept by status. */
export interface Endpoint {
  readonly label: string;
  readonly isPage: boolean;
  readonly priority: Priority;
  readonly scopes: RouteContract['scopes'];
  readonly rate: RatePolicy | undefined;
  readonly body: RouteContract['body'];
  readonly checkParams: Validator | undefined;
  readonly checkQuery: Validator | undefined;
  readonly checkBody: Validator | undefined;
  readonly handle: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
  observe(method: string, status: number, seconds: number): void;
}

export function endpointOfRoute({ contract, handle, priority, rate }: Route, metrics: Metrics): Endpoint {
  return {
    label: contract.path,
    isPage: false,
    priority,
    scopes: contract.scopes,
    rate,
    body: contract.body,
    checkParams: contract.params && compileParameterValidator(contract.params, '/path'),
    checkQuery: contract.query && compileParameterValidator(contract.query, '/query'),
    checkBody: contract.body?.schema && compileValidator(contract.body.schema),
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
    rate: undefined,
    body: undefined,
    checkParams: undefined,
    checkQuery: undefined,
    checkBody: undefined,
    handle,
    observe: observer(metrics, path),
  };
}

/** Labels are paths of contracts, never of requests, so the number of children is fixed. */
export function observer(metrics: Metrics, route: string): Endpoint['observe'] {
  const children = new Map<string, Histogram>();
  return (method, status, seconds) => {
    const key = `${method}${status}`;
    let child = children.get(key);
    if (child === undefined) {
      child = metrics.histogram(
        'http_request_duration_seconds',
        'Time from the header of a request to the end of its answer.',
        latencyBucketsS,
        { route, method, status: String(status) },
      );
      children.set(key, child);
    }
    child.observe(seconds);
  };
}
