import type { Asker } from './session.js';

/** Who asks on the map and the operations page. */
export const operator: Asker = { scope: 'operator', sub: 'demo-operator' };
/** One person until the page is loaded again. */
export const traveller: Asker = {
  scope: 'customer',
  sub: `demo-${Math.random().toString(36).slice(2, 8)}`,
};
