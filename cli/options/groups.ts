/** The consumer groups of `processors/` that a program can run, in the order in which records pass them. */
export const groups = [
  'matching',
  'typical-week',
  'traffic',
  'customization',
  'reroute',
  'finished-trips',
  'arrival-model',
  'personalization',
  'new-roads',
  'new-roads-accepted',
  'analytics',
] as const;
export type Group = (typeof groups)[number];
