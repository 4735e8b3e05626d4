const minuteMs = 60_000;

/** A user is remembered by one position in each step of this length. */
export const stepMs = 5 * minuteMs;
/** Batches may arrive in any order within this time, with the same result; later points are left out. */
export const lateMs = 120 * minuteMs;
/** Positions within this distance of the middle of a stay belong to it. */
export const stayRadiusM = 150;
/** A shorter stop is a traffic jam or an errand. */
export const stayMsMin = 10 * minuteMs;
/** A stay this near to a known place is a stay at it. */
export const placeRadiusM = 200;
/** A less accurate position says nothing about a place. */
export const accuracyMMax = 100;
/** Between two stays further apart in time there is no trip. */
export const tripMsMax = 6 * 60 * minuteMs;
/** Driven edges that wait for the end of the stay that follows; the oldest are dropped. */
export const drivenEdgesMax = 1_000;
/** Two trips with this share of their length in common took the same route. */
export const sameRouteShare = 0.7;
/** Weights below this are dropped. */
export const weightMin = 0.05;
/** A point with a time after its acceptance by more than this is left out. */
export const futureMsMax = 5 * minuteMs;
/** Stream time between two searches for patterns that nobody added to for `patternLimits.keptMs`. */
export const sweepEveryMs = 60 * minuteMs;
