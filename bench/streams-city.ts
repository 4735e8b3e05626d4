import { isDue } from '#simulated-city/is-due.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import { worldDefaults } from '#simulated-city/world.js';
import { appendResult } from './append-result.js';
import { chosenArea } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { isApart } from './streams/apart.js';
import { runCity } from './streams/city-run.js';
import { foundWithinMs } from './streams/closure-check.js';
import { percentile, poissonUpper95 } from './streams/statistics.js';

/**
 * Which roads does the city of `npm start` list as closed, and which are? Drivers, matching, traffic,
 * customization and rerouting with the product's own settings, in virtual time from one seed.
 */
const area = chosenArea('malta');
const seed = Number(process.env['SEED'] ?? 1);
const drivers = Number(process.env['DRIVERS'] ?? 300);
const scenario = (process.env['SCENARIO'] ?? 'usual') as ScenarioName;
const longest = Number(process.env['MINUTES'] ?? 90);
/** Wall time after which the run ends with the minutes that it has, on a machine that is lent for a while. */
const wallS = Number(process.env['WALL_S'] ?? Number.POSITIVE_INFINITY);
/** Closures that begin before are no part of what has to be found: nothing is known of the roads yet. */
const warmUpMinutes = Number(process.env['WARM_UP'] ?? 60);
const closureEveryMs = 1_000 * Number(process.env['CLOSURE_EVERY_S'] ?? worldDefaults.closureEveryMs / 1_000);
const closureLastsMs = 1_000 * Number(process.env['CLOSURE_LASTS_S'] ?? worldDefaults.closureLastsMs / 1_000);
/** A closed road must be found if it had this many passages a minute before, see `isDue`. */
const busyPerMinute = 4;
const minuteMs = 60_000;
const reopenedWithinMs = 3 * minuteMs;
const dayMs = 1_440 * minuteMs;
/** A Monday. */
const startMs = 1_794_787_200_000;

const network = await openArea(area);
const began = process.cpuUsage();
// A small fleet is a question only on the data of a larger one.
const memory =
  scenario === 'small-fleet'
    ? (await runCity({ network, seed, drivers, minutes: warmUpMinutes, startMs: startMs - dayMs })).memory
    : undefined;
const { minutes, found, hidden, report, observedEdges } = await runCity({
  ...{
    network,
    seed,
    drivers,
    scenario,
    minutes: longest,
    startMs,
    world: { closureEveryMs, closureLastsMs },
  },
  ...(memory === undefined ? {} : { memory }),
  onMinute(minute, sofar) {
    const wrong = sofar.filter(({ truth }) => truth === undefined).length;
    console.error(`${minute} of ${longest} minutes: ${sofar.length} closures found, ${wrong} of them false`);
    return performance.now() < wallS * 1_000;
  },
});
const { user, system } = process.cpuUsage(began);
const since = (atMs: number): number => Math.round(((atMs - startMs) / minuteMs) * 10) / 10;
const wrong = found.filter(({ truth }) => truth === undefined);
// What began too late for its five minutes is no part of it either.
const toFind = hidden.filter(
  ({ closure, perMinute, turnedBack, foundAfterMs = foundWithinMs }) =>
    since(closure.closedMs) >= warmUpMinutes &&
    closure.closedMs + foundWithinMs <= startMs + minutes * minuteMs &&
    isDue(
      { beforePerMinute: perMinute, turnedBack, watchedMs: Math.min(foundAfterMs, foundWithinMs) },
      busyPerMinute,
    ),
);
const inTime = toFind.filter(({ foundAfterMs = Number.POSITIVE_INFINITY }) => foundAfterMs <= foundWithinMs);
const closures = hidden.map(({ closure }) => closure);
const apart = toFind.filter(({ closure }) => isApart(network, closure, closures, foundWithinMs));
const edgeDays = (observedEdges * minutes) / 1_440;
/** Of the listed closures that opened three minutes before the end, or earlier. */
function reopened() {
  const opened = found.filter(
    ({ truth }) => truth !== undefined && truth.opensMs + reopenedWithinMs <= startMs + minutes * minuteMs,
  );
  const delays = opened.map(({ unlistedAfterMs = Number.POSITIVE_INFINITY }) => unlistedAfterMs);
  return {
    closures: opened.length,
    within3Min: delays.filter((delay) => delay <= reopenedWithinMs).length,
    before: delays.filter((delay) => delay < 0).length,
    delayS: percentile(
      delays.map((delay) => Math.max(0, delay) / 1_000),
      0.5,
    ),
  };
}
const result = {
  ...{ area, seed, drivers, scenario, minutes, warmUpMinutes, observedEdges },
  edgeDays,
  falsePer1000EdgeDaysMax95: (1_000 * poissonUpper95(wrong.length)) / edgeDays,
  hidden: hidden.length,
  hiddenFound: hidden.filter(({ foundAfterMs }) => foundAfterMs !== undefined).length,
  falseClosures: wrong.map(({ edge, atMs, evidence }) => ({
    ...{ edge: network.edgeId(edge), name: network.edgeName(edge), minute: since(atMs), evidence },
  })),
  besideTheClosure: found.filter(({ isBeside }) => isBeside).length,
  busy: {
    closures: toFind.length,
    found: toFind.filter(({ foundAfterMs }) => foundAfterMs !== undefined).length,
    foundWithin5Min: inTime.length,
    /** Of those that have no other closed road beside them. */
    apart: { closures: apart.length, foundWithin5Min: apart.filter((one) => inTime.includes(one)).length },
    others: toFind
      .filter((one) => !inTime.includes(one))
      .map(({ closure, perMinute, turnedBack, foundAfterMs, seen }) => ({
        edges: closure.edges.map((edge) => network.edgeId(edge)),
        lengthM: network.edgeLengthM(closure.edges[0]!),
        ...{ name: network.edgeName(closure.edges[0]!), minute: since(closure.closedMs) },
        ...{ perMinute, turnedBack, seen },
        ...(foundAfterMs === undefined ? {} : { foundAfterS: foundAfterMs / 1_000 }),
      })),
    /** Median; one that was not found counts as the longest. */
    delayS: percentile(
      toFind.map(({ foundAfterMs }) => (foundAfterMs ?? closureLastsMs) / 1_000),
      0.5,
    ),
  },
  reopened: reopened(),
  trips: report.trips,
  reroutes: report.reroutes,
  cpuS: (user + system) / 1e6,
};
console.log(JSON.stringify(result, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-city', result);
