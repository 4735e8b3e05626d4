/**
 * Users whose track one partition keeps; batches of further users are counted as `full` and yield no facts
 * about edges.
 */
export const trackedUsersMax = 500_000;
/** Stream time between two scans for idle users. */
export const idleSweepMs = 60_000;
/** How long the last steps of a user wait for the record of a navigation that was read too late. */
export const recentKeptMs = 10_000;
/**
 * A record that is older than this when it is accepted corrects nothing: it can no longer be recognized as a
 * correction.
 */
export const lateMaxMs = 7 * 86_400_000;
/** Edges that one partition of the group `traffic` remembers; observations of more are counted as `full`. */
export const observedEdgesMax = 2_000_000;
/** How often the group `traffic` checks whether time alone has changed something. */
export const tickMs = 1_000;
/**
 * A partition without records for this long has read everything, so stream time may advance without records.
 */
export const quietMs = 2_000;
/** How long changes of the roads are collected for one version of the metric. */
export const coalesceMs = 25;
/** Reasons that one version of the metric lists. */
export const reasonsMax = 16;
/** Incidents that the group `customization` holds; more are refused into the dead letters. */
export const incidentsMax = 100_000;
/** Objects of a replaced version of the metric stay this long for followers that are behind. */
export const replacedKeptMs = 10 * 60_000;
/** How often the leader checks whether the stored metric is as it was written. */
export const restoreEveryMs = 1_000;
/** Cells whose weights it reads for that per poll. */
export const restoreCellsMax = 64;
/** How often the group `reroute` checks for a new version of the metric. */
export const rerouteTickMs = 25;
/** Navigations that one partition of the group `reroute` follows. */
export const navigationsMax = 500_000;
/** How often navigations without any record are searched for. */
export const forgetEveryMs = 60_000;
/**
 * Landmarks: distant edges with known travel times. More of them give tighter bounds and a larger table (8
 * bytes per edge each).
 */
export const landmarksCount = 8;
/** Searches of one partition in progress at once; the rest wait. */
export const searchesAtOnce = 8;
/** Searches of one partition between two polls of its inputs. */
export const searchesPerTick = 16;
/** Routes that a driver is offered where the best one is crowded. */
export const sharedRoutes = 2;
/** Roads and times at which sent drivers meet; at the limit those in the past are removed, then all. */
export const sentCrowdsMax = 500_000;
/** How often a navigation without a route is searched again from where its driver is by then. */
export const unreachablePollMs = 5_000;
/** Failed searches after which a navigation is left alone until the next version. */
export const searchFailuresMax = 100;

/**
 * Speeds of replaced roads are valid on the new ones for this long, unless the streams report the edge
 * earlier.
 */
export const carriedKeptMs = 15 * 60_000;

/** Users who allowed personalization that one partition follows; more are counted as `full`. */
export const personalUsersMax = 20_000;

/** Sampled causes that a version of the metric, or the search of a route, refers to. */
export const tracesMax = 32;
