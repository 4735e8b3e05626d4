const slowestMs = 15_000;

/** Waits longer after each failure in a row: 1, 2, 4 … times the period, at most 15 s. */
export function pollDelayMs(everyMs: number, failures: number): number {
  return Math.min(everyMs * 2 ** failures, Math.max(slowestMs, everyMs));
}

/**
 * Runs `once` repeatedly, never two at a time, pauses while the page is hidden, and goes on at once when the
 * network is back. `failed` receives the number of consecutive failures. Returns a function that stops
 * polling: the run in progress is aborted, and its result is ignored.
 */
export function poll(
  everyMs: number,
  once: (signal: AbortSignal) => Promise<void>,
  failed: (cause: unknown, failures: number) => void = () => {},
): () => void {
  let failures = 0;
  const stopping = new AbortController();
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const turn = async () => {
    if (document.hidden || busy) return;
    busy = true;
    try {
      await once(stopping.signal);
      failures = 0;
    } catch (cause) {
      if (stopping.signal.aborted) return;
      failures += 1;
      failed(cause, failures);
    }
    busy = false;
    if (!stopping.signal.aborted) timer = setTimeout(run, pollDelayMs(everyMs, failures));
  };
  const run = () => {
    timer = undefined;
    void turn();
  };
  const wake = () => {
    if (document.hidden || stopping.signal.aborted || busy) return;
    clearTimeout(timer);
    timer = setTimeout(run, 0);
  };
  const backOnline = () => {
    failures = 0;
    wake();
  };
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', backOnline);
  run();
  return () => {
    stopping.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
    removeEventListener('online', backOnline);
  };
}
