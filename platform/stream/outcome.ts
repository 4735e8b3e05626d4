/** What a step says about a record. Anything it throws counts as a failed attempt instead. */
export type Outcome =
  | { readonly kind: 'ok' }
  /** Of no use, and that is normal: counted under its reason. */
  | { readonly kind: 'drop'; readonly reason: string }
  /** Cannot be digested, however often it is tried: kept for people in `dead.letter.v1`. */
  | { readonly kind: 'deadLetter'; readonly reason: string; readonly error?: unknown };

export const ok: Outcome = { kind: 'ok' };

/** `reason` comes from a small closed set: it becomes a label. */
export function drop(reason: string): Outcome {
  return { kind: 'drop', reason };
}

export function deadLetter(reason: string, error?: unknown): Outcome {
  return { kind: 'deadLetter', reason, error };
}
