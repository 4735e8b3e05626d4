/** Whether a road or turn is shut, by the clock: the last clause that holds decides. */
export interface HoursRule {
  /** If no clause holds. */
  readonly shut: boolean;
  readonly clauses: readonly { readonly shut: boolean; readonly hours: string }[];
}
