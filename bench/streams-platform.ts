import type { ScenarioName } from '#simulated-city/scenarios.js';
import { appendResult } from './append-result.js';
import { Missing } from './missing.js';
import { type FaultName, faultNames } from './platform/platform-faults.js';
import { simulatePlatform, startMs } from './platform/simulate-platform.js';
import { chosenArea } from './routing/areas.js';
import { openArea } from './routing/open-area.js';

/**
 * Does the whole platform keep its promises in virtual time, under kills and lost, late and doubled messages?
 * A broken promise is printed with its seed and minute, and the program ends with 1. The same seed replays
 * the same story.
 */
const area = chosenArea('malta');
const seed = Number(process.env['SEED'] ?? 1);
const drivers = Number(process.env['DRIVERS'] ?? 300);
const scenario = (process.env['SCENARIO'] ?? 'usual') as ScenarioName;
const minutes = Number(process.env['MINUTES'] ?? 60);
const faults = (process.env['FAULTS'] ?? faultNames.join()).split(',').filter((name) => name !== '');
const unknown = faults.find((name) => !faultNames.some((known) => known === name));
if (unknown !== undefined) throw new Missing(`FAULTS: ${unknown} is none of ${faultNames.join(', ')}.`);
/** How many times as often as usual each fault happens. */
const faultScale = Number(process.env['FAULT_SCALE'] ?? 1);
const minuteMs = 60_000;

const network = await openArea(area);
const startedAt = performance.now();
const began = process.cpuUsage();
const { broken, digest, closures, report, counts, warnings } = await simulatePlatform({
  ...{ network, seed, minutes, drivers, scenario, faultScale },
  faults: faults as FaultName[],
  onMinute(minute, { broken: sofar, closures: { found } }) {
    console.error(`${minute} of ${minutes} minutes: ${found.length} closures found, ${sofar.length} broken`);
  },
});
const { user, system } = process.cpuUsage(began);
const wallS = (performance.now() - startedAt) / 1_000;
for (const { atMs, what } of broken)
  console.error(`SEED=${seed}, minute ${((atMs - startMs) / minuteMs).toFixed(2)}: ${what}`);
const result = {
  ...{ area, seed, drivers, scenario, minutes, faults, faultScale, digest },
  ...{ broken: broken.length, ...counts },
  hidden: closures.hidden.length,
  hiddenFound: closures.hidden.filter(({ foundAfterMs }) => foundAfterMs !== undefined).length,
  found: closures.found.length,
  falseClosures: closures.found.filter(({ truth }) => truth === undefined).length,
  observedEdges: closures.observedEdges,
  ...report,
  ...{ wallS, cpuS: (user + system) / 1e6 },
};
console.log(JSON.stringify(result, undefined, 2));
if (process.env['WARNINGS'] === '1') console.error(Object.fromEntries(warnings));
if (broken.length > 0) process.exitCode = 1;
else if (process.env['APPEND'] !== '0') appendResult('streams-platform', result);
