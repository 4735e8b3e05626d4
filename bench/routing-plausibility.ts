import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { appendResult } from './append-result.js';
import { Missing } from './missing.js';
import { startPeer } from './peers/peer-process.js';
import { howToInstall, peersInstalled } from './peers/peers-folder.js';
import { type Area, extractOf } from './routing/areas.js';
import type { TripAnswer } from './routing/engine.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourWay } from './routing/our-engine.js';
import { OutlierReasons } from './routing/outlier-reason.js';
import { pairsOf } from './routing/pairs.js';
import { startPeers } from './routing/peer-engines.js';
import { readRawMap } from './routing/raw-map.js';
import { median } from './routing/statistics.js';

/**
 * Are our routes similar to those of other engines? Distances and times are compared with OSRM, Valhalla and
 * GraphHopper, which differ among themselves. If ours is outside of their range by a third, OSRM's route is
 * followed on our network to find the reason.
 */
const options = readOptions({ pairs: 'known' });
if (!peersInstalled())
  throw new Missing(`This question is about the peers. To install them: ${howToInstall}`);
for (const area of options.areas) await measure(area);

async function measure(area: Area): Promise<void> {
  const network = await openArea(area);
  const metric = freeFlowMetric(network, 'driving');
  const pairs = pairsOf(area, network, options.pairs, options.count, options.seed);
  const ways = pairs.map((pair) => ourWay(network, metric, pair));
  const peers = await startPeers(area, ['osrm-mld', 'valhalla', 'graphhopper-ch']);
  const theirs = new Map<string, readonly TripAnswer[]>();
  for (const peer of peers) theirs.set(peer.name, (await peer.round(pairs, 'times', 1)).answers);
  await Promise.all(peers.map((peer) => peer.close()));

  const figures = Object.fromEntries(
    [...theirs].map(([name, answers]) => {
      const both = answers.flatMap((answer, i) => {
        const way = ways[i];
        if (answer === null || way === undefined || answer[0] === 0 || answer[1] === 0) return [];
        return [{ meters: way.lengthM / answer[0], seconds: way.durationMs / 1_000 / answer[1] }];
      });
      const distance = both.map(({ meters }) => meters);
      const within = (share: number): number =>
        Math.round((100 * distance.filter((ratio) => Math.abs(ratio - 1) <= share).length) / distance.length);
      return [
        name,
        {
          pairs: both.length,
          distanceRatio: median(distance),
          timeRatio: median(both.map(({ seconds }) => seconds)),
          within5: within(0.05),
        },
      ];
    }),
  );

  const outliers = pairs.flatMap((_, i) => {
    const range = [...theirs.values()].flatMap((answers) => answers[i]?.[0] ?? []);
    const meters = ways[i]?.lengthM ?? Number.NaN;
    return meters > (4 / 3) * Math.max(...range) || meters < (3 / 4) * Math.min(...range) ? [i] : [];
  });
  const reasons: Record<string, number> = {};
  if (outliers.length > 0) {
    const why = new OutlierReasons(network, metric, await readRawMap(extractOf(area)));
    const osrm = await startPeer('osrm-mld', area);
    const asked = outliers.map((i) => pairs[i]!);
    const { nodes } = await osrm.ask<{ nodes: number[][] }>({ do: 'nodes', pairs: asked });
    await osrm.close();
    for (const [at, i] of outliers.entries()) {
      const way = ways[i]!;
      const reason = why.reason(nodes[at]!, way.edges, way.durationMs);
      reasons[reason.kind] = (reasons[reason.kind] ?? 0) + 1;
      const range = [...theirs].map(
        ([name, answers]) => `${name} ${Math.round(answers[i]?.[0] ?? Number.NaN)}`,
      );
      console.log(
        `  ${pairs[i]!.join(', ')}: ours ${Math.round(way.lengthM)} m, ${range.join(', ')}: ` +
          `${JSON.stringify(reason)}`,
      );
    }
  }
  const unanswered = ways.filter((way) => way === undefined).length;
  appendResult('routing-plausibility', {
    area,
    pairs: options.pairs,
    count: pairs.length,
    unanswered,
    engines: figures,
    outliers: outliers.length,
    reasons,
  });
  console.log(`${area}: ${pairs.length} pairs, ${unanswered} unanswered`);
  for (const [name, { distanceRatio, timeRatio, within5 }] of Object.entries(figures))
    console.log(
      `  over ${name.padEnd(15)} distance ${distanceRatio} at the median, ${within5} % within 5 %; ` +
        `time ${timeRatio}`,
    );
  console.log(`  ${outliers.length} outside of all peers' range by a third: ${JSON.stringify(reasons)}`);
}
