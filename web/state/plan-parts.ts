import type { AppState } from './state.js';

/** What a route is asked with. */
export const planParts: readonly ((state: AppState) => unknown)[] = [
  (state) => state.start,
  (state) => state.via,
  (state) => state.end,
  (state) => state.mode,
  (state) => state.truck,
  (state) => state.avoid,
  (state) => state.when,
  (state) => state.units,
];
