import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerTableTask } from '#routing-engine/tasks/table-task.js';
import { answerThroughTask } from '#routing-engine/tasks/through-task.js';
import { appendResult, spread } from './append-result.js';
import { mapIsBuilt } from './peers/peer-maps.js';
import { type PeerProcess, startPeer } from './peers/peer-process.js';
import { howToInstall } from './peers/peers-folder.js';
import type { Area } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { randomPairs } from './routing/pairs.js';
import { progress } from './routing/progress.js';
import { seeded } from './routing/seeded.js';
import { median } from './routing/statistics.js';

/**
 * CPU of tables between all of some places, snapping included, beside OSRM's MLD on the same places, in
 * process, on one thread. Cells are compared with our own routes and with OSRM's distances, else the figures
 * are void.
 */
const options = readOptions();
const sizes = [10, 100] as const;
const ROUND_CPU_S = 0.5;
const WARM_UP_CPU_S = 4;
/** Cells of each table that are compared with a route. */
const CHECKED = 200;

interface Place {
  readonly lat: number;
  readonly lng: number;
}
interface TableRound {
  readonly cpuS: number;
  /** By row and column; null without a route. */
  readonly seconds: (number | null)[][];
  readonly metres?: (number | null)[][];
}
interface TableEngine {
  readonly name: string;
  table(places: readonly Place[], metres: boolean, repeat: number): Promise<TableRound>;
}

async function measure(area: Area): Promise<void> {
  const network = await openArea(area);
  const peer = options.alone ? undefined : await startOsrm(area);
  const engines = [ourTables(network), ...(peer === undefined ? [] : [osrmTables(peer)])];
  for (const size of sizes)
    for (const metres of [false, true]) await compare(area, network, engines, size, metres);
  await peer?.close();
}

async function startOsrm(area: Area): Promise<PeerProcess | undefined> {
  if (mapIsBuilt('osrm-mld', area)) return startPeer('osrm-mld', area);
  console.error(`${area}: OSRM has no map, ours alone is measured. To make it: ${howToInstall} ${area}`);
  return undefined;
}

async function compare(
  area: Area,
  network: RoadNetwork,
  engines: readonly TableEngine[],
  size: number,
  metres: boolean,
): Promise<void> {
  const tables = metres ? 'durations and distances' : 'durations';
  const bar = progress(`${area}, ${size} × ${size} ${tables}`);
  const drawn = randomPairs(network, size * options.rounds, options.seed);
  const places = (round: number): Place[] =>
    drawn.slice(round * size, (round + 1) * size).map(([lat, lng]) => ({ lat, lng }));
  const repeats = new Map<string, number>();
  for (const engine of engines) {
    let cpuS = 0;
    let each = 0;
    for (let round = 0; cpuS < WARM_UP_CPU_S; round++) {
      each = (await engine.table(places(round % options.rounds), metres, 1)).cpuS;
      cpuS += each;
    }
    repeats.set(engine.name, Math.max(1, Math.ceil(ROUND_CPU_S / each)));
  }
  const cpuMs = new Map(engines.map(({ name }): [string, number[]] => [name, []]));
  const ratios: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const found: TableRound[] = [];
    for (let turn = 0; turn < engines.length; turn++) {
      const at = (turn + round) % engines.length;
      const { name, table } = engines[at]!;
      found[at] = await table(places(round), metres, repeats.get(name)!);
      cpuMs.get(name)!.push((1_000 * found[at]!.cpuS) / repeats.get(name)!);
      bar.show(round * engines.length + turn + 1, options.rounds * engines.length);
    }
    checkCells(network, places(round), found[0]!);
    ratios.push(...distanceRatios(found));
  }
  bar.end();
  if (metres && ratios.length > 0 && Math.abs(median(ratios) - 1) > 0.1)
    throw new Error(`void: our distances are ${median(ratios)} times those of OSRM`);
  const [ours, theirs] = engines.map(({ name }) => cpuMs.get(name)!);
  appendResult('routing-matrix', {
    ...{ area, size, tables, seed: options.seed },
    meridian: { cpuMs: spread(ours!) },
    ...(theirs === undefined
      ? {}
      : {
          'osrm-mld': { cpuMs: spread(theirs) },
          oursOver: spread(theirs.map((each, round) => each / ours![round]!)),
        }),
  });
  console.log(
    `${area}, ${size} × ${size} ${tables}: ` +
      engines.map(({ name }) => `${name} ${spread(cpuMs.get(name)!).median} ms`).join(', ') +
      (theirs === undefined
        ? ''
        : `; ours over OSRM ${spread(theirs.map((each, round) => each / ours![round]!)).median}`),
  );
}

const common = { avoid: 0, stopsOnFerries: true } as const;
const stopsOf = (places: readonly Place[]) => places.map((point) => ({ point, maxMeters: 1_000 }));

function ourTables(network: RoadNetwork): TableEngine {
  const metric = freeFlowMetric(network, 'driving');
  return {
    name: 'meridian',
    table(places, withMetres, repeat) {
      const all = [...places.keys()];
      const task = {
        ...{ ...common, metric, stops: stopsOf(places), sources: all, destinations: all, withMetres },
      };
      const cpu = process.cpuUsage();
      let found = answerTableTask(network, task);
      for (let turn = 1; turn < repeat; turn++) found = answerTableTask(network, task);
      const { user, system } = process.cpuUsage(cpu);
      if (found.status !== 'ok') throw new Error('void: a place has no road');
      const rows = (cells: Float64Array, unit: number): (number | null)[][] =>
        all.map((row) =>
          all.map((column) => {
            const value = cells[row * all.length + column]!;
            return value === Number.POSITIVE_INFINITY ? null : value / unit;
          }),
        );
      return Promise.resolve({
        cpuS: (user + system) / 1e6,
        seconds: rows(found.ms, 1_000),
        ...(withMetres ? { metres: rows(found.metres, 1) } : {}),
      });
    },
  };
}

const osrmTables = (peer: PeerProcess): TableEngine => ({
  name: 'osrm-mld',
  table: (places, metres, repeat) =>
    peer.ask<TableRound>({
      ...{ do: 'table', metres, repeat },
      places: places.map(({ lat, lng }) => [lat, lng]),
    }),
});

function checkCells(network: RoadNetwork, places: readonly Place[], { seconds }: TableRound): void {
  const random = seeded(options.seed);
  const metric = freeFlowMetric(network, 'driving');
  const stops = stopsOf(places);
  for (let check = 0; check < CHECKED; check++) {
    const [from, to] = [0, 0].map(() => Math.floor(random() * places.length)) as [number, number];
    const route = answerThroughTask(network, {
      ...{ ...common, metric, stops: [stops[from]!, stops[to]!], legEnds: [1] },
      ...{ alternatives: 0, annotate: false, simplify: false },
    });
    const wanted = route.status === 'ok' ? route.routes[0]!.legs[0]!.durationS : null;
    if (seconds[from]![to] !== wanted)
      throw new Error(`void: cell ${from}, ${to} is ${seconds[from]![to]} s, the route takes ${wanted} s`);
  }
}

function distanceRatios([ours, theirs]: readonly TableRound[]): number[] {
  if (ours?.metres === undefined || theirs?.metres === undefined) return [];
  return ours.metres.flatMap((row, at) =>
    row.flatMap((own, column) => {
      const their = theirs.metres![at]![column];
      return own !== null && their ? [own / their] : [];
    }),
  );
}

for (const area of options.areas) await measure(area);
