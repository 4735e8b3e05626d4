import type { LagWatch } from '#platform/event-log/lag-watch.js';
import { type Route, route } from '#platform/http/http-types.js';
import type { Readiness } from '#platform/lifecycle/readiness.js';
import type { QueueState } from '#platform/telemetry/bounded-queue.js';
import type { RequestRates } from '#platform/telemetry/request-rates.js';
import {
  getOperations,
  getOperationsOutline,
  type OperationsAnswer,
  type OutlineAnswer,
  operationsMax,
} from '#schemas/http/operations.js';
import { routeContracts } from '#schemas/http/routes.js';
import { privateHeaders } from '../http/private-answers.js';
import type { Roads } from '../ports/roads.js';
import type { MapArea } from '../road-tiles/tile-json.js';
import type { GatewayView } from './gateway-view.js';
import { outlineOf } from './outline.js';

export interface OperationsSources {
  readonly program: OperationsAnswer['program'];
  readonly readiness: Pick<Readiness, 'report'>;
  readonly lags: Pick<LagWatch, 'lags'>;
  readonly rates: Pick<RequestRates, 'rates' | 'intervalMs'>;
  readonly queues: () => readonly QueueState[];
  readonly view: GatewayView;
  readonly roads: () => Roads;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

const described: ReadonlySet<string> = new Set(routeContracts.map(({ method, path }) => `${method} ${path}`));
/** Pages, their files, health checks and what no route matches. */
const others = '';
/** The name under which requests are counted: of an operation, or of everything else. */
export const operationOf = (method: string, path: string): string =>
  described.has(`${method} ${path}`) ? `${method} ${path}` : others;

/** How this platform does, for the people who run it. Served also when the program refuses other work. */
export function operationsRoutes(sources: OperationsSources): readonly Route[] {
  const vital = { priority: 'vital' } as const;
  const outline = outlines(sources.roads);
  return [
    route(
      getOperations,
      async () => ({
        status: 200,
        headers: privateHeaders,
        body: await answerOf(sources, outline.extent()),
      }),
      vital,
    ),
    route(getOperationsOutline, async () => ({
      status: 200,
      headers: privateHeaders,
      body: await outline.current(),
    })),
  ];
}

/** Drawn once for each tileset, however many ask. */
function outlines(roads: () => Roads) {
  let known: { readonly tilesetId: string; readonly outline: Promise<OutlineAnswer> } | undefined;
  let drawn: OutlineAnswer | undefined;
  const current = (): Promise<OutlineAnswer> => {
    const now = roads();
    if (known?.tilesetId !== now.tilesetId) {
      known = { tilesetId: now.tilesetId, outline: outlineOf(now) };
      known.outline.then(
        (outline) => {
          drawn = outline;
        },
        () => {
          known = undefined;
        },
      );
    }
    return known.outline;
  };
  return {
    current,
    /** Its bounds; undefined until it is drawn. */
    extent(): MapArea['bounds'] | undefined {
      void current().catch(() => {});
      const [west = 0, south = 0, east = 0, north = 0] = drawn?.bounds ?? [];
      return drawn?.tileset_id === roads().tilesetId ? [west, south, east, north] : undefined;
    },
  };
}

async function answerOf(
  sources: OperationsSources,
  extent: MapArea['bounds'] | undefined,
): Promise<OperationsAnswer> {
  const [readiness, lags] = await Promise.all([readinessOf(sources), lagsOf(sources)]);
  const { map, closures, load } = sources.view(extent);
  return {
    at: new Date(sources.nowMs()).toISOString(),
    program: sources.program,
    readiness,
    map,
    lags,
    closures,
    requests: requestsOf(sources),
    load,
  };
}

async function readinessOf({ readiness }: OperationsSources): Promise<OperationsAnswer['readiness']> {
  const { ready, reasons, without } = await readiness.report();
  const listed = (found: Readonly<Record<string, string>>, needed: boolean) =>
    Object.entries(found).map(([name, reason]) => ({ name, reason, needed }));
  return { ready, missing: [...listed(reasons, true), ...listed(without, false)] };
}

async function lagsOf({ lags }: OperationsSources): Promise<OperationsAnswer['lags']> {
  try {
    const groups = (await lags.lags()).slice(0, operationsMax.lags);
    return {
      unknown_because: null,
      groups: groups.map(({ newestMs, ...lag }) => ({
        ...lag,
        newest_at: newestMs === null ? null : new Date(newestMs).toISOString(),
      })),
    };
  } catch (error) {
    return { unknown_because: (error as Error).message, groups: [] };
  }
}

const milliseconds = (seconds: number): number => Math.round(seconds * 10_000) / 10;

function requestsOf({ rates, queues }: OperationsSources): OperationsAnswer['requests'] {
  const { coveredMs, intervals, operations } = rates.rates();
  return {
    covered_s: coveredMs / 1_000,
    interval_s: rates.intervalMs / 1_000,
    intervals: intervals.map(({ endMs, requests, failed }) => ({
      ended_at: new Date(endMs).toISOString(),
      requests,
      failed,
    })),
    operations: operations
      .slice(0, operationsMax.operations)
      .map(({ operation, requests, refused, failed, p50S, p99S }) => ({
        operation: operation === others ? null : operation,
        ...{ requests, refused, failed },
        p50_ms: milliseconds(p50S),
        p99_ms: milliseconds(p99S),
      })),
    queues: queues()
      .slice(0, operationsMax.queues)
      .map((queue) => ({ ...queue })),
  };
}
