import type { Incident } from '#schemas/http/incidents.js';
import type { TrafficAnswer } from '#schemas/http/map.js';
import type { SimulationTruth } from '#schemas/http/simulation.js';

export interface SpeedScore {
  /** Live speeds that were compared with the truth, over all polls. */
  readonly speeds: number;
  /** Median and mean of |speed − truth| ÷ truth. */
  readonly medianError: number | undefined;
  readonly meanError: number | undefined;
}

export interface RerouteScore {
  /** Guided drivers who stood before a closed road. */
  readonly barriers: number;
  /** The closure had been listed for ten seconds or more: a reroute was missing or late. */
  readonly missing: readonly {
    readonly driver: string;
    readonly edge: string;
    readonly listedForS: number;
  }[];
}

/** Time from a listed closure to the frame at the driver that may pass, with that of two polls. */
const rerouteMs = 10_000;
/** Errors that are kept, as a histogram in steps of one percent. */
const errorSteps = 300;

/** Compares live speeds with the true ones, and the barriers that drivers met with the listed closures. */
export class TrafficScorer {
  readonly #errors = new Uint32Array(errorSteps + 1);
  readonly #listedMs = new Map<string, number>();
  readonly #met = new Set<string>();
  readonly #missing: { driver: string; edge: string; listedForS: number }[] = [];

  /** `incidents` were queried at `truth.now_ms` or just before. */
  look({ features }: TrafficAnswer, incidents: readonly Incident[], truth: SimulationTruth): void {
    const truly = new Map(truth.speeds.map(({ edge, kph }) => [edge, kph]));
    for (const { properties } of features) {
      if (properties.closed) continue;
      const trueKph = truly.get(properties.edge_id);
      if (trueKph === undefined) continue;
      const error = Math.abs(properties.speed_kph - trueKph) / trueKph;
      this.#errors[Math.min(errorSteps, Math.round(error * 100))]!++;
    }
    const closed = new Set(
      incidents.filter(({ active, kind }) => active && kind === 'closed').flatMap(({ edge_ids }) => edge_ids),
    );
    for (const edge of closed) if (!this.#listedMs.has(edge)) this.#listedMs.set(edge, truth.now_ms);
    for (const { driver, edge, at_ms } of truth.barriers) {
      const key = `${driver} ${at_ms}`;
      if (this.#met.has(key)) continue;
      this.#met.add(key);
      const listedForMs = at_ms - (this.#listedMs.get(edge) ?? at_ms);
      if (listedForMs >= rerouteMs) this.#missing.push({ driver, edge, listedForS: listedForMs / 1_000 });
    }
    for (const edge of this.#listedMs.keys()) if (!closed.has(edge)) this.#listedMs.delete(edge);
  }

  get speeds(): SpeedScore {
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

  get reroutes(): RerouteScore {
    return { barriers: this.#met.size, missing: this.#missing };
  }
}
