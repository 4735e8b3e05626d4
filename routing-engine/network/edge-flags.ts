/**
 * Properties of a directed edge, one bit each. The lowest four are the ones a route can be asked to avoid,
 * so that `flags & avoid` is the whole test.
 */
export const edgeFlag = {
  toll: 1,
  motorway: 2,
  ferry: 4,
  unpaved: 8,
  roundabout: 16,
  /** Ramp or connecting piece: `highway=*_link`. */
  link: 32,
  tunnel: 64,
  bridge: 128,
  /**
   * Reached through an `only_*` or `no_*` restriction over several ways: a second copy of a road piece, see
   * `copyOf`.
   */
  copy: 256,
  /** The direction of travel runs against the drawn direction of the way. */
  against: 512,
  /** Ends only: a private or destination-only road, by mode (see `travelModes`). */
  endsOnlyDriving: 1024,
  endsOnlyBicycling: 2048,
  endsOnlyWalking: 4096,
  /** Open at some hours only, to the modes of which `NetworkMeta.hours` lists it. */
  hours: 8192,
  /** A bicycle is pushed here: riding is forbidden, walking is not. */
  pushing: 16384,
} as const;

/** Bits of `flags` that a query may ask to avoid: any sum of toll, motorway, ferry and unpaved. */
export type AvoidMask = number;
export const avoidable = { tolls: 1, motorways: 2, ferries: 4, unpaved: 8 } as const;
export type Avoidable = keyof typeof avoidable;
export const avoidMask = (names: Iterable<Avoidable>): AvoidMask => {
  let mask = 0;
  for (const name of names) mask |= avoidable[name];
  return mask;
};

/** Classes of roads, from the most to the least important; an edge stores the position in this list. */
export const roadClasses = [
  'motorway',
  'trunk',
  'primary',
  'secondary',
  'tertiary',
  'unclassified',
  'residential',
  'living_street',
  'service',
  'track',
  'pedestrian',
  'cycleway',
  'footway',
  'path',
  'steps',
  'ferry',
] as const;
export type RoadClass = (typeof roadClasses)[number];
