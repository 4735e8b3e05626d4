import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { pruneLimits } from './limits.js';

/*
 * A build may name again what an earlier one left, and so must not run while that is deleted. Each of the two first says that it runs and then
 * looks for the other, so at least one of them sees it: a build waits, and deleting is put off. Who died without taking
 * his word back is believed for a while.
 */
const pruneKey = 'prune/running';
const buildsPrefix = 'prune/builds/';
const lookEveryMs = 200;

/** Runs a build when nothing is being deleted. */
export async function whileNobodyPrunes<Result>(
  objects: ObjectStore,
  build: () => Promise<Result>,
  clock: () => number = Date.now,
): Promise<Result> {
  const key = `${buildsPrefix}${randomUUID()}`;
  await objects.put(key, numberBytes(clock() + pruneLimits.buildMsMax));
  try {
    while (await isRunning(objects, pruneKey, clock)) await delay(lookEveryMs);
    return await build();
  } finally {
    await objects.delete(key);
  }
}

/**
 * Runs `prune` unless a build or another prune does; then undefined. `mayGoOn` must be asked before each object that is deleted: no longer than
 * `pruneMsMax` do builds wait.
 */
export async function whileNobodyBuilds<Result>(
  objects: ObjectStore,
  prune: (mayGoOn: () => boolean) => Promise<Result>,
  clock: () => number = Date.now,
): Promise<Result | undefined> {
  if (await isRunning(objects, pruneKey, clock)) return undefined;
  // Of one that died.
  await objects.delete(pruneKey);
  const startedMs = clock();
  if (!(await objects.putIfAbsent(pruneKey, numberBytes(startedMs + pruneLimits.believedMs))))
    return undefined;
  try {
    for await (const key of objects.list(buildsPrefix)) {
      if (await isRunning(objects, key, clock)) return undefined;
      await objects.delete(key);
    }
    return await prune(() => clock() - startedMs < pruneLimits.pruneMsMax);
  } finally {
    await objects.delete(pruneKey);
  }
}

/** Whether somebody said so whose time is not over. */
async function isRunning(objects: ObjectStore, key: string, clock: () => number): Promise<boolean> {
  const bytes = await objects.get(key);
  return bytes !== undefined && clock() < Number(new TextDecoder().decode(bytes));
}

const numberBytes = (ms: number): Uint8Array => new TextEncoder().encode(String(ms));
