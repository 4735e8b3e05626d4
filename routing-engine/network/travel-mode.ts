/** Modes of travel, in the order in which every per-mode array of the network holds them. */
export const travelModes = ['driving', 'bicycling', 'walking', 'truck'] as const;
export type TravelMode = (typeof travelModes)[number];

/** Cars and trucks: lanes, limits and turns are those of motor vehicles. */
export const isMotorized = (mode: TravelMode): boolean => mode === 'driving' || mode === 'truck';

/** Place of a mode in the per-mode arrays: 0 driving, 1 bicycling, 2 walking, 3 truck. */
export const modeIndex = (mode: TravelMode): number => travelModes.indexOf(mode);
