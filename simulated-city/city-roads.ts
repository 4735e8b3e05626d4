import type { DrivableRoads } from './route-walker.js';

/** The roads of the simulated world: what a driver sees and knows without asking the platform. */
export interface CityRoads extends DrivableRoads {
  readonly edgeCount: number;
  /** Of a car on an empty road; 0 where it may not go. */
  freeFlowKph(edge: number): number;
  edgeId(edge: number): string;
  edgeByStableId(id: string): number | undefined;
  /** Clock time there, in Unix milliseconds as if the clock showed UTC: commuters live by it. */
  localMs(atMs: number): number;
  /** The same road the other way. */
  reverseOf(edge: number): number | undefined;
  /** Edges from a place on one edge to the end of another, both included; undefined when there is no way. */
  findPath(
    from: number,
    fraction: number,
    to: number,
    closed: ReadonlySet<number>,
  ): readonly number[] | undefined;
}
