/** Every bound of the gateway in one place. What happens at a bound is said beside it. */

/**
 * Navigations that one instance knows, its own and those of others, about 20 kB each with their kept frames.
 * Beyond it a start is refused as `busy`, and one that began elsewhere can be resumed only there.
 */
export const navigationsMax = 25_000;
/** Frames kept for a resume; the oldest gives way, since the newest route is the one that counts. */
export const backlogFramesMax = 3;
/** A reroute older than this is not replayed; the client gets the route of the record instead. */
export const backlogKeptMs = 10 * 60_000;
/** An ended navigation can be read and resumed for this long. */
export const endedKeptMs = 5 * 60_000;
/** A navigation of this instance whose client has been away for this long is ended. */
export const abandonedMs = 2 * 3_600_000;
/**
 * The same for a navigation of another instance, which may have died; a record older than this is not taken
 * up.
 */
export const navigationKeptMs = 12 * 3_600_000;

/**
 * Active incidents at once; a further one of an operator is refused, a detected one is left out of the list.
 */
export const incidentsMax = 10_000;

/**
 * Distances and durations cached as text, for each unit and language; beyond this, all of the unit are
 * evicted at once.
 */
export const quantityTextsKept = 1_000;

/** Questions that a release answers to itself before it serves, and the milliseconds that they may take. */
export const practiceAnswersMax = 500;
export const practiceMs = 750;

/** Proposed roads that are kept for review; further ones are not shown until the map is built again. */
export const roadProposalsMax = 20_000;

/** Drivers whose last position is kept; beyond this the driver with the oldest position is evicted. */
export const driversMax = 100_000;
/** Positions older than this are not shown. */
export const driverShownMs = 60_000;
export const driversShownDefault = 1_000;

/** Compressed vector tiles kept in memory; the one used longest ago gives way. */
export const tileCacheBytesMax = 32 * 1024 * 1024;
export const tileZoomMax = 16;
/** PNG tiles that were drawn on demand and are kept; the one used longest ago gives way. */
export const pngCacheBytesMax = 32 * 1024 * 1024;
/**
 * Maps beside the present one that stay open for clients that have their addresses; each keeps blocks of its
 * own.
 */
export const mapsOpenMax = 2;
/** Ids of maps that are not in the store, so that asking for them costs nothing; they may be built later. */
export const unknownMapsMax = 1_000;
export const unknownMapsKeptMs = 10_000;

/** Positions go to the log at most this often for one navigation; of those in between the newest counts. */
export const progressEveryMs = 500;
/** A position may be this much ahead of our clock, or behind it, before it is refused. */
export const positionAheadMaxMs = 60_000;
export const positionBehindMaxMs = 3_600_000;

/** An operator's place is moved to a road that is at most this far away. */
export const incidentSnapMetresMax = 100;

/** Edges in one traffic answer; beyond it those nearest to free flow are left out. */
export const trafficEdgesMax = 20_000;

/** While a client has this much unread, a new route waits for it to read, and a newer one takes its place. */
export const unreadBytesMax = 32 * 1024;
export const unreadLookMs = 200;

/**
 * Reports of closed and open roads that one instance takes of a user in an hour; a further one is refused
 * with 429.
 */
export const reportsPerHourMax = 12;
/** Users whose reports are counted; beyond this the user with the oldest report is evicted. */
export const reportersMax = 100_000;

/** Interval of presence checks; all delays of presence are multiples of it. */
export const presenceTickMs = 500;
/**
 * What the live cache knows of a connected navigation ends after this time, for instance when its instance
 * died.
 */
export const presenceTtlMs = 60_000;
/** It is written again after this time, so that two writes may be lost before it ends. */
export const presenceRefreshMs = 20_000;
/**
 * Written in one tick, enough for `navigationsMax` within the time of a refresh; the others wait for the next
 * tick.
 */
export const presenceWritesPerTickMax = 1_000;
/** Calls to the live cache that are under way at once. */
export const presenceCallsMax = 100;
/** Removals that wait for the next tick; further ones are left to `presenceTtlMs`. */
export const presenceRemovalsMax = 10_000;
/** Other instances that are counted; further ones are not. */
export const presencePeersMax = 1_000;
