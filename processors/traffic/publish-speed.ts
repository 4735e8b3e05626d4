import type { SpeedFigure } from './speed-window.js';

/** The last published speed of an edge; `evidenceMs` is the newest passage behind it. */
export interface PublishedSpeed {
  readonly kph: number;
  readonly evidenceMs: number;
  /** The last figure from drivers; absent if the typical speed was published. */
  readonly live?: SpeedFigure;
}

export interface HysteresisSettings {
  /**
   * Relative difference from the last published figure, or from free flow, that a figure needs to be
   * published.
   */
  readonly changeRatio: number;
  /** Nearer to free flow than this the live figure is withdrawn. */
  readonly clearRatio: number;
  /** A figure without new evidence is withdrawn after this long. */
  readonly ttlMs: number;
  /** If the typical speed is known, the difference of a figure without new evidence halves in this time. */
  readonly fadeHalfLifeMs: number;
  /** Error of a driven length, metres: a phone passes both ends of an edge between two of its points. */
  readonly lengthErrorM: number;
  /**
   * Maximum figure as a multiple of free flow. A higher speed is a measuring error or speeding, and routes
   * must not depend on either.
   */
  readonly fasterRatioMax: number;
}

/** The static facts for evaluating an edge. */
export interface EdgeFacts {
  readonly lengthM: number;
  readonly freeFlowKph: number;
  /** Edges that a driver can take instead, at the beginning of the edge. */
  readonly others: readonly string[];
  /** The same road in the other direction; absent for a one-way road. */
  readonly reverse?: string;
}

export type SpeedEvent =
  | { readonly kind: 'speed'; readonly figure: SpeedFigure }
  | { readonly kind: 'cleared' };

/**
 * What to publish now, if anything. A figure is published if it differs by more than `changeRatio` and twice
 * its standard error, which is large on a short edge. It is withdrawn below `clearRatio`, so that a speed
 * near the limit does not flicker.
 */
export function speedEvent(
  published: PublishedSpeed | undefined,
  measured: SpeedFigure | undefined,
  { freeFlowKph, lengthM }: EdgeFacts,
  nowMs: number,
  settings: HysteresisSettings,
  typicalKph?: number,
): SpeedEvent | undefined {
  if (measured === undefined) return unmeasured(published, freeFlowKph, nowMs, typicalKph, settings);
  const figure = { ...measured, kph: Math.min(measured.kph, freeFlowKph * settings.fasterRatioMax) };
  const error = settings.lengthErrorM / (lengthM * Math.sqrt(figure.probes));
  const tellingRatio = settings.changeRatio + 2 * error;
  if (published === undefined)
    return differs(figure.kph, freeFlowKph, tellingRatio) ? { kind: 'speed', figure } : undefined;
  if (!differs(figure.kph, freeFlowKph, settings.clearRatio)) return { kind: 'cleared' };
  return differs(figure.kph, published.kph, tellingRatio) ? { kind: 'speed', figure } : undefined;
}

/**
 * There is no evidence for a figure now: it fades to the typical speed of the hour, which is then published
 * without probes.
 */
function unmeasured(
  published: PublishedSpeed | undefined,
  freeFlowKph: number,
  nowMs: number,
  typicalKph: number | undefined,
  { changeRatio, clearRatio, ttlMs, fadeHalfLifeMs }: HysteresisSettings,
): SpeedEvent | undefined {
  const ageMs = published === undefined ? Number.POSITIVE_INFINITY : nowMs - published.evidenceMs;
  const isStale = ageMs >= ttlMs;
  if (published !== undefined && !isStale && typicalKph === undefined) return undefined;
  if (published?.live !== undefined && !isStale && typicalKph !== undefined) {
    const left = 2 ** (-ageMs / fadeHalfLifeMs);
    const { kph: liveKph, probes, confidence } = published.live;
    const kph = 1 / (left / liveKph + (1 - left) / typicalKph);
    const figure = { kph, probes, confidence: confidence * left };
    return differs(kph, published.kph, changeRatio) ? { kind: 'speed', figure } : undefined;
  }
  if (typicalKph === undefined || !differs(typicalKph, freeFlowKph, changeRatio))
    return published === undefined ? undefined : { kind: 'cleared' };
  const isSaid = published !== undefined && !differs(typicalKph, published.kph, clearRatio);
  return isSaid && published.live === undefined
    ? undefined
    : { kind: 'speed', figure: { kph: typicalKph, probes: 0, confidence: 0 } };
}

function differs(kph: number, from: number, ratio: number): boolean {
  return Math.abs(kph - from) > from * ratio;
}
