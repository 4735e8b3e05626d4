/** The result of a step for a record. An exception counts as a failed attempt. */
export type Outcome =
  | { readonly kind: 'ok' }
  /** Not needed, which is normal: counted under its reason. */
  | { readonly kind: 'drop'; readonly reason: string }
  /** Cannot be processed, however often it is retried: sent to `dead.letter.v1` for people. */
  | { readonly kind: 'deadLetter'; readonly reason: string; readonly error?: unknown };

export const ok: Outcome = { kind: 'ok' };

/** `reason` comes from a small closed set: it becomes a label. */
export function drop(reason: string): Outcome {
  return { kind: 'drop', reason };
}

export function deadLetter(reason: string, error?: unknown): Outcome {
  return { kind: 'deadLetter', reason, error };
}
