import { type Route, route } from '#platform/http/http-types.js';
import { getStatus, type StatusAnswer } from '#schemas/http/map.js';

/** Live figures of the city from this process. */
export const statusRoute = (figures: () => StatusAnswer): Route =>
  route(getStatus, () => ({ status: 200, headers: { 'cache-control': 'no-store' }, body: figures() }));
