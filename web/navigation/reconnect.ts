const firstMs = 500;
const slowestMs = 15_000;

/** Full-jitter exponential back-off, 0–0.5 s up to 0–15 s, so that pages do not all reconnect at once. */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(slowestMs, firstMs * 2 ** attempt));
}
