import type { Logger } from '#platform/telemetry/logger.js';

/** Work that is looked for again and again; it never overlaps with itself in one process. */
export interface BackgroundLoop {
  /** Looks at once, without waiting for the interval. */
  wake(): void;
  /** Waits for the round under way. */
  close(): Promise<void>;
}

/** `round` resolves with whether there is more to do at once. A round that fails is logged, and the next one comes. */
export function startLoop(
  name: string,
  everyMs: number,
  logger: Logger,
  round: () => Promise<boolean>,
): BackgroundLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closed = false;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        again = await round();
      } catch (error) {
        logger.warn('a round of background work failed and comes again', {
          loop: name,
          cause: (error as Error).message,
        });
      }
    } while (again && !closed);
  };
  const begin = (): void => {
    if (closed) return;
    if (running !== undefined) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = run().finally(() => {
      running = undefined;
      if (!closed) timer = setTimeout(begin, everyMs);
    });
  };
  timer = setTimeout(begin, everyMs);
  return {
    wake: begin,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
