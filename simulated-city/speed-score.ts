import type { TrafficAnswer } from '#schemas/http/map.js';
import type { SimulationTruth } from '#schemas/http/simulation.js';

export interface SpeedScore {
  /** Live speeds that were compared with the truth, over all polls. */
  readonly speeds: number;
  /** Median and mean of |speed − truth| ÷ truth. */
  readonly medianError: number | undefined;
  readonly meanError: number | undefined;
}

/** Errors that are kept, as a histogram in steps of one percent. */
const errorSteps = 300;

/** Compares live speeds with the true ones. */
export class SpeedScorer {
  readonly #errors = new Uint32Array(errorSteps + 1);

  look({ features }: TrafficAnswer, truth: SimulationTruth): void {
    const truly = new Map(truth.speeds.map(({ edge, kph }) => [edge, kph]));
    for (const { properties } of features) {
      if (properties.closed) continue;
      const trueKph = truly.get(properties.edge_id);
      if (trueKph === undefined) continue;
      const error = Math.abs(properties.speed_kph - trueKph) / trueKph;
      this.#errors[Math.min(errorSteps, Math.round(error * 100))]!++;
    }
  }

  get result(): SpeedScore {
    const speeds = this.#errors.reduce((sum, each) => sum + each, 0);
    if (speeds === 0) return { speeds, medianError: undefined, meanError: undefined };
    let below = 0;
    const median = this.#errors.findIndex((count) => {
      below += count;
      return 2 * below >= speeds;
    });
    const sum = this.#errors.reduce((total, count, step) => total + count * step, 0);
    return { speeds, medianError: median / 100, meanError: sum / speeds / 100 };
  }
}
