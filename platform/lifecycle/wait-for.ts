import type { Logger } from '#platform/telemetry/logger.js';
import { isRefusedForGood } from '../config/refused-for-good.js';
import { WrongSetting } from '../config/wrong-setting.js';

export interface WaitOptions {
  readonly logger: Logger;
  /** Aborts the wait with its reason. */
  readonly signal: AbortSignal;
  /** Reject after this time; if absent, there is no time limit. */
  readonly deadlineMs?: number;
}

const firstDelayMs = 100;
const delayMaxMs = 2_000;

/**
 * Retries with growing pauses until a dependency is available. Logs a reason when it changes, not at every
 * attempt. Rejects when the deadline has passed, and at once for an error whose `retriable` is false, with
 * a sentence that names the dependency and the last reason. A wrong address, password or certificate is a
 * `WrongSetting`.
 *
 * ```ts
 * const log = await waitFor('event log', () => openEventLog(address), { logger, signal });
 * ```
 */
export async function waitFor<T>(name: string, attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const startedAt = performance.now();
  let delayMs = firstDelayMs;
  let lastReason: string | undefined;
  for (;;) {
    options.signal.throwIfAborted();
    try {
      const result = await attempt();
      if (lastReason !== undefined) options.logger.info('dependency is available', { dependency: name });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const sentence = `${name} is unavailable: ${reason}`;
      if (error instanceof WrongSetting || isRefusedForGood(error))
        throw new WrongSetting(sentence, { cause: error });
      const given = new Error(sentence, { cause: error });
      if ((error as { readonly retriable?: unknown } | undefined)?.retriable === false) throw given;
      if (reason !== lastReason)
        options.logger.warn('waiting for a dependency', { dependency: name, reason });
      lastReason = reason;
      const waitedMs = performance.now() - startedAt;
      if (options.deadlineMs !== undefined && waitedMs + delayMs > options.deadlineMs) throw given;
    }
    await pause(delayMs * (0.5 + Math.random() / 2), options.signal);
    delayMs = Math.min(delayMs * 2, delayMaxMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
