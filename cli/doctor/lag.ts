import { writerGroup } from '#ingest/write-locations.js';
import type { Config } from '#platform/config/settings.js';
import { type GroupLag, inspectLog } from '#platform/event-log/inspect-log.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { paymentGroups } from '#processors/payments/start-payment-groups.js';
import { topics } from '#schemas/topics.js';
import { addressesOf, openLog } from '../adapters.js';
import { groups } from '../options/groups.js';
import { type Answer, ok, warning } from './finding.js';

const lagMax = 10_000;
const shownMax = 3;

/** Groups whose work is stored. Each gateway has groups of its own too, which end with it. */
const storing = new Set<string>([
  writerGroup,
  ...groups.filter((group) => group !== 'analytics'),
  ...['analytics-speeds', 'analytics-closures', 'analytics-arrivals'],
  ...['booking', ...paymentGroups],
]);

/** Records that the groups have not processed yet. */
export async function checkLag(config: Config): Promise<Answer> {
  const address = addressesOf(config).eventLog;
  const folder = /^embedded:([^?]*)/.exec(address)?.[1];
  const state = folder === undefined ? { lags: await lagsOf(config) } : await inspectLog(folder);
  if (state === undefined) return ok('there is no event log yet');
  const lags = state.lags.filter(({ group }) => storing.has(group));
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
    const lags: GroupLag[] = [];
    for (const { name: topic } of topics) {
      const ends = await log.offsets(topic).catch(() => []);
      if (ends.length === 0) continue;
      const each = [...storing].map(async (group) => {
        const committed = await log.committed(group, topic);
        const read = committed.filter(({ offset }) => offset >= 0);
        const behind = read.map(({ partition, offset }) => (ends[partition]?.end ?? 0) - offset);
        const records = behind.reduce((sum, one) => sum + Math.max(0, one), 0);
        if (read.length > 0) lags.push({ group, topic, records });
      });
      await Promise.all(each);
    }
    return lags;
  } finally {
    await log.close();
  }
}
