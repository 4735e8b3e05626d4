/** Bounds of the wire formats. */
export const wireLimits = {
  /** Schemas of one subject that a reader keeps in memory. */
  schemasPerSubjectMax: 1_000,
  schemaBytesMax: 256 * 1024,
  /** Of a user id or batch id inside a location batch. */
  idCharactersMax: 128,
  pointsMax: 10_000,
  registryTimeoutMs: 4_000,
} as const;
