/** Bounds of what is made of a feed. */

/** A place without a line is moved to a road that is at most this far away. */
export const pointMetresMax = 30;
/** Directed edges of one event; one with more is skipped. */
export const edgesPerEventMax = 5_000;
/** Directed edges of one incident, as `PUT /v1/incidents/{id}` has it; an event with more becomes several. */
export const edgesPerIncidentMax = 500;
/** Incidents of one feed; events beyond them are skipped, the last of the feed first. */
export const incidentsPerFeedMax = 8_000;
/**
 * How long an incident is held at most before an import renews it: those with an end, and those that hold
 * until the feed drops them.
 */
export const heldMs = 28 * 86_400_000;
export const openEndedHeldMs = 86_400_000;
/** Events whose edges are kept from one import to the next; beyond them all are matched again. */
export const matchesKeptMax = 20_000;
