import { type Area, areas } from './areas.js';
import type {
  BuildResult,
  OtherResult,
  QueriesResult,
  RoutingResult,
  Spread,
  UpdatesResult,
} from './results.js';

/** The last figures as Markdown tables. */
export function routingTables(results: readonly RoutingResult[]): string {
  const ofQuestion = <Result extends RoutingResult>(question: Result['question']): Result[] =>
    results
      .filter((each): each is Result => each.question === question)
      .sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));
  return [
    ...queries(ofQuestion<QueriesResult>('routing-queries')),
    ...updates(ofQuestion<UpdatesResult>('routing-updates')),
    ...builds(ofQuestion<BuildResult>('routing-build')),
    ...underChange(ofQuestion<OtherResult>('routing-under-change')),
    ...matrices(ofQuestion<OtherResult>('routing-matrix')),
    ...isochrones(ofQuestion<OtherResult>('routing-isochrone')),
    ...workers(ofQuestion<OtherResult>('routing-workers')),
    ...exactness(ofQuestion<OtherResult>('routing-exactness')),
    ...legality(ofQuestion<OtherResult>('routing-legality')),
    ...plausibility(ofQuestion<OtherResult>('routing-plausibility')),
  ].join('\n');
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

const engines = ['meridian', 'osrm-mld', 'osrm-ch', 'valhalla', 'graphhopper-ch', 'graphhopper-lm'];
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const digits = (value: number): string => String(Number(value.toPrecision(3)));
const spreadOf = ({ least, median, greatest }: Spread): string =>
  `${digits(median)} (${digits(least)}–${digits(greatest)})`;

function queries(results: readonly QueriesResult[]): string[] {
  return (['times', 'full'] as const).flatMap((answer) => {
    const rows = engines.map((name) => [
      name,
      ...areas.map((area) => {
        const figures = results.find((each) => each.area === area && each.answer === answer)?.engines[name];
        if (figures === undefined) return '–';
        const { perCpuSecond, oursOver } = figures;
        const factor = name === 'meridian' ? '' : ` (ours × ${digits(oursOver.median)})`;
        return `${whole(perCpuSecond.median)}${factor}`;
      }),
    ]);
    const words = answer === 'times' ? 'distance and time' : 'with geometry and instructions';
    return results.length === 0 ? [] : table(`Routes per CPU-second, ${words}`, ['', ...areas], rows);
  });
}

function updates(results: readonly UpdatesResult[]): string[] {
  const ms = (spread: Spread | undefined): string =>
    spread === undefined ? '–' : digits(1_000 * spread.median);
  const rows = results
    .toSorted((a, b) => byArea(a.area, b.area) || a.pattern.localeCompare(b.pattern) || a.share - b.share)
    .map((each) => [
      each.area,
      `${each.share} % ${each.share === 100 ? '' : each.pattern}`.trim(),
      each.edges.toLocaleString('en'),
      ms(each.meridian.cpuS),
      ms(each['osrm-mld']?.cpuS),
      ms(each.valhalla?.cpuS),
      each.oursOverOsrm === undefined ? '–' : `1/${digits(1 / each.oursOverOsrm.median)}`,
    ]);
  return table(
    'CPU milliseconds from “speeds known” to the first answer',
    ['map', 'changed', 'edges', 'meridian', 'OSRM MLD', 'Valhalla, in place', 'ours over OSRM'],
    rows,
  );
}

function builds(results: readonly BuildResult[]): string[] {
  const rows = results.flatMap(({ area, engines: built }) =>
    Object.entries(built).map(([name, { cpuS, peakMib, bytes }]) => [
      area,
      name,
      spreadOf(cpuS),
      whole(peakMib.median),
      digits(bytes / 1e6),
    ]),
  );
  return table('Build', ['map', 'engine', 'CPU s', 'peak MiB', 'MB on disk'], rows);
}

function underChange(results: readonly OtherResult[]): string[] {
  const rows = results.map((each) => [
    each.area,
    `${String(each['share'])} % ${String(each['pattern'])}`,
    digits((each['idleP99Ms'] as Spread).median),
    digits((each['changingP99Ms'] as Spread).median),
    spreadOf(each['changingOverIdle'] as Spread),
    String(each['versions']),
  ]);
  return table(
    'Query p99 while edges change each second',
    ['map', 'a second', 'idle ms', 'under change ms', 'ratio', 'versions'],
    rows,
  );
}

