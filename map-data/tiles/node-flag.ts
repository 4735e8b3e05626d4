/** Bits of a crossing, above those that say to which modes it is closed (`1 << mode`). */
export const nodeFlag = {
  signal: 8,
  /** A turning circle, a turning loop or a mini-roundabout: one may turn back there. */
  turningPlace: 16,
} as const;
