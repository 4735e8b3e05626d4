import { readFileSync } from 'node:fs';
import type { Area } from './areas.js';

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly greatest: number;
}

/** Lines of `bench/results.ndjson` about routing, as far as plots and tables use them. */
export interface QueriesResult {
  readonly question: 'routing-queries';
  readonly area: Area;
  readonly answer: 'times' | 'full';
  readonly engines: Readonly<
    Record<string, { perCpuSecond: Spread; oursOver: Spread; p50Ms: number; p99Ms: number }>
  >;
}

export interface UpdatesResult {
  readonly question: 'routing-updates';
  readonly area: Area;
  readonly pattern: 'clustered' | 'random';
  readonly share: number;
  readonly edges: number;
  readonly meridian: { readonly cpuS: Spread };
  readonly 'osrm-mld'?: { readonly cpuS: Spread };
  readonly valhalla?: { readonly cpuS: Spread };
  readonly oursOverOsrm?: Spread;
}

export interface BuildResult {
  readonly question: 'routing-build';
  readonly area: Area;
  readonly engines: Readonly<Record<string, { cpuS: Spread; peakMib: Spread; bytes: number }>>;
}

export interface OtherResult {
  readonly question:
    | 'routing-exactness'
    | 'routing-legality'
    | 'routing-under-change'
    | 'routing-workers'
    | 'routing-matrix'
    | 'routing-isochrone'
    | 'routing-steps'
    | 'routing-plausibility';
  readonly area: Area;
  readonly [figure: string]: unknown;
}

export type RoutingResult = QueriesResult | UpdatesResult | BuildResult | OtherResult;

/** The key of a result: of two with the same key, the later one counts. */
const asked = [
  'question',
  'area',
  'answer',
  'pattern',
  'share',
  'mode',
  'updates',
  'size',
  'tables',
  'minutes',
];

/** The last result of each question; a result without peers does not replace one with peers. */
export function lastResults(file: string): RoutingResult[] {
  const last = new Map<string, RoutingResult>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.includes('"question":"routing-')) continue;
    const result = JSON.parse(line) as RoutingResult;
    const fields = result as unknown as Record<string, unknown>;
    const key = asked.map((name) => String(fields[name])).join(' ');
    const there = last.get(key);
    if (there === undefined || enginesOf(result) >= Math.min(3, enginesOf(there))) last.set(key, result);
  }
  return [...last.values()];
}

function enginesOf(result: RoutingResult): number {
  if (result.question === 'routing-matrix') return 'osrm-mld' in result ? 3 : 1;
  if (result.question === 'routing-updates') return 'osrm-mld' in result ? 3 : 1;
  if (result.question === 'routing-queries' || result.question === 'routing-build')
    return Object.keys(result.engines).length;
  return 3;
}