function workers(results: readonly OtherResult[]): string[] {
  const rows = results.map((each) => {
    const perSecond = each['perSecond'] as { readonly one: Spread; readonly two: Spread };
    return [
      each.area,
      whole(perSecond.one.median),
      whole(perSecond.two.median),
      spreadOf(each['twoOverOne'] as Spread),
    ];
  });
  return table('Routes per second through the worker pool', ['map', 'one', 'two', 'ratio'], rows);
}

function isochrones(results: readonly OtherResult[]): string[] {
  const rows = results.map((each) => {
    const cpuMs = each['cpuMs'] as Readonly<Partial<Record<'meridian' | 'valhalla', Spread>>>;
    const over = each['overValhalla'] as Spread | undefined;
    return [
      each.area,
      `${String(each['minutes'])} min, ${String(each['mode'])}`,
      cpuMs.meridian === undefined ? '–' : spreadOf(cpuMs.meridian),
      cpuMs.valhalla === undefined ? '–' : spreadOf(cpuMs.valhalla),
      over === undefined ? '–' : spreadOf(over),
    ];
  });
  return table(
    'CPU milliseconds for an isochrone',
    ['map', 'isochrone', 'meridian', 'Valhalla', 'ours ÷ Valhalla'],
    rows,
  );
}

function matrices(results: readonly OtherResult[]): string[] {
  const ms = (each: OtherResult, engine: string): string => {
    const figures = each[engine] as { readonly cpuMs: Spread } | undefined;
    return figures === undefined ? '–' : spreadOf(figures.cpuMs);
  };
  const rows = results.map((each) => [
    each.area,
    `${String(each['size'])} × ${String(each['size'])}, ${String(each['tables'])}`,
    ms(each, 'meridian'),
    ms(each, 'osrm-mld'),
    each['oursOver'] === undefined ? '–' : spreadOf(each['oursOver'] as Spread),
  ]);
  return table(
    'CPU milliseconds for a table between all of some places',
    ['map', 'table', 'meridian', 'OSRM MLD', 'tables per CPU-second, ours over OSRM'],
    rows,
  );
}

function exactness(results: readonly OtherResult[]): string[] {
  const rows = results.map((each) => [
    each.area,
    String(each['mode']),
    each['updates'] === 0 ? 'empty road' : `after ${String(each['updates'])} updates`,
    whole(Number(each['pairs'])),
    String(each['differences']),
  ]);
  return table('Compared with plain Dijkstra', ['map', 'mode', 'state', 'pairs', 'differences'], rows);
}

function legality(results: readonly OtherResult[]): string[] {
  const rows = results.map((each) => [
    each.area,
    String(each['mode']),
    whole(Number(each['routes'])),
    whole(Number(each['restrictionsMet'])),
    String(each['illegalMoves']),
  ]);
  return table('Judged by the raw extract', ['map', 'mode', 'routes', 'restrictions met', 'illegal'], rows);
}

function plausibility(results: readonly OtherResult[]): string[] {
  const rows = results.flatMap((each) =>
    Object.entries(
      each['engines'] as Record<string, { distanceRatio: number; timeRatio: number; within5: number }>,
    ).map(([name, { distanceRatio, timeRatio, within5 }], i) => [
      each.area,
      name,
      String(distanceRatio),
      `${within5} %`,
      String(timeRatio),
      i === 0
        ? `${String(each['outliers'])}: ${Object.entries(each['reasons'] as Record<string, number>)
            .map(([reason, count]) => `${count} ${reason}`)
            .join(', ')}`
        : '',
    ]),
  );
  return table(
    'Beside other engines on 2,000 known pairs',
    ['map', 'engine', 'our distance over theirs, median', 'within 5 %', 'time', 'outside of all by a third'],
    rows,
  );
}

const byArea = (a: Area, b: Area): number => areas.indexOf(a) - areas.indexOf(b);
