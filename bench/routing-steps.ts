import { guide } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { appendResult } from './append-result.js';
import { Missing } from './missing.js';
import { mapIsBuilt } from './peers/peer-maps.js';
import { startPeer } from './peers/peer-process.js';
import { howToInstall } from './peers/peers-folder.js';
import type { Area } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourWay } from './routing/our-engine.js';
import { pairsOf } from './routing/pairs.js';
import { median } from './routing/statistics.js';

/**
 * Steps of a route, departure and arrival included, beside OSRM's on the same pairs. Routes of the same
 * length lead over the same roads: for these, the maneuvers are counted by type.
 */
const options = readOptions({ areas: ['malta', 'heidelberg'], count: 800 });
/** Lengths are measured on a sphere here, on an ellipsoid there. */
const SAME_SHARE = 0.01;

type Turn = readonly [maneuver: string, name: string];
interface Way {
  readonly metres: number;
  readonly steps: readonly Turn[];
}

async function measure(area: Area): Promise<void> {
  if (!mapIsBuilt('osrm-mld', area))
    throw new Missing(`${area}: OSRM has no map. To make it: ${howToInstall} ${area}`);
  const network = await openArea(area);
  const metric = freeFlowMetric(network, 'driving');
  const pairs = pairsOf(area, network, options.pairs, options.count, options.seed);
  const peer = await startPeer('osrm-mld', area);
  const { ways: theirs } = await peer.ask<{ ways: (Way | null)[] }>({ do: 'steps', pairs });
  await peer.close();
  const ours = pairs.map((pair): Way | null => {
    const path = ourWay(network, metric, pair);
    if (path === undefined) return null;
    const steps = guide(network, metric, path, pathGeometry(network, path), {});
    return {
      metres: path.lengthM,
      steps: steps.map(({ maneuver: { type, modifier }, name }): Turn => {
        return [modifier === undefined ? type : `${type} ${modifier}`, name];
      }),
    };
  });
  const both = pairs.flatMap((_, at) => {
    const [one, other] = [ours[at], theirs[at]];
    return one && other ? [{ at, ours: one, theirs: other }] : [];
  });
  const same = both.filter(
    ({ ours: { metres }, theirs: { metres: other } }) => Math.abs(metres - other) <= SAME_SHARE * other,
  );
  const figures = {
    pairs: both.length,
    all: ratios(both),
    sameLength: { pairs: same.length, ...ratios(same) },
  };
  appendResult('routing-steps', { area, seed: options.seed, ...figures });
  console.log(`${area}: ${JSON.stringify(figures)}`);
  for (const [type, [own, their]] of countsByType(same)) console.log(`${own}\t${their}\t${type}`);
}

interface Both {
  readonly ours: Way;
  readonly theirs: Way;
}

function ratios(ways: readonly Both[]): { oursOver: number; total: number } {
  const sum = (of: (both: Both) => Way): number => ways.reduce((all, each) => all + of(each).steps.length, 0);
  return {
    oursOver: rounded(median(ways.map(({ ours, theirs }) => ours.steps.length / theirs.steps.length))),
    total: rounded(sum(({ ours }) => ours) / sum(({ theirs }) => theirs)),
  };
}

const rounded = (ratio: number): number => Number(ratio.toFixed(3));

function countsByType(ways: readonly Both[]): [string, [number, number]][] {
  const counts = new Map<string, [number, number]>();
  for (const { ours, theirs } of ways)
    for (const [side, { steps }] of [ours, theirs].entries())
      for (const [turn] of steps) {
        const count = counts.get(turn) ?? [0, 0];
        count[side]!++;
        counts.set(turn, count);
      }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

for (const area of options.areas) await measure(area);
