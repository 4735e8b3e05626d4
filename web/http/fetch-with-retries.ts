import { reportBusy } from './load.js';
import { retryDelayMs } from './retry.js';

/** Waits, but no longer than until the request is aborted. */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/**
 * `fetch` that retries, as the server requests, where it sheds load (503) or limits the rate (429): both mean
 * that nothing was done. Returns the last response after `triesMax` attempts, or the first of another status.
 */
export async function fetchWithRetries(
  address: string,
  init: RequestInit,
  triesMax: number,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, init);
    const busy = response.status === 503 || response.status === 429;
    if (!busy) return response;
    const wait = retryDelayMs(tries, response.headers.get('retry-after'), Math.random);
    reportBusy(wait);
    if (tries === triesMax) return response;
    await pause(wait, init.signal);
    init.signal?.throwIfAborted();
  }
}
