import { modeIndex, type TravelMode } from './travel-mode.js';

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
  /** A straight line on which people cross a square or another area; it has the way id of the area. */
  acrossArea: 32768,
  endsOnlyTruck: 65536,
  /** A truck pays here; `toll` is about cars. */
  tollTruck: 131072,
  /** Has a limit of size, weight or load (see `NetworkMeta.limits`). */
  limited: 262144,
} as const;

/** The bit of a mode, by its number, on a private or destination-only road. */
export const endsOnlyBit = (mode: number): number =>
  mode === modeIndex('truck') ? edgeFlag.endsOnlyTruck : edgeFlag.endsOnlyDriving << mode;

/** The bit of a mode on a road where it pays a toll. */
export const tollBit = (mode: TravelMode): number => (mode === 'truck' ? edgeFlag.tollTruck : edgeFlag.toll);

/** Bits of `flags` that a query may ask to avoid: any sum of the toll of a mode, motorway, ferry, unpaved. */
export type AvoidMask = number;
export const avoidable = { tolls: 1, motorways: 2, ferries: 4, unpaved: 8 } as const;
export type Avoidable = keyof typeof avoidable;
export const avoidMask = (names: Iterable<Avoidable>, mode: TravelMode = 'driving'): AvoidMask => {
  let mask = 0;
  for (const name of names) mask |= name === 'tolls' ? tollBit(mode) : avoidable[name];
  return mask;
};
/** The names of the bits that are set. */
export const avoidedNames = (mask: AvoidMask, mode: TravelMode): Avoidable[] =>
  (Object.keys(avoidable) as Avoidable[]).filter((name) => (mask & avoidMask([name], mode)) !== 0);

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
