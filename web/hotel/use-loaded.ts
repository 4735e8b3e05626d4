import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly value: Value }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Loads when `key` changes, and again on demand; the previous value stays on the screen meanwhile. If it
 * could be mistaken for the newly requested one, the component has the `key` too, and starts again.
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
      (cause: unknown) => take({ kind: 'failed', reason: (cause as Error).message }),
    );
  }, [key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return [state, again];
}
