/** One road on the map: both directions are one line. */
export interface RoadLine {
  /** OpenStreetMap's value of `highway`, or `ferry`. */
  readonly class: string;
  readonly name: string;
  readonly ref: string;
  readonly oneway: boolean;
  /** Degrees, [lng, lat]. */
  readonly coordinates: readonly (readonly [number, number])[];
}
