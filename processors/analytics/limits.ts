/** The time that a row of speeds is about. */
export const quarterMs = 900_000;
/** This long after its end a row is finished. Later passages make a row of their own, and the two add up. */
export const settledMs = 900_000;
/** A row waits this long for enough distinct drivers before it is dropped. */
export const waitsMs = 7_200_000;
/** Open rows of one partition; passages of further rows are counted as `full`. */
export const quartersMax = 500_000;
export const closuresMax = 100_000;
/** Open rows of corridors and hours. */
export const corridorHoursMax = 100_000;
