import { useLayoutEffect, useState } from 'preact/hooks';
import { type AppState, app } from './state.js';

/**
 * Renders again when the picked part of the page's state changes. `pick` must not close over changing values.
 */
export function usePart<Part>(pick: (state: AppState) => Part): Part {
  const [part, setPart] = useState(() => pick(app.get()));
  useLayoutEffect(() => {
    setPart(() => pick(app.get()));
    return app.watch(pick, (next) => setPart(() => next));
  }, []);
  return part;
}
