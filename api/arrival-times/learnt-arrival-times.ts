import type { Logger } from '#platform/telemetry/logger.js';
import { type ArrivalModel, estimateArrival } from '#routing-engine/arrival-times/arrival-model.js';
import { outlookOf, routeFeatures, type TypicalRatio } from '#routing-engine/arrival-times/route-features.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ArrivalTimes } from '../ports/arrival-times.js';

export interface LearntArrivalTimesOptions {
  readonly network: RoadNetwork;
  readonly typicalRatio: TypicalRatio;
  /** The newest model; undefined before the first was trained. */
  readonly model: () => ArrivalModel | undefined;
  readonly logger: Logger;
}

/**
 * Physical time with the learnt correction; without a model, or when it fails, the time of the metric and a
 * flag.
 */
export function learntArrivalTimes({
  network,
  typicalRatio,
  model,
  logger,
}: LearntArrivalTimesOptions): ArrivalTimes {
  return {
    of({ edgeIds, durationS, distanceM }, departMs) {
      const current = model();
      if (current === undefined) return { durationS, fallback: 'no-model' };
      try {
        const route = { edgeIds: edgeIds(), distanceM, metricS: durationS };
        const features = routeFeatures(outlookOf(network, route, departMs), typicalRatio);
        const estimate = estimateArrival(current, features);
        if (!Number.isFinite(estimate.highS)) throw new Error('the model returned no number');
        return { durationS: estimate.durationS, interval: { lowS: estimate.lowS, highS: estimate.highS } };
      } catch (error) {
        logger.error('arrival time estimation failed', {
          cause: (error as Error).message,
        });
        return { durationS, fallback: 'failed' };
      }
    },
  };
}
