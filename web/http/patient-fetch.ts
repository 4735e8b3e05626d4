import { retryDelayMs } from './retry.js';

/**
 * `fetch` that asks again, as the server wishes, where it sheds load (503) or limits the rate (429): both say that
 * nothing was done. Answers the last response after `triesMax` tries, or the first of another status.
 */
export async function patientFetch(address: string, init: RequestInit, triesMax: number): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, init);
    const busy = response.status === 503 || response.status === 429;
    if (!busy || tries === triesMax) return response;
    const wait = retryDelayMs(tries, response.headers.get('retry-after'), Math.random);
    await new Promise((resolve) => setTimeout(resolve, wait));
    init.signal?.throwIfAborted();
  }
}
