/**
 * The orders for which this process waits for the provider. A webhook mostly says what the answer is about to
 * say, so it waits for the answer to be stored: then it is old news and needs no lock. An answer that takes
 * long is overtaken.
 */
export class CallsUnderWay {
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

  /** Resolves when nothing is under way for the order, `waitMs` at the latest. */
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
