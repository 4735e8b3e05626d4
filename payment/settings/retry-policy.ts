export const retryStrategies = ['immediate', 'fixed', 'incremental', 'exponential', 'cancel'] as const;
export type RetryStrategy = (typeof retryStrategies)[number];

export interface RetryPolicy {
  readonly strategy: RetryStrategy;
  /** Attempts in total; after the last one the request is stopped. */
  readonly attemptsMax: number;
  readonly firstMs: number;
  readonly capMs: number;
  /** `full`: the wait is random between 0 and the computed one (AWS Architecture Blog, 2015). */
  readonly jitter: 'none' | 'full';
}

export const retryDefaults: RetryPolicy = {
  strategy: 'exponential',
  attemptsMax: 8,
  firstMs: 1_000,
  capMs: 15 * 60_000,
  jitter: 'full',
};

/**
 * Milliseconds to wait after `attempts` failed attempts, or nothing when it is time to stop. A `Retry-After`
 * of the provider is a floor that neither cap nor jitter lowers. `random` is 0 ≤ x < 1.
 */
export function retryAfter(
  policy: RetryPolicy,
  attempts: number,
  random: number,
  askedMs = 0,
): number | undefined {
  if (policy.strategy === 'cancel' || attempts >= policy.attemptsMax) return undefined;
  const computed = Math.min(policy.capMs, interval(policy, attempts));
  const jittered = policy.jitter === 'full' ? Math.floor(computed * random) : computed;
  return Math.max(askedMs, jittered);
}

function interval({ strategy, firstMs }: RetryPolicy, attempts: number): number {
  switch (strategy) {
    case 'immediate':
    case 'cancel':
      return 0;
    case 'fixed':
      return firstMs;
    case 'incremental':
      return firstMs * attempts;
    case 'exponential':
      return firstMs * 2 ** Math.min(attempts - 1, 40);
  }
}
