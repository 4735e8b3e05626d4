/** Bounds of a file of speeds between nodes. */

/** Lines; a file with more is refused. */
export const segmentsMax = 1_000_000;
/** km/h; more is refused, as no road has it. */
export const segmentKphMax = 1_000;
