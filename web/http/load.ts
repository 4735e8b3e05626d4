/** Who asked the server for something that it was too busy for, until when, by `performance.now()`. */
let busyUntil = 0;
const listeners = new Set<() => void>();

/** The server asked to wait this long before the next attempt. */
export function reportBusy(waitMs: number): void {
  busyUntil = Math.max(busyUntil, performance.now() + waitMs);
  for (const listener of listeners) listener();
}

/** Calls `listener` when the server becomes busy and when it no longer is, until the returned end. */
export function watchBusy(listener: (busy: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const told = () => {
    listener(true);
    clearTimeout(timer);
    timer = setTimeout(() => listener(false), busyUntil - performance.now());
  };
  listeners.add(told);
  return () => {
    listeners.delete(told);
    clearTimeout(timer);
  };
}
