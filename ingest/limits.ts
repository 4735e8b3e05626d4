/** A point from the future is a broken clock, not a location (F11). */
export const futureMsMax = 5 * 60_000;
/** No phone sent a location before this time: a timestamp in seconds instead of milliseconds is below it. */
export const timestampMsMin = Date.UTC(2000, 0, 1);
/** Rejected points that one answer names; the rest is only counted. */
export const namedErrorsMax = 20;
/** How long a batch id is remembered so that a retry is answered as a duplicate. */
export const batchIdTtlMs = 10 * 60_000;
/** Over which the batches of a user are counted. */
export const rateWindowS = 60;
/**
 * How long a batch waits for others under load, so that one append has many. A client that sends every 15 s
 * does not notice it.
 */
export const lingerMs = 10;
/** Batches of one append. */
export const togetherRecordsMax = 1_024;
/**
 * From this many batches that wait for the log, points that add nothing are dropped: half of the server's
 * running requests.
 */
export const pressedFromWaiting = 512;
/** From this many waiting batches on, batches on busy edges are shed too. */
export const hardPressedFromWaiting = 768;
/**
 * Send intervals for clients, in seconds: navigating, parked, driving where many others drive, and all
 * others.
 */
export const navigatingEveryS = 5;
export const parkedEveryS = 60;
export const coveredEveryS = 30;
export const usualEveryS = 15;
/** Drivers with a known last edge, and edges with counted passages; beyond this the oldest are evicted. */
export const matchedDriversMax = 200_000;
export const matchedEdgesMax = 200_000;
/** An older match does not show where the user is. */
export const matchedKnownMs = 10 * 60_000;
/** Passages of an edge within the window after which one more changes no figure. */
export const probesEnough = 20;
export const probeWindowMs = 5 * 60_000;
/** Beyond this many, every user counts as navigating. */
export const navigatingUsersMax = 1_000_000;
