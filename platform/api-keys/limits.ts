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
  /** Days in one report. */
  reportDaysMax: 400,
} as const;
