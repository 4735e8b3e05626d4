import type { Gauge, Metrics } from '#platform/telemetry/metrics.js';
import type { ArrivalObserved } from '#schemas/messages.js';

/** Trips that a score remembers. */
const memory = 200;

/**
 * The recent error of predicted times: mean relative error, bias, and the share of trips within their
 * interval.
 */
export interface ArrivalScore {
  readonly trips: number;
  readonly error: number;
  readonly bias: number;
  readonly covered: number;
}

export const noScore: ArrivalScore = { trips: 0, error: 0, bias: 0, covered: 0 };

/** A moving mean; a trip without a prediction changes nothing. */
export function scored(
  score: ArrivalScore,
  { saidS, lowS, highS, actualS }: Pick<ArrivalObserved, 'saidS' | 'lowS' | 'highS' | 'actualS'>,
): ArrivalScore {
  if (saidS <= 0) return score;
  const trips = score.trips + 1;
  const share = 1 / Math.min(trips, memory);
  const off = saidS / actualS - 1;
  const toward = (mean: number, value: number): number => mean + share * (value - mean);
  return {
    trips,
    error: toward(score.error, Math.abs(off)),
    bias: toward(score.bias, off),
    covered: toward(score.covered, lowS <= actualS && actualS <= highS ? 1 : 0),
  };
}

const figures = ['error', 'bias', 'covered'] as const;

/** The score of all trips as gauges; those of corridors are too many for labels and are in the state. */
export function scoreGauges(metrics: Metrics): (score: ArrivalScore) => void {
  const gauges = new Map<string, Gauge>(
    figures.map((figure) => [
      figure,
      metrics.gauge(
        'arrival_score',
        'Predicted arrival times: mean relative error, bias, share within the interval.',
        {
          figure,
        },
      ),
    ]),
  );
  return (score) => {
    for (const figure of figures) gauges.get(figure)!.set(score[figure]);
  };
}
