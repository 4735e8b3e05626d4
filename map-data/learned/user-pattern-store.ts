import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { UserPatterns } from './user-patterns.js';

const version = 1;

/**
 * The patterns of users in the object store, one object each. The name is a digest, because a user id may
 * have characters that a key must not have. An object of another version is as none: it is learned again.
 */
export class UserPatternStore {
  readonly #objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>;

  constructor(objects: Pick<ObjectStore, 'get' | 'put' | 'delete'>) {
    this.#objects = objects;
  }

  /** Rejects with `ObjectStoreUnavailable` when the store does not answer, as all methods do. */
  async read(userId: string): Promise<UserPatterns | undefined> {
    const bytes = await this.#objects.get(patternKey(userId));
    if (bytes === undefined) return undefined;
    const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
      readonly version: number;
      readonly patterns: UserPatterns;
    };
    return stored.version === version ? stored.patterns : undefined;
  }

  write(userId: string, patterns: UserPatterns): Promise<void> {
    return this.#objects.put(patternKey(userId), Buffer.from(JSON.stringify({ version, patterns })));
  }

  delete(userId: string): Promise<void> {
    return this.#objects.delete(patternKey(userId));
  }
}

export function patternKey(userId: string): string {
  const digest = createHash('sha256').update(userId).digest('hex');
  return `user-patterns/${digest.slice(0, 2)}/${digest}.json`;
}
