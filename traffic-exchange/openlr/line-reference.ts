/**
 * A line location of OpenLR without a map: points on the line, what the road is like there, and how far it is
 * to the next point. Attributes are those of the OpenLR white paper, version 1.5.
 */
export interface LineReference {
  /** Two or more, in the direction of travel; the last one has no `toNext`. */
  readonly points: readonly ReferencePoint[];
  /** Share of the leg from the first point that lies before the location, 0 to below 1. */
  readonly positiveOffset: number;
  /** Share of the leg to the last point that lies behind the location, 0 to below 1. */
  readonly negativeOffset: number;
}

export interface ReferencePoint {
  readonly lat: number;
  readonly lng: number;
  /** Functional road class, 0 (main roads) to 7. */
  readonly frc: number;
  readonly fow: FormOfWay;
  /**
   * Compass degrees from the point to the place 20 m along the line; at the last point, to the place 20 m
   * back.
   */
  readonly bearingDeg: number;
  readonly toNext?: {
    /** The least important road class on the way to the next point. */
    readonly lowestFrc: number;
    readonly distanceM: number;
  };
}

/** In the order of their codes. */
export const formsOfWay = [
  'undefined',
  'motorway',
  'multipleCarriageway',
  'singleCarriageway',
  'roundabout',
  'trafficSquare',
  'slipRoad',
  'other',
] as const;
export type FormOfWay = (typeof formsOfWay)[number];

/** Where a bearing is measured. */
export const bearingMetres = 20;
/** Points of a line may be this far apart, by the white paper's rule 2. */
export const legMetresMax = 15_000;
