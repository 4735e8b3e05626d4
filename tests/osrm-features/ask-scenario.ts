import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { askMatrix } from './ask-matrices.js';
import { askMatches, askNearest, askNearestOfAll, askTrips } from './ask-places.js';
import { askPosts, postsOf } from './ask-posts.js';
import { askPrograms } from './ask-programs.js';
import { askRoutability } from './ask-routability.js';
import { askRoutes } from './ask-routes.js';
import type { AskedRow } from './judged-row.js';
import type { ProfileScript } from './profile-script.js';
import type { Scenario, Table } from './read-scenarios.js';
import { ScenarioMap } from './scenario-map.js';
import type { ServedMaps } from './served-maps.js';
import { testbotElements, testbotTurns, turnbotTurns } from './testbot.js';

type Ask = (map: ScenarioMap, table: Table, maps: ServedMaps) => Promise<AskedRow[]>;

const asks: readonly (readonly [RegExp, Ask])[] = [
  [/^I route (?:\d+ times )?I should get$/, askRoutes],
  [/^routability should be$/, askRoutability],
  [/^I request nearest I should get$/, askNearest],
  [/^I request nearest for multiple coordinates I should get$/, askNearestOfAll],
  [/^I match I should get$/, askMatches],
  [/^I plan a trip I should get$/, askTrips],
  [/^I request a travel time matrix I should get$/, askMatrix('durations')],
  [/^I request a travel distance matrix I should get$/, askMatrix('distances')],
  [/^I request a travel time matrix I should get estimates for$/, askMatrix('fallback_speed_cells')],
];

/** Scenarios that OSRM itself does not run. */
export const isRun = ({ tags }: Scenario): boolean => !tags.includes('@todo');

/**
 * Builds the map of a scenario and asks for every row of its tables; without tables, it runs the commands.
 * Empty if it has no question for a router or a command.
 */
export async function askScenario(scenario: Scenario, maps: ServedMaps): Promise<AskedRow[]> {
  const map = new ScenarioMap(scenario);
  const rows: AskedRow[] = [];
  let isServed = false;
  for (const { text, table } of scenario.steps) {
    const ask = asks.find(([step]) => step.test(text))?.[1];
    if (ask === undefined || table === undefined) continue;
    if (!isServed) await serve(map, maps);
    isServed = true;
    rows.push(...(await ask(map, table, maps)));
  }
  const posts = postsOf(scenario.steps);
  if (posts.length > 0) {
    if (!isServed) await serve(map, maps);
    rows.push(...(await askPosts(map, posts, maps)));
  }
  return rows.length > 0 ? rows : askPrograms(scenario, map);
}

const testTurns: Readonly<Record<string, (script: ProfileScript) => (network: RoadNetwork) => void>> = {
  testbot: testbotTurns,
  turnbot: () => turnbotTurns,
};

function serve(map: ScenarioMap, maps: ServedMaps): Promise<void> {
  const { script, drivingSide, departMs, speedFile } = map;
  const change = testTurns[map.profile]?.(script);
  return change === undefined
    ? maps.serve(map.elements(), { drivingSide, departMs, speedFile })
    : maps.serve(testbotElements(map.elements(), map), { drivingSide, change, speedFile });
}
