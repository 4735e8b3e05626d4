import type { PublishedLine } from '#traffic-exchange/events/published-event.js';

/** Describes directed edges of one tileset for those who have another map. */
export interface RoadLines {
  of(edges: readonly number[]): readonly PublishedLine[];
}
