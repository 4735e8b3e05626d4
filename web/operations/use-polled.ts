import { useCallback, useEffect, useState } from 'preact/hooks';
import { RequestFailed } from '../http/ask.js';
import { poll } from '../http/poll.js';

/** Why there is no newer answer. */
export type Trouble = 'signedOut' | 'denied' | 'offline' | 'silent' | 'busy' | 'failed';

export interface Polled<Value> {
  /** The last answer; null before the first, and once the server denies access. */
  readonly value: Value | null;
  /** When it came, Unix milliseconds. */
  readonly atMs: number;
  readonly trouble: Trouble | null;
}

function troubleOf(cause: unknown): Trouble {
  if (!navigator.onLine) return 'offline';
  const status = cause instanceof RequestFailed ? cause.status : -1;
  if (status === 401) return 'signedOut';
  if (status === 403) return 'denied';
  if (status === 503 || status === 429) return 'busy';
  return status === 0 ? 'silent' : 'failed';
}

/**
 * Asks again and again while the page is visible, less often after failures. The last answer stays; it is
 * gone only when the server denies access. `key` names what is asked for: another one begins anew.
 *
 * @returns the state, and a function that asks at once.
 */
export function usePolled<Value>(
  key: string,
  everyMs: number,
  load: (signal: AbortSignal) => Promise<Value>,
): readonly [Polled<Value>, () => void] {
  const [state, setState] = useState<Polled<Value>>({ value: null, atMs: 0, trouble: null });
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    const stop = poll(
      everyMs,
      async (signal) => {
        const value = await load(signal);
        if (!signal.aborted) setState({ value, atMs: Date.now(), trouble: null });
      },
      (cause) => {
        const trouble = troubleOf(cause);
        setState((before) =>
          trouble === 'denied' || trouble === 'signedOut'
            ? { value: null, atMs: 0, trouble }
            : { ...before, trouble },
        );
      },
    );
    // At once, not when the next attempt is due.
    const offline = () => setState((before) => ({ ...before, trouble: before.trouble ?? 'offline' }));
    addEventListener('offline', offline);
    return () => {
      stop();
      removeEventListener('offline', offline);
    };
  }, [key, turn, everyMs]);
  return [state, again];
}
