import type { PathNodes } from '#routing-engine/route/path-nodes.js';
import type { FoundThrough } from '#routing-engine/tasks/found-through.js';
import type { ServedRelease } from '../release/served-release.js';
import type { LineStyle } from './line-query.js';
import { messages } from './messages.js';
import type { OsrmRefusal } from './refusal.js';

/** OpenStreetMap ids by the nodes of a leg. */
export type LegNodes = ReadonlyMap<PathNodes, readonly number[]>;

/** A tileset of an older builder has no ids between crossings: the annotation is refused. */
export const refusedNodes = (
  { needsNodes }: LineStyle,
  { nodeIds }: Pick<ServedRelease, 'nodeIds'>,
): OsrmRefusal | undefined =>
  needsNodes && nodeIds === undefined ? { code: 'InvalidValue', message: messages.noNodes } : undefined;

/** Reads the ids of all legs that have nodes; none where the map has no such ids. */
export async function legNodes(
  routes: readonly FoundThrough[],
  { nodeIds }: Pick<ServedRelease, 'nodeIds'>,
): Promise<LegNodes> {
  const found = new Map<PathNodes, readonly number[]>();
  if (nodeIds === undefined) return found;
  for (const { annotation } of routes.flatMap(({ legs }) => legs))
    if (annotation?.nodes !== undefined) found.set(annotation.nodes, await nodeIds.idsOf(annotation.nodes));
  return found;
}
