/**
 * The orders for which this process waits for the provider. A webhook usually reports what the answer is
 * about to report, so it waits until the answer is stored: then it is stale and needs no lock. It does not
 * wait for an answer that takes long.
 */
export class InFlightCalls {
  readonly #calls = new Map<string, Promise<unknown>>();

  async run<Result>(orderId: string, call: () => Promise<Result>): Promise<Result> {
    const running = call();
    this.#calls.set(orderId, running);
    try {
      return await running;
    } finally {
      this.#calls.delete(orderId);
    }
  }

  /** Resolves when no call is in flight for the order, after `waitMs` at the latest. */
  async over(orderId: string, waitMs: number): Promise<void> {
    const running = this.#calls.get(orderId);
    if (running === undefined || waitMs === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([running.catch(() => {}), late]);
    clearTimeout(timer);
  }
}
