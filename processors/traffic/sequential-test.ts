/**
 * Wald's sequential probability ratio test for outcomes that are hits or misses. A. Wald, "Sequential Tests
 * of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945), section 5.2: H0 says that a hit
 * has probability `p0`, H1 that it has `p1 > p0`. The sum of the log likelihood ratios walks until it leaves
 * (lower, upper); then H0 or H1 is accepted.
 */
export interface SequentialTest {
  /** ln(p1 / p0): what a hit adds. */
  readonly hit: number;
  /** ln((1 - p1) / (1 - p0)): what a miss adds, negative. */
  readonly miss: number;
  /** ln((1 - beta) / alpha): H1 is accepted here or above. */
  readonly upper: number;
  /** ln(beta / (1 - alpha)): H0 is accepted here or below. */
  readonly lower: number;
}

export interface TestRisks {
  /** Probability of a hit under H0. */
  readonly p0: number;
  /** Probability of a hit under H1. */
  readonly p1: number;
  /** Risk of accepting H1 where H0 holds. */
  readonly alpha: number;
  /** Risk of accepting H0 where H1 holds. */
  readonly beta: number;
}

/** Throws a `RangeError` if the four figures define no test. */
export function sequentialTest({ p0, p1, alpha, beta }: TestRisks): SequentialTest {
  const isTest = p0 > 0 && p1 > p0 && p1 < 1 && alpha > 0 && beta > 0 && alpha + beta < 1;
  if (!isTest)
    throw new RangeError(
      'A sequential test needs 0 < p0 < p1 < 1 and 0 < alpha, 0 < beta, alpha + beta < 1.',
    );
  return {
    hit: Math.log(p1 / p0),
    miss: Math.log((1 - p1) / (1 - p0)),
    upper: Math.log((1 - beta) / alpha),
    lower: Math.log(beta / (1 - alpha)),
  };
}

export type Verdict = 'h1' | 'h0' | 'undecided';

export function verdict(test: SequentialTest, hits: number, misses: number): Verdict {
  const ratio = hits * test.hit + misses * test.miss;
  if (ratio >= test.upper) return 'h1';
  return ratio <= test.lower ? 'h0' : 'undecided';
}
