export const loadLimits = {
  hotelsMax: 99_999,
  roomTypesMax: 99,
  roomsMax: 2_000,
  daysMax: 800,
  /** Hotels of one transaction: at full size 73,000 days and as many prices. */
  hotelsAtOnce: 5,
} as const;
