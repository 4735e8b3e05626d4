/** Modes of travel, in the order in which every per-mode array of the network holds them. */
export const travelModes = ['driving', 'bicycling', 'walking'] as const;
export type TravelMode = (typeof travelModes)[number];

/** Place of a mode in the per-mode arrays: 0 driving, 1 bicycling, 2 walking. */
export const modeIndex = (mode: TravelMode): number => travelModes.indexOf(mode);
