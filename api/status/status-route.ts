import { type Route, route } from '#platform/http/http-types.js';
import { getStatus, type StatusAnswer } from '#schemas/http/map.js';

/** What the city does right now, as this process sees it. */
export const statusRoute = (figures: () => StatusAnswer): Route =>
  route(getStatus, () => ({ status: 200, headers: { 'cache-control': 'no-store' }, body: figures() }));
