/** @returns the state of a row by what is stated of it. */
export function rowState(
  evidence: readonly { scaled?: string; missing?: string; proof?: string }[],
  names: number,
  passed: (proof: string) => boolean,
): 'proven' | 'scaled down' | 'partial' | 'named only' | 'not yet';
