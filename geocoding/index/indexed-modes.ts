import type { TravelMode } from '#routing-engine/network/travel-mode.js';

/** The modes for which the index has access points, in the order of `travelModes`. */
export const indexedModes = ['driving', 'bicycling', 'walking'] as const satisfies readonly TravelMode[];
export type IndexedMode = (typeof indexedModes)[number];

/** Trucks arrive where cars do; a place whose road is not for them gets another one by the search. */
export const indexedAs = (mode: TravelMode): IndexedMode => (mode === 'truck' ? 'driving' : mode);
