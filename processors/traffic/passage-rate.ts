/**
 * How often an edge is driven, with a memory that halves every `halfLifeMs`: decayed passages over decayed time.
 * The silence since the last passage is not part of it, or a closed road would unlearn that it was ever driven.
 */
export interface PassageRate {
  /** Passages after the first, decayed to `lastMs`. */
  readonly count: number;
  /** Milliseconds that `count` was gathered in, decayed alike. */
  readonly exposureMs: number;
  readonly lastMs: number;
}

export function firstPassage(atMs: number): PassageRate {
  return { count: 0, exposureMs: 0, lastMs: atMs };
}

/** A passage older than the last one counts, but moves no clock. */
export function addPassage(rate: PassageRate, atMs: number, halfLifeMs: number): PassageRate {
  const gapMs = Math.max(0, atMs - rate.lastMs);
  const kept = 2 ** (-gapMs / halfLifeMs);
  return {
    count: rate.count * kept + 1,
    // The integral of 2^(-t / halfLife) over the gap.
    exposureMs: rate.exposureMs * kept + (halfLifeMs / Math.LN2) * (1 - kept),
    lastMs: Math.max(rate.lastMs, atMs),
  };
}

/** Passages per millisecond; 0 while nothing can be said. */
export function passagesPerMs({ count, exposureMs }: PassageRate): number {
  return exposureMs > 0 ? count / exposureMs : 0;
}

/**
 * Milliseconds without a passage after which "open" is rejected at risk `alpha`: passages of an open road come as a
 * Poisson process, so silence of length t has probability e^(-rate t).
 */
export function silenceToRejectMs(rate: PassageRate, alpha: number): number {
  const perMs = passagesPerMs(rate);
  return perMs > 0 ? Math.log(1 / alpha) / perMs : Number.POSITIVE_INFINITY;
}
