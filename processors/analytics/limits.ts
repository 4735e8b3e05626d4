/** The time that a row of speeds is about. */
export const quarterMs = 900_000;
/** So long after its end a row is finished; what comes later makes a row of its own, and the two add up. */
export const settledMs = 900_000;
/** A row waits this long for enough distinct drivers before it is dropped. */
export const waitsMs = 7_200_000;
/** Rows that one partition gathers at a time; passages of more are counted as `full`. */
export const quartersMax = 500_000;
export const closuresMax = 100_000;
/** Corridors and hours that are gathered at a time. */
export const corridorHoursMax = 100_000;
