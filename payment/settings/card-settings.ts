export const cardPageDefaults = {
  /** Cards for one checkout, as in booking: more attempts look like a test of stolen numbers. */
  pagesMax: 5,
  /** Another card is offered only if the buyer has this long to type it. */
  leastMs: 60_000,
  /** How often it is looked whether people have decided, and whether the orders of a card have ended. */
  lookEveryMsMin: 200,
  wantedMsMax: 60_000,
  chargingMsMax: 5_000,
};

export type CardPageSettings = Readonly<typeof cardPageDefaults>;

export const savedCardDefaults = {
  /** Cards that one buyer keeps with one seller; a payment that would keep another one is refused. */
  keptMax: 20,
  /** How long a round holds the cards that it looks up or deletes at the provider. */
  leaseMs: 60_000,
  /** How often it is looked whether the payment with which the buyer agreed has ended. */
  lookEveryMsMin: 500,
  lookEveryMsMax: 60_000,
  /** Money may still come for a payment that has failed; a card that comes with it is deleted. */
  lateMs: 24 * 3_600_000,
};

export type SavedCardSettings = Readonly<typeof savedCardDefaults>;
