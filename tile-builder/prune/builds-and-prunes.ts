import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { pruneLimits } from './limits.js';

/**
 * A build may list again what an earlier one left, so it must not run while that is being deleted. Each build
 * or prune first writes a uniquely named object and then lists the others, so that of two concurrent starts
 * at least one sees the other. A build waits for prunes; a prune stops for builds and other prunes. The
 * object of a process that died stays valid for a while.
 */
const buildsPrefix = 'prune/builds/';
const prunesPrefix = 'prune/prunes/';
const lookEveryMs = 200;

/** The object that blocks a prune, and until when it is valid, in ms since 1970. */
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
    // Prunes that start from now on stop. Earlier ones are over by then, whatever their clocks.
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

/** An object that cannot be deleted stays valid for its time; the finished work is not affected. */
const takeBack = (objects: ObjectStore, own: string): Promise<void> => objects.delete(own).catch(() => {});
