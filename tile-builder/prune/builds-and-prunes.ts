import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { pruneLimits } from './limits.js';

/**
 * A build may list again what an earlier one left, so it must not run while that is being deleted. Each build
 * or prune first writes an object with a name of its own and then looks for the others, so of two that start
 * at once at least one sees the other: a build waits for prunes, and a prune gives way to everything. The
 * object of a process that died without deleting it stays valid for a while.
 */
const buildsPrefix = 'prune/builds/';
const prunesPrefix = 'prune/prunes/';
const lookEveryMs = 200;

/** The object that holds up a prune, and until when it is valid, in ms since 1970. */
export interface HeldUp {
  readonly heldUpBy: string;
  readonly untilMs: number;
}

/** Runs a build when nothing is being deleted. */
export async function whileNobodyPrunes<Result>(
  objects: ObjectStore,
  build: () => Promise<Result>,
  clock: () => number = Date.now,
): Promise<Result> {
  const own = await say(objects, buildsPrefix, clock() + pruneLimits.buildMsMax);
  try {
    const sinceMs = clock();
    // Prunes that begin from now on give way. Those that had begun are over by then, whatever their clock
    // wrote down.
    while (
      clock() - sinceMs < pruneLimits.believedMs &&
      (await whoRuns(objects, prunesPrefix, clock, own)) !== undefined
    )
      await delay(lookEveryMs);
    return await build();
  } finally {
    await takeBack(objects, own);
  }
}

/**
 * Runs `prune` unless a build or another prune is running. `mayGoOn` must be called before each object is
 * deleted: builds wait no longer than `pruneMsMax`.
 */
export async function whileNobodyBuilds<Result>(
  objects: ObjectStore,
  prune: (mayGoOn: () => boolean) => Promise<Result>,
  clock: () => number = Date.now,
): Promise<Result | HeldUp> {
  const startedMs = clock();
  const own = await say(objects, prunesPrefix, startedMs + pruneLimits.believedMs);
  try {
    for (const prefix of [buildsPrefix, prunesPrefix]) {
      const other = await whoRuns(objects, prefix, clock, own);
      if (other !== undefined) return other;
    }
    return await prune(() => clock() - startedMs < pruneLimits.pruneMsMax);
  } finally {
    await takeBack(objects, own);
  }
}

async function say(objects: ObjectStore, prefix: string, untilMs: number): Promise<string> {
  const key = `${prefix}${randomUUID()}`;
  await objects.put(key, new TextEncoder().encode(String(untilMs)));
  return key;
}

/** Another process with a valid object; expired objects are deleted. */
async function whoRuns(
  objects: ObjectStore,
  prefix: string,
  clock: () => number,
  own: string,
): Promise<HeldUp | undefined> {
  for await (const key of objects.list(prefix)) {
    if (key === own) continue;
    const bytes = await objects.get(key);
    const untilMs = bytes === undefined ? 0 : Number(new TextDecoder().decode(bytes));
    if (clock() < untilMs) return { heldUpBy: key, untilMs };
    await objects.delete(key);
  }
  return undefined;
}

/**
 * A word that cannot be taken back is believed for its time; what was built or deleted is done all the same.
 */
const takeBack = (objects: ObjectStore, own: string): Promise<void> => objects.delete(own).catch(() => {});
