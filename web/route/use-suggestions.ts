import { useEffect, useState } from 'preact/hooks';
import { parsePosition } from '../format/position-text.js';
import { type Suggestion, suggest } from '../search/suggest.js';
import { app } from '../state/state.js';

/** About the time between two keystrokes; intermediate texts need no answer. */
const restMs = 120;
const lettersMin = 2;

interface Suggestions {
  /** The text for which they were requested; while the next ones load, the field contains another text. */
  readonly of: string;
  readonly list: readonly Suggestion[];
}

const none: Suggestions = { of: '', list: [] };

/** Suggestions for what is being typed; empty for coordinates, and while `typed` is null. */
export function useSuggestions(typed: string | null): Suggestions {
  const [found, setFound] = useState(none);
  useEffect(() => {
    if (typed === null || typed.trim().length < lettersMin || parsePosition(typed) !== null) {
      setFound(none);
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      const { start, end, status } = app.get();
      // Without suggestions, a complete text still works: the search then reports errors.
      suggest(typed, start ?? end ?? status?.tileset.middle ?? null, asking.signal).then(
        (list) => setFound({ of: typed, list }),
        () => undefined,
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [typed]);
  return found;
}
