export const savedCardLimits = {
  pageDefault: 50,
  /** Cards that one round looks up or deletes at the provider. */
  dueMax: 50,
} as const;
