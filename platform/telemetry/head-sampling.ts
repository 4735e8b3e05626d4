import { TokenBucket } from '../rate/token-bucket.js';

/** The samplers of OpenTelemetry's `OTEL_TRACES_SAMPLER`. */
export const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

export interface SamplingRules {
  readonly sampler: SamplerName;
  /** Of the `traceidratio` samplers: 0 to 1. */
  readonly ratio: number;
  /** Traces that begin or are continued here per second, whatever the sampler and the callers want. */
  readonly perSecond: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
}

/** What the caller of a request decided. */
export interface CallerTrace {
  readonly traceId: string;
  readonly sampled: boolean;
}

/**
 * Decides once for each request whether it is traced; everything behind it follows. The limit per second
 * bounds the cost, also when callers ask for a trace of every request.
 */
export function headSampling(rules: SamplingRules): (caller: CallerTrace | undefined) => boolean {
  const bucket = new TokenBucket(rules.perSecond, rules.perSecond, rules.nowMs());
  const wanted = wantedBy(rules);
  return (caller) => wanted(caller) && bucket.take(rules.nowMs());
}

function wantedBy({ sampler, ratio, random }: SamplingRules): (caller: CallerTrace | undefined) => boolean {
  const byRatio = (caller: CallerTrace | undefined): boolean =>
    (caller === undefined ? random() : shareOf(caller.traceId)) < ratio;
  const asCaller =
    (root: boolean | (() => boolean)) =>
    (caller: CallerTrace | undefined): boolean =>
      caller === undefined ? (typeof root === 'function' ? root() : root) : caller.sampled;
  switch (sampler) {
    case 'always_on':
      return () => true;
    case 'always_off':
      return () => false;
    case 'traceidratio':
      return byRatio;
    case 'parentbased_always_on':
      return asCaller(true);
    case 'parentbased_always_off':
      return asCaller(false);
    case 'parentbased_traceidratio':
      return asCaller(() => byRatio(undefined));
  }
}

/** The last seven bytes of a trace id are random (W3C Trace Context, level 2). */
const shareOf = (traceId: string): number => Number.parseInt(traceId.slice(-12), 16) / 2 ** 48;
