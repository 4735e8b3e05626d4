import type { Releases, ServedRelease } from './served-release.js';

/** A release with the function that stops its threads and followers. */
export interface OpenRelease {
  readonly release: ServedRelease;
  readonly close: () => Promise<void>;
}

interface Held {
  release: ServedRelease;
  readonly close: () => Promise<void>;
  answers: number;
}

/**
 * The current release, swapped in one step. A request uses one release from start to end; a replaced release
 * is closed after its last request.
 */
export class ReleaseHolder implements Releases {
  #serving: Held;
  readonly #retired = new Set<Held>();
  readonly #onError: (error: Error) => void;

  /**
   * @param onError receives the error of a replaced release that could not be closed; the current release is
   * not affected.
   */
  constructor(first: OpenRelease, onError: (error: Error) => void) {
    this.#serving = { ...first, answers: 0 };
    this.#onError = onError;
  }

  get current(): ServedRelease {
    return this.#serving.release;
  }

  /** Replaced releases that still answer. */
  get retiring(): number {
    return this.#retired.size;
  }

  async use<Answer>(work: (release: ServedRelease) => Promise<Answer>): Promise<Answer> {
    const held = this.#serving;
    held.answers += 1;
    try {
      return await work(held.release);
    } finally {
      held.answers -= 1;
      if (held.answers === 0 && this.#retired.delete(held)) held.close().catch(this.#onError);
    }
  }

  /** A release with other places and another map, but the same roads. */
  amend(parts: Pick<ServedRelease, 'releaseId' | 'geocoder' | 'map'>): void {
    const { releaseId: _, geocoder: __, map: ___, ...rest } = this.#serving.release;
    this.#serving.release = { ...rest, ...parts };
  }

  swap(next: OpenRelease): void {
    const before = this.#serving;
    this.#serving = { ...next, answers: 0 };
    if (before.answers === 0) before.close().catch(this.#onError);
    else this.#retired.add(before);
  }

  /** After the last query has ended. */
  async close(): Promise<void> {
    const held = [this.#serving, ...this.#retired];
    this.#retired.clear();
    await Promise.all(held.map((each) => each.close()));
  }
}
