export const cardPageLimits = {
  /** Pages that one round works on. */
  dueMax: 50,
} as const;
