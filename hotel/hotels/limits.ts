/** Bounds of what a hotel may hold, and of what is kept in memory of it. */
export const staticLimits = {
  roomTypesMax: 100,
  amenitiesMax: 100,
  outOfOrderMax: 100,
  bodyBytesMax: 64 * 1024,
  idempotencyKeyMax: 128,
  /** How long one process may answer from memory what another one has changed without hearing of it. */
  cacheTtlMs: 5_000,
  /** Hotels and rooms in memory, each; the one used longest ago makes room. */
  cachedHotels: 10_000,
  cachedRooms: 50_000,
  /** A change of rooms recounts up to here; beyond the pre-filled days there is nothing to count. */
  recountDays: 800,
} as const;
