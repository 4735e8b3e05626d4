import { CandidateRoads } from '#processors/new-roads/candidate-roads.js';
import { flatMapAt, toFlat } from '#processors/new-roads/flat-map.js';
import { offRoadM, offRoadRuns } from '#processors/new-roads/off-road-runs.js';
import { newRoadDefaults } from '#processors/new-roads/settings.js';
import { TraceMatcher } from '#routing-engine/matching/match-trace.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { appendResult } from './append-result.js';
import { drawRoutes } from './matching/draw-traces.js';
import { driveTrace, type Phone } from './matching/drive-trace.js';
import { chooseHidden, networkWithout, passesOver } from './matching/hidden-roads.js';
import { judgeRoads } from './matching/score-roads.js';
import { readOptions } from './routing/options.js';
import { progress } from './routing/progress.js';
import { seeded } from './routing/seeded.js';

/**
 * Roads are taken out of the map, drives of the true town are matched on what is left, and what the clusters
 * propose is compared with what was taken out. `count`: drives over no hidden road, beside 5 to 12 over each
 * of the hidden ones.
 */
const options = readOptions({ areas: ['goteborg', 'heidelberg'], count: 600 });
const hiddenRoads = 40;
const passesMin = 5;
const phones: readonly Phone[] = [
  { sigmaM: 4, everyS: 1, heading: true, gapsPerMinute: 0.02 },
  { sigmaM: 7, everyS: 1, heading: true, gapsPerMinute: 0.02 },
  { sigmaM: 5, everyS: 3, heading: true, gapsPerMinute: 0.02 },
];

for (const area of options.areas) {
  const whole = await networkWithout(area, new Set());
  const random = seeded(options.seed);
  const hidden = chooseHidden(whole, hiddenRoads, random);
  const rest = await networkWithout(area, new Set(hidden.map(({ way }) => way)));
  const [west, south] = rest.bounds;
  const map = flatMapAt(Math.round(west * 1e7), Math.round(south * 1e7));
  for (const phone of phones) {
    const matcher = new TraceMatcher(rest, 'driving');
    const roads = new CandidateRoads(newRoadDefaults);
    const bar = progress(`${area}, σ ${phone.sigmaM} m`);
    const passes = hidden.map((road) =>
      passesOver(whole, road, passesMin + Math.floor(8 * random()), random),
    );
    // A road that nothing leads over five times is nothing that could be found.
    const driven = hidden.filter((_, i) => passes[i]!.length >= passesMin);
    const drives: RoutePath[] = [...passes.flat(), ...drawRoutes(whole, options.count, random)];
    for (const [driver, drive] of drives.entries()) {
      const { points } = driveTrace(whole, drive, phone, random);
      const { places } = matcher.match(points);
      const judged = points.map(({ lngE7, latE7, accuracyM = 10 }, i) => ({
        ...{ lngE7, latE7, accuracyM },
        offM: places[i]?.distanceM ?? offRoadM,
      }));
      for (const run of offRoadRuns(judged, newRoadDefaults))
        roads.add(
          run.map(({ lngE7, latE7 }) => toFlat(map, lngE7, latE7)),
          driver,
        );
      bar.show(driver, drives.length);
    }
    bar.end();
    const proposals = roads.proposals();
    const { precision, recall } = judgeRoads(whole, map, driven, proposals);
    console.log(
      `${area}, σ ${phone.sigmaM} m every ${phone.everyS} s: ${driven.length} hidden, ` +
        `${proposals.length} proposed, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
    appendResult('matching-new-roads', {
      area,
      phone,
      seed: options.seed,
      hidden: driven.length,
      drives: drives.length,
      proposed: proposals.length,
      precision,
      recall,
    });
  }
}
