/** What `meridian doctor --repair` rebuilds from the event log. */
export const repairable = ['locations'] as const;
export type Repairable = (typeof repairable)[number];
