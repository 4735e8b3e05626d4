import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyCellMetrics, decodeCellMetric } from '#routing-engine/overlay/cell-metric.js';
import { CLOSED, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import type { MetricCustomized } from '#schemas/messages.js';

/** Every version of the metric, as its announcement and its objects say when it is announced. */
export class MetricHistory {
  readonly #network: RoadNetwork;
  readonly #closed = new Map<number, ReadonlySet<number>>();
  #current: Metric;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#current = freeFlowMetric(network, 'driving');
    this.#keep();
  }

  get current(): Metric {
    return this.#current;
  }

  /**
   * `cells`: the bytes of the announced objects. A repeated announcement changes nothing. False: the version
   * cannot be read.
   */
  announced(
    { version, whole }: Pick<MetricCustomized, 'version' | 'whole'>,
    cells: readonly (Uint8Array | undefined)[],
  ): boolean {
    if (version <= this.#current.version) return true;
    const present = cells.filter((bytes) => bytes !== undefined);
    if (present.length < cells.length) return false;
    const base = whole ? freeFlowMetric(this.#network, 'driving') : this.#current;
    const changed = present.map((bytes) => decodeCellMetric(this.#network, bytes));
    this.#current = applyCellMetrics(this.#network, base, changed, version);
    this.#keep();
    return true;
  }

  /** Edges that are closed in that version; undefined for one that was never announced. */
  closedIn(version: number): ReadonlySet<number> | undefined {
    return this.#closed.get(version);
  }

  #keep(): void {
    const { costMs, version } = this.#current;
    const closed: number[] = [];
    for (let edge = 0; edge < costMs.length; edge++) if (costMs[edge] === CLOSED) closed.push(edge);
    const before = this.#closed.get(version - 1);
    const isSame = before?.size === closed.length && closed.every((edge) => before.has(edge));
    this.#closed.set(version, isSame ? before : new Set(closed));
  }
}
