import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { mayPass, RequestFailed } from '../http/ask.js';

/** How often it is asked again for what had no answer, milliseconds. */
const repeatMs = 5_000;

export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  /** Loads again; absent if the same request would only be refused again. */
  readonly again?: () => void;
  /** There was no answer: it is asked for again and again. */
  readonly isSilent: boolean;
}

export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly value: Value }
  | Failed;

/**
 * Loads when `key` changes, on demand, and again and again while there is no answer; the previous value stays
 * on the screen meanwhile. If it could be mistaken for the newly requested one, the component has the `key`
 * too, and starts again.
 */
export function useLoaded<Value>(
  key: string,
  load: () => Promise<Value>,
): readonly [Loaded<Value>, () => void] {
  const [state, setState] = useState<Loaded<Value>>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  /**
   * Requests are numbered; `oldest` is the first whose answer is not stale: an answer for another key, or
   * older than the one shown, is stale.
   */
  const asked = useRef({ key, count: 0, oldest: 0 });
  const again = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    const mine = ++asked.current.count;
    if (asked.current.key !== key) asked.current = { key, count: mine, oldest: mine };
    const take = (next: Loaded<Value>) => {
      if (mine < asked.current.oldest) return;
      asked.current.oldest = mine;
      setState(next);
    };
    load().then(
      (value) => take({ kind: 'there', value }),
      (cause: unknown) =>
        take({
          kind: 'failed',
          reason: (cause as Error).message,
          isSilent: cause instanceof RequestFailed && cause.status === 0,
          ...(mayPass(cause) ? { again } : {}),
        }),
    );
  }, [key, turn]);
  const isSilent = state.kind === 'failed' && state.isSilent;
  useEffect(() => {
    if (!isSilent) return undefined;
    // For a moment after it is back, the network may still fail requests.
    const timer = setInterval(() => navigator.onLine && !document.hidden && again(), repeatMs);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [isSilent]);
  return [state, again];
}
