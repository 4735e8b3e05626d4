/** Every bound of the gateway, with the behaviour at the bound. */

/**
 * Navigations that one instance knows, its own and those of others, about 20 kB each with their kept frames.
 * Beyond it, a start is refused as `busy`, and a navigation of another instance can be resumed only there.
 */
export const navigationsMax = 25_000;
/** Frames kept for a resume; the oldest is evicted, because the newest route counts. */
export const backlogFramesMax = 3;
/** A reroute older than this is not replayed; the client gets the route of the record instead. */
export const backlogKeptMs = 10 * 60_000;
/** An ended navigation can be read and resumed for this long. */
export const endedKeptMs = 5 * 60_000;
/** A navigation of this instance whose client has been away for this long is ended. */
export const abandonedMs = 2 * 3_600_000;
/** The same for a navigation of another instance, which may have died; older records are ignored. */
export const navigationKeptMs = 12 * 3_600_000;

/**
 * Active incidents at once; a further one of an operator is refused, a detected one is left out of the list.
 */
export const incidentsMax = 10_000;

/** Incidents in one feed for other platforms; older ones are left out. */
export const feedEventsMax = 5_000;
/** A feed that nobody's incident has changed is written again after this time, so that its date moves. */
export const feedKeptMs = 60_000;
/** A feed is not written more often than this, however often incidents change. */
export const feedFreshMs = 1_000;
/** The same for speeds, which change every second. */
export const speedsFreshMs = 15_000;
/** Edges in one publication of speeds; those nearest to their usual speed are left out. */
export const feedSpeedsMax = 5_000;
/** Edges whose roads are described for others; beyond this all are described again. */
export const speedLinesKeptMax = 50_000;
/** What a feed says of the end of an incident that has none. */
export const feedOpenEndedMs = 86_400_000;

/**
 * Distances and durations cached as text, for each unit and language; beyond this, all of the unit are
 * evicted at once.
 */
export const quantityTextsKept = 1_000;

/** Warm-up queries before a release serves, and their time limit in milliseconds. */
export const practiceAnswersMax = 500;
export const practiceMs = 750;

/** Proposed roads that are kept for review; further ones are not shown until the map is built again. */
export const roadProposalsMax = 20_000;

/** Drivers whose last position is kept; beyond this the driver with the oldest position is evicted. */
export const driversMax = 100_000;
/** Positions older than this are not shown. */
export const driverShownMs = 60_000;
export const driversShownDefault = 1_000;

/** Compressed vector tiles in memory; the least recently used one is evicted. */
export const tileCacheBytesMax = 32 * 1024 * 1024;
/** Deepest zoom that is prepared; deeper ones are cut out of it, down to `overzoomMax`. */
export const tileZoomMax = 16;
export const overzoomMax = 21;
/** Zooms of tiles of the routing graph, as in OSRM, and the first with turns. */
export const graphTileZoom = { least: 12, most: 19, turns: 15 } as const;
/** Pieces of road in one of these tiles; a tile with more is refused. */
export const graphTileRoadsMax = 50_000;
/** Cached PNG tiles that were rendered on demand; the least recently used one is evicted. */
export const pngCacheBytesMax = 32 * 1024 * 1024;
/** Older maps that stay open for clients with their addresses; each caches its own blocks. */
export const mapsOpenMax = 2;
/**
 * Cached ids of maps that the store lacks, so that requests for them cost nothing; they may be built later.
 */
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

/** While a client has this much unread data, a new route waits, and a newer one replaces it. */
export const unreadBytesMax = 32 * 1024;
export const unreadLookMs = 200;

/** Reports of closed and open roads per user, hour and instance; further ones are refused with 429. */
export const reportsPerHourMax = 12;
/** Users whose reports are counted; beyond this the user with the oldest report is evicted. */
export const reportersMax = 100_000;

/** Interval of presence checks; all delays of presence are multiples of it. */
export const presenceTickMs = 500;
/**
 * The live cache's entry of a connected navigation expires after this time, for instance if its instance
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
/** Concurrent calls to the live cache. */
export const presenceCallsMax = 100;
/** Removals that wait for the next tick; further ones are left to `presenceTtlMs`. */
export const presenceRemovalsMax = 10_000;
/** Other instances that are counted; further ones are not. */
export const presencePeersMax = 1_000;

/** Users who may allow that their usual places and routes are learned; more are answered with 503. */
export const personalUsersMax = 100_000;
