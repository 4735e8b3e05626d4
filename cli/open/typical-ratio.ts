import { TypicalWeeks } from '#map-data/learned/typical-weeks.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Context } from '../context.js';

/**
 * The typical ratio of an edge at a time, from the typical weeks in the object store; follows them until the
 * program stops.
 */
export async function typicalRatio(
  context: Context,
  objects: ObjectStore,
  tilesetId: string,
): Promise<(edgeId: string, atMs: number) => number | undefined> {
  const weeks = await TypicalWeeks.open({ objects, tilesetId, logger: context.logger });
  context.onStop('typical weeks', () => weeks.close());
  return (edgeId, atMs) => weeks.ratio(edgeId, atMs);
}
