import type { Snap } from '../snap/snap.js';

/** An edge position: what a search needs of a `Snap`. */
export type RouteEnd = Pick<Snap, 'edge' | 'fraction'>;
