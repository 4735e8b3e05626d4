/** Bounds of what a hotel may hold, and of what is kept in memory of it. */
export const staticLimits = {
  roomTypesMax: 100,
  amenitiesMax: 100,
  outOfOrderMax: 100,
  bodyBytesMax: 64 * 1024,
  idempotencyKeyMax: 128,
  /**
   * How long one process may return cached data after a change by another process, if the notification is
   * lost.
   */
  cacheTtlMs: 5_000,
  /** Hotels and rooms in memory, each; the least recently used one is evicted. */
  cachedHotels: 10_000,
  cachedRooms: 50_000,
  /** A change of rooms recounts up to this day; there are no counts beyond the pre-filled days. */
  recountDays: 800,
} as const;
