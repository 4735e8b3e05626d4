import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { appendResult, spread } from './append-result.js';
import { drawRoutes, drawTraces, exactPhone, phoneName, phones } from './matching/draw-traces.js';
import type { Trace } from './matching/drive-trace.js';
import { networkWithout } from './matching/hidden-roads.js';
import type { MatchEngine } from './matching/match-engine.js';
import { ourMatchEngine, valhallaMatchEngine } from './matching/match-engines.js';
import { bestMeiliSettings } from './matching/meili-settings.js';
import { type Mismatch, mismatchShare, routeMismatch } from './matching/route-mismatch.js';
import { mapIsBuilt } from './peers/peer-maps.js';
import { howToInstall, peersInstalled } from './peers/peers-folder.js';
import { readOptions } from './routing/options.js';
import { progress } from './routing/progress.js';
import { seeded } from './routing/seeded.js';

/**
 * Map matching beside Valhalla: what of the driven route is missed or added, and points per CPU-second, for
 * phones from good to bad. `count`: routes an area. Valhalla gets, for each phone, the settings that suit it
 * best, found on other traces than the measured ones. Both engines are warmed up on other drives through the
 * town; each round is a part of the measured traces, and each of these is matched once: what an engine
 * remembers, it remembers from other drives.
 */
const options = readOptions({ areas: ['goteborg', 'heidelberg'], count: 60 });
const tuningRoutes = 6;

for (const area of options.areas) {
  const network = await networkWithout(area, new Set());
  const engines: MatchEngine[] = [ourMatchEngine(network)];
  const hasPeer = !options.alone && peersInstalled() && mapIsBuilt('valhalla', area);
  const valhalla = hasPeer ? await valhallaMatchEngine(area) : undefined;
  if (valhalla !== undefined) engines.push(valhalla);
  else if (!options.alone) console.error(`Valhalla is left out; to have it: ${howToInstall} ${area}`);
  const random = seeded(options.seed);
  const drawn = drawRoutes(network, Math.ceil(1.6 * options.count), random);
  const followed = await followedByAll(engines, network, drawn, random);
  const routes = followed.slice(0, options.count);
  const others = drawRoutes(network, Math.ceil(options.count / 2), seeded(options.seed + 1_000));
  const bar = progress(area);
  for (const [i, phone] of phones.entries()) {
    const random = seeded(options.seed + i);
    const traces = drawTraces(network, routes, phone, random);
    const warming = drawTraces(network, others, phone, random);
    const settings = valhalla && (await bestMeiliSettings(valhalla, warming.slice(0, tuningRoutes), phone));
    for (const engine of engines) await engine.round(warming);
    const measured = await measure(engines, traces);
    const points = traces.reduce((sum, { points: all }) => sum + all.length, 0);
    const [ours, peer] = measured.map(({ perCpuSecond, mismatches }) => ({
      perCpuSecond: spread(perCpuSecond),
      mismatch: Number(mismatchShare(mismatches).toPrecision(4)),
    }));
    const ratio =
      measured[1] && spread(measured[0]!.perCpuSecond.map((each, r) => each / measured[1]!.perCpuSecond[r]!));
    console.log(
      `${area}, ${phoneName(phone)}: mismatch ${percent(ours!.mismatch)}` +
        (peer ? ` beside ${percent(peer.mismatch)}` : '') +
        `, points per CPU-second ${ours!.perCpuSecond.median}` +
        (peer && ratio
          ? ` beside ${peer.perCpuSecond.median}: ${ratio.median} (${ratio.least} to ${ratio.greatest})`
          : ''),
    );
    appendResult('matching', {
      area,
      phone,
      seed: options.seed,
      rounds: options.rounds,
      routesDrawn: drawn.length,
      routesFollowed: followed.length,
      traces: traces.length,
      points,
      meridian: ours,
      ...(peer === undefined ? {} : { valhalla: { ...peer, settings }, oursOverValhalla: ratio }),
    });
    bar.show(i + 1, phones.length);
  }
  bar.end();
  for (const engine of engines) await engine.close();
}

/**
 * Engines differ in what they hold to be open. A route that one of them loses without any error of the phone
 * says nothing about matching.
 */
async function followedByAll(
  engines: readonly MatchEngine[],
  network: RoadNetwork,
  routes: readonly RoutePath[],
  random: () => number,
): Promise<RoutePath[]> {
  const exact = drawTraces(network, routes, exactPhone, random);
  const isFollowed = routes.map(() => true);
  for (const engine of engines) {
    const { lines } = await engine.round(exact);
    for (const [i, { truth }] of exact.entries())
      if (mismatchShare([routeMismatch(truth, lines[i]!)]) > 0.01) isFollowed[i] = false;
  }
  return routes.filter((_, i) => isFollowed[i]);
}

interface Measured {
  /** By round. */
  readonly perCpuSecond: number[];
  readonly mismatches: Mismatch[];
}

/** Interleaved: a slow minute of the machine meets both. */
async function measure(all: readonly MatchEngine[], traces: readonly Trace[]): Promise<Measured[]> {
  const measured = all.map((): Measured => ({ perCpuSecond: [], mismatches: [] }));
  const perRound = Math.floor(traces.length / options.rounds);
  for (let round = 0; round < options.rounds; round++) {
    const part = traces.slice(round * perRound, (round + 1) * perRound);
    const points = part.reduce((sum, trace) => sum + trace.points.length, 0);
    for (let turn = 0; turn < all.length; turn++) {
      const at = (turn + round) % all.length;
      const { cpuS, lines } = await all[at]!.round(part);
      measured[at]!.perCpuSecond.push(points / cpuS);
      measured[at]!.mismatches.push(...part.map(({ truth }, i) => routeMismatch(truth, lines[i]!)));
    }
  }
  return measured;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
