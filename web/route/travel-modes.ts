import type { Avoidance } from '#schemas/http/nav.js';
import type { TravelMode } from '../state/state.js';

export const modes: readonly TravelMode[] = ['driving', 'truck', 'bicycling', 'walking'];
export const avoidances: readonly Avoidance[] = ['tolls', 'motorways', 'ferries', 'unpaved'];

/** What each mode can meet on its way: nobody walks on a motorway, or pays a toll. */
export const avoidableBy: Readonly<Record<TravelMode, readonly Avoidance[]>> = {
  driving: avoidances,
  truck: avoidances,
  bicycling: ['ferries', 'unpaved'],
  walking: ['ferries'],
};
