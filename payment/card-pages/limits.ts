export const cardPageLimits = {
  /** Cards for one checkout, as in booking: more attempts look like a test of stolen numbers. */
  pagesMax: 5,
  /** Another card is offered only if the buyer has this long to type it. */
  leastMs: 60_000,
  /** Pages that one round works on. */
  dueMax: 50,
  /** How often it is looked whether people have decided, and whether the orders of a card have ended. */
  lookEveryMsMin: 200,
  lookEveryMsMax: { wanted: 60_000, charging: 5_000 },
} as const;
