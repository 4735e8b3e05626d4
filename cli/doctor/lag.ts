import type { Config } from '#platform/config/settings.js';
import { type GroupLag, groupLags } from '#platform/event-log/group-lags.js';
import { inspectLog } from '#platform/event-log/inspect-log.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { topics } from '#schemas/topics.js';
import { addressesOf, openLog } from '../adapters.js';
import { storingGroups } from '../options/storing-groups.js';
import { type Answer, ok, warning } from './finding.js';

const lagMax = 10_000;
const shownMax = 3;

/** Records that the groups have not processed yet. */
export async function checkLag(config: Config): Promise<Answer> {
  const address = addressesOf(config).eventLog;
  const folder = /^embedded:([^?]*)/.exec(address)?.[1];
  const state = folder === undefined ? { lags: await lagsOf(config) } : await inspectLog(folder);
  if (state === undefined) return ok('there is no event log yet');
  const lags = state.lags.filter(({ group }) => storingGroups.has(group));
  const behind = lags.filter(({ records }) => records > lagMax).toSorted((a, b) => b.records - a.records);
  const all = lags.reduce((sum, { records }) => sum + records, 0);
  if (behind.length === 0) return ok(`${all.toLocaleString('en')} records wait in ${lags.length} inputs`);
  const shown = behind
    .slice(0, shownMax)
    .map(({ group, topic, records }) => `${group} is ${records.toLocaleString('en')} behind in ${topic}`);
  return warning(
    shown.join('; '),
    'Start the programs that run these groups, or more of them. If they run, look at their log.',
  );
}

/** On a server, group by group. */
async function lagsOf(config: Config): Promise<readonly GroupLag[]> {
  const log = await openLog(config, silentLogger);
  try {
    return await groupLags(
      log,
      storingGroups,
      topics.map(({ name }) => name),
    );
  } finally {
    await log.close();
  }
}
