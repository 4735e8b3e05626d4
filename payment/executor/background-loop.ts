import type { Logger } from '#platform/telemetry/logger.js';
import { outsideTraces } from '#platform/telemetry/tracing.js';

/** A polling loop; it never overlaps with itself in one process. */
export interface BackgroundLoop {
  /** Polls as soon as possible, without waiting for the interval. */
  wake(): void;
  /** Waits for the current round. */
  close(): Promise<void>;
}

/**
 * `round` resolves with whether more work is due now. A failed round is logged, and the loop continues. After
 * each round the loop pauses for `restMs`, so that a loop that is woken often does more work per round.
 */
export function startLoop(
  name: string,
  everyMs: number,
  logger: Logger,
  round: () => Promise<boolean>,
  restMs = 0,
): BackgroundLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let restsUntilMs = 0;
  let woken = false;
  let closed = false;
  const run = async (): Promise<void> => {
    for (let more = true; more && !closed; ) {
      woken = false;
      more = await round().catch((error: Error) => {
        logger.warn('background work failed, will retry', {
          loop: name,
          cause: error.message,
        });
        return false;
      });
    }
  };
  const begin = (): void => {
    // A request may have woken it, but it works for all and does not end.
    running = outsideTraces(run).finally(() => {
      running = undefined;
      restsUntilMs = performance.now() + restMs;
      if (woken) wake();
      else if (!closed) timer = outsideTraces(() => setTimeout(begin, everyMs));
    });
  };
  const wake = (): void => {
    woken = true;
    if (closed || running !== undefined) return;
    clearTimeout(timer);
    const restMsLeft = restsUntilMs - performance.now();
    if (restMsLeft > 0) timer = setTimeout(begin, restMsLeft);
    else begin();
  };
  timer = setTimeout(begin, everyMs);
  return {
    wake,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
