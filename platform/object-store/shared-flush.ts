/**
 * Flushes that several callers share. A flush covers what was done before it began, so whoever asks while
 * one is running waits for the next, together with everyone else who asks meanwhile.
 */
export class SharedFlush {
  readonly #flush: (what: string) => Promise<void>;
  /** By what is flushed: the running flush, and the next one if somebody waits for it. */
  readonly #running = new Map<string, { readonly done: Promise<void>; next?: Promise<void> }>();

  constructor(flush: (what: string) => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when a flush that began after this call has ended; rejects with its error. */
  of(what: string): Promise<void> {
    const running = this.#running.get(what);
    if (running === undefined) return this.#start(what);
    running.next ??= running.done.then(
      () => this.#start(what),
      () => this.#start(what),
    );
    return running.next;
  }

  #start(what: string): Promise<void> {
    const done = this.#flush(what).finally(() => {
      const running = this.#running.get(what);
      if (running?.done === done && running.next === undefined) this.#running.delete(what);
    });
    this.#running.set(what, { done });
    return done;
  }
}
