import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { appendResult } from './append-result.js';
import { extractOf } from './routing/areas.js';
import { checkLine } from './routing/check-line.js';
import { judgeRoute } from './routing/legal-route.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { progress } from './routing/progress.js';
import { randomEnds } from './routing/random-ends.js';
import { readRawMap } from './routing/raw-map.js';
import { seeded } from './routing/seeded.js';

/**
 * Is every move of every route legal, by an independent reading of the raw extract? Each route is also
 * checked backwards: that check must fail.
 */
const options = readOptions({ count: 10_000 });
let illegal = 0;
for (const area of options.areas) {
  const map = await readRawMap(extractOf(area));
  const network = await openArea(area);
  for (const mode of options.modes) {
    const random = seeded(options.seed);
    const ends = randomEnds(network, mode, random);
    const metric = freeFlowMetric(network, mode);
    const bar = progress(`${area}, ${mode}`);
    const wrongs: string[] = [];
    let routes = 0;
    let steps = 0;
    let restrictionsMet = 0;
    let caughtBackwards = 0;
    for (let tries = 0; routes < options.count && tries < 4 * options.count; tries++) {
      const outcome = findRoute(network, metric, { from: [ends.any()], to: [ends.any()] });
      if (outcome.status !== 'ok') continue;
      routes++;
      const ids = Array.from(outcome.path.edges, (edge) => network.edgeId(edge));
      const verdict = judgeRoute(map, ids, mode);
      const line = checkLine(map, ids, pathGeometry(network, outcome.path).lngLat, mode);
      wrongs.push(...[...verdict.wrongs, ...line].map((wrong) => `${wrong} on ${ids.join(' ')}`));
      restrictionsMet += verdict.restrictionsMet;
      steps += ids.length;
      if (judgeRoute(map, ids.toReversed().map(turned), mode).wrongs.length > 0) caughtBackwards++;
      if (routes % 100 === 0) {
        bar.show(routes, options.count);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    bar.end();
    console.log(
      `${area}, ${mode}: ${routes} routes over ${steps} edges, ${restrictionsMet} restrictions met, ` +
        `${wrongs.length} illegal moves; driven backwards ${caughtBackwards} would be illegal`,
    );
    for (const wrong of wrongs.slice(0, 10)) console.log(`  ${wrong.slice(0, 600)}`);
    illegal += wrongs.length;
    appendResult('routing-legality', {
      area,
      mode,
      seed: options.seed,
      routes,
      edges: steps,
      restrictionsInExtract: map.restrictionCount,
      restrictionsMet,
      illegalMoves: wrongs.length,
      illegalBackwards: caughtBackwards,
    });
  }
}
if (illegal > 0) process.exit(1);

/** The same road piece in the other direction: `way:b-a-` for `way:a-b+`. */
function turned(id: string): string {
  return id.replace(
    /^(\d+):(\d+)-(\d+)([+-])/,
    (_all, way: string, from: string, to: string, sign: string) =>
      `${way}:${to}-${from}${sign === '+' ? '-' : '+'}`,
  );
}
