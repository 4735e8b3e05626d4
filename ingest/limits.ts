/** A point from the future is a broken clock, not a location (F11). */
export const futureMsMax = 5 * 60_000;
/** Before this no phone sent a location: a timestamp in seconds instead of milliseconds lands here. */
export const timestampMsMin = Date.UTC(2000, 0, 1);
/** Rejected points that one answer names; the rest is only counted. */
export const namedErrorsMax = 20;
/** How long a batch id is remembered so that a retry is answered as a duplicate. */
export const batchIdTtlMs = 10 * 60_000;
/** Over which the batches of a user are counted. */
export const rateWindowS = 60;
/** How long a batch waits for others under load, so that one append takes many; Kafka's own producer waits as long by default. */
export const lingerMs = 5;
/** Batches of one append. */
export const togetherRecordsMax = 1_024;
/** Batches that wait for the log from which on points that add nothing are left out: half of what the server lets run. */
export const pressedFromWaiting = 512;
/** Hint to a client whose batch was left out. */
export const parkedEveryS = 60;
/** Past so many the door takes everybody for navigating. */
export const navigatingUsersMax = 1_000_000;
