export const apiKeyLimits = {
  /** A revoked key or a changed plan counts everywhere after at most this time, if the database answers. */
  keyAgeMaxMs: 10_000,
  /** If it does not answer, known keys stay valid for this long. */
  keyAgeWithoutDatabaseMs: 10 * 60_000,
  /** Keys, known and refused, that a process keeps in memory. */
  keysMax: 50_000,
  /** Keys that are being looked up; a request with one more unknown key is answered with 503. */
  lookupsMax: 64,
  activeKeysPerCustomerMax: 100,
  /** Counts go to the database this often. */
  flushMs: 1_000,
  /** Counts of killed processes are looked for this often. */
  orphansMs: 10_000,
  /** Journals that the database has not heard of for this long are forgotten there. */
  sourceDaysMax: 90,
  /**
   * An unknown journal whose last count is older was perhaps forgotten, so its counts are not added. It has
   * the counts of one day, so the clocks of database and process may differ by 29 days.
   */
  journalDaysMax: 60,
  /** Forgotten at once; more wait for the next hour. */
  forgottenSourcesMax: 10_000,
  forgetMs: 3_600_000,
  /** Days in one report. */
  reportDaysMax: 400,
} as const;
