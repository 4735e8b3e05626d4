/** Bits of a crossing, above the three that say to which of the first modes it is closed (`closedBit`). */
export const nodeFlag = {
  signal: 8,
  /** A turning circle, a turning loop or a mini-roundabout: one may turn back there. */
  turningPlace: 16,
  closedToTrucks: 32,
  /** A barrier has limits of size or weight (see `NetworkMeta.limits`). */
  limited: 64,
} as const;

/** The bit of a mode, by its number, on a crossing that is closed to it. */
export const closedBit = (mode: number): number => (mode < 3 ? 1 << mode : nodeFlag.closedToTrucks);
