/** Every bound of OpenLR in one place. */

/** Points of one line; a longer location is refused, and one of our own is written as several. */
export const pointsMax = 64;

/** A point of another map and its road on ours may be this far apart. */
export const candidateMetresMax = 60;
/** Roads that one point is tried on, the best first. */
export const candidatesMax = 8;
/** A road that runs more than this away from the bearing of the point is not meant. */
export const bearingDifferenceMax = 60;
/** Road classes of two maps may differ by this much. */
export const classDifferenceMax = 3;

/** Nodes that one search between two points may reach; a way beyond them is not found. */
export const nodesReachedMax = 50_000;
/** Edges of one location. */
export const edgesMax = 2_000;
/** Attempts to add points until a location of our own is read back as itself. */
export const encodingAttemptsMax = 6;
