import type { OperationShape } from './operation-shape.js';

/** What the releases until now promise to HTTP clients: `schemas/http.lock.ndjson`. */
export interface HttpLock {
  /** The last release in it. */
  readonly release: string;
  /** Day on which it was written, `YYYY-MM-DD`, UTC. */
  readonly written: string;
  readonly operations: readonly LockedOperation[];
}

/** `release`: the first release with it, or `unreleased`. */
export type LockedOperation = OperationShape & { readonly release: string };

export const unreleased = 'unreleased';

/** One operation per line, in the order of their paths, after a line about the lock. */
export function readHttpLock(text: string): HttpLock {
  const [head, ...operations] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);
  return { ...(head as Omit<HttpLock, 'operations'>), operations: operations as LockedOperation[] };
}

export function httpLockText({ operations, ...head }: HttpLock): string {
  const byPath = operations.toSorted((left, right) => compare(pathFirst(left), pathFirst(right)));
  return [head, ...byPath].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const pathFirst = ({ operation }: OperationShape): string => operation.split(' ').toReversed().join(' ');
const compare = (left: string, right: string): number => (left < right ? -1 : 1);

/**
 * The lock after `current`. With another release than that of the lock, everything is released. Otherwise
 * what no release had stays `unreleased`, and may still change.
 */
export function nextHttpLock(
  lock: HttpLock,
  current: readonly OperationShape[],
  release: string,
  today: string,
): HttpLock {
  const known = new Map(lock.operations.map((locked) => [locked.operation, locked.release]));
  const operations = current.map((shape) => {
    const was = known.get(shape.operation) ?? unreleased;
    return { release: was === unreleased && release !== lock.release ? release : was, ...shape };
  });
  return { release, written: today, operations };
}
