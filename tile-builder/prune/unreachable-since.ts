import type { ObjectStore } from '#platform/object-store/object-store.js';

/** By key the time at which a run first found it unreachable, ms since 1970. */
export type UnreachableSince = ReadonlyMap<string, number>;

const key = 'prune/unreachable.json';
const format = 'meridian-unreachable-1';

/** Empty if there is none, or it cannot be read: then the grace period starts again. */
export async function readUnreachable(objects: ObjectStore): Promise<UnreachableSince> {
  const bytes = await objects.get(key);
  if (bytes === undefined) return new Map();
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly format?: unknown;
      readonly since?: Readonly<Record<string, unknown>>;
    };
    const entries = json.format === format ? Object.entries(json.since ?? {}) : [];
    return new Map(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
  } catch {
    return new Map();
  }
}

export const writeUnreachable = (objects: ObjectStore, since: UnreachableSince): Promise<void> =>
  objects.put(
    key,
    new TextEncoder().encode(`${JSON.stringify({ format, since: Object.fromEntries(since) })}\n`),
  );
