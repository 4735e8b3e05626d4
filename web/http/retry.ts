const waitMsMax = 5_000;

/**
 * Milliseconds to wait before the attempt after `tries` failed ones: as the server requests, or 0.3 s
 * doubling; jittered.
 */
export function retryDelayMs(tries: number, retryAfter: string | null, random: () => number): number {
  const asked = Number(retryAfter ?? Number.NaN) * 1_000;
  const base = Number.isFinite(asked) ? asked : 300 * 2 ** (tries - 1);
  return Math.min(waitMsMax, base) * (1 + random() / 2);
}
