/** Bounds of what a reservation may ask for. */
export const hotelLimits = {
  roomCountMax: 10,
  nightsMax: 31,
} as const;
