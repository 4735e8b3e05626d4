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

/** The index of the route that is shown: the wanted one, or the first where there are not so many. */
export const shownRoute = ({ plan, chosen }: AppState): number =>
  plan.kind === 'found' && chosen < plan.answer.routes.length ? chosen : 0;
