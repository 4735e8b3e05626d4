import type { PersonalizationChanged } from '#schemas/messages.js';

/** Users who allowed that their usual places and routes are learned, read from the compacted topic. */
export class Permissions {
  readonly #since = new Map<string, number>();

  /** Unix milliseconds of the permission; undefined without one. */
  sinceMs(userId: string): number | undefined {
    return this.#since.get(userId);
  }

  get size(): number {
    return this.#since.size;
  }

  /** A permission that is repeated keeps the time of the first. */
  apply({ userId, enabled, changedMs }: PersonalizationChanged): void {
    if (!enabled) this.#since.delete(userId);
    else if (!this.#since.has(userId)) this.#since.set(userId, changedMs);
  }
}
