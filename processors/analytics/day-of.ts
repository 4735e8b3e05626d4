/** UTC day of Unix milliseconds, `2026-11-21`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
