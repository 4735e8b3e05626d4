import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerIsochroneTask } from '#routing-engine/tasks/isochrone-task.js';
import { appendResult, spread } from './append-result.js';
import { mapIsBuilt } from './peers/peer-maps.js';
import { type PeerProcess, startPeer } from './peers/peer-process.js';
import { howToInstall } from './peers/peers-folder.js';
import type { Area } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { randomPairs } from './routing/pairs.js';
import { median } from './routing/statistics.js';

/**
 * CPU of isochrones from random places, snapping, drawing and GeoJSON included, on one thread, without
 * traffic, beside Valhalla on the same places. The engines drive at different speeds, so the areas differ: a
 * ratio of areas shows whether the work is of the same size.
 */
const options = readOptions();
const asked = [
  ['driving', 'auto', 15],
  ['driving', 'auto', 5],
  ['bicycling', 'bicycle', 15],
  ['walking', 'pedestrian', 15],
] as const;
const PLACES = 20;

type Rings = readonly (readonly number[])[];

interface Round {
  readonly cpuS: number;
  /** Square kilometres of each place's area; 0 where there is none. */
  readonly areasKm2: readonly number[];
}
type Engine = (places: readonly (readonly [lat: number, lng: number])[]) => Promise<Round>;

async function measure(area: Area): Promise<void> {
  const network = await openArea(area);
  const places = randomPairs(network, PLACES, options.seed).map(([lat, lng]) => [lat, lng] as const);
  const peer = await startValhalla(area);
  for (const [mode, costing, minutes] of asked) {
    const metric = freeFlowMetric(network, mode);
    const contours = [{ kind: 'ms', limit: 60_000 * minutes }] as const;
    const ours: Engine = async (from) => {
      const before = process.cpuUsage();
      const answers = from.map(([lat, lng]) => {
        const found = answerIsochroneTask(network, {
          metric,
          point: { lat, lng },
          contours,
          avoid: 0,
          denoise: 1,
        });
        if (found.status === 'too-large') throw new Error('the area is too large');
        const areas = found.status === 'ok' ? found.contours[0]!.areas : [];
        return JSON.stringify(areas.map((rings) => rings.map((ring) => Array.from(ring))));
      });
      const { user, system } = process.cpuUsage(before);
      const areasKm2 = answers.map((answer) => areaKm2(JSON.parse(answer) as Rings[]));
      return { cpuS: (user + system) / 1e6, areasKm2 };
    };
    const engines: [name: string, round: Engine][] = [['meridian', ours]];
    if (peer !== undefined) engines.push(['valhalla', valhalla(peer, costing, minutes)]);
    const cpuMs = new Map(engines.map(([name]): [string, number[]] => [name, []]));
    const [ratios, sizes]: [number[], number[]] = [[], []];
    for (let round = -1; round < options.rounds; round++) {
      const found: Round[] = [];
      for (let turn = 0; turn < engines.length; turn++) {
        const at = (turn + round + engines.length) % engines.length;
        const [name, ask] = engines[at]!;
        found[at] = await ask(places);
        if (round >= 0) cpuMs.get(name)!.push((1_000 * found[at]!.cpuS) / PLACES);
      }
      const [our, theirs] = found;
      if (round < 0 || theirs === undefined) continue;
      ratios.push(our!.cpuS / theirs.cpuS);
      sizes.push(
        ...our!.areasKm2.flatMap((km2, i) => (theirs.areasKm2[i]! > 0 ? km2 / theirs.areasKm2[i]! : [])),
      );
    }
    appendResult('routing-isochrone', {
      ...{ area, mode, minutes, seed: options.seed },
      cpuMs: Object.fromEntries([...cpuMs].map(([name, all]) => [name, spread(all)])),
      ...(peer === undefined ? {} : { overValhalla: spread(ratios), areaOverValhalla: spread(sizes) }),
    });
    const each = [...cpuMs].map(([name, all]) => `${name} ${spread(all).median} ms`).join(', ');
    const beside =
      peer === undefined
        ? ''
        : `, CPU ÷ Valhalla ${median(ratios).toFixed(3)}, area ÷ ${median(sizes).toFixed(2)}`;
    console.log(`${area}, ${mode}, ${minutes} min: ${each}${beside}`);
  }
  await peer?.close();
}

async function startValhalla(area: Area): Promise<PeerProcess | undefined> {
  if (options.alone) return undefined;
  if (mapIsBuilt('valhalla', area)) return startPeer('valhalla', area);
  console.error(`${area}: Valhalla has no map, ours alone is measured. To make it: ${howToInstall} ${area}`);
  return undefined;
}

function valhalla(peer: PeerProcess, costing: string, minutes: number): Engine {
  return async (places) => {
    const questions = places.map(([lat, lon]) =>
      JSON.stringify({ locations: [{ lat, lon }], costing, contours: [{ time: minutes }], polygons: true }),
    );
    const { cpuS, areas } = await peer.ask<{ cpuS: number; areas: Rings[][] }>({
      do: 'isochrone',
      questions,
    });
    return { cpuS, areasKm2: areas.map(areaKm2) };
  };
}

/** Rings of [lng, lat, …], closed, the outer one first; on a map of equal lengths at their latitude. */
function areaKm2(polygons: readonly Rings[]): number {
  const km = 111.2;
  const ringKm2 = (ring: readonly number[]): number => {
    const east = km * Math.cos((ring[1]! * Math.PI) / 180);
    let twice = 0;
    for (let i = 2; i < ring.length; i += 2)
      twice += east * km * (ring[i - 2]! * ring[i + 1]! - ring[i]! * ring[i - 1]!);
    return Math.abs(twice) / 2;
  };
  let km2 = 0;
  for (const rings of polygons)
    for (const [i, ring] of rings.entries()) km2 += i === 0 ? ringKm2(ring) : -ringKm2(ring);
  return km2;
}

for (const area of options.areas) await measure(area);
