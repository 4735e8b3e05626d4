export const savedCardLimits = {
  /** Cards that one buyer keeps with one seller; a payment that would keep another one is refused. */
  keptMax: 20,
  pageDefault: 50,
  /** Cards that one round looks up or deletes at the provider, and for how long the round holds them. */
  dueMax: 50,
  leaseMs: 60_000,
  /** How often it is looked whether the payment with which the buyer agreed has ended. */
  lookEveryMsMin: 500,
  lookEveryMsMax: 60_000,
  /** Money may still come for a payment that has failed; a card that comes with it is deleted. */
  lateMs: 24 * 3_600_000,
} as const;
