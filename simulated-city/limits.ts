/** Points that one driver keeps while the platform does not answer; older ones are thinned first. */
export const bufferedPointsMax = 600;
export const pointsPerBatch = 100;
/** Requests of the whole city that may be in flight at once. */
export const requestsInFlightMax = 64;
export const requestTimeoutMs = 10_000;
export const retryBackoffMsMin = 500;
export const retryBackoffMsMax = 30_000;
export const driversMax = 20_000;
/** Simulated drivers need no privacy, and two of them suffice for a live speed. */
export const simulatedDriversMin = 2;
