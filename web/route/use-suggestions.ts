import { useEffect, useState } from 'preact/hooks';
import { parsePosition } from '../format/position-text.js';
import { type Suggestion, suggest } from '../search/suggest.js';
import { app } from '../state/state.js';

/** A person types a letter in about this time; the ones in between need no answer. */
const restMs = 120;
const lettersMin = 2;

interface Suggestions {
  /**
   * The text for which they were requested; while the next are on their way, the field contains another text.
   */
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
      const [west, south, east, north] = status?.tileset.bounds ?? [];
      const middle =
        west === undefined || south === undefined || east === undefined || north === undefined
          ? null
          : { lat: (south + north) / 2, lng: (west + east) / 2 };
      // What can't be suggested can still be typed in full: the search then says what is wrong.
      suggest(typed, start ?? end ?? middle, asking.signal).then(
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
