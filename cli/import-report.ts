import type { SkippedEvent } from '#traffic-exchange/events/road-event.js';
import type { ImportPlan } from '#traffic-exchange/feeds/plan-import.js';

const idsShownMax = 5;
const reasonsShownMax = 50;

interface Reason {
  readonly reason: string;
  readonly events: number;
  /** The first ones. */
  readonly ids: readonly string[];
}

/** Skipped events by their reason, the most frequent first. */
function reasonsOf(skipped: readonly SkippedEvent[]): readonly Reason[] {
  const ids = new Map<string, string[]>();
  for (const { id, reason } of skipped) {
    const known = ids.get(reason);
    if (known === undefined) ids.set(reason, [id]);
    else known.push(id);
  }
  return [...ids]
    .map(([reason, all]) => ({ reason, events: all.length, ids: all.slice(0, idsShownMax) }))
    .toSorted((a, b) => b.events - a.events)
    .slice(0, reasonsShownMax);
}

export function importAsJson(plan: ImportPlan): string {
  const { writes, removes, unchanged, active, planned, ended, skipped } = plan;
  return JSON.stringify({
    ...{ active, planned, ended, skipped: skipped.length },
    ...{ written: writes.length, removed: removes.length, unchanged },
    skipped_by_reason: reasonsOf(skipped),
  });
}

export function describeImport(plan: ImportPlan, dryRun: boolean): string {
  const { writes, removes, unchanged, active, planned, ended, skipped } = plan;
  const would = dryRun ? 'would be ' : '';
  return [
    `${active} events hold now, ${planned} begin later, ${ended} are over, ${skipped.length} are skipped.`,
    `${writes.length} incidents ${would}written, ${removes.length} ${would}removed, ${unchanged} unchanged.`,
    ...reasonsOf(skipped).map(({ reason, events, ids }) => {
      const more = events > ids.length ? ', …' : '';
      return `  skipped ${events}: ${reason} (${ids.join(', ')}${more})`;
    }),
  ].join('\n');
}
