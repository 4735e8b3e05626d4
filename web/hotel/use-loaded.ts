import { useCallback, useEffect, useState } from 'preact/hooks';

export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly value: Value }
  | { readonly kind: 'failed'; readonly reason: string };

/** Loads when `key` changes, and again on demand; what is there stays on the screen meanwhile. */
export function useLoaded<Value>(
  key: string,
  load: () => Promise<Value>,
): readonly [Loaded<Value>, () => void] {
  const [state, setState] = useState<Loaded<Value>>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let wanted = true;
    load().then(
      (value) => wanted && setState({ kind: 'there', value }),
      (cause: unknown) => wanted && setState({ kind: 'failed', reason: (cause as Error).message }),
    );
    return () => {
      wanted = false;
    };
  }, [key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return [state, again];
}
